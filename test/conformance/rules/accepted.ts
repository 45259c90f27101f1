import { connect, hexOf, ofAll, packet, prefixed, type VersionName, versionNames, will } from '../rule.ts'
import { fieldOf, type List, lists, properties } from './properties.ts'

export interface Accepted {
  readonly version: VersionName
  readonly clause: string
  /** Part of the test's title. */
  readonly what: string
  readonly wire: string
  /** The same packet as fields, beyond those that a constructor requires. */
  readonly fields: object
  /** False if a constructor encodes these fields differently. */
  readonly isSame?: boolean | undefined
}

type Row = readonly [VersionName, string, string, string, object, boolean?]

/** Packets that look invalid, or are invalid in another version. */
const surprising: readonly Row[] = [
  ['v5', 'MQTT-3.1.2-22', 'a password without a user name', connect('42 K 00 A A'), { password: 'a' }],
  [
    'v5',
    'MQTT-3.1.2-22',
    'an empty password without a user name',
    connect('42 K 00 A 0000'),
    { password: '' },
  ],
  [
    'v5',
    'MQTT-3.1.3-8',
    'an empty client id without clean start',
    connect('00 K 00 0000'),
    { cleanStart: false, clientId: '' },
  ],
  ['v3_1_1', 'MQTT-3.1.3-8', 'an empty client id with clean session', connect('02 K 0000'), { clientId: '' }],
  [
    'v3_1_1',
    'MQTT-3.1.3-5',
    'a client id of more than 23 characters',
    connect(`02 K 0018 ${'61'.repeat(24)}`),
    { clientId: 'a'.repeat(24) },
  ],
  [
    'v5',
    'MQTT-3.1.3-5',
    'a client id of more than 23 characters',
    connect(`02 K 00 0018 ${'61'.repeat(24)}`),
    { clientId: 'a'.repeat(24) },
  ],
  [
    'v3_1',
    '3.1',
    'a client id of 23 characters',
    connect(`02 K 0017 ${'61'.repeat(23)}`),
    { clientId: 'a'.repeat(23) },
  ],
  [
    'v3_1',
    '3.1',
    'a client id of 23 characters of several bytes',
    connect(`02 K 0045 ${'e282ac'.repeat(23)}`),
    { clientId: '€'.repeat(23) },
  ],
  ['v3_1', '3.1', 'bit 0 of the connect flags', connect('03 K A'), {}, false],
  ['v3_1', '3.1', 'will QoS without a will', connect('1a K A'), {}, false],
  ['v3_1', '3.1', 'will retain without a will', connect('22 K A'), {}, false],
  ['v3_1', '3.1', 'a user name flag without a user name', connect('82 K A'), {}, false],
  ['v3_1', '3.1', 'both flags without user name and password', connect('c2 K A'), {}, false],
  ['v3_1', '3.1', 'a password flag without a password', connect('c2 K A A'), { userName: 'a' }, false],
  ['v3_1', '3.1', 'a will before an absent user name', connect('86 K A A A'), will({}), false],
  [
    'v3_1',
    '3.1',
    'user name and password',
    connect('c2 K A A 0002 0062'),
    { userName: 'a', password: '\0b' },
  ],
  ['v3_1', '2.1', 'a Remaining Length of two bytes where one is enough', '10 8f00 P 02 K A', {}, false],
  ['v3_1_1', '2.2.3', 'a Remaining Length of two bytes where one is enough', '10 8d00 P 02 K A', {}, false],
  [
    'v3_1_1',
    '2.2.3',
    'a Remaining Length of four bytes where one is enough',
    '10 8d808000 P 02 K A',
    {},
    false,
  ],
  ['v3_1_1', '3.2.1', 'a CONNACK whose Remaining Length has two bytes', '20 8200 00 00', {}, false],
  [
    'v3_1_1',
    '3.1.2.11',
    'a client id that looks like a property list',
    connect('02 K 0005 2161012161'),
    { clientId: '!a\u0001!a' },
  ],
  ['v3_1', '3.2', 'anything in the reserved byte of a CONNACK', '20 L ff 05', { returnCode: 5 }, false],
  ['v3_1', '3.2', 'every return code, 0 to 5', '20 L 00 05', { returnCode: 5 }],
  ['v3_1_1', 'MQTT-3.2.2-4', 'session present with return code 0', '20 L 01 00', { sessionPresent: true }],
  ['v5', 'MQTT-3.2.2-6', 'session present with reason code 0', '20 L 01 00 00', { sessionPresent: true }],
  [
    'v5',
    '3.1.2.11.10',
    'authentication data before its method',
    connect('02 K {16 A 15 A} A'),
    { props: [fieldOf(0x16, Buffer.from('a')), fieldOf(0x15, 'a')] },
  ],
  [
    'v5',
    '3.1.3.2.3',
    'a will message that is not UTF-8, although its properties say so',
    connect('06 K % A {01 01} A 0001 ff'),
    will({ message: Buffer.of(255), props: [fieldOf(1, 1)] }),
  ],
  [
    'v3_1_1',
    '3.1.3.3',
    'a will message of any bytes',
    connect('06 K A A 0003 ff00c0'),
    will({ message: Buffer.from('ff00c0', 'hex') }),
  ],
  [
    'v3_1_1',
    'MQTT-4.7.1-1',
    'a will topic before a length whose first byte is that of a wildcard',
    connect(`06 K A 0002 c3a9 2300 ${'61'.repeat(0x2300)}`),
    will({ topic: 'é', message: 'a'.repeat(0x2300) }),
  ],
]

const longest = 0xffff

/** A string of this many letters, in hex with its length. */
function letters(count: number): string {
  return prefixed(hexOf('a'.repeat(count)))
}

/** Client ids that every server must accept by MQTT-3.1.3-5: 1 to 23 characters, with each letter and digit. */
const commonIds = ['0', 'Z', '0123456789abcdefghijklm', 'nopqrstuvwxyzABCDEFGHIJ', 'KLMNOPQRSTUVWXYZ']

/** Every field that all versions have. */
const everything = { ...will({ qos: 1, retain: true }), userName: 'a', password: 'a' }

/** The smallest and largest values of the fields that all versions have. */
const limits: readonly Row[] = versionNames.flatMap((version): Row[] => {
  const all = (v3_1_1: string, v5?: string) => ofAll(v3_1_1, v5)[version]!
  return [
    ...commonIds.map(
      (clientId): Row => [
        version,
        all('MQTT-3.1.3-5'),
        `the client id ${clientId}`,
        connect(`02 K % ${prefixed(hexOf(clientId))}`),
        { clientId },
      ],
    ),
    [version, all('3.1.2.10'), 'keep alive 0', connect('02 0000 % A'), { keepAlive: 0 }],
    [version, all('3.1.2.10'), 'keep alive 65,535', connect('02 ffff % A'), { keepAlive: longest }],
    ...[0, 1, 2].flatMap((qos) =>
      [false, true].map((retain): Row => {
        const flags = Buffer.of(0x06 | (qos << 3) | (retain ? 0x20 : 0)).toString('hex')
        const what = `a will with QoS ${qos}${retain ? ' and will retain' : ''}`
        return [version, all('3.1.2.6'), what, connect(`${flags} K % A % A A`), will({ qos, retain })]
      }),
    ),
    [
      version,
      all('3.1.3.3', '3.1.3.4'),
      'a will with an empty message',
      connect('06 K % A % A 0000'),
      will({ message: '' }),
    ],
    [
      version,
      all('1.5.3', '1.5.4'),
      'a will topic of 65,535 bytes',
      connect(`06 K % A % ${letters(longest)} A`),
      will({ topic: 'a'.repeat(longest) }),
    ],
    [
      version,
      all('3.1.3.3', '1.5.6'),
      'a will message of 65,535 bytes',
      connect(`06 K % A % A ${letters(longest)}`),
      will({ message: 'a'.repeat(longest) }),
    ],
    [
      version,
      all('3.1.3.4', '3.1.3.5'),
      'a user name without a password',
      connect('82 K % A A'),
      { userName: 'a' },
    ],
    [version, all('3.1.3.4', '3.1.3.5'), 'an empty user name', connect('82 K % A 0000'), { userName: '' }],
    [
      version,
      all('3.1.3.5', '3.1.3.6'),
      'an empty user name and an empty password',
      connect('c2 K % A 0000 0000'),
      { userName: '', password: '' },
    ],
    [
      version,
      all('3.1.3.5', '3.1.3.6'),
      'a user name and a password of 65,535 bytes',
      connect(`c2 K % A ${letters(longest)} ${letters(longest)}`),
      { userName: 'a'.repeat(longest), password: 'a'.repeat(longest) },
    ],
    ...(version === 'v3_1'
      ? []
      : ([
          [
            version,
            all('1.5.3', '1.5.4'),
            'a client id of 65,535 bytes',
            connect(`02 K % ${letters(longest)}`),
            { clientId: 'a'.repeat(longest) },
          ],
        ] as const)),
    [version, all('3.1.2'), 'every field', connect('ee K % A % A A A A'), everything],
  ]
})

/** A property in hex and as a field, with an authentication method if the property or the packet needs one. */
function alone(
  [name, id, , value, read]: (typeof properties)[number],
  { needs }: Pick<List, 'needs'>,
  other = value,
  same = read,
) {
  const needsMethod =
    name === 'authenticationData' || (needs !== undefined && name !== 'authenticationMethod')
  return [
    `${needsMethod ? '15 A ' : ''}${Buffer.of(id).toString('hex')} ${other}`,
    [...(needsMethod ? [fieldOf(0x15, 'a')] : []), fieldOf(id, same)],
  ] as const
}

const inLists: readonly Row[] = lists.flatMap((one): Row[] => {
  const { letter, owner, wire, fields, section, needs = ['', undefined] } = one
  const own = properties.filter(([, , letters]) => letters.includes(letter))
  const singles = own.map((row): Row => {
    const [list, items] = alone(row, one)
    return ['v5', section, `${row[0]} in ${owner}`, wire(list), fields(items)]
  })
  const strings = own.filter(([, , , value]) => value.startsWith('A'))
  const longestStrings = strings.map((row): Row => {
    const long = letters(longest)
    const text = 'a'.repeat(longest)
    const [name, id, , , read] = row
    const isPair = name === 'userProperty'
    const value = typeof read === 'string' ? text : Buffer.from(text)
    const [list, items] = alone(row, one, isPair ? `${long} ${long}` : long, value)
    const whole = isPair ? [...items.slice(0, -1), { id, key: text, value: text }] : items
    return ['v5', section, `${name} of 65,535 bytes in ${owner}`, wire(list), fields(whole)]
  })
  // Leaves out the server reference, because only a server may send it, and the session expiry interval is a client's.
  const ofOneSender = own.filter(([name]) => letter !== 'd' || name !== 'serverReference')
  const all = [...ofOneSender, own.find(([name]) => name === 'userProperty')!].map(
    ([, id, , value, read]) => [`${Buffer.of(id).toString('hex')} ${value}`, fieldOf(id, read)] as const,
  )
  const together: Row = [
    'v5',
    section,
    `all properties of ${owner} that a client or a server sends together, and user properties twice`,
    wire(all.map(([hex]) => hex).join(' ')),
    fields(all.map(([, item]) => item)),
  ]
  // Around the lengths where the property length takes one more byte.
  const lengths = [127, 128, 16_383, 16_384].map((length): Row => {
    const [first, item] = needs
    const value = 'b'.repeat(length - 6 - (item === undefined ? 0 : 4))
    const what = `a property list of ${length.toLocaleString('en')} bytes in ${owner}`
    const list = `${first} 26 A ${prefixed(hexOf(value))}`
    const items = [...(item === undefined ? [] : [item]), { id: 0x26, key: 'a', value }]
    return ['v5', '2.2.2.1', what, wire(list), fields(items)]
  })
  return [...singles, ...longestStrings, together, ...lengths]
})

const connackCodes: readonly Row[] = [
  ...[0, 1, 2, 3, 4, 5].map(
    (returnCode): Row => [
      'v3_1_1',
      '3.2.2.3',
      `return code ${returnCode} in a CONNACK`,
      `20 L 00 0${returnCode}`,
      { returnCode },
    ],
  ),
  ...'00 80 81 82 83 84 85 86 87 88 89 8a 8c 90 95 97 99 9a 9b 9c 9d 9f'
    .split(' ')
    .map(
      (code): Row => [
        'v5',
        '3.2.2.2',
        `reason code 0x${code.toUpperCase()} in a CONNACK`,
        `20 L 00 ${code} 00`,
        { reasonCode: Number.parseInt(code, 16) },
      ],
    ),
]

const method = [fieldOf(0x15, 'a')]

const disconnectCodes = [
  ...'04 80 81 82 83 87 89 8b 8d 8e 8f 90 93 94 95 96 97 98 99'.split(' '),
  ...'9a 9b 9c 9d 9e 9f a0 a1 a2'.split(' '),
]

const disconnectAndAuth: readonly Row[] = [
  ['v3_1', '3.14', 'a DISCONNECT, which has no fields', 'e0 00', {}],
  ['v3_1_1', '3.14.1', 'a DISCONNECT, which has no fields', 'e0 00', {}],
  ['v3_1_1', '3.14.1', 'a DISCONNECT whose Remaining Length has two bytes', 'e0 8000', {}, false],
  ['v5', '3.14.2.1', 'a DISCONNECT without a reason code, which is 0x00', 'e0 00', {}],
  ['v5', '3.14.2.1', 'a DISCONNECT with reason code 0x00', 'e0 01 00', {}, false],
  ['v5', '3.14.2.2.1', 'a DISCONNECT without properties', 'e0 02 00 00', {}, false],
  [
    'v5',
    '3.14.2.2.1',
    'a DISCONNECT with an error and without properties',
    'e0 02 80 00',
    { reasonCode: 0x80 },
    false,
  ],
  [
    'v5',
    '3.14.2.2.1',
    'a DISCONNECT with an error and properties',
    'e0 L 8b {1f A}',
    { reasonCode: 0x8b, props: [fieldOf(0x1f, 'a')] },
  ],
  ...disconnectCodes.map(
    (code): Row => [
      'v5',
      '3.14.2.1',
      `reason code 0x${code.toUpperCase()} in a DISCONNECT`,
      `e0 01 ${code}`,
      { reasonCode: Number.parseInt(code, 16) },
    ],
  ),
  ...['00', '18', '19'].map(
    (code): Row => [
      'v5',
      '3.15.2.1',
      `reason code 0x${code} in an AUTH`,
      `f0 L ${code} {15 A}`,
      { reasonCode: Number.parseInt(code, 16), props: method },
    ],
  ),
  [
    'v5',
    '3.15.2.2.3',
    'authentication data before its method in an AUTH',
    'f0 L 18 {16 A 15 A}',
    { props: [fieldOf(0x16, Buffer.from('a')), ...method] },
  ],
]

/** All valid packets of the tests, including those at the limits. */
export const accepted: readonly Accepted[] = [
  ...limits,
  ...surprising,
  ...inLists,
  ...connackCodes,
  ...disconnectAndAuth,
].map(([version, clause, what, wire, fields, isSame]) => ({ version, clause, what, wire, fields, isSame }))

export function bytesOf({ wire, version }: Accepted): Buffer {
  return packet(wire, version).bytes
}
