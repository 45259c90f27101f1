import fc from 'fast-check'
import { ConnectReasonCode, type Property, property, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { binaryData, connectProps, topicName, utf8String, willProps } from '../support/arbitraries.ts'

/* Valid packets of all versions, including values at the limits of their types. */

export type ConnectPacket = v3_1.ConnectPacket | v3_1_1.ConnectPacket | v5.ConnectPacket
export type ConnackPacket = v3_1.ConnackPacket | v3_1_1.ConnackPacket | v5.ConnackPacket

function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 })
}

/** Mostly short strings, and some that lengthen the Remaining Length or property length by a byte. */
const text = fc.oneof(
  { weight: 9, arbitrary: utf8String },
  { weight: 1, arbitrary: fc.constant('long '.repeat(30)) },
)
const bytes = fc.oneof(
  { weight: 9, arbitrary: binaryData },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ minLength: 100, maxLength: 200 }).map((some) => Buffer.from(some)),
  },
)
const flag = fc.constantFrom(0, 1)
const twoBytes = fc.oneof(fc.constantFrom(0, 1, 0xffff), fc.nat({ max: 0xffff }))
const fourBytes = fc.oneof(
  fc.constantFrom(0, 0x7fffffff, 0x80000000, 0xffffffff),
  fc.nat({ max: 0xffffffff }),
)
const atLeastOne = (numbers: fc.Arbitrary<number>) => numbers.map((number) => number || 1)

const will = fc.record({
  topic: topicName,
  message: bytes,
  qos: fc.constantFrom(0 as const, 1 as const, 2 as const),
  retain: fc.boolean(),
})
const willOfV5 = fc.tuple(will, willProps).map(([fields, props]) => ({ ...fields, props }))

/** User name and password. Without a user name, there's no password. */
const credentials = fc.oneof(
  fc.constant({}),
  text.map((userName) => ({ userName })),
  fc.record({ userName: text, password: bytes }),
)

const connect31 = fc
  .record({
    cleanSession: fc.boolean(),
    keepAlive: twoBytes,
    clientId: text.map((id) => [...`c${id}`].slice(0, 23).join('')),
    will: optional(will),
    bridge: fc.boolean(),
    credentials,
  })
  .map(({ credentials, ...fields }) => new v3_1.ConnectPacket({ ...fields, ...credentials }))

const connect311 = fc
  .record({
    cleanSession: fc.boolean(),
    keepAlive: twoBytes,
    clientId: text,
    will: optional(will),
    bridge: fc.boolean(),
    credentials,
  })
  .map(({ credentials, cleanSession, ...fields }) => {
    const clean = cleanSession || fields.clientId === ''
    return new v3_1_1.ConnectPacket({ cleanSession: clean, ...fields, ...credentials })
  })

const connect5 = fc
  .record({
    cleanStart: fc.boolean(),
    keepAlive: twoBytes,
    clientId: text,
    will: optional(willOfV5),
    userName: optional(text),
    password: optional(bytes),
    props: connectProps,
  })
  .map((fields) => new v5.ConnectPacket(fields))

export const connectPacket: fc.Arbitrary<ConnectPacket> = fc.oneof(connect31, connect311, connect5)

const returnCode = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const, 4 as const, 5 as const)
const reasonCode = fc.oneof(
  fc.constant(ConnectReasonCode.success),
  fc.constantFrom(...Object.values(ConnectReasonCode)),
)

/** Keys that repeat, and keys with a special meaning in JavaScript objects. */
const userKey = fc.oneof(text, fc.constantFrom('a', 'b', '', '1', '0', '__proto__', 'constructor', 'length'))

const connackProperty: fc.Arbitrary<Property> = fc.oneof(
  fourBytes.map(property.sessionExpiryInterval),
  atLeastOne(twoBytes).map(property.receiveMaximum),
  flag.map(property.maximumQos),
  flag.map(property.retainAvailable),
  atLeastOne(fourBytes).map(property.maximumPacketSize),
  text.map(property.assignedClientIdentifier),
  twoBytes.map(property.topicAliasMaximum),
  text.map(property.reasonString),
  flag.map(property.wildcardSubscriptionAvailable),
  flag.map(property.subscriptionIdentifierAvailable),
  flag.map(property.sharedSubscriptionAvailable),
  twoBytes.map(property.serverKeepAlive),
  text.map(property.responseInformation),
  text.map(property.serverReference),
  fc.tuple(userKey, text).map(([key, value]) => property.userProperty(key, value)),
)

const authentication = fc.oneof(
  fc.constant([]),
  text.map((method) => [property.authenticationMethod(method)]),
  fc
    .tuple(text, bytes)
    .map(([method, data]) => [property.authenticationData(data), property.authenticationMethod(method)]),
)

const connackProps: fc.Arbitrary<Property[]> = fc
  .tuple(fc.array(connackProperty, { maxLength: 16 }), authentication)
  .map(([props, more]) => {
    const user = new Set<Property>(props.filter((item) => 'key' in item))
    const once = new Map(props.map((item) => [item.id, item]))
    return [...props.filter((item) => user.has(item) || once.get(item.id) === item), ...more]
  })

const connack5 = fc
  .record({ sessionPresent: fc.boolean(), reasonCode, props: connackProps })
  .map(({ sessionPresent, ...fields }) => {
    return new v5.ConnackPacket({ sessionPresent: sessionPresent && fields.reasonCode === 0, ...fields })
  })

export const connackPacket: fc.Arbitrary<ConnackPacket> = fc.oneof(
  returnCode.map((code) => new v3_1.ConnackPacket({ returnCode: code })),
  fc.record({ sessionPresent: fc.boolean(), returnCode }).map((fields) => {
    const sessionPresent = fields.sessionPresent && fields.returnCode === 0
    return new v3_1_1.ConnackPacket({ ...fields, sessionPresent })
  }),
  connack5,
)

/** A CONNECT and a CONNACK of the same version. */
export const handshake: fc.Arbitrary<[ConnectPacket, ConnackPacket]> = fc
  .tuple(connectPacket, connack5, returnCode, fc.boolean())
  .map(([connect, answer5, code, present]) => {
    if (connect.protocolVersion === 5) return [connect, answer5]
    if (connect.protocolVersion === 3) return [connect, new v3_1.ConnackPacket({ returnCode: code })]
    const sessionPresent = present && code === 0
    return [connect, new v3_1_1.ConnackPacket({ sessionPresent, returnCode: code })]
  })

/** A fixed seed makes failures reproducible. */
export const SEED = 20190307
