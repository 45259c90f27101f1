import type { ForeignProtocol } from '../errors/fault.ts'

/** The first bytes of what is often sent to an MQTT port by mistake. */
const signatures: readonly (readonly [ForeignProtocol, string])[] = [
  ['tls', '\x16\x03'],
  ['proxy-v2', '\r\n\r\n\0\r\nQUIT\n'],
  ['proxy-v1', 'PROXY '],
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'PRI'].map(
    (method) => ['http', `${method} `] as const,
  ),
]

/** What `looksLike` returns while the bytes could be the start of two protocols: `P` of PROXY and of POST. */
export const UNDECIDED = 'undecided'

/**
 * Which other protocol the bytes from `start` to `end` look like, `undefined` if none. The first bytes that leave only one
 * protocol decide, mostly the very first. So the answer does not depend on how the bytes are split into chunks.
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

/** The same for bytes that no more follow: a protocol only if the bytes decide. */
export function foreignProtocol(bytes: Uint8Array, start: number, end: number): ForeignProtocol | undefined {
  const found = looksLike(bytes, start, end)
  return found === UNDECIDED ? undefined : found
}
