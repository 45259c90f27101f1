import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import mqttPacket from 'mqtt-packet'
import {
  bufferToPacketVariant,
  type ErrorCode,
  MqttError,
  type OpaquePacket,
  type Property,
  PropertyId,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { fieldsV3, fieldsV5, runs } from '../support/arbitraries.ts'
import { faultExamples, framed } from '../support/faults.ts'

type Theirs = mqttPacket.IConnectPacket
type Ours = v3_1_1.ConnectPacket | v5.ConnectPacket

/** What the other library accepts and we refuse: our code, its clauses, and why the other accepts it. */
const knownDifferences: readonly (readonly [code: ErrorCode, clauses: readonly string[], why: string])[] = [
  ['variable-byte-integer-not-shortest', ['MQTT-1.5.5-1'], 'it takes a variable byte integer in any form'],
  ['bytes-left-over', ['MQTT-3.1.4-1'], 'it drops what stands behind the last field'],
  ['protocol-mqtt-3-1', ['MQTT-3.1.2-1'], 'it speaks MQTT 3.1, too'],
  ['protocol-bridge-level', ['MQTT-3.1.2-2'], 'it knows the bit that bridges set in the level'],
  ['protocol-level', ['MQTT-3.1.2-2'], 'it takes level 3 under the name MQTT'],
  ['will-qos', ['MQTT-3.1.2-14', 'MQTT-3.1.2-12'], 'it hands on a will QoS of 3'],
  ['password-without-user-name', ['MQTT-3.1.2-22'], 'it has the rule of 5.0 for all versions'],
  ['property-not-allowed-here', ['2.2.2.2'], 'it takes any property in any packet'],
  ['property-past-end', ['2.2.2.2'], 'it reads a property on past the end of the properties'],
  ['property-twice', ['3.1.2.11'], 'it makes an array of the values'],
  ['will-property-twice', ['3.1.3.2'], 'it makes an array of the values'],
  ['receive-maximum-zero', ['3.1.2.11.3'], 'it has no limits for values'],
  ['maximum-packet-size-zero', ['3.1.2.11.4'], 'it has no limits for values'],
  ['request-response-information', ['3.1.2.11.6'], 'it reads any byte but 0 as true'],
  ['request-problem-information', ['3.1.2.11.7'], 'it reads any byte but 0 as true'],
  ['payload-format-indicator', ['3.1.3.2.3'], 'it reads any byte but 0 as true'],
  ['authentication-data-without-method', ['3.1.2.11.10'], 'it has no rules between properties'],
  ['response-topic-empty', ['MQTT-3.3.2-14'], 'it does not look into topics'],
  ['response-topic-wildcard', ['MQTT-3.3.2-14'], 'it does not look into topics'],
  ['will-topic-empty', ['MQTT-4.7.3-1'], 'it does not look into topics'],
  ['will-topic-wildcard', ['MQTT-4.7.1-1', 'MQTT-4.7.0-1'], 'it does not look into topics'],
  ['client-id-empty', ['MQTT-3.1.3-8'], 'it leaves the client id to the broker'],
  ['client-id-not-utf8', ['MQTT-1.5.3-1', 'MQTT-1.5.4-1'], 'it replaces what is not UTF-8 by U+FFFD'],
  ['will-topic-not-utf8', ['MQTT-3.1.3-10', 'MQTT-3.1.3-11'], 'it replaces what is not UTF-8 by U+FFFD'],
  ['user-name-not-utf8', ['MQTT-3.1.3-11', 'MQTT-3.1.3-12'], 'it replaces what is not UTF-8 by U+FFFD'],
  ['property-not-utf8', ['MQTT-1.5.4-1'], 'it replaces what is not UTF-8 by U+FFFD'],
  ['user-property-not-utf8', ['MQTT-1.5.7-1'], 'it replaces what is not UTF-8 by U+FFFD'],
  ['client-id-nul', ['MQTT-1.5.3-2', 'MQTT-1.5.4-2'], 'it lets U+0000 pass'],
  ['will-topic-nul', ['MQTT-3.1.3-10', 'MQTT-3.1.3-11'], 'it lets U+0000 pass'],
  ['user-name-nul', ['MQTT-3.1.3-11', 'MQTT-3.1.3-12'], 'it lets U+0000 pass'],
  ['property-nul', ['MQTT-1.5.4-2'], 'it lets U+0000 pass'],
  ['user-property-nul', ['MQTT-1.5.7-1'], 'it lets U+0000 pass'],
]

/** A property that runs past the end of the properties, to where another reader finds the client id. */
const overlapping = {
  code: 'property-past-end',
  bytes: framed(0x10, '0004 4d515454 05 02 003c 02 21 0001 0001 61'),
} as const

/** What we accept and the other library refuses, by its message: nothing. */
const acceptedByUsAlone: readonly string[] = []

/** The one CONNECT that the bytes are to the other library, or why they are none. */
function theirs(bytes: Buffer): Theirs | string {
  const packets: mqttPacket.Packet[] = []
  const errors: string[] = []
  const parser = mqttPacket.parser()
  parser.on('packet', (packet) => packets.push(packet))
  parser.on('error', (error) => errors.push(error.message))
  let left: number
  try {
    left = parser.parse(bytes)
  } catch (error) {
    return `throws ${error}`
  }
  if (errors.length > 0) return errors[0]!
  if (packets.length !== 1 || left > 0) return 'not exactly one packet'
  return packets[0] as Theirs
}

/** The CONNECT that the bytes are to us, or the error. */
function ours(bytes: Buffer): Ours | MqttError {
  try {
    return bufferToPacketVariant(bytes) as Exclude<ReturnType<typeof bufferToPacketVariant>, OpaquePacket>
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
}

const nameOf = new Map(Object.entries(PropertyId).map(([name, id]) => [id, name]))
const booleans: readonly number[] = [
  PropertyId.requestResponseInformation,
  PropertyId.requestProblemInformation,
  PropertyId.payloadFormatIndicator,
]

/** Our properties in the other library's shape, user properties gathered as it gathers them. */
function gathered(props: readonly Property[]): object | undefined {
  const shape: Record<string, unknown> = {}
  const pairs = new Map<string, string | string[]>()
  for (const item of props) {
    if (item.id !== PropertyId.userProperty) {
      shape[nameOf.get(item.id)!] = booleans.includes(item.id) ? item.value === 1 : item.value
      continue
    }
    const before = pairs.get(item.key)
    // It takes an empty value for none, and so forgets it when the key comes again.
    pairs.set(item.key, before ? [before, item.value].flat() : item.value)
  }
  if (props.length === 0) return undefined
  return pairs.size === 0 ? shape : { ...shape, userProperties: sorted([...pairs]) }
}

/** The other library's properties, the object of user properties as a list of its pairs. */
function listed(properties: object | undefined): object | undefined {
  if (properties === undefined) return undefined
  const { userProperties } = properties as { userProperties?: object }
  return { ...properties, ...(userProperties && { userProperties: sorted(Object.entries(userProperties)) }) }
}

/** An object's keys that look like numbers come first, so that no order can be told. */
function sorted(pairs: [string, unknown][]): [string, unknown][] {
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1))
}

function expectSameFields(packet: Ours, other: Theirs): void {
  const { will } = packet
  expect({
    protocolId: other.protocolId,
    protocolVersion: other.protocolVersion,
    clean: other.clean,
    keepalive: other.keepalive,
    clientId: other.clientId,
    username: other.username,
    password: other.password,
    properties: listed(other.properties),
    will: other.will && { ...other.will, properties: listed(other.will.properties) },
  }).to.deep.equal({
    protocolId: 'MQTT',
    protocolVersion: packet.protocolVersion,
    clean: packet instanceof v5.ConnectPacket ? packet.cleanStart : packet.cleanSession,
    keepalive: packet.keepAlive,
    clientId: packet.clientId,
    username: packet.userName,
    password: packet.password,
    properties: packet instanceof v5.ConnectPacket ? gathered(packet.props) : undefined,
    will: will && {
      topic: will.topic,
      payload: will.message,
      qos: will.qos,
      retain: will.retain,
      properties: gathered(will.props),
    },
  })
}

/** Compares the two libraries on some bytes and says how they compare. */
function compare(bytes: Buffer): 'both accept' | 'both refuse' | ErrorCode | 'we alone accept' {
  const mine = ours(bytes)
  const other = theirs(Buffer.from(bytes))
  if (mine instanceof MqttError) {
    if (typeof other === 'string') return 'both refuse'
    const known = knownDifferences.some(
      ([code, clauses]) => code === mine.code && clauses.includes(mine.clause),
    )
    if (!known)
      expect.fail(`only mqtt-packet accepts ${bytes.toString('hex')}: ${mine.code} [${mine.clause}]`)
    return mine.code
  }
  if (typeof other === 'string') {
    expect(acceptedByUsAlone, bytes.toString('hex')).to.include(other)
    return 'we alone accept'
  }
  expectSameFields(mine, other)
  return 'both accept'
}

const valid: fc.Arbitrary<Buffer> = fc.oneof(
  fieldsV3.map((fields) => new v3_1_1.ConnectPacket(fields).bytes),
  fieldsV5.map((fields) => new v5.ConnectPacket(fields).bytes),
)

describe('mqtt-packet and we', () => {
  it('agree on every field of any valid packet', () => {
    fc.assert(
      fc.property(valid, (bytes) => {
        expect(compare(bytes)).to.equal('both accept')
      }),
      { ...runs, numRuns: 1000 },
    )
  })

  it('differ on bytes that were changed in what is known only, and agree on the fields of the rest', () => {
    const seen: Record<string, number> = {}
    fc.assert(
      fc.property(
        valid,
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 2 }),
        (packet, changes) => {
          const bytes = Buffer.from(packet)
          // The first byte stays: of other packets we read the fixed header only.
          for (const [at, byte] of changes) bytes[1 + (at % (bytes.length - 1))] = byte
          const result = compare(bytes)
          seen[result] = (seen[result] ?? 0) + 1
        },
      ),
      { ...runs, numRuns: 6000 },
    )
    expect(seen['both accept']).to.be.greaterThan(1000)
    expect(seen['both refuse']).to.be.greaterThan(1000)
    expect(seen['client-id-not-utf8']).to.be.greaterThan(100)
  })

  it('differ on packets with one fault in what is known only', () => {
    let refused = 0
    for (const { bytes } of faultExamples) {
      if (bytes[0] !== 0x10) continue
      if (compare(bytes) === 'both refuse') refused++
    }
    expect(refused).to.be.greaterThan(20)
  })
})

describe('each known difference', () => {
  for (const [code, clauses, why] of knownDifferences) {
    it(`${code} is one in fact: ${why} ${clauses.map((clause) => `[${clause}]`).join(' ')}`, () => {
      const shown = [...faultExamples, overlapping].filter((example) => example.code === code)
      const accepted = shown.filter(({ bytes }) => typeof theirs(Buffer.from(bytes)) === 'object')
      const found = accepted.map(({ bytes }) => (ours(bytes) as MqttError).clause)
      expect([...new Set(found)].sort()).to.deep.equal([...clauses].sort())
    })
  }
})
