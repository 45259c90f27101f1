import { Buffer } from 'buffer'
import { isFrameTooLong } from '../capture/segments.ts'
import { chains } from '../further-packets.ts'
import { looksLikePacket } from './looks-like-packet.ts'
import type { Found } from './paste.ts'
import { type Row, readRow } from './row.ts'
import { maybeLog, Unreadable, unreadable } from './unreadable.ts'
import { swapped } from './words.ts'

/** One line of a dump: its offset, and the rest. */
interface Line {
  readonly number: number
  /** The index of the rest in the text. */
  readonly restAt: number
  readonly offset: string
  readonly rest: string
  /** True if a colon follows the offset. */
  readonly hasColon: boolean
  /** True if the offset begins with 0x, as in tcpdump. */
  readonly hasPrefix: boolean
  /** The number of spaces between the offset and the rest. */
  readonly gap: number
}

/** The number bases in which tools write offsets: xxd, hexdump and Wireshark in hex, od in octal by default. */
const bases: readonly (readonly [base: 16 | 8 | 10, name: string])[] = [
  [16, 'hex'],
  [8, 'octal'],
  [10, 'decimal'],
]

/**
 * Bytes from a dump with offsets. Each offset must equal the number of bytes before its line, so neither a missing line nor a
 * text that isn't a dump can turn into other bytes. The text beside the bytes must agree with them.
 *
 * @returns `undefined` if the text is not a dump
 */
export function bytesFromDump(text: string): Buffer | undefined {
  const rows = rowsOfDump(text)
  return rows && bytesOf(rows)
}

/** The same as a form. If only some lines have text beside their bytes, the others may have lost bytes, too. */
export function readDump(text: string): Found | undefined {
  const rows = rowsOfDump(text)
  if (rows === undefined) return undefined
  const bytes = bytesOf(rows)
  const ignored = rows.some(({ hasText }) => hasText) && rows.some(lacksText) ? [LACKS_TEXT] : []
  return { readings: [{ form: 'a dump', bytes, ignored }] }
}

export const LACKS_TEXT = 'the text beside a line'

/** True if no text is beside a row. Nothing is beside spaces. */
export function lacksText({ bytes, hasText }: Row): boolean {
  return !hasText && bytes.some((byte) => byte !== 0x20)
}

/**
 * The rows of such a dump.
 *
 * @param most the largest number of bytes in a row; default: as many as in the first one
 */
export function rowsOfDump(text: string, most?: number): readonly Row[] | undefined {
  const lines = linesOf(text)
  if (lines === undefined) return undefined
  const relative = fromFirstAddress(lines)
  const [{ offset, hasColon }] = lines as [Line]
  const isOfOd = offset.length === DIGITS_OF_OD && !hasColon
  const results =
    relative === undefined
      ? bases
          .filter(([base]) => base === 16 || isOfOd || (base === 10 && hasColon && !areSteps(lines)))
          .map(([base, name]) => read(lines, base, name, most))
      : [read(relative, 16, 'hex', most)]
  const [rows, ...others] = results.filter((result) => !(result instanceof Unreadable)) as Row[][]
  if (rows === undefined) throw results[0]
  // A * stands for a different number of lines in each base.
  const areDifferent = others.some((other) => sizeOf(other) !== sizeOf(rows))
  if (areDifferent || (isOfOd && mayBeCut(rows, lines) && !chains(bytesOf(rows), 0)))
    throw unreadable('it is a dump whose offsets fit in more than one base: print it again with -v')
  checkOrder(rows, lines[0]!)
  // The last lines belong to another packet.
  if (isFrameTooLong(bytesOf(rows))) throw unreadable(LINES_MISSING)
  // `0x20020000 c0 00`
  if (relative && rows.length === 1 && !hasColon && !rows[0]!.hasText)
    throw unreadable('its address may be bytes')
  return rows
}

export const LINES_MISSING = 'a line may be missing between two packets'

/** The number of bytes in a row of most dumps, unless another one is asked for. */
const BYTES_A_ROW = 16

/**
 * True if the offsets grow by one number in hex. They're then hex, even if they fit in decimal: the last columns of each row may have been
 * cut off, so that 10 bytes are left of 0x10.
 */
function areSteps(lines: readonly Line[]): boolean {
  const offsets = lines.flatMap(({ offset }) => (offset === '*' ? [] : [Number.parseInt(offset, 16)]))
  const step = offsets[1]! - offsets[0]!
  const isDecimal = lines[1] !== undefined && Number(lines[1].offset) === BYTES_A_ROW
  return !isDecimal && offsets.every((offset) => offset % step === 0)
}

/** True if the rows may have had 16 bytes before their last columns were cut off, because 8 is 10 in octal and 16 is 10 in hex, for example. */
function mayBeCut([first]: readonly Row[], [, second]: readonly Line[]): boolean {
  if (second === undefined || first!.hasText || first!.bytes.length >= BYTES_A_ROW) return false
  return [10, 16].some((base) => Number.parseInt(second.offset, base) === BYTES_A_ROW)
}

function bytesOf(rows: readonly Row[]): Buffer {
  return Buffer.concat(rows.map((row) => row.bytes))
}

function sizeOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

/**
 * The number of digits in od's offsets, without a colon. Only od writes them in octal, and only od and xxd, with a colon, write them in decimal. In other
 * dumps, 20 means 32 bytes, and without its second line such a dump would pass for one of od.
 */
const DIGITS_OF_OD = 7

/** @throws Unreadable if the groups may be words with swapped bytes */
function checkOrder(rows: readonly Row[], { offset, hasColon, hasPrefix, gap }: Line): void {
  // `0x0000:  100c 0004`. Debuggers write longer addresses before words.
  const isOfTcpdump = hasColon && hasPrefix && offset.length === 4 && rows.every(({ width }) => width <= 2)
  const isInOrder = rows.every(({ width }) => width === 1) || rows.some((row) => row.isProved) || isOfTcpdump
  if (!isInOrder) {
    const { width } = rows[0]!
    const bytes = bytesOf(rows)
    const isPacket = (looksLikePacket(bytes) || chains(bytes, 0)) && !looksLikePacket(swapped(bytes, width))
    if (!hasColon || !isPacket) throw unreadable(WORDS)
  }
  // od writes decimal numbers in this form, and `ff` for a form feed.
  if (!hasColon && gap === 2 && rows.every((row) => row.bytes.length === 1 && !row.hasText))
    throw unreadable(WORDS)
  // The name of a form feed is ff.
  const isHex = (byte: number) => byte !== 0xff && /[a-f]|^.$/.test(byte.toString(16))
  if (rows.some((row) => row.isWide) && !rows.some(({ bytes }) => bytes.some(isHex))) throw unreadable(WORDS)
}

const WORDS = 'it is a dump of words or octal numbers: use hexdump -C, od -t x1 or xxd'

/** The maximum length of a line, which no dump exceeds. */
const LONGEST_LINE = 2000

/** The maximum number of bytes, because `*` can stand for any number of them. */
export const MOST_BYTES = 0x100_0000

/**
 * The lines, provided every one of them begins with an offset, and the first offset is 0. `*` stands for repeated lines.
 *
 * @throws TypeError if only some lines begin with an offset, or the first ones are missing
 */
function linesOf(text: string): Line[] | undefined {
  const lines: Line[] = []
  let other = 0
  let start = 0
  for (const [i, content] of text.split('\n').entries()) {
    const line = content.trim() === '' ? undefined : lineOf(content, i + 1, start)
    start += content.length + 1
    if (content.trim() === '') continue
    if (line !== undefined) lines.push(line)
    else if (other === 0) other = i + 1
  }
  const [first] = lines
  if (first === undefined || (lines.length === 1 && first.rest === '' && other === 0)) return undefined
  const isFromStart =
    /^0+$/.test(first.offset) || (isAddress(first) && readRow(first.rest, first.hasColon) !== undefined)
  if (isFromStart && other === 0) return lines
  // A line of hex can look like a line of a dump, but packets never begin with 00.
  const isFirst = isFromStart ? other > first.number : other === 0 && /^00/.test(first.offset)
  if (!isFirst && !lines.some((line, i) => isNext(line, lines[i - 1]) || isSecond(line, text)))
    return undefined
  if (other === 0) throw unreadable('it is a dump whose first lines are missing')
  throw maybeLog(`it is a dump, but line ${other} does not begin with an offset`)
}

/** A line that begins with an offset. */
export function lineOf(content: string, number: number, start = 0): Line | undefined {
  if (content.trim() === '*')
    return { number, restAt: start, offset: '*', rest: '', hasColon: false, hasPrefix: false, gap: 0 }
  if (content.length > LONGEST_LINE) return undefined
  // Matches the digits of an offset only: groups of bytes have an even number of digits, and mostly two.
  const [, prefix, offset, colon, spaces = '', rest = ''] =
    /^\s*(0x)?([\da-f]{4,16})(h?:|)(?:(\s+)(.*)|)$/i.exec(content) ?? []
  if (offset === undefined) return undefined
  return {
    restAt: start + content.length - rest.length,
    number,
    offset,
    rest,
    hasColon: colon !== '',
    hasPrefix: prefix !== undefined,
    gap: spaces.length,
  }
}

/** True if the offset of a line is the previous line's offset plus its number of bytes. */
function isNext(line: Line, before: Line | undefined): boolean {
  if (line.hasColon && countBytes(line.rest) > 0) return true
  if (before === undefined) return false
  const bytes = countBytes(before.rest)
  return (
    bytes > 0 &&
    bases.some(
      ([base]) => Number.parseInt(line.offset, base) - Number.parseInt(before.offset, base) === bytes,
    )
  )
}

/** True if a line may be the second of a dump whose first line has lost a part of its offset, or all of it. */
function isSecond({ number, offset, rest }: Line, text: string): boolean {
  if (number !== 2) return false
  const [first = ''] = text.split('\n', 1)
  // The last line of od and hexdump is the offset of the end.
  if (rest === '') return /^00.{4}/.test(offset) && countBytes(first.trim()) > 0
  const most = first.replace(/[^\da-f]/gi, '').length / 2
  return countBytes(rest) > 0 && bases.some(([base]) => Math.abs(Number.parseInt(offset, base) - most) <= 16)
}

/** The number of bytes at the beginning of a line, if all of its groups have the same size. */
function countBytes(rest: string): number {
  const groups =
    /^(?:[\da-f]{2}\s+)*[\da-f]{2}(?=\s|$)|^(?:[\da-f]{4}\s+)*(?:[\da-f]{2}){1,2}(?=\s|$)/i.exec(rest)?.[0] ??
    ''
  return groups.replace(/\s/g, '').length / 2
}

/** The lines with their distances from the first one, if they begin with addresses instead of offsets. */
function fromFirstAddress(lines: readonly Line[]): Line[] | undefined {
  const [first] = lines
  if (!isAddress(first!)) return undefined
  const start = BigInt(`0x${first!.offset}`)
  return lines.map((line) =>
    line.offset === '*' ? line : { ...line, offset: (BigInt(`0x${line.offset}`) - start).toString(16) },
  )
}

/** True if a line begins with a memory address, which has more digits than an offset. */
function isAddress({ offset, hasColon, hasPrefix }: Line): boolean {
  return !/^0+$/.test(offset) && (hasPrefix ? offset.length >= 6 : hasColon && offset.length >= 9)
}

/** The rows, or the reason why the dump can't be read. */
function read(lines: readonly Line[], base: 16 | 8 | 10, name: string, most?: number): Row[] | Unreadable {
  const rows: Row[] = []
  let length = 0
  for (const [i, line] of lines.entries()) {
    const { number, offset, rest } = line
    const next = lines[i + 1]
    let row: Row | undefined
    if (offset === '*') {
      row = repeat(rows.at(-1), next, base, length)
      if (row === undefined)
        return unreadable(`the * in line ${number} of the dump does not stand for whole lines`)
    } else {
      if (i > 0 && /^0+$/.test(offset)) return unreadable('it is more than one dump')
      if (!isOffset(offset, base, length)) {
        return unreadable(
          `line ${number} of the dump does not have the ${name} offset of ${length} bytes: a line may be missing`,
        )
      }
      // xxd and tcpdump, which write colons, don't print the offset of the end.
      if (rest === '' && next === undefined && !line.hasColon && !lines[0]!.hasColon) break
      row = readRow(rest, line.hasColon, most) ?? readRow(rest, line.hasColon, BYTES_A_ROW)
      if (row !== undefined && row.width > 1 && !row.hasText && !line.hasColon) return unreadable(WORDS)
      // In Follow Stream, which has text beside all bytes, each packet begins a row.
      const longest = most ?? (row?.hasText ? undefined : rows.at(0)?.bytes.length) ?? LONGEST_LINE
      if (row === undefined || row.bytes.length > longest) return notALine(line)
    }
    rows.push(row)
    length += row.bytes.length
  }
  return rows
}

function notALine({ number, rest, restAt, hasColon }: Line): Unreadable {
  if (areWords(rest)) return unreadable(WORDS)
  const problem = `line ${number} of the dump is not bytes in hex, or not with their text: use hexdump -C, od -t x1 or xxd`
  const wrong = rest.search(/[^\da-f ]/i)
  const textAt = rest.search(hasColon ? / {2}/ : / {3}| +[|>]/)
  if (wrong < 0 || (textAt >= 0 && textAt < wrong)) return unreadable(problem)
  return unreadable(problem, restAt + wrong, true)
}

function isOffset(offset: string, base: number, length: number): boolean {
  return length.toString(base) === offset.toLowerCase().replace(/^0+(?=.)/, '')
}

/** A row for the lines that `*` stands for. */
function repeat(row: Row | undefined, next: Line | undefined, base: number, length: number): Row | undefined {
  if (row === undefined || next === undefined || row.bytes.length === 0) return undefined
  // xxd, which writes colons, leaves out only rows of zeros.
  if (next.hasColon && row.bytes.some((byte) => byte !== 0)) return undefined
  const missing = Number.parseInt(next.offset, base) - length
  if (!(missing > 0) || missing % row.bytes.length !== 0 || length + missing > MOST_BYTES) return undefined
  return { ...row, bytes: Buffer.alloc(missing, row.bytes) }
}

/** True if groups have more than one byte or octal digits, as in the output of `hexdump` and `od` without options. */
function areWords(rest: string): boolean {
  return rest
    .trim()
    .split(/\s+/)
    .every((token) => /^[\da-f]{3,}$/i.test(token))
}
