/* The abuse: good clients among bad ones, against a server with a deadline. */
import { setTimeout } from 'node:timers/promises'
import { median, quantile, round3 } from '../report.ts'
import { Child } from './child.ts'
import type { ClientCalls } from './client-process.ts'
import type { Outcome } from './good-clients.ts'
import type { Promised } from './promises.ts'
import type { Rest, ServerCalls } from './server-process.ts'
import { type Kind, kinds, LEAVE_TIME } from './servers.ts'

export interface AbuseSize {
  /** How many good connections, and how many bad ones of each of the three kinds. */
  readonly connections: number
  /** Milliseconds until the server gives up a connection without a whole CONNECT. */
  readonly deadline: number
  /** Milliseconds over which the slow ones begin, before the others. */
  readonly slow: number
  /** Milliseconds over which the good ones begin, and with them those that send random bytes. */
  readonly good: number
}

/** Milliseconds from connecting to the answer. */
interface Latency {
  readonly served: number
  readonly median: number
  readonly p99: number
  readonly max: number
}

export interface AbuseResult {
  readonly normal: Latency
  readonly abused: Latency
  readonly failure: string | undefined
  /** Bad connections still open at the server when the last good one had been served. */
  readonly open_beside: number
  /** Connections still open at the end. */
  readonly open_after: number
  /** Seconds from when the last bad one had begun to when all were gone. */
  readonly gone_after: number
  readonly memory_before: number
  readonly memory_after: number
  readonly resources_before: string[]
  readonly resources_after: string[]
}

export type AbuseResults = Readonly<Record<Kind, AbuseResult>>

/** How late a timer may be on a busy machine, in milliseconds. */
const SLACK = 500

export async function runAbuse(size: AbuseSize): Promise<AbuseResults> {
  const results: Partial<Record<Kind, AbuseResult>> = {}
  for (const kind of kinds) results[kind] = await abuse(kind, size)
  return results as AbuseResults
}

async function abuse(kind: Kind, size: AbuseSize): Promise<AbuseResult> {
  const server = new Child<ServerCalls>('server-process.ts', [kind, `${size.deadline}`])
  // The good ones have a process to themselves, so that only the server can hold them up.
  const good = new Child<ClientCalls>('client-process.ts')
  const bad = new Child<ClientCalls>('client-process.ts')
  try {
    const port = await server.ask('listen', undefined)
    const goodOnes = { port, connections: size.connections, milliseconds: size.good }
    await good.ask('steadily', goodOnes) // Warms up.
    const normal = await good.ask('steadily', goodOnes)
    const before = await whenQuiet(server)

    await bad.ask('beginSlow', { port, connections: size.connections, milliseconds: size.slow })
    const random = bad.ask('beginRandom', goodOnes)
    const abused = await good.ask('steadily', goodOnes)
    await random
    const { open: openBeside } = await server.ask('usage', undefined)
    const gone = await untilGone(server, size.deadline + LEAVE_TIME + SLACK)
    await bad.ask('endAll', undefined)
    const after = await whenQuiet(server)
    return {
      normal: latency(normal),
      abused: latency(abused),
      failure: normal.failure ?? abused.failure,
      open_beside: openBeside,
      open_after: gone.open,
      gone_after: round3(gone.milliseconds / 1000),
      memory_before: before.memory,
      memory_after: after.memory,
      resources_before: before.resources,
      resources_after: after.resources,
    }
  } finally {
    for (const child of [server, good, bad]) child.stop()
  }
}

/** What the server holds once its last sockets, which may just have been closed, are gone. */
async function whenQuiet(server: Child<ServerCalls>): Promise<Rest> {
  await untilGone(server, SLACK)
  return await server.ask('rest', undefined)
}

async function untilGone(
  server: Child<ServerCalls>,
  limit: number,
): Promise<{ open: number; milliseconds: number }> {
  const start = performance.now()
  for (;;) {
    const { open } = await server.ask('usage', undefined)
    const milliseconds = performance.now() - start
    if (open === 0 || milliseconds >= limit) return { open, milliseconds }
    await setTimeout(Math.min(50, limit - milliseconds))
  }
}

function latency({ times }: Outcome): Latency {
  return {
    served: times.length,
    median: round3(median(times)),
    p99: round3(quantile(times, 0.99)),
    max: round3(Math.max(...times)),
  }
}

const MOST_SLOWDOWN = 2

/** How much more may be in memory afterwards, in bytes: 262 for each connection that there was. */
const MEMORY_TOLERANCE = 1_048_576

export function abusePromises(results: AbuseResults, size: AbuseSize): Promised[] {
  return (['decoder', 'readConnect'] as const).flatMap((kind) => {
    const result = results[kind]
    const { normal, abused, failure } = result
    const seconds = (size.deadline + LEAVE_TIME + SLACK) / 1000
    const grown = result.memory_after - result.memory_before
    return [
      {
        what: `${kind}: every good one served`,
        got: `${abused.served} of ${size.connections}${failure ? ` (${failure})` : ''}`,
        met:
          abused.served === size.connections && normal.served === size.connections && failure === undefined,
        gates: true,
      },
      atMost(`${kind}: median time of a good one`, abused.median, normal.median),
      atMost(`${kind}: p99 time of a good one`, abused.p99, normal.p99),
      atMost(`${kind}: time of the slowest good one`, abused.max, normal.max),
      {
        what: `${kind}: the bad ones gone within ${seconds} s`,
        got: `${result.open_after} left after ${result.gone_after} s`,
        met: result.open_after === 0,
        gates: true,
      },
      {
        what: `${kind}: memory as before, up to ${MEMORY_TOLERANCE / 1024} KiB more`,
        got: `${Math.round(grown / 1024)} KiB more`,
        met: grown <= MEMORY_TOLERANCE,
        gates: true,
      },
      {
        what: `${kind}: no handle left over`,
        got: `${result.resources_after.length}, before ${result.resources_before.length}`,
        met: result.resources_after.join() === result.resources_before.join(),
        gates: true,
      },
    ]
  })
}

function atMost(what: string, abused: number, normal: number): Promised {
  return {
    what: `${what}, at most ${MOST_SLOWDOWN} × normal`,
    got: `${abused} ms, normal ${normal} ms`,
    met: abused <= MOST_SLOWDOWN * normal,
    gates: false,
  }
}
