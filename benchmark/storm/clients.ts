/* The well-behaved and misbehaving clients, in their own process. */
import { Buffer } from 'node:buffer'
import { randomBytes, randomInt } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { R5 } from '../packets.ts'
import { answerCalls } from './child.ts'

const FIRST = R5.subarray(0, 60)
const SECOND = R5.subarray(60)
const ANSWER = Buffer.of(0x20, 2, 0, 0)

/** Milliseconds before the second segment. Without a pause, a busy server would often get both segments at once. */
const PAUSE = 5

/** Sends R5 in two segments, waits for the answer and closes. Resolves with the milliseconds to the answer. */
function goodClient(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const buffer = Buffer.alloc(64)
    // `onread` costs the clients less time than a readable stream.
    const callback = (length: number): boolean => {
      if (buffer.subarray(0, length).equals(ANSWER)) resolve(performance.now() - start)
      socket.destroy()
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
    socket.on('connect', () => {
      socket.write(FIRST)
      setTimeout(() => socket.destroyed || socket.write(SECOND), PAUSE)
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed without the right answer')))
  })
}

/** The milliseconds of each answered connection, and the reason for the first failure. */
async function outcomeOf(
  connections: readonly Promise<number>[],
): Promise<{ times: number[]; failure?: string }> {
  const settled = await Promise.allSettled(connections)
  const times = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  return { times, ...(failed && { failure: `${failed.reason}` }) }
}

/** Calls `begin` `count` times, evenly spread over the given milliseconds. */
async function paced(count: number, milliseconds: number, begin: () => unknown): Promise<void> {
  const start = performance.now()
  for (let begun = 0; begun < count; await delay(1)) {
    const due = Math.ceil((count * (performance.now() - start)) / milliseconds)
    for (; begun < Math.min(due, count); begun++) begin()
  }
}

const badSockets = new Set<Socket>()

/** A client that never closes its side, not even after the server has. */
function badClient(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  badSockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => badSockets.delete(socket))
  return socket.resume()
}

/** Sends one byte per second. */
function drip(socket: Socket): void {
  let at = 0
  const send = (): unknown => socket.write(R5.subarray(at, ++at))
  const timer = setInterval(send, 1000)
  socket.on('close', () => clearInterval(timer))
  send()
}

interface Order {
  readonly port: number
  readonly connections: number
}

const calls = {
  /** Keeps `open` good clients connected: as soon as one is answered, the next one connects. */
  async storm({ port, connections, open }: Order & { open: number }) {
    const all: Promise<number>[] = []
    const oneAfterAnother = async (): Promise<void> => {
      while (all.length < connections) await Promise.allSettled([all[all.push(goodClient(port)) - 1]])
    }
    await Promise.all(Array.from({ length: open }, oneAfterAnother))
    return await outcomeOf(all)
  },

  async steadily({ port, connections, milliseconds }: Order & { milliseconds: number }) {
    const all: Promise<number>[] = []
    await paced(connections, milliseconds, () => all.push(goodClient(port)))
    return await outcomeOf(all)
  },

  /** Opens the same number of bad clients of each kind: half a packet, one byte per second, random bytes. */
  async bad({ port, connections, milliseconds }: Order & { milliseconds: number }) {
    await paced(connections, milliseconds, () => {
      badClient(port).write(R5.subarray(0, R5.length / 2))
      drip(badClient(port))
      badClient(port).write(randomBytes(randomInt(1, 512)))
    })
  },

  endBad(): void {
    for (const socket of badSockets) socket.destroy()
  },
}

export type ClientCalls = typeof calls

answerCalls(calls)
