import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { certificateCauseOf } from '../settings/causes.ts'

/** The names that a certificate gives a client. With a PROXY header, only the first is known. */
export interface CertificateNames {
  readonly commonName?: string | undefined
  readonly dns?: string | undefined
  readonly email?: string | undefined
  readonly uri?: string | undefined
  /** The whole subject as in RFC 4514: `CN=device-7,O=Example`. */
  readonly subject?: string | undefined
  /** The SHA-256 fingerprint in lower-case hexadecimal digits, without colons. */
  readonly fingerprint?: string | undefined
  /** The serial number in upper-case hexadecimal digits. Unique only within one authority. */
  readonly serial?: string | undefined
}

/** The reason for rejecting the client's certificate. */
export function certificateFault(socket: TLSSocket): string {
  if (socket.getPeerX509Certificate() === undefined) return 'the client has no certificate'
  return `the client ${certificateCauseOf(String(socket.authorizationError))}`
}

export function namesOf(certificate: X509Certificate): CertificateNames {
  const { subject } = certificate.toLegacyObject()
  const commonName = (subject as { CN?: string | string[] } | undefined)?.CN
  // Alternative names with unusual characters are JSON strings, which this pattern deliberately doesn't match.
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

/** Node puts each part on a line of its own, the most general first, and escapes values as RFC 4514 does, including line breaks. */
function subjectOf({ subject }: X509Certificate): string | undefined {
  if (!subject) return undefined
  return subject
    .split('\n')
    .reverse()
    .map((parts) => parts.split(' + ').reverse().join('+'))
    .join(',')
}
