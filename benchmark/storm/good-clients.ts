/* Clients that do as they should: R5 in two segments, wait for the answer, close. */
import { Buffer } from 'node:buffer'
import { connect } from 'node:net'
import { R5 } from '../packets.ts'
import { paced } from './paced.ts'

const FIRST = R5.subarray(0, 60)
const SECOND = R5.subarray(60)
const ANSWER = Buffer.of(0x20, 2, 0, 0)

/**
 * How long the second segment waits in a storm, in milliseconds. Without, a busy server would find both segments at
 * once in every other connection.
 */
const PAUSE = 5

export interface Outcome {
  /** Milliseconds from connecting to the answer, of each connection that was answered. */
  readonly times: number[]
  /** What happened to the first connection that was not answered. */
  readonly failure: string | undefined
}

/** One connection; the milliseconds from connecting to the answer. */
function connectOnce(port: number, pause: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const received = Buffer.alloc(64)
    let time: number | undefined
    let error = new Error('closed without the right answer')
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      // It spares the client the work of a readable stream, so that it is less in the way of the servers.
      onread: {
        buffer: received,
        callback(length) {
          if (received.subarray(0, length).equals(ANSWER)) time = performance.now() - start
          socket.destroy()
          return true
        },
      },
    })
    const sendSecond = (): unknown => socket.destroyed || socket.write(SECOND)
    socket.on('connect', () => {
      socket.write(FIRST)
      if (pause > 0) setTimeout(sendSecond, pause)
      else setImmediate(sendSecond)
    })
    socket.on('error', (reason) => {
      error = reason
    })
    socket.on('close', () => (time === undefined ? reject(error) : resolve(time)))
  })
}

class Collector implements Outcome {
  readonly times: number[] = []
  failure: string | undefined = undefined

  async add(connection: Promise<number>): Promise<void> {
    try {
      this.times.push(await connection)
    } catch (error) {
      this.failure ??= (error as Error).message
    }
  }
}

/** `open` connections at once, a new one as soon as one has closed. */
export async function storm(port: number, connections: number, open: number): Promise<Outcome> {
  const collected = new Collector()
  let begun = 0
  const oneAfterTheOther = async (): Promise<void> => {
    while (begun < connections) {
      begun++
      await collected.add(connectOnce(port, PAUSE))
    }
  }
  await Promise.all(Array.from({ length: open }, oneAfterTheOther))
  return collected
}

/** How many connections, as a share of those that are timed, come before them at the same pace. */
const RUN_UP = 0.1

/**
 * Connections that begin evenly over the given milliseconds. Those of the run-up are not timed: what they meet first is
 * that this process has had nothing to do for a while.
 */
export async function steadily(port: number, connections: number, milliseconds: number): Promise<Outcome> {
  const untimed = new Collector()
  const collected = new Collector()
  const all: Promise<void>[] = []
  const begin = (count: number, collector: Collector): Promise<void> =>
    paced(count, (milliseconds * count) / connections, () => all.push(collector.add(connectOnce(port, 0))))
  await begin(Math.ceil(connections * RUN_UP), untimed)
  await begin(connections, collected)
  await Promise.all(all)
  return { times: collected.times, failure: untimed.failure ?? collected.failure }
}
