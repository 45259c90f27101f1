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
  /** When the connection is to be closed, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

export interface Deny {
  readonly allow: false
  readonly reasonCode: ConnectReasonCode
  /** For the log. */
  readonly reason: string
}

/** This check is not responsible: the next one decides. */
export interface Ignore {
  readonly allow: undefined
  /** For the log, if no other check is responsible either. */
  readonly reason?: string | undefined
}

/**
 * A check of credentials. It may reject with an error that says who has failed, and how: then the client is refused as if the server were unavailable.
 */
export type Check = (packet: ConnectPacket, peer: Peer) => Promise<Decision> | Decision

export function deny(reasonCode: ConnectReasonCode, reason: string): Deny {
  return { allow: false, reasonCode, reason }
}

export function ignore(reason?: string): Ignore {
  return { allow: undefined, reason }
}
