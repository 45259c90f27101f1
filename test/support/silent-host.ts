import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Listens with the shortest queue there is, and prints its port, and in hex what it receives. */
const listener = `
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => process.stdout.write(chunk.toString('hex')))
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))
`

/** A connection that is not there after this time, on this machine, was not answered. In milliseconds. */
const UNANSWERED = 500
/** Linux lets a queue of 1 take 2. */
const MOST_IN_QUEUE = 16

/**
 * A port of this machine behaves like a host that drops SYNs. Its process is stopped and its queue is full, so the
 * kernel answers no further connection. That takes no privileges.
 */
export class SilentHost {
  readonly port: number
  readonly #process: ChildProcess
  readonly #queue: readonly Socket[]
  /** What it has received after `wake`, in hex. */
  received = ''

  private constructor(port: number, process: ChildProcess, queue: readonly Socket[]) {
    this.port = port
    this.#process = process
    this.#queue = queue
    process.stdout?.on('data', (text) => {
      this.received += text
    })
  }

  /** `undefined` where a full queue does not silence a port. */
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

  /** Lets it accept those in its queue, and then everyone whose SYN comes again. */
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
