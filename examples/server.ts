/*
 * A server: accepts every client and prints its packets.
 *
 *   node examples/server.ts [PORT]
 */
import { createServer, type Server } from 'node:net'
import { ConnectReasonCode, ControlPacketType, connack, PacketDecoder, refuse } from 'mqtt-connect-packet'

/** @param patience how long a client may take to send its CONNECT, in milliseconds */
export function createMqttServer(log: (line: string) => void = console.log, patience = 10_000): Server {
  return createServer((socket) => {
    const deadline = setTimeout(() => refuse(socket), patience)
    socket.on('close', () => {
      clearTimeout(deadline)
      decoder.destroy()
    })
    socket.on('error', () => socket.destroy())
    const decoder = new PacketDecoder() // CONNECT first and only once, then any packets
    decoder.on('data', (packet) => {
      log(`${packet}`)
      if (packet.type !== ControlPacketType.connect) return
      clearTimeout(deadline)
      socket.write(connack(packet, ConnectReasonCode.success).bytes)
    })
    decoder.on('error', (error) => refuse(socket, error))
    socket.pipe(decoder)
  })
}

if (process.argv[1] === import.meta.filename) createMqttServer().listen(Number(process.argv[2] ?? 1883))
