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

/**
 * In how many parts a round's connections come, the servers taking turns: the machine changes its pace for seconds, and so
 * hits all of them.
 */
const TURNS = 10

/** One server's figures of one turn. */
interface Turn {
  readonly served: number
  readonly failure: string | undefined
  readonly seconds: number
  /** Processor time of the server, in seconds. */
  readonly cpu: number
  /** Processor time of the clients, in seconds. */
  readonly clientCpu: number
  readonly chunks: number
}

/** The same of one round. */
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

/** How many rounds a server's process has: how the engine has optimized one process is not how it does another. */
const ROUNDS_A_PROCESS = 3

export async function runStorm(size: StormSize): Promise<StormResults> {
  const clients = new Child<ClientCalls>('client-process.ts')
  const rounds = kinds.map((): Round[] => [])
  const peaks = kinds.map(() => 0)
  for (let done = 0; done < size.rounds; done += ROUNDS_A_PROCESS) {
    const servers = kinds.map((kind) => new Child<ServerCalls>('server-process.ts', [kind]))
    // The first round only warms up.
    for (let round = 0; round <= Math.min(ROUNDS_A_PROCESS, size.rounds - done); round++) {
      const figures = await runRound(servers, clients, size, done + round)
      if (round > 0) for (const [i, figure] of figures.entries()) rounds[i]!.push(figure)
    }
    for (const [i, server] of servers.entries()) {
      peaks[i] = Math.max(peaks[i]!, (await server.ask('usage', undefined)).peakMemory)
      server.stop()
    }
  }
  clients.stop()
  const results = kinds.map((kind, i) => [kind, summary(rounds[i]!, peaks[i]!, size.connections)])
  return Object.fromEntries(results) as StormResults
}

/** One round of all servers. Each gets each place in the order, so that a drift of the machine hits all. */
async function runRound(
  servers: readonly Child<ServerCalls>[],
  clients: Child<ClientCalls>,
  { connections, open }: StormSize,
  round: number,
): Promise<Round[]> {
  const turns = servers.map((): Turn[] => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (let i = 0; i < servers.length; i++) {
      const place = (round + turn + i) % servers.length
      turns[place]!.push(await runTurn(servers[place]!, clients, share(connections, turn), open))
    }
  }
  return turns.map(sum)
}

/** How many connections of a round are the given turn's. */
function share(connections: number, turn: number): number {
  return Math.floor((connections * (turn + 1)) / TURNS) - Math.floor((connections * turn) / TURNS)
}

async function runTurn(
  server: Child<ServerCalls>,
  clients: Child<ClientCalls>,
  connections: number,
  open: number,
): Promise<Turn> {
  const port = await server.ask('listen', undefined)
  const before = await server.ask('usage', undefined)
  const { served, failure, seconds, cpu } = await clients.ask('storm', { port, connections, open })
  await server.ask('close', undefined)
  const after = await server.ask('usage', undefined)
  const chunks = after.chunks - before.chunks
  return { served, failure, seconds, cpu: after.cpu - before.cpu, clientCpu: cpu, chunks }
}

function sum(turns: readonly Turn[]): Round {
  const total = (figure: 'served' | 'seconds' | 'cpu' | 'clientCpu' | 'chunks'): number =>
    turns.reduce((before, turn) => before + turn[figure], 0)
  return {
    served: total('served'),
    failure: turns.find(({ failure }) => failure !== undefined)?.failure,
    rate: total('served') / total('seconds'),
    cpu: total('cpu'),
    clientLoad: total('clientCpu') / total('seconds'),
    chunks: total('chunks'),
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
