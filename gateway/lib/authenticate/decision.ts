import type { ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'

/** The decision of a check. */
export type Decision = Allow | Deny | Ignore

export interface Allow {
  readonly allow: true
  /** Replaces the user name. */
  readonly userName?: string | undefined
  readonly clientId?: string | undefined
  readonly password?: string | undefined
  /** The time at which the connection must be closed, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

export interface Deny {
  readonly allow: false
  readonly reasonCode: ConnectReasonCode
  /** For the log. */
  readonly reason: string
}

/** The check leaves the client to the next one. */
export interface Ignore {
  readonly allow: undefined
  /** For the log, in case all other checks ignore the client too. */
  readonly reason?: string | undefined
}

/**
 * A check of credentials. If it rejects, the client is refused with "server unavailable", and the error's message goes into the log.
 */
export type Check = (packet: ConnectPacket, peer: Peer) => Promise<Decision> | Decision

export function deny(reasonCode: ConnectReasonCode, reason: string): Deny {
  return { allow: false, reasonCode, reason }
}

export function ignore(reason?: string): Ignore {
  return { allow: undefined, reason }
}
