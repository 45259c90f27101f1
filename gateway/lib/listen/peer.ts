import type { X509Certificate } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'

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
}

/** The names that a certificate gives a client. From a PROXY header there is only the first. */
export interface CertificateNames {
  readonly commonName?: string | undefined
  readonly dns?: string | undefined
  readonly email?: string | undefined
  readonly uri?: string | undefined
  /** As in RFC 4514: `CN=device-7,O=Example`. */
  readonly subject?: string | undefined
  /** Of SHA-256, in hexadecimal digits, lower case, without colons. */
  readonly fingerprint?: string | undefined
  /** In hexadecimal digits, upper case. Unique only within one authority. */
  readonly serial?: string | undefined
}

/** What later stages need of a TLS connection. */
export function tlsOf(socket: TLSSocket): PeerTls {
  const version = socket.getProtocol() ?? ''
  const cipher = socket.getCipher()?.name
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  return { version, cipher, certificate: certificate && namesOf(certificate) }
}

export function namesOf(certificate: X509Certificate): CertificateNames {
  const { subject } = certificate.toLegacyObject()
  const commonName = (subject as { CN?: string | string[] } | undefined)?.CN
  // The alternative names are JSON strings if they contain anything unusual. Those do not match here.
  const alternative = (kind: string) =>
    new RegExp(`(?:^|, )${kind}:([^,"]+)(?:,|$)`).exec(certificate.subjectAltName ?? '')?.[1]
  return {
    commonName: typeof commonName === 'string' ? commonName : undefined,
    dns: alternative('DNS'),
    email: alternative('email'),
    uri: alternative('URI'),
    subject: subjectOf(certificate),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    serial: certificate.serialNumber,
  }
}

/** Node has a line for each part, the most general first, and escapes values as RFC 4514 does, line breaks too. */
function subjectOf({ subject }: X509Certificate): string | undefined {
  if (!subject) return undefined
  return subject
    .split('\n')
    .reverse()
    .map((parts) => parts.split(' + ').reverse().join('+'))
    .join(',')
}
