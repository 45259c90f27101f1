/*
 * A server: accepts every client and prints its packets.
 *
 *   node examples/server.ts [PORT]
 */
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
    const deadline = setTimeout(() => refuse(socket), patience)
    socket.on('close', () => {
      clearTimeout(deadline)
      decoder.destroy()
    })
    socket.on('error', () => socket.destroy())
    let accepted: ConnectPacket | undefined
    const decoder = new PacketDecoder() // CONNECT first and only once, then any packets
    decoder.on('data', (packet) => {
      log(`${packet}`)
      if (packet.type !== ControlPacketType.connect) return
      clearTimeout(deadline)
      accepted = packet
      socket.write(connack(packet, ConnectReasonCode.success).bytes)
    })
    decoder.on('error', (error) => {
      // For a wrong CONNECT, `refuse` answers with the error's own CONNACK. Later, only 5.0 clients can be told the reason.
      const answer = accepted && error instanceof MqttError ? disconnect(accepted, error.reasonCode) : error
      refuse(socket, answer)
    })
    socket.pipe(decoder)
  })
}

if (process.argv[1] === import.meta.filename) createMqttServer().listen(Number(process.argv[2] ?? 1883))
