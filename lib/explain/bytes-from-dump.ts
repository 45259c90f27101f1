import { Buffer } from 'buffer'
import { notBytes } from './not-bytes.ts'

/** One line of a dump: its offset, and what follows. */
interface Line {
  readonly number: number
  readonly offset: string
  readonly rest: string
  /** Whether a colon follows the offset: then groups of digits are in the order of the bytes. */
  readonly hasColon: boolean
}

/** The number bases in which tools write offsets: xxd, hexdump and Wireshark in hex, od in octal unless it is told otherwise. */
const bases: readonly (readonly [base: 16 | 8 | 10, name: string])[] = [
  [16, 'hex'],
  [8, 'octal'],
  [10, 'decimal'],
]

/**
 * Bytes from a dump with offsets. Each offset must be the number of bytes before its line, so a line that is missing, and a text
 * that is no dump, cannot become other bytes. The text beside the bytes must agree with them.
 *
 * @returns `undefined` if the text is not a dump
 */
export function bytesFromDump(text: string): Buffer | undefined {
  const lines = linesOf(text)
  if (lines === undefined) return undefined
  const results = bases.map(([base, name]) => read(lines, base, name))
  const bytes = results.find((result) => typeof result !== 'string')
  if (bytes === undefined) throw notBytes(results[0] as string)
  return bytes as Buffer
}

/** No line of a dump is as long. */
const LONGEST_LINE = 2000

/** No dump has more bytes: `*` can stand for any number of them. */
const MOST_BYTES = 0x100_0000

/**
 * The lines, if every one of them begins with an offset, and the first is 0. `*` stands for lines like the one before.
 *
 * @throws TypeError if only some lines begin with an offset, or the first ones are missing
 */
function linesOf(text: string): Line[] | undefined {
  const lines: Line[] = []
  let other = 0
  for (const [i, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue
    const line = lineOf(content, i + 1)
    if (line !== undefined) lines.push(line)
    else if (other === 0) other = i + 1
  }
  const [first] = lines
  if (first === undefined || (lines.length === 1 && first.rest === '' && other === 0)) return undefined
  const isFromStart = /^0+$/.test(first.offset)
  if (isFromStart && other === 0) return lines
  // No packet begins with 00. Otherwise one line of hex can look like a line of a dump.
  const isFirst = isFromStart ? other > first.number : other === 0 && /^00/.test(first.offset)
  if (!isFirst && !lines.some((line, i) => isNext(line, lines[i - 1]) || isSecond(line, text)))
    return undefined
  throw notBytes(
    other === 0
      ? 'it is a dump whose first lines are missing'
      : `it is a dump, but line ${other} does not begin with an offset`,
  )
}

function lineOf(content: string, number: number): Line | undefined {
  if (content.trim() === '*') return { number, offset: '*', rest: '', hasColon: false }
  if (content.length > LONGEST_LINE) return undefined
  // Only the digits of an offset: a group of bytes has an even number of them, and mostly two.
  const [, offset, colon, rest = ''] = /^\s*(?:0x)?([\da-f]{4,8})(:?)(?:\s+(.*)|)$/i.exec(content) ?? []
  return offset === undefined ? undefined : { number, offset, rest, hasColon: colon === ':' }
}

/** Whether the offset of a line is that of the line before and the number of bytes in it. */
function isNext(line: Line, before: Line | undefined): boolean {
  if (line.hasColon && line.rest !== '') return true
  if (before === undefined) return false
  const bytes = countBytes(before.rest)
  return (
    bytes > 0 &&
    bases.some(
      ([base]) => Number.parseInt(line.offset, base) - Number.parseInt(before.offset, base) === bytes,
    )
  )
}

/** Whether a line may be the second of a dump whose first line has lost its offset, or a part of it. */
function isSecond({ number, offset, rest }: Line, text: string): boolean {
  if (number !== 2) return false
  const [first = ''] = text.split('\n', 1)
  // The last line of od and hexdump is the offset of the end.
  if (rest === '') return /^00.{4}/.test(offset) && countBytes(first.trim()) > 0
  const most = first.replace(/[^\da-f]/gi, '').length / 2
  return countBytes(rest) > 0 && bases.some(([base]) => Math.abs(Number.parseInt(offset, base) - most) <= 16)
}

/** How many bytes a line begins with, if all are in groups of the same size. */
function countBytes(rest: string): number {
  const groups =
    /^(?:[\da-f]{2}\s+)*[\da-f]{2}(?=\s|$)|^(?:[\da-f]{4}\s+)*[\da-f]{2,4}(?=\s|$)/i.exec(rest)?.[0] ?? ''
  return groups.replace(/\s/g, '').length / 2
}

/** The bytes, or what is wrong with the dump. */
function read(lines: readonly Line[], base: number, name: string): Buffer | string {
  const parts: Buffer[] = []
  let length = 0
  for (const [i, line] of lines.entries()) {
    const { number, offset, rest } = line
    const next = lines[i + 1]
    let part: Buffer | undefined
    if (offset === '*') {
      part = repeat(parts.at(-1), next, base, length)
      if (part === undefined) return `the * in line ${number} of the dump does not stand for whole lines`
    } else {
      if (i > 0 && /^0+$/.test(offset)) return 'it is more than one dump'
      if (!isOffset(offset, base, length)) {
        return `line ${number} of the dump does not have the ${name} offset of ${length} bytes: a line may be missing`
      }
      if (rest === '' && next === undefined) break
      part = bytesOf(line, parts[0]?.length ?? LONGEST_LINE)
      if (part === undefined) return notALine(line)
    }
    parts.push(part)
    length += part.length
  }
  return Buffer.concat(parts)
}

function notALine({ number, rest }: Line): string {
  return areWords(rest)
    ? 'it is a dump of words or octal numbers: use hexdump -C, od -t x1 or xxd'
    : `line ${number} of the dump is not bytes in hex, or not with their text: use hexdump -C, od -t x1 or xxd`
}

function isOffset(offset: string, base: number, length: number): boolean {
  return length.toString(base) === offset.toLowerCase().replace(/^0+(?=.)/, '')
}

/** The bytes of the lines that `*` stands for. */
function repeat(
  part: Buffer | undefined,
  next: Line | undefined,
  base: number,
  length: number,
): Buffer | undefined {
  if (part === undefined || next === undefined || part.length === 0) return undefined
  const missing = Number.parseInt(next.offset, base) - length
  if (!(missing > 0) || missing % part.length !== 0 || length + missing > MOST_BYTES) return undefined
  return Buffer.alloc(missing, part)
}

/**
 * The bytes of a line, if nothing or their text follows them. The tools separate the text by more spaces than the bytes: after an
 * offset with a colon by two, otherwise by two and a sign, or by three.
 *
 * @param most how many bytes a line has
 */
function bytesOf({ rest, hasColon }: Line, most: number): Buffer | undefined {
  const groups = hasColon
    ? /^[\da-f]{2}(?: ?[\da-f]{2})*(?= |$)/i
    : /^[\da-f]{2}(?: {0,2}[\da-f]{2})*(?= |$)/i
  const [hex] = groups.exec(rest) ?? []
  if (hex === undefined) return undefined
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  const text = rest.slice(hex.length)
  const isRight = text.trim() === '' ? hasColon || !areWords(hex) : isTextOf(text, bytes)
  return isRight && bytes.length <= most ? bytes : undefined
}

/** Whether the groups are 16-bit words whose order nothing tells: the output of `hexdump` and of `od` without options. */
function areWords(rest: string): boolean {
  const tokens = rest.trim().split(/\s+/)
  return tokens.length > 1 && tokens.every((token) => /^[\da-f]{3,}$/i.test(token))
}

/** Whether this is the text of the bytes: printable ASCII as it is, a dot for anything else and, in tcpdump, for a space. */
function isTextOf(text: string, bytes: Buffer): boolean {
  const shown = /^\s+\|(.*)\|\s*$/.exec(text)?.[1] ?? /^\s+>(.*)<\s*$/.exec(text)?.[1]
  if (shown !== undefined && sameText(shown, bytes)) return true
  // Some of the spaces between the bytes and the text may be the text's own.
  const spaces = text.length - text.trimStart().length
  for (let gap = 2; gap <= spaces; gap++) if (sameText(text.slice(gap), bytes)) return true
  return false
}

function sameText(text: string, bytes: Buffer): boolean {
  const characters = Array.from(text)
  if (characters.length > bytes.length) return false
  return bytes.every((byte, i) => {
    const character = characters[i] ?? ' '
    const isPrintable = byte >= 0x20 && byte < 0x7f
    const isDot = character === '.' && (!isPrintable || byte === 0x20)
    return isDot || (isPrintable && character === String.fromCharCode(byte))
  })
}
