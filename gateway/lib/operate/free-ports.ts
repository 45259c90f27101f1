import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { addressOf } from '../settings/names.ts'
import type { Config } from './schema.ts'

type Listeners = Config['listeners']

/**
 * Checks that the ports of listeners are free, before any of them is opened. With workers, the primary process checks them. If a worker's attempt
 * failed instead, Node would count it: its next attempt would ask the primary process for another socket than those of other workers, and be
 * refused because the port is taken, by the gateway itself.
 *
 * @param open the listeners that may have their ports already
 * @throws Error as from `listen`
 */
export async function checkPorts(listeners: Listeners, open: Listeners): Promise<void> {
  const known = new Set(open.map(addressOf))
  const added = listeners.filter((one) => one.port !== 0 && !known.has(addressOf(one)))
  const servers: Server[] = []
  try {
    // They stay open until the end, because two of them may be the same by another name: 127.0.0.1 and localhost.
    for (const { host, port } of added) {
      // A client that connects in this moment must not keep the server from closing.
      const server = createServer((socket) => socket.destroy()).listen({ host, port })
      await once(server, 'listening')
      servers.push(server)
    }
  } finally {
    for (const server of servers) await once(server.close(), 'close')
  }
}
