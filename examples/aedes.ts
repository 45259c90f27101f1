/*
 * The broker aedes, behind a strict check of each CONNECT.
 *
 *   node examples/aedes.ts [PORT]
 */
import { createServer, type Server } from 'node:net'
import { Aedes } from 'aedes'
import { ProtocolVersion, readConnect, refuse } from 'mqtt-connect-packet'

export function createStrictServer(aedes: Aedes): Server {
  return createServer(async (socket) => {
    socket.on('error', () => socket.destroy())
    try {
      // aedes speaks MQTT 3.1.1. Clients of 5.0 get the reason code for an unsupported version.
      const packet = await readConnect(socket, { protocolVersion: ProtocolVersion.v3_1_1 })
      if (socket.readableEnded) {
        socket.destroy() // the client has left
        return
      }
      socket.unshift(packet.bytes) // aedes reads the CONNECT again
      aedes.handle(socket)
    } catch (error) {
      console.error(`${error}`)
      await refuse(socket, error as Error)
    }
  })
}

if (process.argv[1] === import.meta.filename) {
  createStrictServer(await Aedes.createBroker()).listen(Number(process.argv[2] ?? 1883))
}
