import type { Socket } from 'node:net'
import { type ConnectPacket, ConnectReasonCode, MqttError } from 'mqtt-connect-packet'
import type { LimitName } from '../limit/limits.ts'
import type { Handshake } from '../listen/accepted.ts'
import type { Peer } from '../listen/peer.ts'
import { ClientFault, LeftError } from '../settings/causes.ts'
import type { Ending, Outcome } from './last-packets.ts'
import type { Session } from './session.ts'

/** The events that a connection reports, for log and metrics. */
export interface Reports {
  /** A CONNECT is within the limits. Authentication comes next. */
  connect(peer: Peer, packet: ConnectPacket): void
  /** A connection ended before it sent a byte of MQTT. */
  probe(peer: Peer): void
  refused(peer: Peer, refusal: Refusal): void
  /** A broker gets the CONNECT. */
  forwarded(peer: Peer, upstream: { readonly name: string }): void
  /** A broker has sent its CONNACK, with this reason code or return code. */
  answered(peer: Peer, code: number): void
  /** The client has the CONNACK of a broker. */
  joined(peer: Peer): void
  /** The gateway has ended a session and sent the last packets, unless a packet had to be cut. */
  parted(ending: Ending, outcome: Outcome): void
  /** The client has gone, but the connection to its broker stays open for a while. */
  lingers(broker: Socket): void
  /** A session is over, however it ended. */
  sessionEnded(peer: Peer, session: Session): void
}

/** The reason for refusing a client: a stage, or an answer that didn't come. */
export type Refuser =
  | Handshake
  | 'connect'
  | 'limit'
  | 'authentication'
  | 'rewriting'
  | 'no-broker'
  | 'no-connack'
  | 'connack-size'
  | 'reload'
  | 'client'
  | 'stop'

export interface Refusal {
  readonly by: Refuser
  readonly error: Error
  /** The limit that is exceeded. */
  readonly limit?: LimitName | undefined
  /** Absent if there was no valid CONNECT. */
  readonly answered?: Answered | undefined
}

/** The old configuration has checked a part of the connection, and the new one would check the rest, which may be less than either of them demands. */
export function listenerGone({ listener }: Peer): Refusal {
  return { by: 'reload', error: new Error(`the reload has removed or changed its listener ${listener}`) }
}

/** The way in which a valid CONNECT was refused. */
export interface Answered {
  readonly clientId: string
  /** Absent if the connection was closed without a CONNACK. */
  readonly reasonCode?: ConnectReasonCode | undefined
}

/**
 * The meaning of a refusal: `refused` because of the client or something it sent, `unserved` although the client did nothing
 * wrong, or `left` if the client was gone before there was an answer.
 */
export type RefusalOutcome = 'refused' | 'unserved' | 'left'

export function outcomeOf({ by, error, answered }: Refusal): RefusalOutcome {
  if (error instanceof LeftError) return 'left'
  if (error instanceof MqttError && error.code === 'packet-incomplete') return 'left'
  if (by === 'authentication') return isOwnFault(answered?.reasonCode) ? 'unserved' : 'refused'
  if (by === 'rewriting') return error instanceof ClientFault ? 'refused' : 'unserved'
  // PROXY headers are read only from trusted proxies, so an invalid one isn't the client's fault.
  return by === 'connect' || by === 'tls' || by === 'websocket' ? 'refused' : 'unserved'
}

function isOwnFault(code: ConnectReasonCode | undefined): boolean {
  return code === ConnectReasonCode.serverBusy || code === ConnectReasonCode.serverUnavailable
}
