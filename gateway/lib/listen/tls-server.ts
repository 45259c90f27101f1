import { constants, X509Certificate } from 'node:crypto'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import { FileError, readAuthorities, readNamedFile, readRevoked } from '../settings/files.ts'
import type { ListenerConfig } from './options.ts'

type TlsConfig = NonNullable<ListenerConfig['tls']>

/** What becomes of the connections. Each ends in one of the two, unless it is closed before. */
export interface Secured {
  ready(socket: TLSSocket): void
  failed(socket: TLSSocket, reason: string): void
}

/**
 * A server that speaks TLS on the connections that are emitted on it.
 *
 * @throws FileError if a certificate, a key or a revocation list cannot be used
 */
export function tlsServer(
  { certificates, clientCertificates, minimumVersion }: TlsConfig,
  { ready, failed }: Secured,
): Server {
  const trust = {
    minVersion: minimumVersion,
    // Each renegotiation costs a signature and counts towards no limit. Node reports too many of them, but doesn't close the connection.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ca: clientCertificates && readAuthorities(clientCertificates.authorities),
    crl: clientCertificates?.revoked && readRevoked(clientCertificates.revoked),
  }
  const contexts = certificates.map((files) => contextOf(files, trust))
  const contextFor = (name: string): SecureContext =>
    (contexts.find(({ names }) => names.checkHost(name) !== undefined) ?? contexts[0]!).context
  const server = createServer(
    {
      ...contexts[0]!.options,
      requestCert: clientCertificates !== undefined,
      // Node would close the connection before anybody could say why.
      rejectUnauthorized: false,
      // The deadline of the whole handshake ends it, as it is configured by then.
      handshakeTimeout: NO_TIMEOUT,
      ...(contexts.length > 1 && { SNICallback: (name, done) => done(null, contextFor(name)) }),
    },
    (socket) => {
      if (clientCertificates?.required && !socket.authorized) failed(socket, certificateFault(socket))
      else ready(socket)
    },
  )
  server.on('tlsClientError', ({ message }, socket) => {
    failed(socket, message.trim())
  })
  return server
}

/** Why a client's certificate is not accepted. */
function certificateFault(socket: TLSSocket): string {
  if (socket.getPeerX509Certificate() === undefined) return 'the client has no certificate'
  const code = String(socket.authorizationError)
  return faults[code] ?? `the client certificate is refused: ${code}`
}

/** By the codes of OpenSSL. */
const faults: Readonly<Record<string, string>> = {
  CERT_REVOKED: 'the client certificate has been revoked',
  CERT_SIGNATURE_FAILURE: "the client certificate's signature is invalid",
  CERT_HAS_EXPIRED: 'the client certificate has expired',
  CERT_NOT_YET_VALID: 'the client certificate is not valid yet',
  CRL_HAS_EXPIRED: 'the revocation list has expired',
  UNABLE_TO_GET_CRL: 'there is no revocation list of the authority that has signed the client certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the client certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "the client certificate's authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT: "the client certificate's authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the client certificate's authority is unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the client certificate's authority is unknown",
}

function contextOf({ certificate, key, passphrase }: TlsConfig['certificates'][number], trust: object) {
  const options = { cert: readNamedFile(certificate), key: readNamedFile(key), passphrase, ...trust }
  try {
    return { options, context: createSecureContext(options), names: new X509Certificate(options.cert) }
  } catch (error) {
    throw new FileError(certificate, `cannot be used with ${key}: ${(error as Error).message}`)
  }
}

/** The longest delay of a timer, in milliseconds. */
const NO_TIMEOUT = 2 ** 31 - 1
