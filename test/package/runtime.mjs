/*
 * One handshake with each part of the library. Runs in Node, Deno and Bun.
 */
import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect as connectTo, createServer } from 'node:net'
import {
  bytesFromText,
  ConnectEncoder,
  ConnectReasonCode,
  connack,
  decode,
  explain,
  MqttError,
  PacketDecoder,
  PacketParser,
  PropertyId,
  property,
  readConnect,
  readPacket,
  refuse,
  v3_1,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import { fromMqttPacket, toMqttPacket } from 'mqtt-connect-packet/interop/mqtt-packet'

const packets = [
  new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 10, clientId: 'runtime' }),
  new v3_1_1.ConnectPacket({
    cleanSession: true,
    keepAlive: 10,
    clientId: 'runtime',
    userName: 'u',
    password: 'p',
  }),
  new v5.ConnectPacket({
    cleanStart: true,
    keepAlive: 10,
    clientId: 'runtime',
    will: { topic: 't', message: 'm', qos: 1 },
    props: [property.receiveMaximum(20), property.userProperty('a', 'b')],
  }),
]
const allow = ['protocol-mqtt-3-1']

for (const packet of packets) {
  const decoded = decode(packet.bytes, { allow })
  assert(decoded.equals(packet))
  assert.equal(`${decoded}`, `${packet}`)
  assert(decoded.with({ clientId: 'other' }).size === packet.size - 2)
  assert(fromMqttPacket(toMqttPacket(packet)).equals(packet))
  assert.equal(explain(packet.bytes, { protocolVersion: packet.protocolVersion }).error, undefined)
  assert.deepEqual(bytesFromText(packet.bytes.toString('hex')), packet.bytes)
}
assert.equal(packets[2].property(PropertyId.receiveMaximum), 20)
assert.throws(
  () => decode(packets[0].bytes),
  (error) => error instanceof MqttError && error.returnCode === 1,
)

// The same packets, byte by byte
const all = Buffer.concat(packets.map(({ bytes }) => bytes))
const parser = new PacketParser({ connection: false, allow })
const parsed = []
for (const byte of all) parsed.push(...parser.push(Uint8Array.of(byte)))
parser.end()
assert.deepEqual(parsed.map(String), packets.map(String))

// Streams
const encoder = new ConnectEncoder()
const decoder = encoder.pipe(new PacketDecoder({ connection: false, allow }))
for (const packet of packets) encoder.write(packet)
encoder.end()
const read = []
for await (const packet of decoder) read.push(packet)
assert.deepEqual(read.map(String), packets.map(String))

// A real connection: the server reads the CONNECT and refuses it, and the client reads the reason.
const server = createServer({ allowHalfOpen: true }, async (socket) => {
  const packet = await readConnect(socket, { allow })
  await refuse(socket, connack(packet, ConnectReasonCode.notAuthorized))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
for (const packet of packets) {
  const socket = connectTo(server.address().port, '127.0.0.1')
  socket.write(packet.bytes)
  const answer = await readPacket(socket, { protocolVersion: packet.protocolVersion })
  assert.equal(answer.reasonCode ?? answer.returnCode, packet.protocolVersion === 5 ? 0x87 : 5)
  socket.end()
}
server.close()
console.log('every part works')
