/*
 * A server: accepts every client and prints its packets.
 *
 *   node examples/server.ts [PORT]
 */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  disconnect,
  MqttError,
  PacketDecoder,
  refuse,
} from 'mqtt-connect-packet'

/** @param patience milliseconds until a client must have sent its CONNECT */
export function createMqttServer(log: (line: string) => void = console.log, patience = 10_000): Server {
  return createServer((socket) => {
    const deadline = setTimeout(() => refuse(socket), patience) // milliseconds
    socket.on('close', () => {
      clearTimeout(deadline)
      decoder.destroy()
    })
    socket.on('error', () => socket.destroy())
    let accepted: ConnectPacket | undefined
    const decoder = new PacketDecoder({ from: 'client' }) // requires one CONNECT first, then accepts all other packets
    decoder.on('data', (packet) => {
      log(`${packet}`)
      if (packet.type !== ControlPacketType.connect) return
      clearTimeout(deadline)
      accepted = packet
      // In MQTT 5.0, a client without an id must learn the one that the server gives it. Other versions have no place for it, so it's left out.
      const assignedClientId = packet.clientId === '' ? randomUUID() : undefined
      socket.write(connack(packet, ConnectReasonCode.success, { assignedClientId }).bytes)
    })
    decoder.on('error', (error) => {
      // If the CONNECT is invalid, `refuse` sends the CONNACK that comes with the error. Once a client is connected, only MQTT 5.0 has a
      // packet that gives the reason: DISCONNECT.
      const answer = accepted && error instanceof MqttError ? disconnect(accepted, error.reasonCode) : error
      refuse(socket, answer)
    })
    socket.pipe(decoder)
  })
}

if (process.argv[1] === import.meta.filename) createMqttServer().listen(Number(process.argv[2] ?? 1883))
