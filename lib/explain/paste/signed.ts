import { bytesFromDigits } from './digits.ts'
import type { Readings } from './paste.ts'

/** One byte as terminal programs, Pascal and assemblers write it. */
const notations: readonly RegExp[] = [
  /^<[\da-f]{2}>$/i,
  /^\[[\da-f]{2}\]$/i,
  /^\$[\da-f]{2}$/i,
  /^[\da-f]{2}h$/i,
]

/** True if a text consists of such bytes, and of nothing else. */
export function isSigned(text: string): boolean {
  return notationIn(tokensIn(text)) !== undefined
}

/** The bytes of a text, each with its signs. */
function tokensIn(text: string): string[] {
  return text
    .trim()
    .replace(/[>\]](?=[<[])/g, '$& ')
    .split(/[\s,]+/)
}

function notationIn(tokens: readonly string[]): RegExp | undefined {
  return notations.find((notation) => tokens.every((token) => notation.test(token)))
}

/** True if a text has at least one such byte among anything else. */
export function hasSigned(text: string): boolean {
  return /<[\da-f]{2}>|\[[\da-f]{2}\]|\$[\da-f]{2}(?!\w)|(?<!\w)[\da-f]{2}h(?!\w)/i.test(text)
}

/**
 * Bytes of which each has its signs: `<10><0C>`, `[10][0C]`, `$10, $0C`, `10h 0Ch`. Without a zero in front, they may be decimal.
 * Digits in brackets may be decimal in any case.
 */
export function bytesFromSigned(text: string): Readings | undefined {
  const bytes = tokensIn(text)
  if (notationIn(bytes) === undefined || bytes.length < 2 || !bytes.some((byte) => /[a-f]|0\d/i.test(byte)))
    return undefined
  return bytesFromDigits(bytes.map((byte) => byte.replace(/[^\da-f]/gi, '')).join(' '))
}
