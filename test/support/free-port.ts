import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems choose for `listen(0)` and for clients, because one of those could take the port in the meantime. */
const LOWEST = 10_000
const HIGHEST = 32_000

/** The ports that this process has found. */
const found = new Set<number>()

/** Finds a port for a server that can't choose one itself. */
export async function freePort(): Promise<number> {
  while (true) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (found.has(port)) continue
    found.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
