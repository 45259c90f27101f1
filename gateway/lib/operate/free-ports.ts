import { once } from 'node:events'
import { createServer } from 'node:net'
import { addressOf } from '../settings/names.ts'
import type { Config } from './schema.ts'

type Listeners = Config['listeners']

/**
 * Checks that the ports of listeners are free, in the primary process. If a worker's attempt failed instead, Node would count it: its next attempt
 * would ask the primary process for another socket than those of other workers, and be refused because the port is taken, by the gateway itself.
 *
 * @param open the listeners that have their ports already
 * @throws Error as from `listen`
 */
export async function checkPorts(listeners: Listeners, open: Listeners): Promise<void> {
  const known = new Set(open.map(addressOf))
  for (const listener of listeners) {
    if (listener.port === 0 || known.has(addressOf(listener))) continue
    const server = createServer().listen({ host: listener.host, port: listener.port })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
  }
}
