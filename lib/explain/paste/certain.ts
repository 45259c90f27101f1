import type { Buffer } from 'buffer'
import { copyOwn } from '../../errors/misuse.ts'
import { areCut, chains, packetEnds } from '../further-packets.ts'
import { IN_OWN_LINE } from './digits.ts'
import { CHOPPED, NODE_BUFFER } from './node.ts'
import type { Reading } from './paste.ts'

/*
 * Nobody knows all logs and all programs, so other text beside bytes may mean anything: that more bytes follow, that another side has sent
 * them, or that they come in another order. A person sees that text. A program only gets the bytes.
 */

export const OTHER_TEXT = 'it has other text beside the bytes: paste only the bytes'

/** The reason why a program can't rely on the reading of a text, although a person who sees the text may. */
export function doubtAbout(text: string, reading: Reading): string | undefined {
  const {
    form,
    bytes,
    direction,
    ignored,
    isOfDigits = false,
    hasOtherText = false,
    isJoined = false,
    isCounted = false,
  } = copyOwn(reading)
  if (isCounted) return undefined
  // What programs print about a connection has a direction.
  if (hasOtherText || (direction !== undefined && ignored.length > 0)) return OTHER_TEXT
  if (form === NODE_BUFFER && areCut(bytes)) return CHOPPED
  if (isOfDigits && mayHaveNumbers(text, bytes)) return IN_OWN_LINE
  if (ignored.length === 0 && direction === undefined) return undefined
  // What declares an array, or joins strings. What proves the bytes then is their own Remaining Length.
  const ends = Array.from(packetEnds(bytes, 0))
  if (ends.at(-1) === bytes.length && !(isJoined && ends.length > 1)) return undefined
  return 'it has other text beside the bytes, which are not whole packets: paste only the bytes'
}

/** True if lines of digits, which aren't whole packets, differ, or are whole packets without the first line or the last one. */
function mayHaveNumbers(text: string, bytes: Buffer): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const rows = lines.map((line) => line.match(/\w+/g) ?? [])
  if (rows.length < 2 || chains(bytes, 0)) return false
  const [first = [], last = []] = [rows[0], rows.at(-1)]
  const tokens = rows.reduce((sum, row) => sum + row.length, 0)
  const sizeOf = (row: readonly string[]) =>
    tokens === bytes.length ? row.length : row.join('').replaceAll('0x', '').length / 2
  const width = first.reduce((most, token) => Math.max(most, token.length), 0)
  const sign = signOf(lines[0]!)
  const isLike = (row: readonly string[], i: number) =>
    row.every((token) => token.length <= width) &&
    (row.length > 1 ? signOf(lines[i]!) === sign : sign === '' || /[,:;-]\s*$/.test(lines[i - 1] ?? '')) &&
    (sizeOf(row) === sizeOf(first) || (i === rows.length - 1 && sizeOf(row) < sizeOf(first)))
  return !rows.every(isLike) || chains(bytes, sizeOf(first)) || chains(bytes.subarray(0, -sizeOf(last)), 0)
}

/** The sign between the first two numbers of a line. */
function signOf(line: string): string {
  return /\w([\s,:;-]+)\w/.exec(line)?.[1]?.trim() ?? ''
}
