import { type ErrorCode, PropertyId } from '../../../lib/index.ts'
import { byte, type Clauses, connect, ofAll, prefixed, type Rule, rules, will } from '../rule.ts'
import { fieldOf, type List, lists } from './properties.ts'

export interface StringField {
  readonly field: string
  readonly title: string
  readonly notUtf8: readonly [ErrorCode, Clauses]
  readonly nul: readonly [ErrorCode, Clauses]
  /** True if 3.1 limits the string to 23 characters. */
  readonly short?: true
  /** A packet with this string, given in hex with its length. */
  readonly wire: (string: string) => string
  /** The same packet as fields. */
  readonly fields: (text: string) => object
}

const willTopic = ofAll('MQTT-3.1.3-10', 'MQTT-3.1.3-11')
const userName = ofAll('MQTT-3.1.3-11', 'MQTT-3.1.3-12')

const inPayload: readonly StringField[] = [
  {
    field: 'clientId',
    title: 'a client id',
    notUtf8: ['client-id-not-utf8', ofAll('MQTT-1.5.3-1', 'MQTT-1.5.4-1')],
    nul: ['client-id-nul', ofAll('MQTT-1.5.3-2', 'MQTT-1.5.4-2')],
    short: true,
    wire: (string) => connect(`02 K % ${string}`),
    fields: (clientId) => ({ clientId }),
  },
  {
    field: 'will.topic',
    title: 'a will topic',
    notUtf8: ['will-topic-not-utf8', willTopic],
    nul: ['will-topic-nul', willTopic],
    wire: (string) => connect(`06 K % A % ${string} A`),
    fields: (topic) => will({ topic }),
  },
  {
    field: 'userName',
    title: 'a user name',
    notUtf8: ['user-name-not-utf8', userName],
    nul: ['user-name-nul', userName],
    wire: (string) => connect(`82 K % A ${string}`),
    fields: (text) => ({ userName: text }),
  },
]

/** The start of a valid list, if it requires a property. */
function needed({ needs }: List): [wire: string, items: object[]] {
  return needs === undefined ? ['', []] : [needs[0], [needs[1]]]
}

function inProperty(list: List, name: Exclude<keyof typeof PropertyId, 'userProperty'>): StringField {
  const id = PropertyId[name]
  const [before, items] = name === 'authenticationMethod' ? ['', []] : needed(list)
  return {
    field: `${list.path}.${name}`,
    title: 'a property',
    notUtf8: ['property-not-utf8', { v5: 'MQTT-1.5.4-1' }],
    nul: ['property-nul', { v5: 'MQTT-1.5.4-2' }],
    wire: (string) => list.wire(`${before} ${byte(id)} ${string}`),
    fields: (value) => list.fields([...items, fieldOf(id, value)]),
  }
}

function inUserProperty(list: List, part: 'key' | 'value'): StringField {
  const clauses = { v5: 'MQTT-1.5.7-1' }
  const [before, items] = needed(list)
  return {
    field: `${list.path}.userProperty`,
    title: 'a user property',
    notUtf8: ['user-property-not-utf8', clauses],
    nul: ['user-property-nul', clauses],
    wire: (string) => list.wire(`${before} ${part === 'key' ? `26 ${string} A` : `26 A ${string}`}`),
    fields: (text) => list.fields([...items, { id: 0x26, key: 'a', value: 'a', [part]: text }]),
  }
}

const [inConnect, inWill, inConnack, inDisconnect, inAuth] = lists as [List, List, List, List, List]

export const stringFields: readonly StringField[] = [
  ...inPayload,
  inProperty(inConnect, 'authenticationMethod'),
  inProperty(inWill, 'contentType'),
  inProperty(inWill, 'responseTopic'),
  ...(
    [
      'assignedClientIdentifier',
      'reasonString',
      'responseInformation',
      'serverReference',
      'authenticationMethod',
    ] as const
  ).map((name) => inProperty(inConnack, name)),
  inProperty(inDisconnect, 'reasonString'),
  inProperty(inDisconnect, 'serverReference'),
  inProperty(inAuth, 'authenticationMethod'),
  inProperty(inAuth, 'reasonString'),
  ...lists.flatMap((list) => [inUserProperty(list, 'key'), inUserProperty(list, 'value')]),
]

/** Malformed UTF-8, with the string that a constructor would encode like that, if there is one. */
const malformed: readonly (readonly [bytes: string, text?: string])[] = [
  ['eda080', '\ud800'], // the first surrogate
  ['edbfbf', '\udfff'], // the last surrogate
  ['edb080eda080', '\udc00\ud800'],
  ['eda0bdedb880'], // a pair of surrogates, as in CESU-8
  ['c080'], // overlong
  ['c1bf'],
  ['e080af'],
  ['e09fbf'],
  ['f08fbfbf'],
  ['f4908080'], // above U+10FFFF
  ['f5808080'],
  ['80'], // a lone continuation byte
  ['bf'],
  ['fffe'],
  ['e9'], // Latin-1
  ['c3'], // truncated
  ['e282'],
  ['f09f98'],
  ['c328'], // no continuation byte where one is required
  ['e228a1'],
  ['e28228'],
  ['f0289f98'],
  ['f09f2898'],
  ['f09f9828'],
]

/** Prefixes with characters of 1, 2 and 3 bytes, because the offset counts bytes. */
const before = ['', 'ok', 'é', '€']

export const stringRules: readonly Rule[] = stringFields.flatMap(
  ({ field, title, notUtf8, nul, wire, fields }) => [
    ...rules(
      notUtf8[0],
      field,
      notUtf8[1],
      malformed.map(([bytes, text], at) => {
        const start = before[at % before.length]!
        return [
          `${title} that is not well-formed UTF-8`,
          wire(prefixed(`${Buffer.from(start).toString('hex')}>${bytes}`)),
          text === undefined ? undefined : fields(`${start}${text}`),
        ]
      }),
    ),
    ...rules(
      nul[0],
      field,
      nul[1],
      ['\0', '\0a', 'a\0', 'é\0b'].map((text) => {
        const at = Buffer.from(text).indexOf(0)
        const bytes = Buffer.from(text).toString('hex')
        return [
          `${title} with U+0000`,
          wire(prefixed(`${bytes.slice(0, at * 2)}>${bytes.slice(at * 2)}`)),
          fields(text),
        ]
      }),
    ),
  ],
)
