/*
 * Causes in words, for the log. Each continues a sentence that names the other side: "the client …", "the broker one …".
 */

/** The client left of its own accord. */
export class LeftError extends Error {}

/** The client is refused after authentication, because of something that it has sent. */
export class ClientFault extends Error {}

/** An error whose message is already a cause in words. */
export class CauseError extends Error {}

const unknownAuthority = 'has a certificate whose authority is unknown'
const noName = "has a host name that doesn't exist"
const otherProtocol = "doesn't speak TLS"
const closed = 'closed the connection'
const late = "didn't answer in time"

/** The causes by the codes of Node, OpenSSL and undici. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection',
  ECONNABORTED: 'reset the connection',
  EPIPE: closed,
  // A WebSocket whose socket the client has reset.
  ERR_STREAM_DESTROYED: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: "doesn't answer",
  EHOSTUNREACH: "can't be reached",
  ENETUNREACH: "can't be reached: there is no route to its network",
  ENOTFOUND: noName,
  EAI_NONAME: noName,
  EAI_AGAIN: "has a host name that can't be looked up now, because no name server answers",
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: "has a certificate that isn't valid yet",
  CERT_SIGNATURE_FAILURE: 'has a certificate whose signature is invalid',
  CERT_REVOKED: 'has a certificate that has been revoked',
  INVALID_PURPOSE: 'has a certificate for a different purpose',
  CRL_HAS_EXPIRED: 'has a certificate whose authority has a revocation list that has expired',
  UNABLE_TO_GET_CRL: 'has a certificate whose authority has no revocation list',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for a different name',
  ERR_SSL_WRONG_VERSION_NUMBER: otherProtocol,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: otherProtocol,
  ERR_SSL_HTTP_REQUEST: 'speaks HTTP instead of TLS',
  ERR_SSL_HTTPS_PROXY_REQUEST: 'speaks HTTP instead of TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'has no TLS version in common with the gateway',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'has no TLS version in common with the gateway',
  ERR_SSL_NO_SHARED_CIPHER: 'has no cipher in common with the gateway',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'wants a client certificate, and the gateway has none',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "doesn't know the authority of the gateway's certificate",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "doesn't accept the gateway's certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: "doesn't accept the gateway's certificate",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "takes the gateway's certificate for expired",
}

/** Texts for errors of `fetch` that have no code. */
const causesByMessage: Readonly<Record<string, string>> = {
  'bad port': 'has a port that is blocked for HTTP',
}

/** The fault of the other side's certificate, by OpenSSL's code. */
export function certificateCauseOf(code: string): string {
  return Object.hasOwn(causes, code) ? causes[code]! : `has a certificate that isn't accepted: ${code}`
}

/** The meaning of `error` for the other side of a connection, such as `refused the connection`. */
export function causeOf(error: unknown): string {
  const {
    name,
    message,
    code = '',
    reason,
    cause,
  } = innermost(error as Error) as NodeJS.ErrnoException & {
    readonly reason?: string
  }
  if (error instanceof CauseError) return error.message
  if (name === 'TimeoutError') return late
  if (/^socket hang up|disconnected before secure TLS/.test(message)) return `${closed} in the TLS handshake`
  if (Object.hasOwn(causes, code)) return causes[code]!
  if (Object.hasOwn(causesByMessage, message)) return causesByMessage[message]!
  if (/^HPE_/.test(code)) return "doesn't speak HTTP"
  const [, alert] = /\balert (.*)$/.exec(reason ?? '') ?? []
  if (alert !== undefined) return `ended TLS with the alert "${alert}"`
  if (reason !== undefined) return `broke the rules of TLS: ${reason}`
  return `failed: ${message || code || String(cause)}`
}

/** Unwraps the error that matters from that of `fetch`, or from that of a connection that has tried several addresses. */
function innermost(error: Error): Error {
  if (error.cause instanceof Error) return innermost(error.cause)
  return error instanceof AggregateError && error.errors.length > 0 ? innermost(error.errors[0]) : error
}
