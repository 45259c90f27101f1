import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Listens with the shortest possible queue. Prints its port, and everything that it receives in hex. */
const listener = `
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => process.stdout.write(chunk.toString('hex')))
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))
`

/** Milliseconds after which a local connection counts as unanswered. */
const UNANSWERED = 500
/** A margin, because Linux lets a queue of 1 hold 2 connections. */
const MOST_IN_QUEUE = 16

/**
 * A local port that behaves like a host that drops SYNs. Its process is stopped and its queue is full, so the kernel answers no
 * further connections. This needs no privileges.
 */
export class SilentHost {
  readonly port: number
  readonly #process: ChildProcess
  readonly #queue: readonly Socket[]
  /** Everything received after `wake`, in hex. */
  received = ''

  private constructor(port: number, process: ChildProcess, queue: readonly Socket[]) {
    this.port = port
    this.#process = process
    this.#queue = queue
    process.stdout?.on('data', (text) => {
      this.received += text
    })
  }

  /** Returns `undefined` if a full queue doesn't silence a port on this system. */
  static async start(): Promise<SilentHost | undefined> {
    const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(child.stdout, 'data')
    const port = Number(line)
    child.kill('SIGSTOP')
    const queue: Socket[] = []
    const host = new SilentHost(port, child, queue)
    while (queue.length < MOST_IN_QUEUE) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      queue.push(socket)
      if (!(await connects(socket))) return host
    }
    host.close()
    return undefined
  }

  /** Lets the process accept the queued connections, and then everyone who retransmits a SYN. */
  wake(): void {
    this.#process.kill('SIGCONT')
  }

  async receives(hex: string): Promise<void> {
    while (!this.received.includes(hex)) await once(this.#process.stdout!, 'data')
  }

  close(): void {
    for (const socket of this.#queue) socket.destroy()
    this.#process.kill('SIGKILL')
  }
}

function connects(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, UNANSWERED, false)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
