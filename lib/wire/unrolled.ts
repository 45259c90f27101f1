/*
 * Loops that are written out, because they take most of the time of decoding and encoding: in a loop, the engine looks for
 * interrupts and checks bounds in every round. Each function says what that gains. There are no rules of MQTT in this file.
 */

/** The maximum number of bytes for `readFewAscii`. */
export const FEW = 16

/**
 * Makes a string with a single call of `fromCharCode`, because the call takes longer than the characters. Each length is written
 * out: `fromCharCode(...codes)` takes four times as long, and so does a call per character. Returns `undefined` if the bytes
 * aren't all ASCII.
 */
export function readFewAscii(bytes: Uint8Array, at: number, length: number): string | undefined {
  if (length === 0) return ''
  const a = bytes[at]!
  let all = a
  if (length === 1) return all < 0x80 ? String.fromCharCode(a) : undefined
  const b = bytes[at + 1]!
  all |= b
  if (length === 2) return all < 0x80 ? String.fromCharCode(a, b) : undefined
  const c = bytes[at + 2]!
  all |= c
  if (length === 3) return all < 0x80 ? String.fromCharCode(a, b, c) : undefined
  const d = bytes[at + 3]!
  all |= d
  if (length === 4) return all < 0x80 ? String.fromCharCode(a, b, c, d) : undefined
  const e = bytes[at + 4]!
  all |= e
  if (length === 5) return all < 0x80 ? String.fromCharCode(a, b, c, d, e) : undefined
  const f = bytes[at + 5]!
  all |= f
  if (length === 6) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f) : undefined
  const g = bytes[at + 6]!
  all |= g
  if (length === 7) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g) : undefined
  const h = bytes[at + 7]!
  all |= h
  if (length === 8) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h) : undefined
  const i = bytes[at + 8]!
  all |= i
  if (length === 9) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i) : undefined
  const j = bytes[at + 9]!
  all |= j
  if (length === 10) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j) : undefined
  const k = bytes[at + 10]!
  all |= k
  if (length === 11) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k) : undefined
  const l = bytes[at + 11]!
  all |= l
  if (length === 12) return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l) : undefined
  const m = bytes[at + 12]!
  all |= m
  if (length === 13)
    return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m) : undefined
  const n = bytes[at + 13]!
  all |= n
  if (length === 14)
    return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n) : undefined
  const o = bytes[at + 14]!
  all |= o
  if (length === 15)
    return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) : undefined
  const p = bytes[at + 15]!
  all |= p
  return all < 0x80 ? String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) : undefined
}
