/*
 * Packets without Node streams: a PacketParser takes chunks from a `'data'` listener.
 *
 *   node examples/chunks.ts [PORT]
 */
import { createServer, type Server, type Socket } from 'node:net'
import { ConnectReasonCode, connack, PacketParser, type PacketVariant, refuse } from 'mqtt-connect-packet'

export function createChunkServer(onPacket: (packet: PacketVariant, socket: Socket) => void): Server {
  return createServer((socket) => {
    const parser = new PacketParser() // CONNECT first and only once, then any packets
    socket.on('data', (chunk) => {
      try {
        for (const packet of parser.push(chunk)) onPacket(packet, socket)
      } catch (error) {
        refuse(socket, error as Error) // removes this listener
      }
    })
    socket.on('error', () => socket.destroy())
  })
}

if (process.argv[1] === import.meta.filename) {
  createChunkServer((packet, socket) => {
    console.log(`${packet}`)
    if ('clientId' in packet) socket.write(connack(packet, ConnectReasonCode.success).bytes)
  }).listen(Number(process.argv[2] ?? 1883))
}
