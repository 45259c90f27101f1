import fc from 'fast-check'
import type mqttPacket from 'mqtt-packet'
import { binaryData, topicName, utf8String } from '../support/arbitraries.ts'

/* Objects that mqtt-packet's `generate` encodes validly, created without this library. */

type Entries = [name: string, value: unknown][]

const bytesOrString = fc.oneof(binaryData, utf8String)
const stringOrBytes = fc.oneof(
  utf8String,
  utf8String.map((text) => Buffer.from(text)),
)
const uint16 = fc.oneof(fc.constantFrom(0, 1, 0xffff), fc.nat({ max: 0xffff }))
const uint32 = fc.oneof(fc.constantFrom(0, 0x80000000, 0xffffffff), fc.nat({ max: 0xffffffff }))
const positive = (numbers: fc.Arbitrary<number>) => numbers.map((number) => number || 1)
const missing = fc.constant(undefined)
const maybe = <T>(some: fc.Arbitrary<T>) => fc.oneof(missing, some)
const nullable = <T>(some: fc.Arbitrary<T>) => fc.oneof(missing, fc.constant(null), some)

const key = fc.oneof(utf8String, fc.constantFrom('a', 'b', '1', '0', '__proto__', 'constructor'))
const values = fc.oneof(utf8String, fc.array(utf8String, { minLength: 1, maxLength: 3 }))
/** User properties as an object, with or without a prototype. mqtt-packet can't encode an empty object. */
const userPairs = fc
  .tuple(fc.array(fc.tuple(key, values), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([entries, plain]) => {
    const object = Object.fromEntries(entries)
    return plain ? object : Object.assign(Object.create(null), object)
  })
const userProperties = fc.oneof(userPairs, fc.array(userPairs, { minLength: 1, maxLength: 3 }))

/** Some of these properties in any order, some of them `undefined`. Properties that require another one come with it. */
function properties(all: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object | undefined> {
  const some = fc
    .tuple(fc.record(all, { requiredKeys: [] }), fc.boolean())
    .chain(([object, withUndefined]): fc.Arbitrary<Entries> => {
      const entries: Entries = Object.entries(object)
      if (withUndefined) entries.push(['contentType', undefined])
      return fc.shuffledSubarray(entries, { minLength: entries.length })
    })
  return maybe(some.map((entries) => withMethod(Object.fromEntries(entries))))
}

function withMethod(object: Record<string, unknown>): object {
  return 'authenticationData' in object ? { ...object, authenticationMethod: 'method' } : object
}

const connectProperties = properties({
  sessionExpiryInterval: uint32,
  receiveMaximum: positive(uint16),
  maximumPacketSize: positive(uint32),
  topicAliasMaximum: uint16,
  requestResponseInformation: fc.boolean(),
  requestProblemInformation: fc.boolean(),
  authenticationMethod: utf8String,
  authenticationData: bytesOrString,
  userProperties,
})

const willProperties = properties({
  willDelayInterval: uint32,
  payloadFormatIndicator: fc.boolean(),
  messageExpiryInterval: uint32,
  contentType: utf8String,
  responseTopic: topicName,
  correlationData: bytesOrString,
  userProperties,
})

const connackProperties = properties({
  sessionExpiryInterval: uint32,
  receiveMaximum: positive(uint16),
  maximumQoS: fc.constantFrom(0, 1),
  retainAvailable: fc.boolean(),
  maximumPacketSize: positive(uint32),
  assignedClientIdentifier: utf8String,
  topicAliasMaximum: uint16,
  reasonString: utf8String,
  wildcardSubscriptionAvailable: fc.boolean(),
  subscriptionIdentifiersAvailable: fc.boolean(),
  sharedSubscriptionAvailable: fc.boolean(),
  serverKeepAlive: uint16,
  responseInformation: utf8String,
  serverReference: utf8String,
  authenticationMethod: utf8String,
  authenticationData: bytesOrString,
  userProperties,
})

const protocol = fc.constantFrom(
  {},
  { protocolId: 'MQTT' },
  { protocolVersion: 4 },
  { protocolId: undefined, protocolVersion: undefined },
  { protocolId: 'MQTT', protocolVersion: 4, bridgeMode: true },
  { protocolId: 'MQTT', protocolVersion: 4, bridgeMode: false },
  { protocolVersion: 5 },
  { protocolId: 'MQTT', protocolVersion: 5 },
  { protocolVersion: 5, bridgeMode: false },
  { protocolId: 'MQIsdp', protocolVersion: 3 },
  { protocolId: 'MQIsdp', protocolVersion: 3, bridgeMode: true },
)

const will = (withProperties: boolean) =>
  fc.record(
    {
      topic: topicName,
      payload: nullable(bytesOrString),
      qos: maybe(fc.constantFrom(0, 1, 2)),
      retain: maybe(fc.boolean()),
      properties: withProperties ? willProperties : maybe(fc.constant({})),
    },
    { requiredKeys: ['topic'] },
  )

/** Removes members that are `undefined`, or keeps them. */
function dropped(object: Record<string, unknown>, drop: boolean): Record<string, unknown> {
  return drop ? Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) : object
}

export const connectInput: fc.Arbitrary<mqttPacket.IConnectPacket> = protocol
  .chain((known) => {
    const is5 = 'protocolVersion' in known && known.protocolVersion === 5
    return fc.record({
      known: fc.constant(known),
      clean: maybe(fc.boolean()),
      keepalive: maybe(uint16),
      clientId: maybe(stringOrBytes),
      username: nullable(stringOrBytes),
      password: nullable(bytesOrString),
      will: nullable(will(is5)),
      properties: is5 ? connectProperties : maybe(fc.constant({})),
      drop: fc.boolean(),
    })
  })
  .map(({ known, drop, ...members }) => {
    const { clientId, username } = members
    if ('protocolVersion' in known && known.protocolVersion === 3) members.clientId = 'sensor-0042'
    else if (clientId === undefined || clientId.length === 0) members.clean = true
    if (username === undefined || username === null) members.password = undefined
    return { cmd: 'connect', ...dropped({ ...known, ...members }, drop) } as mqttPacket.IConnectPacket
  })

/** A CONNACK, and the version to encode it in. */
export const connackInput: fc.Arbitrary<[object: mqttPacket.IConnackPacket, protocolVersion: 3 | 4 | 5]> = fc
  .record({
    protocolVersion: fc.constantFrom(3 as const, 4 as const, 5 as const, 5 as const),
    sessionPresent: fc.boolean(),
    returnCode: fc.constantFrom(0, 0, 1, 2, 3, 4, 5),
    reasonCode: fc.constantFrom(0, 0, 0x80, 0x87, 0x9f),
    both: fc.boolean(),
    properties: connackProperties,
    drop: fc.boolean(),
  })
  .map(({ protocolVersion, both, drop, ...members }) => {
    const code = protocolVersion === 5 ? members.reasonCode : members.returnCode
    const object = dropped(
      {
        cmd: 'connack',
        ...members,
        sessionPresent: members.sessionPresent && code === 0 && protocolVersion !== 3,
        returnCode: protocolVersion !== 5 || both ? members.returnCode : undefined,
        reasonCode: protocolVersion === 5 || both ? members.reasonCode : undefined,
        properties: protocolVersion === 5 ? members.properties : undefined,
      },
      drop,
    )
    return [object as unknown as mqttPacket.IConnackPacket, protocolVersion]
  })
