import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/* A proxy that makes a server slow: what passes is delayed, in both directions or in one, and may come in small pieces. */

/** One chunk that passes, or the end of a direction. */
export interface Passing {
  readonly to: 'server' | 'client'
  /** Counts the connections from 0. */
  readonly connection: number
  /** Absent for the end of the direction. */
  readonly bytes?: Buffer
}

export interface Slowness {
  /** The delay, in milliseconds. The order is kept. */
  readonly delay?: (passing: Passing) => number
  /** True if each byte is sent alone. */
  readonly isByteByByte?: boolean
}

export interface SlowProxy {
  readonly url: string
  close(): void
}

/** Starts a proxy in front of a server on 127.0.0.1. */
export async function slowProxy(
  url: string,
  { delay = () => 0, isByteByByte = false }: Slowness,
): Promise<SlowProxy> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const connection = count++
    const options = { port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true, noDelay: true }
    const upstream = connect(options)
    pass(client, upstream, { to: 'server', connection })
    pass(upstream, client, { to: 'client', connection })
  }).listen(0, '127.0.0.1')

  function pass(from: Socket, to: Socket, way: Omit<Passing, 'bytes'>): void {
    sockets.add(from)
    let last = Promise.resolve()
    const later = (bytes: Buffer | undefined, act: () => unknown): void => {
      const milliseconds = delay({ ...way, ...(bytes && { bytes }) })
      const time = new Promise((resolve) => setTimeout(resolve, milliseconds))
      last = Promise.all([last, time]).then(async () => void (await act()))
    }
    from.on('data', (chunk: Buffer) => later(chunk, () => write(to, chunk)))
    from.on('end', () => later(undefined, () => to.end()))
    from.on('error', () => later(undefined, () => to.destroy()))
    from.on('close', () => {
      sockets.delete(from)
      later(undefined, () => to.end())
    })
  }

  async function write(to: Socket, chunk: Buffer): Promise<void> {
    if (!isByteByByte) {
      if (to.writable) to.write(chunk)
      return
    }
    for (const byte of chunk) {
      if (!to.writable) return
      to.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  await once(server, 'listening')
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
