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
  /** The unit that limits and turns count its address as: an IPv4 address, or a network of IPv6. */
  readonly network: string
  /** The address that it connected to, from the PROXY header if there is one. */
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
  /** To be called once the CONNECT is complete. */
  complete(): void
  /** To be called once it has a session that lasts: from then on TCP finds out if it has vanished. */
  probeIfSilent(): void
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

/** The parts of a TLS connection that later stages need. */
export function tlsOf(socket: TLSSocket): PeerTls {
  const version = socket.getProtocol() ?? ''
  const cipher = socket.getCipher()?.name
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  if (certificate === undefined) return { version, cipher, certificateFault: certificateFault(socket) }
  return { version, cipher, certificate: namesOf(certificate) }
}
