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

/**
 * What the bytes from `start` to `end` look like, as far as they go; `undefined` if they look like nothing
 * known, or could still be one thing or another.
 */
export function looksLike(bytes: Uint8Array, start: number, end: number): ForeignProtocol | undefined {
  let found: ForeignProtocol | undefined
  for (const [protocol, signature] of signatures) {
    if (!beginsAlike(bytes, start, end, signature)) continue
    if (found !== undefined && found !== protocol) return undefined
    found = protocol
  }
  return found
}

/** Whether the bytes and the signature agree as far as both go. */
function beginsAlike(bytes: Uint8Array, start: number, end: number, signature: string): boolean {
  const length = Math.min(end - start, signature.length)
  for (let i = 0; i < length; i++) {
    if (bytes[start + i] !== signature.charCodeAt(i)) return false
  }
  return length > 0
}
