/* Clients, in a process of their own. */
import * as bad from './bad-clients.ts'
import { answerCalls } from './child.ts'
import { type Outcome, steadily, storm } from './good-clients.ts'

export interface Order {
  readonly port: number
  readonly connections: number
  /** How long it takes until all have begun. */
  readonly milliseconds: number
}

export interface StormOrder {
  readonly port: number
  readonly connections: number
  /** How many of them are open at once. */
  readonly open: number
}

export interface StormOutcome {
  readonly served: number
  readonly failure: string | undefined
  readonly seconds: number
  /** Processor time of the clients, in seconds. */
  readonly cpu: number
}

const calls = {
  async storm({ port, connections, open }: StormOrder): Promise<StormOutcome> {
    const startCpu = process.cpuUsage()
    const start = performance.now()
    const { times, failure } = await storm(port, connections, open)
    const seconds = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(startCpu)
    return { served: times.length, failure, seconds, cpu: (user + system) / 1e6 }
  },

  steadily: ({ port, connections, milliseconds }: Order): Promise<Outcome> =>
    steadily(port, connections, milliseconds),

  beginSlow: ({ port, connections, milliseconds }: Order): Promise<void> =>
    bad.beginSlow(port, connections, milliseconds),

  beginRandom: ({ port, connections, milliseconds }: Order): Promise<void> =>
    bad.beginRandom(port, connections, milliseconds),

  endAll: (): void => bad.endAll(),
}

export type ClientCalls = typeof calls

answerCalls(calls)
