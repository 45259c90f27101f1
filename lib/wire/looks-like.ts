import type { ForeignProtocol } from '../errors/fault.ts'

/** The first bytes of protocols that often reach an MQTT port by mistake. */
const signatures: readonly (readonly [ForeignProtocol, string])[] = [
  ['tls', '\x16\x03'],
  ['proxy-v2', '\r\n\r\n\0\r\nQUIT\n'],
  ['proxy-v1', 'PROXY '],
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'PRI'].map(
    (method) => ['http', `${method} `] as const,
  ),
]

/** Returned by `looksLike` while several protocols are possible: `P` begins both PROXY and POST. */
export const UNDECIDED = 'undecided'

/**
 * Recognises another protocol by the bytes from `start` to `end`; `undefined` if it's none of them. The answer is given as soon
 * as a single protocol remains, mostly after the first byte, so it doesn't depend on how the bytes are split into chunks.
 */
export function looksLike(
  bytes: Uint8Array,
  start: number,
  end: number,
): ForeignProtocol | typeof UNDECIDED | undefined {
  let left = signatures
  for (let i = 0; start + i < end; i++) {
    left = left.filter(([, signature]) => signature.charCodeAt(i) === bytes[start + i])
    if (left.length === 0) return undefined
    const first = left[0]![0]
    if (left.every(([protocol]) => protocol === first)) return first
  }
  return UNDECIDED
}

/** The same for bytes that are complete: undecided bytes are no protocol. */
export function foreignProtocol(bytes: Uint8Array, start: number, end: number): ForeignProtocol | undefined {
  const found = looksLike(bytes, start, end)
  return found === UNDECIDED ? undefined : found
}
