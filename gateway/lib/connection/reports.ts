import type { ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import type { Ending, Outcome } from './last-packets.ts'
import type { Session } from './session.ts'

/** What a connection reports, for log and metrics. */
export interface Reports {
  /** A CONNECT is within the limits. Authentication comes next. */
  connect(peer: Peer, packet: ConnectPacket): void
  /** A connection ended before it sent a byte of MQTT. */
  probe(peer: Peer): void
  refused(peer: Peer, refusal: Refusal): void
  /** A broker gets the CONNECT. */
  forwarded(peer: Peer, upstream: { readonly name: string }): void
  /** The client has the CONNACK of a broker. */
  joined(peer: Peer): void
  /** The gateway has ended a session, and told both sides what they are to be told unless a packet had to be cut. */
  parted(ending: Ending, outcome: Outcome): void
  /** A session is over, however it ended. */
  sessionEnded(peer: Peer, session: Session, cause?: Error): void
}

/** What refuses a client: a stage, or the lack of an answer that it could have. */
export type Refuser =
  | 'connect'
  | 'limit'
  | 'authentication'
  | 'rewriting'
  | 'no-broker'
  | 'no-connack'
  | 'connack-size'

export interface Refusal {
  readonly by: Refuser
  readonly error: Error
  /** Which limit is exceeded. */
  readonly limit?: string | undefined
  /** Absent if there was no valid CONNECT. */
  readonly answered?: Answered | undefined
}

/** How a valid CONNECT was refused. */
export interface Answered {
  readonly clientId: string
  /** Absent if the connection was closed without a CONNACK. */
  readonly reasonCode?: ConnectReasonCode | undefined
}
