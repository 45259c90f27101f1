import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { type CertificateNames, certificateFault, namesOf } from './client-certificate.ts'

/** The client of a connection, after PROXY header, TLS and WebSocket: what all later stages see. */
export interface Peer {
  /** The bytes of MQTT. */
  readonly stream: Duplex
  /** The client's, from the PROXY header if there is one. */
  readonly address: string
  readonly port: number
  /** What its address counts as, for limits and turns: an IPv4 address, or a network of IPv6. */
  readonly network: string
  /** Where it connected to, from the PROXY header if there is one. */
  readonly localAddress: string
  readonly localPort: number
  /** The listener's name. */
  readonly listener: string
  /** The server name that the client asked for in TLS. */
  readonly serverName?: string | undefined
  readonly tls?: PeerTls | undefined
  /** How many bytes have come from the client, TLS and WebSocket included. */
  readonly bytesRead: number
  /** How many bytes have gone to the client, TLS and WebSocket included. */
  readonly bytesWritten: number
  /** To be called once the CONNECT is complete. */
  complete(): void
  /** On the clock of `performance.now()`. */
  readonly acceptedAt: number
}

export interface PeerTls {
  readonly version: string
  readonly cipher?: string | undefined
  /** Only if it has been verified. */
  readonly certificate?: CertificateNames | undefined
  /** Why there is no `certificate`, for the log. A PROXY header doesn't say. */
  readonly certificateFault?: string | undefined
}

/** What later stages need of a TLS connection. */
export function tlsOf(socket: TLSSocket): PeerTls {
  const version = socket.getProtocol() ?? ''
  const cipher = socket.getCipher()?.name
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  if (certificate === undefined) return { version, cipher, certificateFault: certificateFault(socket) }
  return { version, cipher, certificate: namesOf(certificate) }
}
