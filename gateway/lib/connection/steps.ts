import type { Socket } from 'node:net'
import { type ConnectPacket, PacketParser, type PacketParserOptions } from 'mqtt-connect-packet'
import type { Allow, Check, Deny } from '../authenticate/decision.ts'
import type { AuthenticationConfig } from '../authenticate/options.ts'
import type { LimitName, Limits } from '../limit/limits.ts'
import type { LimitsConfig } from '../limit/options.ts'
import type { ClientStream, Peer } from '../listen/peer.ts'
import type { Rewriter, Rewritten } from '../rewrite/rewriter.ts'
import type { RouteConfig } from '../route/options.ts'
import type { Router } from '../route/router.ts'
import type { Upstream } from '../route/upstream.ts'
import type { Idle } from './idle.ts'
import type { Ending, LastPackets } from './last-packets.ts'
import type { DrainConfig } from './options.ts'
import type { Reports } from './reports.ts'
import type { Session } from './session.ts'
import type { Tracked } from './tracked.ts'

/** Everything that comes from one configuration. A reload replaces it as a whole. */
export interface Stages {
  readonly config: {
    readonly limits: LimitsConfig
    readonly authentication: AuthenticationConfig
    readonly route: RouteConfig
    readonly drain: DrainConfig
  }
  readonly limits: Limits
  readonly checks: readonly Check[]
  readonly rewriter: Rewriter
  readonly router: Router
}

/** Has the stages of the configuration that's in force. */
export interface StagesSource {
  /** The stages for the clients of a connection's listener. `undefined` if a reload has removed or changed the listener since. */
  stagesFor(peer: Peer): Stages | undefined
  /** How the gateway ends a session. */
  readonly drainConfig: DrainConfig
}

export type Parser = PacketParser<PacketParserOptions>

// The steps, in their order. A deadline is on the clock of `performance.now()`; a step without one can't take too long.

/** The client sends its CONNECT. */
export interface Reading {
  readonly name: 'reading'
  readonly parser: Parser
  deadline: number
}

/** Authentication decides about the CONNECT. */
export interface Deciding {
  readonly name: 'deciding'
  readonly packet: ConnectPacket
  /** Infinite until the client ends its side, because the checks have timeouts of their own. */
  deadline: number
}

/** The decision, which stays the same from broker to broker. */
export interface Choice {
  /** The client's own CONNECT. */
  readonly packet: ConnectPacket
  /** The user name that is in force after authentication. */
  readonly userName: string | undefined
  /** The CONNECT for the broker. */
  readonly rewritten: Rewritten
  /** The brokers to try, in this order. */
  readonly upstreams: readonly Upstream[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The connection to a broker is being opened. */
export interface Connecting {
  readonly name: 'connecting'
  readonly choice: Choice
  /** The number of brokers that have been tried, including this one. */
  readonly tried: number
  readonly upstream: Upstream
  readonly broker: Socket
  deadline: number
}

/** The broker has the CONNECT and answers it. In MQTT 5.0, AUTH packets may pass in both directions before the CONNACK. */
export interface Answering {
  readonly name: 'answering'
  readonly choice: Choice
  readonly tried: number
  readonly upstream: Upstream
  readonly broker: Socket
  readonly parser: Parser
  readonly tracked: Tracked | undefined
  /** True while nothing has been sent in either direction since the CONNECT, so a different broker can take over without loss. */
  mayMove: boolean
  /** True while the broker waits for the client's AUTH. */
  isAsked: boolean
  /** What the broker did, if the gateway has therefore closed its connection. */
  failure: string | undefined
  deadline: number
}

/** All bytes pass unchanged. An idle connection retains no packets. */
export interface Forwarding {
  readonly name: 'forwarding'
  readonly upstream: Upstream
  readonly broker: Socket
  /** `undefined` if the configuration doesn't ask for sessions that end between two packets. */
  readonly tracked: Tracked | undefined
  readonly session: Session
  readonly idle: Idle
  readonly expiresAt: number
  /** The time of the next check for idleness and expiry. */
  deadline: number
}

/** The gateway ends the session at the next packet boundaries. */
export interface Parting {
  readonly name: 'parting'
  readonly broker: Socket
  /** `undefined` if nobody is told anything, and the session only lasts until the broker closes. */
  readonly tracked: Tracked | undefined
  readonly session: Session
  readonly ending: Ending
  readonly last: LastPackets
  /** True if the session lasts until the broker closes: it gets a DISCONNECT, or the client has ended its side. */
  readonly isUntilBrokerCloses: boolean
  /** True once nothing more is sent to the broker. */
  isBrokerTold: boolean
  /** True once nothing more is sent to the client, and the broker's connection is closed. */
  isClientTold: boolean
  deadline: number
}

/** Refused or closed. The client may still read what is left. */
export interface Ended {
  readonly name: 'ended'
  readonly deadline?: undefined
}

export type Step = Reading | Deciding | Connecting | Answering | Forwarding | Parting | Ended

/** The events, each with its value. */
export interface Events {
  clientData: Buffer
  clientDrain: undefined
  clientEnd: undefined
  clientClose: undefined
  decided: Allow | Deny
  brokerReady: undefined
  brokerData: Buffer
  brokerDrain: undefined
  brokerEnd: undefined
  brokerClose: undefined
  /** The step's deadline has passed. The value is the current time on the same clock. */
  deadline: number
  /** The gateway ends the session. */
  dismiss: Ending
  /** The gateway is about to destroy the sockets, because of a limit or because it stops. */
  stop: LimitName | undefined
}

/** The parts of a connection that stay the same in all steps, and the current step. */
export interface Link {
  readonly peer: Peer
  readonly client: ClientStream
  /** Only before the session. */
  readonly stages: Stages
  /** As it's configured now, even if the session is older. */
  readonly drain: DrainConfig
  readonly reports: Reports
  readonly step: Step
  become(step: Step): void
  /**
   * Takes the stages of the configuration that's in force. Call this once the CONNECT is complete. Returns false if there are none for
   * this connection any more.
   */
  configure(): boolean
  happen<Name extends keyof Events>(name: Name, given: Events[Name]): void
}

export const ended: Ended = { name: 'ended' }
/** The same after a session. The client may still read what the broker has sent, so a drain waits for it. */
export const finishing: Ended = { name: 'ended' }

export function parserOf({ config }: Stages, options: PacketParserOptions): Parser {
  const { allow } = config.limits
  // Without `allow`, the library reuses its prepared rules.
  return new PacketParser(allow.length === 0 ? options : { ...options, allow })
}
