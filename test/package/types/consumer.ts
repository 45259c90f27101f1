/* Code of a user with strict TypeScript. Compiled but never run; see types.test.ts. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import {
  type ConnackPacket,
  ConnectEncoder,
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  decode,
  type Explanation,
  explain,
  MqttError,
  OpaquePacket,
  PacketDecoder,
  type PacketDecoderOptions,
  PacketParser,
  type PacketVariant,
  type Property,
  PropertyId,
  ProtocolVersion,
  property,
  propertyName,
  type RelaxableCode,
  readConnect,
  readPacket,
  refuse,
  v3_1,
  v3_1_1,
  v5,
  Will,
} from 'mqtt-connect-packet'
import { explain as explainAlone } from 'mqtt-connect-packet/explain'
import { fromMqttPacket, toMqttPacket } from 'mqtt-connect-packet/interop/mqtt-packet'
import { decode as decodeAlone } from 'mqtt-connect-packet/packets'
import { PacketDecoder as DecoderAlone } from 'mqtt-connect-packet/streams'
import { encodeUnchecked, type Vector, vectors } from 'mqtt-connect-packet/testing'

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function same<A, B>(_: Same<A, B>): void {}

declare const socket: Socket
declare const bytes: Uint8Array

// Building
const fields: v5.ConnectPacketFields = {
  cleanStart: true,
  keepAlive: 60,
  clientId: 'c',
  will: { topic: 't', message: 'm', qos: 1, props: [property.willDelayInterval(30)] },
  userName: undefined,
}
const packet = new v5.ConnectPacket({
  ...fields,
  props: [property.receiveMaximum(1), property.userProperty('k', 'v')],
})
const bridge = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'b', bridge: true })
const oldest = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'o' })
const again: v5.ConnectPacket = new v5.ConnectPacket(packet.toFields())
const changed: v5.ConnectPacket = packet.with({ will: undefined, userName: 'u', props: [] })
const will: Will | undefined = changed.will ?? new Will({ topic: 't', message: Buffer.from('m') })
const sequence: Buffer[] = again.constBufferSequence()

// Properties
const maximum: number | undefined = packet.property(PropertyId.receiveMaximum)
const data: Buffer | undefined = packet.property(PropertyId.authenticationData)
const regions: string[] = packet.userProperties('region')
for (const item of packet.props) {
  if (item.id === PropertyId.userProperty) same<typeof item.key, string>(true)
  if (item.id === PropertyId.receiveMaximum) same<typeof item.value, number>(true)
  if (item.id === PropertyId.authenticationData) same<typeof item.value, Buffer>(true)
}
const own: Property = property.contentType('text/plain')
const name = propertyName(own.id)

// Decoding and narrowing
const any: PacketVariant = decode(bytes, { protocolVersion: ProtocolVersion.v5, allow: ['bytes-left-over'] })
if (any.type === ControlPacketType.connect) {
  same<typeof any, ConnectPacket>(true)
  const id: string = any.clientId
  if (any.protocolVersion === ProtocolVersion.v5) {
    same<typeof any, v5.ConnectPacket>(true)
    any.with({ props: [] })
  } else {
    const clean: boolean = any.cleanSession
    void clean
    // @ts-expect-error cleanStart is of MQTT 5.0
    void any.cleanStart
  }
  any.with({ clientId: `${id}-2`, will: undefined })
  // @ts-expect-error a packet of unknown version may have no properties
  any.with({ props: [] })
}
if (any instanceof OpaquePacket) same<typeof any.packetId, number | undefined>(true)

// Streams
const decoder = new PacketDecoder({ connection: false })
decoder.on('data', (each) => same<typeof each, ConnectPacket>(true))
decoder.once('data', ({ clientId }) => same<typeof clientId, string>(true))
decoder.on('error', (error) => same<typeof error, Error>(true))
decoder.on('end', () => {})
decoder.on('anything', (_one: string) => {})
same<ReturnType<typeof decoder.read>, ConnectPacket | null>(true)
decoder.write(bytes)
decoder.write(Buffer.alloc(1), () => {})
socket.pipe(decoder)
socket.pipe(decoder).on('data', (each) => same<typeof each, ConnectPacket>(true))
// @ts-expect-error a decoder takes bytes
decoder.write('text')
// @ts-expect-error a decoder takes bytes
decoder.write(packet)

const all = new PacketDecoder({ connection: true, errors: 'push', allow: ['will-qos-without-will'] })
all.on('data', (each) => same<typeof each, PacketVariant | MqttError>(true))
declare const options: PacketDecoderOptions
new PacketDecoder(options)

const encoder = new ConnectEncoder()
encoder.write(packet)
encoder.write(bridge, (error) => void error?.message)
encoder.end(oldest)
encoder.on('data', (chunk) => same<typeof chunk, Buffer>(true))
same<ReturnType<typeof encoder.read>, Buffer | null>(true)
encoder.pipe(socket)
// @ts-expect-error an encoder takes packets
encoder.write('text')
// @ts-expect-error an encoder takes packets
encoder.write(bytes)
// @ts-expect-error an encoder takes packets
encoder.end('text')

export async function streams(): Promise<void> {
  for await (const each of decoder) same<typeof each, ConnectPacket>(true)
  for await (const each of all) same<typeof each, PacketVariant | MqttError>(true)
  for await (const chunk of encoder) same<typeof chunk, Buffer>(true)
  await pipeline(socket, decoder, async (packets) => {
    for await (const each of packets) void each
  })
  await pipeline(socket, new PacketDecoder({ connection: false }), new ConnectEncoder(), socket)
  await once(decoder, 'data')
  const first = await readConnect(socket, { timeout: 1, signal: AbortSignal.timeout(1) })
  same<typeof first, ConnectPacket>(true)
  first.with({ userName: 'u' })
  // @ts-expect-error only MQTT 5.0 has properties
  first.with({ props: [] })
  const next: PacketVariant = await readPacket(socket, { protocolVersion: ProtocolVersion.v5 })
  await refuse(socket, connack(first, ConnectReasonCode.notAuthorized, { reasonString: 'no' }))
  void next
}

createServer(async (client) => {
  try {
    socket.write((await readConnect(client)).bytes)
  } catch (error) {
    if (error instanceof MqttError) await refuse(client, error)
  }
})

// Without streams
const parser = new PacketParser({ connection: true })
for (const each of parser.push(bytes)) same<typeof each, PacketVariant>(true)
for (const each of new PacketParser({ connection: false }).push(bytes)) same<typeof each, ConnectPacket>(true)

// Answers, explanations, other shapes
const answer: ConnackPacket | undefined = connack(ProtocolVersion.v3_1_1, ConnectReasonCode.banned)
const answerOf5: v5.ConnackPacket = connack(packet, ConnectReasonCode.success)
const explanation: Explanation = explain(bytes)
if (explanation.error === undefined) same<typeof explanation.packet, PacketVariant>(true)
else same<typeof explanation.error, MqttError>(true)
const object = toMqttPacket(packet)
const returned = fromMqttPacket(object)
const code: RelaxableCode = 'will-qos-without-will'
const changes: Partial<v5.ConnectPacketFields> = { keepAlive: 1 }

// Testing
const unchecked: Buffer = encodeUnchecked(v5.ConnectPacket, {
  ...fields,
  clientId: '\0',
  will: { topic: '', message: 'm', qos: 3 },
  props: [property.receiveMaximum(0)],
})
const connackBytes: Buffer = encodeUnchecked(v3_1_1.ConnackPacket, { sessionPresent: true, returnCode: 9 })
const invalid: readonly Vector[] = vectors.filter((vector) => vector.code === 'client-id-nul')

void [
  bridge,
  oldest,
  will,
  sequence,
  maximum,
  data,
  regions,
  name,
  answer,
  answerOf5,
  returned,
  code,
  changes,
  unchecked,
  connackBytes,
  invalid,
]
void [decodeAlone, DecoderAlone, explainAlone]

// Must not compile
// @ts-expect-error cleanStart is of MQTT 5.0
new v3_1_1.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'c' })
// @ts-expect-error no such field
encodeUnchecked(v3_1_1.ConnackPacket, { sessionPresent: true, reasonCode: 9 })
// @ts-expect-error no such code
new PacketDecoder({ connection: false, allow: ['anything'] })
// @ts-expect-error no such option
new PacketDecoder({ session: true })
// @ts-expect-error a number
property.sessionExpiryInterval('1')
// @ts-expect-error user properties may occur more than once
packet.property(PropertyId.userProperty)
// @ts-expect-error the constructor for checked bytes is not public
new v5.ConnectPacket(packet.bytes, 2)
// @ts-expect-error errors come out of the library only
new MqttError('will-qos')
// @ts-expect-error opaque packets come out of the library only
new OpaquePacket(packet.bytes)
// @ts-expect-error a packet is immutable
packet.clientId = 'other'
