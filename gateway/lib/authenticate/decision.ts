import type { ConnectPacket, ConnectReasonCode } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'

/** What a check decides. `undefined`: this check is not responsible, the next one decides. */
export type Decision = Allow | Deny | undefined

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

/** A check of credentials. It may reject: then the client is refused as if the server were unavailable. */
export type Check = (packet: ConnectPacket, peer: Peer) => Promise<Decision> | Decision

export function deny(reasonCode: ConnectReasonCode, reason: string): Deny {
  return { allow: false, reasonCode, reason }
}
