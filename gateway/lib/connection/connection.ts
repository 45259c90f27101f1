import type { MqttError } from 'mqtt-connect-packet'
import type { Served } from '../listen/accepted.ts'
import type { ClientStream, Peer } from '../listen/peer.ts'
import { CHECK_INTERVAL } from './broker.ts'
import type { Ending } from './last-packets.ts'
import type { DrainConfig } from './options.ts'
import type { Reports } from './reports.ts'
import {
  type Events,
  finishing,
  type Link,
  type Parser,
  parserOf,
  type Stages,
  type StagesSource,
  type Step,
} from './steps.ts'
import { table } from './table.ts'

const unsettled: ReadonlySet<Step['name']> = new Set(['deciding', 'connecting', 'answering', 'parting'])

/** The first step, by these stages. */
function readingOf({ acceptedAt }: Peer, stages: Stages): Step {
  const { handshakeTimeout, packetSize: maximumPacketSize } = stages.config.limits
  const deadline = acceptedAt + handshakeTimeout * 1000
  return { name: 'reading', parser: parserOf(stages, { maximumPacketSize }), deadline }
}

/** The bytes of a packet that isn't complete, if it has begun. Ends the parser, whose error has them. */
function heldBy(parser: Parser): Buffer | undefined {
  try {
    parser.end()
    return undefined
  } catch (error) {
    return (error as MqttError).bytes
  }
}

/**
 * A client's connection and the broker's, from the first byte to the last. There are many, and most are short, so the sockets keep the
 * same few listeners throughout, and the table maps an event to its action in the current step.
 */
export class Connection implements Link, Served {
  readonly peer: Peer
  readonly client: ClientStream
  readonly reports: Reports
  readonly #source: StagesSource
  #stages: Stages | undefined
  #step: Step

  /** @param stages those in force now, according to which the CONNECT is read until a reload */
  constructor(peer: Peer, stages: Stages, source: StagesSource, reports: Reports) {
    this.peer = peer
    this.client = peer.stream
    this.#stages = stages
    this.#source = source
    this.reports = reports
    this.#step = readingOf(peer, stages)
    this.client
      // A socket destroys itself after an error.
      .on('error', () => {})
      .on('data', (chunk: Buffer) => this.happen('clientData', chunk))
      .on('drain', () => this.happen('clientDrain', undefined))
      .on('end', () => this.happen('clientEnd', undefined))
      .on('close', () => this.happen('clientClose', undefined))
  }

  get step(): Step {
    return this.#step
  }

  reconfigure(): void {
    const step = this.#step
    if (step.name !== 'reading') return
    const stages = this.#source.stagesFor(this.peer)
    // If its listener is gone, the client is refused once its CONNECT is complete.
    if (stages === undefined) return
    this.#stages = stages
    this.#step = readingOf(this.peer, stages)
    const bytes = heldBy(step.parser)
    if (bytes !== undefined) this.happen('clientData', bytes)
  }

  configure(): boolean {
    this.#stages = this.#source.stagesFor(this.peer)
    return this.#stages !== undefined
  }

  /** The stages of the handshake. A session has none, because it would retain the users and keys of its first configuration. */
  get stages(): Stages {
    return this.#stages!
  }

  get drain(): DrainConfig {
    return this.#source.drainConfig
  }

  become(step: Step): void {
    this.#step = step
    if (step.name === 'forwarding') this.#stages = undefined
  }

  happen<Name extends keyof Events>(name: Name, given: Events[Name]): void {
    const step = this.#step
    // TypeScript can't see that this cell takes this step and this event.
    const cell = table[step.name][name] as (link: Link, step: Step, given: Events[Name]) => void
    cell(this, step, given)
  }

  get isForwarded(): boolean {
    const step = this.#step
    return step.name === 'forwarding' && !step.broker.destroyed
  }

  get upstream(): string | undefined {
    const step = this.#step
    return step.name === 'forwarding' ? step.upstream.name : undefined
  }

  get isUnsettled(): boolean {
    return unsettled.has(this.#step.name) || this.#step === finishing
  }

  end(ending: Ending): void {
    this.happen('dismiss', ending)
  }

  stop(limit?: 'address-share'): void {
    this.happen('stop', limit)
  }

  /** Called for all connections at short intervals, which costs less than a timer for each. */
  check(now: number): void {
    const step = this.#step
    if (step.deadline === undefined || now < step.deadline) return
    step.deadline = now + CHECK_INTERVAL
    this.happen('deadline', now)
  }
}
