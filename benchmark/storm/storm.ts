/*
 * The storm: servers take turns with many short connections over several rounds. The abuse: good clients among bad ones,
 * against a server with a deadline.
 */
import { setTimeout } from 'node:timers/promises'
import { median, quantile, type Row, round3 } from '../report.ts'
import { type Child, type Kind, kinds, LINGER, ours } from './child.ts'
import type { ClientCalls } from './clients.ts'
import type { ServerCalls } from './server.ts'

/** A requirement or a target, and its result. */
export interface Check {
  readonly what: string
  readonly got: string
  readonly met: boolean
  /** True if the command fails when the check isn't met. */
  readonly gates: boolean
}

function mustHold(what: string, got: string, met: boolean): Check {
  return { what, got, met, gates: true }
}

function atMost(what: string, value: number, most: number): Check {
  return { what: `${what}, at most ${most}`, got: `${value}`, met: value <= most, gates: false }
}

export type Servers = Readonly<Record<Kind, Child<ServerCalls>>>
type Clients = Child<ClientCalls>

/** Number of rounds, connections per round, and how many of those are open at a time. */
type StormSize = Readonly<Record<'rounds' | 'connections' | 'open', number>>

export async function storm(servers: Servers, clients: Clients, size: StormSize) {
  const rounds: Record<string, Round>[] = []
  // The first rounds only warm up. The servers rotate through the order, because the machine's speed drifts.
  for (let number = size.rounds > 1 ? -kinds.length : 0; number < size.rounds; number++) {
    const round: Record<string, Round> = {}
    for (let i = 0; i < kinds.length; i++) {
      const kind = kinds[(number + i + kinds.length) % kinds.length]!
      round[kind] = await runRound(servers[kind], clients, size)
    }
    if (number >= 0) rounds.push(round)
  }
  const of = (kind: Kind) => rounds.map((round) => round[kind]!)
  const cpuRatio = (one: Kind, other: Kind) =>
    round3(median(rounds.map((round) => round[one]!.cpu / round[other]!.cpu)))
  const rows: Row[] = []
  const checks: Check[] = []
  for (const kind of kinds) {
    const served = Math.min(...of(kind).map(({ served }) => served))
    const failures = of(kind).map(({ failure }) => failure)
    rows.push({
      server: kind,
      served,
      'CPU µs': Math.round((1e6 * median(of(kind).map(({ cpu }) => cpu))) / size.connections),
      'of bare': cpuRatio(kind, 'bare'),
      'of mqtt-packet': cpuRatio(kind, 'mqtt-packet'),
      'peak MiB': Math.round((await servers[kind].ask('usage', undefined)).peak),
    })
    const got = `${served} of ${size.connections} ${failures.join('')}`
    checks.push(mustHold(`${kind}: every connection served`, got, served === size.connections))
  }
  for (const kind of ours) {
    const most = kind === 'parser' ? 1.08 : 1.11
    checks.push(atMost(`${kind}: CPU time in times of the bare server's`, cpuRatio(kind, 'bare'), most))
    checks.push(atMost(`${kind}: CPU time in times of mqtt-packet's`, cpuRatio(kind, 'mqtt-packet'), 1))
  }
  return { rows, checks }
}

/** One server in one round, with its CPU seconds. */
async function runRound(server: Child<ServerCalls>, clients: Clients, { connections, open }: StormSize) {
  const port = await server.ask('listen', undefined)
  const before = await server.ask('usage', undefined)
  const { times, failure = '' } = await clients.ask('storm', { port, connections, open })
  await server.ask('close', undefined)
  const after = await server.ask('usage', undefined)
  return { served: times.length, failure, cpu: after.cpu - before.cpu }
}

type Round = Awaited<ReturnType<typeof runRound>>

/**
 * Number of good clients and of each kind of bad ones, the milliseconds over which they connect, and the deadline for a
 * CONNECT.
 */
type AbuseSize = Readonly<Record<'connections' | 'milliseconds' | 'deadline', number>>

/** Milliseconds that a timer may be late on a busy machine. */
const SLACK = 500

/** KiB that memory may grow: a quarter of a KiB per connection. */
const MEMORY_TOLERANCE = 1024

export async function abuse(
  kind: Kind,
  server: Child<ServerCalls>,
  [good, bad]: readonly [Clients, Clients],
  { connections, deadline, milliseconds }: AbuseSize,
) {
  const order = { port: await server.ask('listen', deadline), connections, milliseconds }
  await good.ask('steadily', order) // Warm-up
  await untilClosed(server, SLACK)
  const before = await server.ask('rest', undefined)

  const abusing = bad.ask('bad', order)
  const { times, failure = '' } = await good.ask('steadily', order)
  await abusing
  const limit = (1 + LINGER) * deadline + SLACK
  const { open, seconds } = await untilClosed(server, limit)
  await bad.ask('endBad', undefined)
  await untilClosed(server, SLACK)
  const after = await server.ask('rest', undefined)
  await server.ask('close', undefined)

  const grown = Math.round(after.memory - before.memory)
  const row = {
    server: kind,
    served: times.length,
    'median ms': round3(median(times)),
    'p99 ms': round3(quantile(times, 0.99)),
    left: open,
    'gone after s': seconds,
    'KiB more': grown,
  }
  const served = `${times.length} of ${connections} ${failure}`
  const checks = [
    mustHold(`${kind}: every good client served`, served, times.length === connections),
    mustHold(
      `${kind}: bad ones gone within ${limit / 1000} s`,
      `${open} left after ${seconds} s`,
      open === 0,
    ),
    mustHold(`${kind}: at most ${MEMORY_TOLERANCE} KiB more`, `${grown} KiB`, grown <= MEMORY_TOLERANCE),
    mustHold(`${kind}: no handle left`, after.handles, after.handles === before.handles),
  ]
  return { rows: [row], checks }
}

/** Waits until the server has no open connections, at most `limit` milliseconds. */
async function untilClosed(server: Child<ServerCalls>, limit: number) {
  const start = performance.now()
  for (;;) {
    const { open } = await server.ask('usage', undefined)
    const time = performance.now() - start
    if (open === 0 || time >= limit) return { open, seconds: round3(time / 1000) }
    await setTimeout(Math.min(50, limit - time))
  }
}
