import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { certificateCauseOf } from '../settings/causes.ts'

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

/** Why the client's certificate is not accepted. */
export function certificateFault(socket: TLSSocket): string {
  if (socket.getPeerX509Certificate() === undefined) return 'the client has no certificate'
  return `the client ${certificateCauseOf(String(socket.authorizationError))}`
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
