import { lackSpace } from '../further-packets.ts'
import { bytesFromDigits } from './digits.ts'
import type { Readings } from './paste.ts'
import { unreadable } from './unreadable.ts'

/** One byte in the notations of terminal programs, Pascal and assemblers. */
const bytes = ['<[\\da-f]{2}>', '\\[[\\da-f]{2}\\]', '\\$[\\da-f]{2}(?!\\w)', '(?<!\\w)[\\da-f]{2}h(?!\\w)']
const notations: readonly RegExp[] = bytes.map((byte) => new RegExp(`^${byte}$`, 'i'))
const ANY_BYTE = new RegExp(bytes.join('|'), 'i')

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
  return ANY_BYTE.test(text)
}

/**
 * Bytes that each have their own signs: `<10><0C>`, `[10][0C]`, `$10, $0C`, `10h 0Ch`. Without leading zeros, they may be decimal.
 * Digits in brackets may be decimal in any case.
 */
export function bytesFromSigned(text: string): Readings | undefined {
  const tokens = tokensIn(text)
  if (
    notationIn(tokens) === undefined ||
    tokens.length < 2 ||
    !tokens.some((token) => /[a-f]|0\d/i.test(token))
  )
    return undefined
  const found = bytesFromDigits(tokens.map((token) => token.replace(/[^\da-f]/gi, '')).join(' '))
  if (ADJACENT.test(text) && (hasSigns(text) || found?.readings.some(({ bytes }) => lackSpace(bytes))))
    throw unreadable('a sign between its bytes may be a byte')
  return found
}

/** Brackets that follow each other directly, as terminal programs print bytes that are no characters. */
const ADJACENT = /[>\]][<[]/

/** True if there are spaces or commas among the brackets. If others follow each other directly, these are bytes. */
function hasSigns(text: string): boolean {
  return /^[ \t]*[ \t][<[]|[>\]][ \t,]+[<[]/m.test(text)
}
