import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import { causeOf, LeftError } from '../settings/causes.ts'
import { FileError, readAuthorities, readPem, readRevoked } from '../settings/files.ts'
import { certificateFault } from './client-certificate.ts'
import type { ListenerConfig } from './options.ts'

type TlsConfig = NonNullable<ListenerConfig['tls']>

/**
 * The groups for the exchange of keys that this OpenSSL knows: elliptic curves, and a hybrid one. The client chooses the group, and the finite fields that
 * OpenSSL also accepts (`ffdhe8192`) would cost up to 100 ms for a client that computes nothing itself.
 */
const groups = ['X25519MLKEM768', 'X25519', 'P-256', 'X448', 'P-384', 'P-521'].filter(
  (group) => attempt(() => createSecureContext({ ecdhCurve: group })) !== undefined,
)

/** The callbacks for connections. Each connection ends in one of them, unless it's closed first. */
export interface Secured {
  ready(socket: TLSSocket): void
  failed(socket: TLSSocket, error: Error): void
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
    ecdhCurve: groups.join(':'),
    // Each renegotiation costs a signature and counts towards no limit. Node reports too many of them, but doesn't close the connection.
    // A resumed session has the first handshake's verdict on the client's certificate, even if the certificate has expired since.
    secureOptions:
      constants.SSL_OP_NO_RENEGOTIATION | (clientCertificates === undefined ? 0 : constants.SSL_OP_NO_TICKET),
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
      // If true, Node would close the connection before the log could say why.
      rejectUnauthorized: false,
      // The gateway's own deadline ends the handshake, because a reload can change that deadline.
      handshakeTimeout: NO_TIMEOUT,
      ...(contexts.length > 1 && { SNICallback: (name, done) => done(null, contextFor(name)) }),
    },
    (socket) => {
      if (clientCertificates?.required && !socket.authorized)
        failed(socket, new Error(certificateFault(socket)))
      else ready(socket)
    },
  )
  server.on('tlsClientError', (error, socket) => failed(socket, clientError(error)))
  return server
}

/** A client that doesn't accept the gateway's certificate says so in an alert. */
function clientError(error: NodeJS.ErrnoException): Error {
  const { code = '' } = error
  const message = `the client ${causeOf(error)}`
  return code === 'ECONNRESET' || code.includes('_ALERT_') ? new LeftError(message) : new Error(message)
}

function contextOf({ certificate, key, passphrase }: TlsConfig['certificates'][number], trust: object) {
  const options = { cert: readPem(certificate), key: readPem(key), passphrase, ...trust }
  try {
    return { options, context: createSecureContext(options), names: new X509Certificate(options.cert) }
  } catch (error) {
    throw (
      mistakeIn({ certificate, key, passphrase }, options) ??
      new FileError(certificate, `cannot be used with ${key}: ${(error as Error).message}`)
    )
  }
}

/** Says which of the two files is wrong, because OpenSSL's errors don't. */
function mistakeIn(
  { certificate, key, passphrase }: TlsConfig['certificates'][number],
  texts: { readonly cert: string; readonly key: string },
): FileError | undefined {
  const parsed = attempt(() => new X509Certificate(texts.cert))
  if (parsed === undefined) return new FileError(certificate, 'has no certificate in PEM that can be read')
  // Without a passphrase `createPrivateKey` would fail for every encrypted key.
  const isEncrypted = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(texts.key)
  if (isEncrypted && passphrase === undefined)
    return new FileError(key, 'is encrypted, so it needs its passphrase')
  const parsedKey = attempt(() => createPrivateKey({ key: texts.key, passphrase }))
  if (parsedKey === undefined)
    return new FileError(
      key,
      isEncrypted
        ? "can't be decrypted: the passphrase is wrong"
        : 'has no private key in PEM that can be read',
    )
  return parsed.checkPrivateKey(parsedKey)
    ? undefined
    : new FileError(certificate, `belongs to a different key than ${key}`)
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** The longest delay of a timer, in milliseconds. */
const NO_TIMEOUT = 2 ** 31 - 1
