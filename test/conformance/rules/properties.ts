import { type ErrorCode, PropertyId } from '../../../lib/index.ts'
import { byte, type Clauses, connect, type Row, type Rule, rules, will } from '../rule.ts'

/** A property list: its place in the packet and in the fields, and its clauses. */
export interface List {
  readonly letter: string
  readonly owner: string
  readonly path: string
  /** A packet with this list in hex; `fields` has the equivalent. */
  readonly wire: (list: string) => string
  readonly fields: (props: readonly object[]) => object
  readonly section: string
  readonly twice: readonly [ErrorCode, string]
  /** A property that the list must contain to be valid, in hex and as a field. */
  readonly needs?: readonly [wire: string, item: object]
}

export const lists: readonly List[] = [
  {
    letter: 'c',
    owner: 'a CONNECT',
    path: 'props',
    wire: (list) => connect(`02 K {${list}} A`),
    fields: (props) => ({ props }),
    section: '2.2.2.2',
    twice: ['property-twice', '3.1.2.11'],
  },
  {
    letter: 'w',
    owner: 'a will',
    path: 'will.props',
    wire: (list) => connect(`06 K % A {${list}} A A`),
    fields: (props) => will({ props }),
    section: '2.2.2.2',
    twice: ['will-property-twice', '3.1.3.2'],
  },
  {
    letter: 'k',
    owner: 'a CONNACK',
    path: 'props',
    wire: (list) => `20 L 00 00 {${list}}`,
    fields: (props) => ({ props }),
    section: '3.2.2.3',
    twice: ['property-twice', '3.2.2.3'],
  },
  {
    letter: 'd',
    owner: 'a DISCONNECT',
    path: 'props',
    wire: (list) => `e0 L 00 {${list}}`,
    fields: (props) => ({ props }),
    section: '3.14.2.2',
    twice: ['property-twice', '3.14.2.2'],
  },
  {
    letter: 'a',
    owner: 'an AUTH',
    path: 'props',
    wire: (list) => `f0 L 18 {${list}}`,
    fields: (props) => ({ props }),
    section: '3.15.2.2',
    twice: ['property-twice', '3.15.2.2'],
    needs: ['15 A', { id: 0x15, value: 'a' }],
  },
]

/**
 * The properties of MQTT 5.0, section 2.2.2.2: identifier, letters of the lists that may contain it, a value in hex, and the
 * same value as a field. Numbers are the largest of their type.
 */
export const properties: readonly (readonly [keyof typeof PropertyId, number, string, string, unknown])[] = [
  ['payloadFormatIndicator', 0x01, 'w', '01', 1],
  ['messageExpiryInterval', 0x02, 'w', 'ffffffff', 0xffffffff],
  ['contentType', 0x03, 'w', 'A', 'a'],
  ['responseTopic', 0x08, 'w', 'A', 'a'],
  ['correlationData', 0x09, 'w', 'A', Buffer.from('a')],
  ['subscriptionIdentifier', 0x0b, '', '01', 1],
  ['sessionExpiryInterval', 0x11, 'ckd', 'ffffffff', 0xffffffff],
  ['assignedClientIdentifier', 0x12, 'k', 'A', 'a'],
  ['serverKeepAlive', 0x13, 'k', 'ffff', 0xffff],
  ['authenticationMethod', 0x15, 'cka', 'A', 'a'],
  ['authenticationData', 0x16, 'cka', 'A', Buffer.from('a')],
  ['requestProblemInformation', 0x17, 'c', '01', 1],
  ['willDelayInterval', 0x18, 'w', 'ffffffff', 0xffffffff],
  ['requestResponseInformation', 0x19, 'c', '01', 1],
  ['responseInformation', 0x1a, 'k', 'A', 'a'],
  ['serverReference', 0x1c, 'kd', 'A', 'a'],
  ['reasonString', 0x1f, 'kda', 'A', 'a'],
  ['receiveMaximum', 0x21, 'ck', 'ffff', 0xffff],
  ['topicAliasMaximum', 0x22, 'ck', 'ffff', 0xffff],
  ['topicAlias', 0x23, '', 'ffff', 0xffff],
  ['maximumQos', 0x24, 'k', '01', 1],
  ['retainAvailable', 0x25, 'k', '01', 1],
  ['userProperty', 0x26, 'cwkda', 'A A', 'a'],
  ['maximumPacketSize', 0x27, 'ck', 'ffffffff', 0xffffffff],
  ['wildcardSubscriptionAvailable', 0x28, 'k', '01', 1],
  ['subscriptionIdentifierAvailable', 0x29, 'k', '01', 1],
  ['sharedSubscriptionAvailable', 0x2a, 'k', '01', 1],
]

export function fieldOf(id: number, value: unknown): object {
  return { id, ...(id === PropertyId.userProperty && { key: 'a' }), value }
}

/** Makes rules of one code and one property: wraps each row's bytes in the list. */
function inList(
  { letter, path, wire, fields }: List,
  code: ErrorCode,
  name: string,
  clause: string,
  rows: readonly (readonly [what: string, list: string, props?: readonly object[]])[],
): Rule[] {
  const clauses: Clauses = { v5: clause }
  return rules(
    code,
    name === '' ? path : `${path}.${name}`,
    clauses,
    rows.map(([what, list, props]): Row => {
      const reads = code === 'variable-byte-integer-not-shortest' ? readsOf[letter] : undefined
      return [what, wire(list), props && fields(props), reads ? { reads } : {}]
    }),
  )
}

/** The fields of packets with an identifier that isn't in its shortest form. */
const readsOf: Readonly<Record<string, object>> = {
  c: { props: [fieldOf(0x11, 1)] },
  w: will({ props: [fieldOf(0x01, 1)] }),
  k: { props: [fieldOf(0x24, 1)] },
  d: { props: [fieldOf(0x1f, 'a')] },
  a: { props: [fieldOf(0x15, 'a'), fieldOf(0x1f, 'a')] },
}

/** Each property in each list: where it isn't allowed, twice, and cut short after every byte. */
const anyProperty: readonly Rule[] = lists.flatMap((list) =>
  properties.flatMap(([name, id, letters, wire, value]) => {
    const { owner, section, twice, letter } = list
    const item = fieldOf(id, value)
    if (!letters.includes(letter)) {
      const what = `a property that ${owner} does not have`
      return inList(list, 'property-not-allowed-here', name, section, [
        [what, `>${byte(id)} ${wire}`, [item]],
        [what, `26 A A >${byte(id)}`],
      ])
    }
    const whole = wire.replaceAll('A', '0001 61').replaceAll(' ', '')
    // The value of a user property begins after its key.
    const cuts = Array.from({ length: whole.length / 2 }, (_, length) =>
      length < 3 || name !== 'userProperty'
        ? `${byte(id)} >${whole.slice(0, length * 2)}`
        : `${byte(id)} ${whole.slice(0, 6)} >${whole.slice(6, length * 2)}`,
    )
    const what = `a property of ${owner} that continues after its list`
    return [
      ...inList(
        list,
        'property-past-end',
        name,
        section,
        cuts.map((cut) => [what, cut]),
      ),
      ...(name === 'userProperty'
        ? []
        : inList(list, twice[0], name, twice[1], [
            [`a property twice in ${owner}`, `${byte(id)} ${wire} >${byte(id)} ${wire}`, [item, item]],
            [`a property twice in ${owner}`, `${byte(id)} ${wire} 26 A A >${byte(id)}`],
          ])),
    ]
  }),
)

const [inConnect, inWill, inConnack, inDisconnect, inAuth] = lists as [List, List, List, List, List]

/** Values out of range: list, code, name, clause and description, then the values in hex. */
const ranges: readonly (readonly [List, ErrorCode, keyof typeof PropertyId, string, string, ...string[]])[] =
  [
    [inConnect, 'receive-maximum-zero', 'receiveMaximum', '3.1.2.11.3', 'receive maximum 0', '0000'],
    [inConnack, 'receive-maximum-zero', 'receiveMaximum', '3.2.2.3.3', 'receive maximum 0', '0000'],
    [
      inConnect,
      'maximum-packet-size-zero',
      'maximumPacketSize',
      '3.1.2.11.4',
      'maximum packet size 0',
      '00000000',
    ],
    [
      inConnack,
      'maximum-packet-size-zero',
      'maximumPacketSize',
      '3.2.2.3.6',
      'maximum packet size 0',
      '00000000',
    ],
    ...(
      [
        [inConnect, 'request-response-information', 'requestResponseInformation', '3.1.2.11.6'],
        [inConnect, 'request-problem-information', 'requestProblemInformation', '3.1.2.11.7'],
        [inWill, 'payload-format-indicator', 'payloadFormatIndicator', '3.1.3.2.3'],
        [inConnack, 'maximum-qos', 'maximumQos', '3.2.2.3.4'],
        [inConnack, 'retain-available', 'retainAvailable', '3.2.2.3.5'],
        [inConnack, 'wildcard-subscription-available', 'wildcardSubscriptionAvailable', '3.2.2.3.11'],
        [inConnack, 'subscription-identifier-available', 'subscriptionIdentifierAvailable', '3.2.2.3.12'],
        [inConnack, 'shared-subscription-available', 'sharedSubscriptionAvailable', '3.2.2.3.13'],
      ] as const
    ).map(
      ([list, code, name, clause]) =>
        [
          list,
          code,
          name,
          clause,
          `${code.replaceAll('-', ' ')} other than 0 and 1`,
          '02',
          '80',
          'ff',
        ] as const,
    ),
  ]

const values: readonly Rule[] = [
  ...ranges.flatMap(([list, code, name, clause, what, ...wires]) =>
    inList(
      list,
      code,
      name,
      clause,
      wires.map((wire) => [
        what,
        `${byte(PropertyId[name])} >${wire}`,
        [fieldOf(PropertyId[name], Number.parseInt(wire, 16))],
      ]),
    ),
  ),
  ...(
    [
      [inConnect, '3.1.2.11.10'],
      [inConnack, '4.12'],
    ] as const
  ).flatMap(([list, clause]) =>
    inList(list, 'authentication-data-without-method', 'authenticationData', clause, [
      ['authentication data without a method', '>16 A', [fieldOf(0x16, Buffer.from('a'))]],
      [
        'authentication data without a method',
        '21 0001 >16 0000 22 0001',
        [fieldOf(0x21, 1), fieldOf(0x16, Buffer.alloc(0)), fieldOf(0x22, 1)],
      ],
    ]),
  ),
  // If `allow` permits a longer identifier, the other rules still apply to the property.
  ...(
    [
      ['authentication-data-without-method', '3.1.2.11.10', 'authenticationData', '>9600 A'],
      ['property-twice', '3.1.2.11', 'receiveMaximum', '21 0001 >a100 0001'],
      ['property-not-allowed-here', '2.2.2.2', 'contentType', '>8300 A'],
      ['receive-maximum-zero', '3.1.2.11.3', 'receiveMaximum', 'a100 >0000'],
    ] as const
  ).flatMap(([code, clause, name, list]) =>
    inList(inConnect, code, name, clause, [
      ['the same if its identifier is longer than needed and allow accepts that', list],
    ]).map((rule): Rule => ({ ...rule, options: { allow: ['variable-byte-integer-not-shortest'] } })),
  ),
  ...inList(inWill, 'response-topic-empty', 'responseTopic', 'MQTT-3.3.2-14', [
    ['an empty response topic', '08 >0000', [fieldOf(0x08, '')]],
  ]),
  ...inList(inWill, 'response-topic-wildcard', 'responseTopic', 'MQTT-3.3.2-14', [
    ['a response topic with a wildcard', '08 0001 >2b', [fieldOf(0x08, '+')]],
    ['a response topic with a wildcard', '08 0003 612f>23', [fieldOf(0x08, 'a/#')]],
  ]),
]

const identifiers: readonly Rule[] = lists.flatMap((list) => [
  ...inList(list, 'property-unknown', '', list.section, [
    ...[0x00, 0x04, 0x0a, 0x10, 0x2b, 0x7f].map(
      (id) => ['an unknown property identifier', `>${byte(id)} 00`, [{ id, value: 0 }]] as const,
    ),
    ['an unknown property identifier', '>8001 00'],
    ['an unknown property identifier', '>9101 00'],
    ['an unknown property identifier', '26 A A >ffffff7f'],
  ]),
  ...inList(list, 'property-past-end', '', list.section, [
    [`a property of ${list.owner} that continues after its list`, '>91'],
    [`a property of ${list.owner} that continues after its list`, '26 A A >ffffff'],
  ]),
  ...inList(list, 'variable-byte-integer-too-long', '', '1.5.5', [
    ['a property identifier of five bytes', '>ffffffff7f 00'],
    ['a property identifier of five bytes', '>91808080 00'],
  ]),
])

const long = 'a property identifier or length of more bytes than needed'

const lengths: readonly Rule[] = [
  ...inList(inConnect, 'variable-byte-integer-not-shortest', 'sessionExpiryInterval', 'MQTT-1.5.5-1', [
    [long, '>9100 00000001'],
    [long, '>91808000 00000001'],
  ]),
  ...inList(inWill, 'variable-byte-integer-not-shortest', 'payloadFormatIndicator', 'MQTT-1.5.5-1', [
    [long, '>8100 01'],
  ]),
  ...inList(inConnack, 'variable-byte-integer-not-shortest', 'maximumQos', 'MQTT-1.5.5-1', [
    [long, '>a400 01'],
  ]),
  ...inList(inDisconnect, 'variable-byte-integer-not-shortest', 'reasonString', 'MQTT-1.5.5-1', [
    [long, '>9f00 A'],
  ]),
  ...inList(inAuth, 'variable-byte-integer-not-shortest', 'reasonString', 'MQTT-1.5.5-1', [
    [long, '15 A >9f00 A'],
  ]),
  ...rules('variable-byte-integer-not-shortest', 'propertyLength', { v5: 'MQTT-1.5.5-1' }, [
    [long, connect('02 K >8000 A')],
    [long, '20 L 00 00 >808000'],
    [long, '20 L 00 00 >8200 24 01', undefined, { reads: { props: [fieldOf(0x24, 1)] } }],
    [long, 'e0 L 00 >8000'],
    [long, 'f0 L 18 >8400 15 A', undefined, { reads: { props: [fieldOf(0x15, 'a')] } }],
  ]),
  ...rules('variable-byte-integer-not-shortest', 'will.propertyLength', { v5: 'MQTT-1.5.5-1' }, [
    [long, connect('06 K % A >808000 A A'), undefined, { reads: will({ props: [] }) }],
  ]),
  ...rules('variable-byte-integer-too-long', 'propertyLength', { v5: '1.5.5' }, [
    ['a property length of five bytes', connect('02 K >8080808001 A')],
    ['a property length of five bytes', '20 L 00 00 >ffffffff7f'],
    ['a property length of five bytes', 'e0 L 00 >ffffffff7f'],
    ['a property length of five bytes', 'f0 L 18 >8080808001'],
  ]),
  ...rules('variable-byte-integer-too-long', 'will.propertyLength', { v5: '1.5.5' }, [
    ['a property length of five bytes', connect('06 K % A >ffffffff7f A A')],
  ]),
]

export const propertyRules: readonly Rule[] = [...anyProperty, ...values, ...identifiers, ...lengths]
