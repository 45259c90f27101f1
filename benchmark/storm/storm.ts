/* The storm: the servers in turn, each of them given all connections, round after round. */
import { strict as assert } from 'node:assert'
import { median, round3 } from '../report.ts'
import { Child } from './child.ts'
import type { ClientCalls } from './client-process.ts'
import type { Promised } from './promises.ts'
import type { ServerCalls } from './server-process.ts'
import { type Kind, kinds } from './servers.ts'

export interface StormSize {
  readonly connections: number
  readonly open: number
  readonly rounds: number
}

/** One server's figures of one round. */
interface Round {
  readonly served: number
  readonly failure: string | undefined
  /** Connections a second. */
  readonly rate: number
  /** Processor time of the server, in seconds. */
  readonly cpu: number
  /** The share of the time that the clients' process was busy. */
  readonly clientLoad: number
  readonly chunks: number
}

/** One server's figures: medians of the rounds, and the smallest and the largest. */
export interface StormResult {
  readonly served: number
  readonly failure: string | undefined
  readonly rate: number
  readonly rate_min: number
  readonly rate_max: number
  readonly cpu_seconds: number
  readonly cpu_min: number
  readonly cpu_max: number
  /** Connections in one second of the server's processor time: its rate if nobody were in its way. */
  readonly capacity: number
  /** The largest resident set in all rounds, in MiB. */
  readonly peak_mib: number
  readonly client_load: number
  /** Chunks in which a connection's bytes came; only the bare server counts them. */
  readonly chunks: number
  /** What the medians are of, in the order of the rounds. */
  readonly rates: readonly number[]
  readonly cpus: readonly number[]
}

export type StormResults = Readonly<Record<Kind, StormResult>>

export async function runStorm(size: StormSize): Promise<StormResults> {
  const clients = new Child<ClientCalls>('client-process.ts')
  const subjects = kinds.map((kind) => ({
    kind,
    server: new Child<ServerCalls>('server-process.ts', [kind]),
    rounds: [] as Round[],
  }))
  for (let round = 0; round <= size.rounds; round++) {
    // Each server gets each place in the order, so that a drift of the machine hits all.
    const turn = round % subjects.length
    for (const { server, rounds } of [...subjects.slice(turn), ...subjects.slice(0, turn)]) {
      const figures = await runRound(server, clients, size)
      // The first round only warms up.
      if (round > 0) rounds.push(figures)
    }
  }
  const results: Partial<Record<Kind, StormResult>> = {}
  for (const { kind, server, rounds } of subjects) {
    const { peakMemory } = await server.ask('usage', undefined)
    results[kind] = summary(rounds, peakMemory, size.connections)
    server.stop()
  }
  clients.stop()
  return results as StormResults
}

async function runRound(
  server: Child<ServerCalls>,
  clients: Child<ClientCalls>,
  { connections, open }: StormSize,
): Promise<Round> {
  const port = await server.ask('listen', undefined)
  const before = await server.ask('usage', undefined)
  const { served, failure, seconds, cpu } = await clients.ask('storm', { port, connections, open })
  await server.ask('close', undefined)
  const after = await server.ask('usage', undefined)
  return {
    served,
    failure,
    rate: served / seconds,
    cpu: after.cpu - before.cpu,
    clientLoad: cpu / seconds,
    chunks: after.chunks - before.chunks,
  }
}

function summary(rounds: readonly Round[], peakMemory: number, connections: number): StormResult {
  assert.ok(rounds.length > 0)
  const rates = rounds.map(({ rate }) => rate)
  const cpus = rounds.map(({ cpu }) => cpu)
  return {
    served: Math.min(...rounds.map(({ served }) => served)),
    failure: rounds.find(({ failure }) => failure !== undefined)?.failure,
    rate: Math.round(median(rates)),
    rate_min: Math.round(Math.min(...rates)),
    rate_max: Math.round(Math.max(...rates)),
    cpu_seconds: round3(median(cpus)),
    cpu_min: round3(Math.min(...cpus)),
    cpu_max: round3(Math.max(...cpus)),
    capacity: Math.round(connections / median(cpus)),
    peak_mib: Math.round(peakMemory),
    client_load: round3(median(rounds.map(({ clientLoad }) => clientLoad))),
    chunks: round3(median(rounds.map(({ chunks }) => chunks)) / connections),
    rates: rates.map(Math.round),
    cpus: cpus.map(round3),
  }
}

const LEAST_RATE = 0.9

export function stormPromises(results: StormResults, { connections }: StormSize): Promised[] {
  const served = kinds.map((kind) => ({
    what: `${kind}: every connection served`,
    got: `${results[kind].served} of ${connections}${results[kind].failure ? ` (${results[kind].failure})` : ''}`,
    met: results[kind].served === connections,
    gates: true,
  }))
  const compared = (['decoder', 'readConnect'] as const).flatMap((kind) => {
    const ours = results[kind]
    const { 'mqtt-packet': peer, bare } = results
    const cpu = ratio(ours.cpus, peer.cpus)
    return [
      {
        what: `${kind}: less processor time than mqtt-packet`,
        got: `${cpu} of it`,
        met: cpu < 1,
        gates: false,
      },
      atLeast(`${kind}: rate as measured`, ratio(ours.rates, bare.rates)),
      // What the server could do if the clients were not in its way.
      atLeast(`${kind}: rate by processor time`, ratio(bare.cpus, ours.cpus)),
    ]
  })
  return [...served, ...compared]
}

/** The median of the ratios of each round: two servers meet the same state of the machine in the same round. */
function ratio(ones: readonly number[], others: readonly number[]): number {
  return round3(median(ones.map((one, round) => one / (others[round] as number))))
}

function atLeast(what: string, share: number): Promised {
  return {
    what: `${what}, at least ${LEAST_RATE} of the bare server's`,
    got: `${share}`,
    met: share >= LEAST_RATE,
    gates: false,
  }
}
