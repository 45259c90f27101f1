import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { type CertificateNames, certificateFault, namesOf } from './client-certificate.ts'

/** A client's MQTT bytes. */
export interface ClientStream extends Duplex {
  /** The client's mistake in a layer below MQTT, for which the stream ends. */
  readonly fault?: Error | undefined
}

/** The client of a connection, as all later stages see it: after PROXY header, TLS and WebSocket. */
export interface Peer {
  /** The connection's MQTT bytes, without TLS and WebSocket framing. */
  readonly stream: ClientStream
  /** The client's address, from the PROXY header if there is one. */
  readonly address: string
  readonly port: number
  /** True if the address is that of a trusted proxy, whose PROXY header names no client. */
  readonly isProxy: boolean
  /** The unit by which limits and queues count the address: an IPv4 address, or an IPv6 network. */
  readonly network: string
  /** The address that the client connected to, from the PROXY header if there is one. */
  readonly localAddress: string
  readonly localPort: number
  /** The listener's name. */
  readonly listener: string
  /** The server name that the client asked for in TLS. */
  readonly serverName?: string | undefined
  readonly tls?: PeerTls | undefined
  /** The number of bytes received from the client, including TLS and WebSocket. */
  readonly bytesRead: number
  /** The number of bytes sent to the client, including TLS and WebSocket. */
  readonly bytesWritten: number
  /** Call this once the CONNECT is complete. */
  complete(): void
  /** Call this once the client has a session. */
  join(): void
  /** Call this once the client has a session that lasts, so that TCP finds out if the client vanishes. */
  probeIfSilent(): void
  /** The time of acceptance, on the clock of `performance.now()`. */
  readonly acceptedAt: number
}

export interface PeerTls {
  readonly version: string
  readonly cipher?: string | undefined
  /** The names in the client's certificate, if it has been verified. */
  readonly certificate?: CertificateNames | undefined
  /** The reason why there is no `certificate`, for the log. Unknown with a PROXY header. */
  readonly certificateFault?: string | undefined
}

/** The parts of a TLS connection that later stages need. */
export function tlsOf(socket: TLSSocket): PeerTls {
  const version = socket.getProtocol() ?? ''
  const cipher = socket.getCipher()?.name
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  if (certificate === undefined) return { version, cipher, certificateFault: certificateFault(socket) }
  return { version, cipher, certificate: namesOf(certificate) }
}
