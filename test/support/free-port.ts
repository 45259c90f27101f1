import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Finds a port for a server that can't choose one itself. Another process may take the port first. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
