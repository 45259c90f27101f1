/* One server in its own process, started as `server.ts KIND`. It reads a CONNECT and answers with four bytes. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { R5 } from '../packets.ts'
import { answerCalls, type Kind, LINGER } from './child.ts'

/** @param deadline how long a CONNECT may take, in milliseconds. Only our servers have one. */
type Serve = (socket: Socket, deadline?: number) => void

const ANSWER = Uint8Array.of(0x20, 2, 0, 0)

/** A server built on this library. `read` reads the CONNECT and calls `accept`, or `reject` with an error. */
async function ourServer(
  read: (
    library: typeof import('mqtt-connect-packet'),
    socket: Socket,
    accept: () => void,
    reject: (error: unknown) => void,
  ) => void,
): Promise<Serve> {
  const library = await import('mqtt-connect-packet')
  const { refuse } = library
  return (socket, deadline) => {
    const linger = deadline && LINGER * deadline
    const timer = deadline && setTimeout(() => socket.destroy(), deadline)
    if (timer) socket.once('close', () => clearTimeout(timer))
    const accept = (): void => {
      clearTimeout(timer)
      socket.write(ANSWER)
    }
    read(library, socket, accept, (error) => {
      refuse(socket, error as Error, { linger })
    })
  }
}

/** Each kind loads only its own library, because the server's memory is measured. */
const servers: Readonly<Record<Kind, () => Promise<Serve>>> = {
  decoder: () =>
    ourServer(({ PacketDecoder }, socket, accept, reject) => {
      const decoder = new PacketDecoder({ connection: false })
      socket.on('close', () => decoder.destroy())
      decoder.on('data', accept)
      decoder.on('error', reject)
      socket.pipe(decoder)
    }),

  async readConnect() {
    const { readConnect, refuse } = await import('mqtt-connect-packet')
    return async (socket, timeout) => {
      const linger = timeout && LINGER * timeout
      try {
        await readConnect(socket, { timeout })
        socket.write(ANSWER)
        socket.resume() // Reads on, because an unread socket never ends.
      } catch (error) {
        await refuse(socket, error as Error, { linger })
      }
    }
  },

  parser: () =>
    ourServer(({ PacketParser }, socket, accept, reject) => {
      const parser = new PacketParser({ connection: false })
      const listener = (chunk: Uint8Array): void => {
        try {
          for (const _ of parser.push(chunk)) accept()
        } catch (error) {
          socket.off('data', listener)
          reject(error)
        }
      }
      socket.on('data', listener)
    }),

  async 'mqtt-packet'() {
    const { parser: createParser } = (await import('mqtt-packet')).default
    return (socket) => {
      const parser = createParser()
      parser.on('packet', () => socket.write(ANSWER))
      parser.on('error', () => socket.destroy())
      socket.on('data', (chunk) => parser.parse(chunk))
    }
  },

  /** The baseline: counts bytes up to the size of R5 without parsing them. */
  async bare() {
    return (socket) => {
      let bytes = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes === R5.length) socket.write(ANSWER)
      })
    }
  },
}

const serve = await servers[process.argv[2] as Kind]()
let server: Server | undefined
let open = 0

const calls = {
  /** Listens on a new port each time, because the previous clients' ports stay occupied for a while. */
  async listen(deadline: number | undefined): Promise<number> {
    server = createServer((socket) => {
      open++
      socket.on('error', () => socket.destroy())
      socket.once('close', () => open--)
      serve(socket, deadline)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  },

  /** Stops listening, and resolves when the last connection has closed. */
  close: () => new Promise<void>((resolve) => server?.close(() => resolve())),

  /** Open connections, CPU seconds so far, and the peak resident set in MiB. */
  usage() {
    const { user, system } = process.cpuUsage()
    return { open, cpu: (user + system) / 1e6, peak: process.resourceUsage().maxRSS / 1024 }
  },

  /** KiB in use after garbage collection, and whatever keeps the event loop alive. */
  async rest() {
    for (let i = 0; i < 4; i++) await delay(20).then(() => globalThis.gc?.())
    const { heapUsed, external } = process.memoryUsage()
    return { memory: (heapUsed + external) / 1024, handles: `${process.getActiveResourcesInfo().toSorted()}` }
  },
}

export type ServerCalls = typeof calls

answerCalls(calls)
