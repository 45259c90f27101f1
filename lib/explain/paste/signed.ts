import { bytesFromDigits } from './digits.ts'
import type { Readings } from './paste.ts'

/** One byte as terminal programs, Pascal and assemblers write it. */
const notations: readonly RegExp[] = [
  /^<[\da-f]{2}>$/i,
  /^\[[\da-f]{2}\]$/i,
  /^\$[\da-f]{2}$/i,
  /^[\da-f]{2}h$/i,
]

/**
 * Bytes of which each has its signs: `<10><0C>`, `[10][0C]`, `$10, $0C`, `10h 0Ch`. Without a zero in front, they may be decimal.
 * Digits in brackets may be decimal in any case.
 */
export function bytesFromSigned(text: string): Readings | undefined {
  const bytes = text.replace(/[>\]](?=[<[])/g, '$& ').split(/[\s,]+/)
  const isHex = notations.some((notation) => bytes.every((byte) => notation.test(byte)))
  if (!isHex || bytes.length < 2 || !bytes.some((byte) => /[a-f]|0\d/i.test(byte))) return undefined
  return bytesFromDigits(bytes.map((byte) => byte.replace(/[^\da-f]/gi, '')).join(' '))
}
