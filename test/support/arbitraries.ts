import fc from 'fast-check'
import {
  AuthReasonCode,
  ConnectReasonCode,
  ConnectReturnCode,
  DisconnectReasonCode,
  type Property,
  PropertyId,
  property,
  type v3_1,
  type v3_1_1,
  type v5,
  type WillFields,
} from '../../lib/packets/index.ts'
import { codePoint } from './code-point.ts'

/** Strings of any code points but U+0000, including astral ones, U+FEFF and control characters. */
export const utf8String: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\uFEFF',
      '\uFEFFclient',
      '\u0001',
      '\u{10FFFF}',
      '\uFFFE',
      'é',
      '€',
      '😀',
    ),
  },
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 3,
    arbitrary: fc.string({ unit: codePoint, maxLength: 12 }).map((text) => text.replaceAll('\0', '0')),
  },
)

/** Topic names: non-empty strings without wildcards. */
export const topicName: fc.Arbitrary<string> = utf8String.map((text) => `t${text.replace(/[+#]/g, '/')}`)

/** Binary data, including empty data and zero bytes. */
export const binaryData: fc.Arbitrary<Buffer> = fc
  .uint8Array({ maxLength: 16 })
  .map((bytes) => Buffer.from(bytes))

/** Passwords and messages as callers may pass them, as bytes or as a string. */
const bytesOrString: fc.Arbitrary<Uint8Array | string> = fc.oneof(
  fc.uint8Array({ maxLength: 16 }),
  binaryData,
  utf8String,
  fc.constant('nul \0 is fine here'),
)

function integer(min: number, max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }))
}

const flag = integer(0, 1)
const twoBytes = integer(0, 0xffff)
const fourBytes = fc.oneof(
  fc.constantFrom(0, 0x7fffffff, 0x80000000, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
)

const userProperty: fc.Arbitrary<Property> = fc
  .tuple(utf8String, utf8String)
  .map(([key, value]) => property.userProperty(key, value))

/** Each CONNECT property. Authentication data needs a method as well: see `withMethod`. */
const connectProperty: fc.Arbitrary<Property> = fc.oneof(
  fourBytes.map(property.sessionExpiryInterval),
  integer(1, 0xffff).map(property.receiveMaximum),
  integer(1, 0xffffffff).map(property.maximumPacketSize),
  twoBytes.map(property.topicAliasMaximum),
  flag.map(property.requestResponseInformation),
  flag.map(property.requestProblemInformation),
  utf8String.map(property.authenticationMethod),
  binaryData.map(property.authenticationData),
  userProperty,
)

const willProperty: fc.Arbitrary<Property> = fc.oneof(
  fourBytes.map(property.willDelayInterval),
  flag.map(property.payloadFormatIndicator),
  fourBytes.map(property.messageExpiryInterval),
  utf8String.map(property.contentType),
  topicName.map(property.responseTopic),
  binaryData.map(property.correlationData),
  userProperty,
)

const connackProperty: fc.Arbitrary<Property> = fc.oneof(
  fourBytes.map(property.sessionExpiryInterval),
  integer(1, 0xffff).map(property.receiveMaximum),
  flag.map(property.maximumQos),
  flag.map(property.retainAvailable),
  integer(1, 0xffffffff).map(property.maximumPacketSize),
  utf8String.map(property.assignedClientIdentifier),
  twoBytes.map(property.topicAliasMaximum),
  utf8String.map(property.reasonString),
  flag.map(property.wildcardSubscriptionAvailable),
  flag.map(property.subscriptionIdentifierAvailable),
  flag.map(property.sharedSubscriptionAvailable),
  twoBytes.map(property.serverKeepAlive),
  utf8String.map(property.responseInformation),
  utf8String.map(property.serverReference),
  utf8String.map(property.authenticationMethod),
  binaryData.map(property.authenticationData),
  userProperty,
)

/** Valid lists of CONNECT properties in any order. */
export const connectProps: fc.Arbitrary<readonly Property[]> = fc
  .array(connectProperty, { maxLength: 16 })
  .map((props) => withMethod(onceEach(props)))

/** Valid lists of will properties in any order. */
export const willProps: fc.Arbitrary<readonly Property[]> = fc
  .array(willProperty, { maxLength: 12 })
  .map(onceEach)

/** Valid lists of CONNACK properties in any order. */
export const connackProps: fc.Arbitrary<readonly Property[]> = fc
  .array(connackProperty, { maxLength: 24 })
  .map((props) => withMethod(onceEach(props)))

function onceEach(props: readonly Property[]): Property[] {
  const seen = new Set<number>()
  return props.filter(({ id }) => id === PropertyId.userProperty || (!seen.has(id) && seen.add(id)))
}

function withMethod(props: Property[]): Property[] {
  const method = props.some(({ id }) => id === PropertyId.authenticationMethod)
  return method ? props : props.filter(({ id }) => id !== PropertyId.authenticationData)
}

function will(props: fc.Arbitrary<readonly Property[] | undefined>): fc.Arbitrary<WillFields> {
  return fc.record({
    topic: topicName,
    message: bytesOrString,
    qos: fc.constantFrom(undefined, 0 as const, 1 as const, 2 as const),
    retain: fc.constantFrom(undefined, false, true),
    props,
  })
}

function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 })
}

/** Fields of valid 3.1.1 packets. */
export const fieldsV3: fc.Arbitrary<v3_1_1.ConnectPacketFields> = fc
  .record({
    cleanSession: fc.boolean(),
    keepAlive: twoBytes,
    clientId: utf8String,
    will: optional(will(fc.constantFrom(undefined, []))),
    userName: optional(utf8String),
    password: optional(bytesOrString),
  })
  .map((fields) => ({
    ...fields,
    cleanSession: fields.cleanSession || fields.clientId === '',
    password: fields.userName === undefined ? undefined : fields.password,
  }))

/** Fields of valid 5.0 packets. */
export const fieldsV5: fc.Arbitrary<v5.ConnectPacketFields> = fc.record({
  cleanStart: fc.boolean(),
  keepAlive: twoBytes,
  clientId: utf8String,
  will: optional(will(optional(willProps))),
  userName: optional(utf8String),
  password: optional(bytesOrString),
  props: optional(connectProps),
})

/** Fields of valid 3.1 packets, including bridges. */
export const fieldsV3_1: fc.Arbitrary<v3_1.ConnectPacketFields> = fc
  .tuple(fieldsV3, utf8String, optional(fc.boolean()))
  .map(([fields, more, bridge]) => {
    const characters = [...`c${fields.clientId}${more}`]
    return { ...fields, clientId: characters.slice(0, 23).join(''), bridge }
  })

const returnCode = fc.constantFrom(...Object.values(ConnectReturnCode))
const reasonCode = fc.constantFrom(...Object.values(ConnectReasonCode))

export const connackFieldsV3_1: fc.Arbitrary<v3_1.ConnackPacketFields> = fc.record(
  { sessionPresent: fc.constant(false as const), returnCode },
  { requiredKeys: ['returnCode'] },
)

export const connackFieldsV3: fc.Arbitrary<v3_1_1.ConnackPacketFields> = fc
  .record({ sessionPresent: fc.boolean(), returnCode })
  .map((fields) => ({ ...fields, sessionPresent: fields.sessionPresent && fields.returnCode === 0 }))

export const connackFieldsV5: fc.Arbitrary<v5.ConnackPacketFields> = fc
  .record({ sessionPresent: fc.boolean(), reasonCode, props: optional(connackProps) })
  .map((fields) => ({ ...fields, sessionPresent: fields.sessionPresent && fields.reasonCode === 0 }))

/** Properties of a DISCONNECT in any order: those that both sides may send, and some that only one side may. */
export const disconnectProps: fc.Arbitrary<readonly Property[]> = fc
  .array(
    fc.oneof(
      fourBytes.map(property.sessionExpiryInterval),
      utf8String.map(property.serverReference),
      utf8String.map(property.reasonString),
      userProperty,
    ),
    { maxLength: 8 },
  )
  .map(onceEach)

/** Properties of an AUTH in any order, including the required method. */
export const authProps: fc.Arbitrary<readonly Property[]> = fc
  .tuple(
    utf8String,
    fc.array(
      fc.oneof(
        binaryData.map(property.authenticationData),
        utf8String.map(property.reasonString),
        userProperty,
      ),
      { maxLength: 8 },
    ),
    fc.nat(),
  )
  .map(([method, props, at]) => {
    const all = onceEach(props)
    return all.toSpliced(at % (all.length + 1), 0, property.authenticationMethod(method))
  })

export const disconnectFieldsV5: fc.Arbitrary<v5.DisconnectPacketFields> = fc.record({
  reasonCode: optional(fc.constantFrom(...Object.values(DisconnectReasonCode))),
  props: optional(disconnectProps),
})

export const authFieldsV5: fc.Arbitrary<v5.AuthPacketFields> = fc.record({
  reasonCode: fc.constantFrom(...Object.values(AuthReasonCode)),
  props: authProps,
})

/** The number of inputs of a test: a quarter of `all`, or all of them with `ALL_RUNS=1`. The fuzzer tries many more random ones. */
export function usual(all: number): number {
  return process.env['ALL_RUNS'] === undefined ? Math.ceil(all / 4) : all
}

/** A fixed seed makes failures reproducible. */
export const runs = { seed: 20140529, numRuns: usual(400) }
