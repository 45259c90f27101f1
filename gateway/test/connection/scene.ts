import { Duplex } from 'node:stream'
import { type ConnectPacket, connack, decode, v5 } from 'mqtt-connect-packet'
import { Connection } from '../../lib/connection/connection.ts'
import { Idle } from '../../lib/connection/idle.ts'
import { lastPackets } from '../../lib/connection/last-packets.ts'
import type { Refusal, Reports } from '../../lib/connection/reports.ts'
import { Session, type SessionEnding } from '../../lib/connection/session.ts'
import { parserOf, type Stages, type StagesSource, type Step } from '../../lib/connection/steps.ts'
import { Tracked } from '../../lib/connection/tracked.ts'
import type { Peer } from '../../lib/listen/peer.ts'
import { Rewriter } from '../../lib/rewrite/rewriter.ts'
import type { Upstream } from '../../lib/route/upstream.ts'
import { configOf } from '../support.ts'

/*
 * A connection whose client and brokers only record what is done to them, so that a test can put it into any step.
 */

export const base = { cleanStart: true, keepAlive: 10, clientId: 'c' }
export const connect = new v5.ConnectPacket(base)
export const accepted = connack(connect, 0)!
/** Reason code "continue authentication" with the method `m`, because an AUTH requires a method. */
export const AUTH = Buffer.from('f00618041500016d', 'hex')
export const PINGRESP = Buffer.of(0xd0, 0)
export const text = (value: string) => Buffer.from(value)

/** One side of a connection, which only records what is done to it. */
class Side extends Duplex {
  readonly #name: string
  readonly #notes: string[]
  /** False if writes have to wait. */
  takes = true
  /** True until the broker has accepted the connection. */
  connecting = false

  constructor(name: string, notes: string[]) {
    super()
    this.#name = name
    this.#notes = notes
  }

  /** Sets properties for which a stream has only getters. */
  is(
    values: Partial<
      Record<'readableEnded' | 'writable' | 'destroyed' | 'closed' | 'errored' | 'paused', unknown>
    >,
  ): void {
    for (const [name, value] of Object.entries(values)) Object.defineProperty(this, name, { value })
  }

  #note(what: string): void {
    this.#notes.push(`${this.#name} ${what}`)
  }
  override write(bytes: Uint8Array): boolean {
    this.#note(`gets ${shown(bytes)}`)
    return this.takes
  }
  override end(bytes?: unknown): this {
    if (bytes) this.#note(`gets ${shown(bytes as Uint8Array)}`)
    this.#note('ends')
    return this
  }
  override destroy(error?: Error): this {
    this.#note(error ? `destroyed: ${error.message}` : 'destroyed')
    return this
  }
  resetAndDestroy(): this {
    this.#note('reset')
    return this
  }
  override pause(): this {
    this.#note('pauses')
    return this
  }
  override resume(): this {
    this.#note('resumes')
    return this
  }
  override unshift(bytes: Uint8Array): void {
    this.#note(`has ${shown(bytes)} left`)
  }
  override isPaused(): boolean {
    return (this as { paused?: boolean }).paused ?? false
  }
  /** Stops the timers of `refuse`. */
  dispose(): void {
    this.emit('close')
  }
}

function shown(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  if (buffer.equals(AUTH)) return 'AUTH'
  if (buffer.equals(connect.bytes)) return 'CONNECT'
  if (buffer[0] === 0xe0) return `DISCONNECT 0x${(buffer[2] ?? 0).toString(16).padStart(2, '0')}`
  if (buffer[0] !== 0x20) return `"${buffer}"`
  return `CONNACK 0x${(decode(buffer, { protocolVersion: 5 }) as v5.ConnackPacket).reasonCode.toString(16).padStart(2, '0')}`
}

/** A connection between a client and the brokers a and b, with a as the current broker. */
export class Scene {
  readonly notes: string[] = []
  readonly client = new Side('client', this.notes)
  readonly a = new Side('a', this.notes)
  readonly b = new Side('b', this.notes)
  readonly stages: { -readonly [Name in keyof Stages]: Stages[Name] }
  readonly connection: Connection
  /** The CONNECT, in all steps after `reading`. */
  packet: ConnectPacket = connect
  /** The broker's CONNACK, in the steps of a session. */
  answer: v5.ConnackPacket = accepted
  upstreams: readonly Upstream[] = [this.#upstream('a', this.a), this.#upstream('b', this.b)]
  mayMove = true
  /** True while the broker waits for the client's AUTH. */
  isAsked = false
  /** The configuration of `drain`, which the step `parting` needs. */
  drain: object = {}
  /** The parts received of the client's and the broker's current packets. */
  halves: { readonly client?: Buffer; readonly broker?: Buffer } = {}
  /** The reason why the session is ending, once it is. */
  ending: SessionEnding | undefined = undefined
  /** True if the client has ended its side before the session began to end. */
  hasEnded = false
  isBrokerTold = false
  isClientTold = false
  bytesRead = 0
  expiresAt = Number.POSITIVE_INFINITY
  givenAt = performance.now()

  constructor() {
    const config = configOf({})
    this.stages = {
      config,
      limits: { client: () => undefined, isBanned: () => false } as unknown as Stages['limits'],
      checks: [],
      rewriter: new Rewriter(config.rewrite),
      router: { choose: () => this.upstreams } as unknown as Stages['router'],
    }
    const scene = this
    const peer = {
      stream: this.client,
      acceptedAt: this.givenAt,
      get bytesRead() {
        return scene.bytesRead
      },
      complete: () => this.notes.push('CONNECT complete'),
      join: () => this.notes.push('client has a session'),
      probeIfSilent: () => this.notes.push('TCP probes the client'),
    } as unknown as Peer
    const note = (what: string) => void this.notes.push(`reports ${what}`)
    const reports: Reports = {
      connect: () => note('CONNECT'),
      probe: () => note('probe'),
      refused: (_peer, { by, error }: Refusal) => note(`refused, ${by}: ${error.message.split(':')[0]}`),
      forwarded: (_peer, { name }) => note(`forwarded to ${name}`),
      answered: () => undefined,
      joined: () => note('joined'),
      lingers: () => note('that the broker lingers'),
      sessionEnded: (_peer, { ending }) => note(`session ended, ${ending}`),
      parted: (ending, outcome) => note(`parted, ${ending}: ${outcome}`),
    }
    const source: StagesSource = {
      stagesFor: () => this.stages,
      get drainConfig() {
        return scene.stages.config.drain
      },
    }
    this.connection = new Connection(peer, this.stages, source, reports)
    this.notes.length = 0
  }

  #upstream(name: string, side: Side): Upstream {
    const upstream = {
      ...{ name, title: `the broker ${name}`, config: { host: name, port: 1883 }, readyEvent: 'connect' },
      report: () => this.notes.push(`${name} works`),
      connectFailed: () => this.notes.push(`${name} fails`),
      probeIfSilent: () => this.notes.push(`TCP probes ${name}`),
      open: () => {
        this.notes.push(`opens ${name}`)
        side.connecting = true
        return side
      },
    }
    return upstream as unknown as Upstream
  }

  enter(name: Step['name']): void {
    const { stages, packet, upstreams, expiresAt, mayMove, isAsked, hasEnded, isBrokerTold, isClientTold } =
      this
    const config = configOf({ drain: this.drain })
    stages.config = config
    const tracked = Tracked.of(config.drain, packet)
    tracked?.fromClient.push(this.halves.client ?? Buffer.alloc(0))
    tracked?.fromBroker.push(this.halves.broker ?? Buffer.alloc(0))
    this.a.connecting = name === 'connecting'
    const broker = this.a as unknown as Extract<Step, { name: 'connecting' }>['broker']
    const upstream = upstreams[0]!
    const choice = {
      packet,
      userName: undefined,
      rewritten: { packet, clientId: packet.clientId },
      upstreams,
      expiresAt,
    }
    const now = this.givenAt
    const session = new Session(choice, upstream ?? { name: '' }, this.answer, now)
    const ending = name === 'parting' ? 'drained' : this.ending
    if (ending) session.end(ending)
    const late = now + 10_000
    const parser = parserOf(stages, name === 'answering' ? { connection: true } : {})
    if (name === 'answering') parser.push(packet.bytes).next()
    const last = lastPackets(
      config.drain,
      'drained',
      packet as v5.ConnectPacket & { maximumPacketSize: undefined },
    )
    const steps: { [Name in Step['name']]: Extract<Step, { name: Name }> } = {
      reading: { name: 'reading', parser, deadline: late },
      deciding: { name: 'deciding', packet, deadline: Number.POSITIVE_INFINITY },
      connecting: { name: 'connecting', choice, tried: 1, upstream, broker, deadline: late },
      answering: {
        ...{
          name: 'answering',
          choice,
          tried: 1,
          upstream,
          broker,
          parser,
          tracked,
          mayMove,
          isAsked,
          failure: undefined,
          deadline: late,
        },
      },
      forwarding: {
        ...{ name: 'forwarding', upstream, broker, tracked, session, expiresAt },
        ...{ idle: new Idle(10, 0, now), deadline: late },
      },
      parting: {
        ...{ name: 'parting', broker, tracked: tracked!, session, ending: 'drained', isBrokerTold },
        ...{ isClientTold, isUntilBrokerCloses: hasEnded || last.toBroker !== undefined, last },
        deadline: late,
      },
      ended: { name: 'ended' },
    }
    this.connection.become(steps[name])
  }
}

/** One case in a cell of the table. */
export interface Situation {
  /** The condition that distinguishes this case from the others in its cell. */
  readonly if?: string
  readonly before?: (scene: Scene) => void
  readonly given?: (scene: Scene) => unknown
  /** The step after the event. */
  readonly step: Step['name']
  /** The recorded actions, in order. */
  readonly does: readonly string[]
  readonly after?: (step: Step, scene: Scene) => void
}
