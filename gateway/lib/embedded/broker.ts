import type { EventEmitter } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { BrokerConnection } from './broker-connection.ts'

/**
 * The longest time in milliseconds that a client may leave its messages unread, because aedes makes other clients wait meanwhile.
 */
const DRAIN_TIMEOUT = 5000

/**
 * Starts an aedes broker on a free port of 127.0.0.1, so that you can try out the gateway without a broker of your own. Not used with
 * `--upstream`.
 */
export async function startEmbeddedBroker(): Promise<{ port: number; close(): void }> {
  const broker = await Aedes.createBroker({ drainTimeout: DRAIN_TIMEOUT })
  broker.on('clientReady', ({ conn }) => {
    if (conn instanceof BrokerConnection) conn.accept()
  })
  // Without a listener, an error of aedes' store would end the process.
  const events: EventEmitter = broker // The types of aedes lack this event.
  events.on('error', (error: Error) => console.error(`aedes: ${error.message}`))
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(new BrokerConnection(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // From now on an error means that a connection could not be accepted: too many files are open.
  server.on('error', () => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      broker.close()
    },
  }
}
