/* One server in a process of its own: `server-process.ts KIND [DEADLINE]`. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { answerCalls } from './child.ts'
import { type Kind, serverOf, type Tally } from './servers.ts'

const [kind, deadline] = process.argv.slice(2)
const tally: Tally = { served: 0, chunks: 0 }
const serve = await serverOf(kind as Kind, deadline === undefined ? undefined : Number(deadline), tally)

let server: Server | undefined
let open = 0

export interface Usage extends Tally {
  /** Connections that have not closed yet. */
  readonly open: number
  /** Processor time since the process began, user and system, in seconds. */
  readonly cpu: number
  /** The largest resident set so far, in MiB. */
  readonly peakMemory: number
}

/** What the process holds when it has nothing to do. */
export interface Rest {
  /** Heap and what lies outside of it, after garbage collection, in bytes. */
  readonly memory: number
  /** What keeps the event loop busy, by kind. */
  readonly resources: string[]
}

const calls = {
  /** Listens on a port of its own each time, as the ports of the last round's clients are not free at once. */
  async listen(): Promise<number> {
    server = createServer((socket) => {
      open++
      socket.once('close', () => open--)
      serve(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  },

  /** Stops listening; done when the last connection has closed. */
  async close(): Promise<void> {
    const closing = server
    if (closing === undefined) return
    server = undefined
    await new Promise((resolve) => closing.close(resolve))
  },

  usage(): Usage {
    const { user, system } = process.cpuUsage()
    return { ...tally, open, cpu: (user + system) / 1e6, peakMemory: process.resourceUsage().maxRSS / 1024 }
  },

  async rest(): Promise<Rest> {
    for (let i = 0; i < 4; i++) {
      await setTimeout(20)
      globalThis.gc?.()
    }
    const { heapUsed, external } = process.memoryUsage()
    return { memory: heapUsed + external, resources: process.getActiveResourcesInfo().toSorted() }
  },
}

export type ServerCalls = typeof calls

answerCalls(calls)
