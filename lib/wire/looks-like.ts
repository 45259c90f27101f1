import type { ForeignProtocol } from '../errors/fault.ts'

/**
 * The first bytes of protocols that often reach an MQTT port by mistake. Those without a name are answers to a client, which
 * `diagnose` recognises: an error must have all bytes of the signature, however they are split.
 */
const signatures: readonly (readonly [ForeignProtocol | undefined, string])[] = [
  ['tls', '\x16\x03'],
  ['proxy-v2', '\r\n\r\n\0\r\nQUIT\n'],
  ['proxy-v1', 'PROXY '],
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'PRI'].map(
    (method) => ['http', `${method} `] as const,
  ),
  ...['\x15\x03', 'HTTP/', 'SSH-', 'AMQP'].map((start) => [undefined, start] as const),
]

/** Returned by `looksLike` for an answer that has no name here. */
export const UNNAMED = 'unnamed'
/** Returned by `looksLike` as long as the bytes are only the beginning of a signature. */
export const UNDECIDED = 'undecided'

/**
 * Recognises another protocol by the bytes from `start` to `end`; `undefined` if it's none of them. An answer takes a whole
 * signature, because many other bytes begin like one: STOMP's `CONNECT\n`, for example, isn't HTTP's `CONNECT `.
 */
export function looksLike(
  bytes: Uint8Array,
  start: number,
  end: number,
): ForeignProtocol | typeof UNNAMED | typeof UNDECIDED | undefined {
  let left = signatures
  for (let i = 0; start + i < end; i++) {
    left = left.filter(([, signature]) => signature.charCodeAt(i) === bytes[start + i])
    const [first] = left
    if (first === undefined) return undefined
    if (first[1].length === i + 1) return first[0] ?? UNNAMED
  }
  return UNDECIDED
}

/** The name of the protocol, for bytes that are complete: undecided bytes are no protocol. */
export function foreignProtocol(bytes: Uint8Array, start: number, end: number): ForeignProtocol | undefined {
  const found = looksLike(bytes, start, end)
  return found === UNDECIDED || found === UNNAMED ? undefined : found
}
