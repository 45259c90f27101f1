import { Buffer } from 'buffer'
import { notBytes } from './text-error.ts'

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

/** The lines, if every one of them begins with an offset, and the first is 0. `*` stands for lines like the one before. */
function linesOf(text: string): Line[] | undefined {
  const lines: Line[] = []
  for (const [i, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue
    if (content.trim() === '*' && lines.length > 0) {
      lines.push({ number: i + 1, offset: '*', rest: '', hasColon: false })
      continue
    }
    // Only the digits of an offset: a group of bytes has an even number of them, and mostly two.
    const [, offset, colon, rest = ''] = /^\s*(?:0x)?([\da-f]{4,8})(:?)(?:\s+(.*)|)$/i.exec(content) ?? []
    if (offset === undefined) return undefined
    lines.push({ number: i + 1, offset, rest, hasColon: colon === ':' })
  }
  const first = lines[0]
  if (first === undefined || (lines.length === 1 && first.rest === '')) return undefined
  if (/^0+$/.test(first.offset)) return lines
  // Plain hex can look like this, except that no packet begins with 00, and that offsets grow by the length of their lines.
  if (/^00/.test(first.offset) && !text.includes('0x'))
    throw notBytes('it is a dump whose first lines are missing')
  if (growsLikeOffsets(lines)) throw notBytes('it is a dump whose first lines are missing')
  return undefined
}

function growsLikeOffsets(lines: readonly Line[]): boolean {
  if (lines.length < 2) return false
  return bases.some(([base]) =>
    lines.slice(1).every((line, i) => {
      const step = Number.parseInt(line.offset, base) - Number.parseInt(lines[i]!.offset, base)
      return step > 0 && step <= 64 && countTokens(lines[i]!.rest) >= step / 4
    }),
  )
}

function countTokens(rest: string): number {
  return rest.split(/\s+/).filter((token) => /^[\da-f]+$/i.test(token)).length
}

/** The bytes, or what is wrong with the dump. */
function read(lines: readonly Line[], base: number, name: string): Buffer | string {
  const parts: Buffer[] = []
  let length = 0
  let hasText: boolean | undefined
  for (const [i, line] of lines.entries()) {
    const { number, offset, rest } = line
    const next = lines[i + 1]
    if (offset === '*') {
      const repeated = repeat(parts.at(-1), next, base, length)
      if (repeated === undefined) return `line ${number} of the dump repeats nothing`
      parts.push(...repeated)
      length += repeated.length * repeated[0]!.length
      continue
    }
    if (i > 0 && /^0+$/.test(offset)) return 'it is more than one dump'
    if (!isOffset(offset, base, length)) {
      return `line ${number} of the dump does not have the ${name} offset of ${length} bytes: a line may be missing`
    }
    if (rest === '' && next === undefined) break
    const end = next === undefined || next.offset === '*' ? undefined : Number.parseInt(next.offset, base)
    const found = readings(line, end === undefined ? undefined : end - length)
    const fitting = found.length > 1 ? found.filter((reading) => reading.hasText === hasText) : found
    if (fitting.length !== 1) {
      return found.length > 1
        ? `line ${number} of the dump can be read in two ways`
        : areWords(rest)
          ? 'it is a dump of words whose byte order is unknown: use hexdump -C, od -t x1 or xxd'
          : `line ${number} of the dump is not bytes, or not with their text`
    }
    parts.push(fitting[0]!.bytes)
    length += fitting[0]!.bytes.length
    hasText = fitting[0]!.hasText
  }
  return Buffer.concat(parts)
}

function isOffset(offset: string, base: number, length: number): boolean {
  return length.toString(base) === offset.toLowerCase().replace(/^0+(?=.)/, '')
}

/** The lines that `*` stands for. */
function repeat(
  part: Buffer | undefined,
  next: Line | undefined,
  base: number,
  length: number,
): Buffer[] | undefined {
  if (part === undefined || next === undefined || part.length === 0) return undefined
  const missing = Number.parseInt(next.offset, base) - length
  if (!(missing > 0) || missing % part.length !== 0 || missing > 0x100_0000) return undefined
  return new Array<Buffer>(missing / part.length).fill(part)
}

/** One way to read a line. */
interface Reading {
  readonly bytes: Buffer
  readonly hasText: boolean
}

/**
 * The ways to read a line: bytes, and then nothing, or their text as the tools print it.
 *
 * @param count how many bytes there must be, if the next offset tells
 */
function readings({ rest, hasColon }: Line, count: number | undefined): Reading[] {
  const found: Reading[] = []
  const groups = /^(?:(?:[\da-f]{2})+(?:\s+|$))+/i.exec(rest)?.[0] ?? ''
  for (const { index, 0: group } of groups.matchAll(/(?:[\da-f]{2})+(?=\s|$)/gi)) {
    const hex = rest.slice(0, index + group.length)
    const text = rest.slice(index + group.length)
    const bytes = Buffer.from(hex.replace(/\s/g, ''), 'hex')
    const hasText = text.trim() !== ''
    if (count !== undefined && bytes.length !== count) continue
    if (hasText ? isTextOf(text, bytes) : hasColon || !areWords(hex)) found.push({ bytes, hasText })
  }
  return found
}

/** Whether the groups are 16-bit words whose order nothing tells: the output of `hexdump` and of `od` without options. */
function areWords(rest: string): boolean {
  const tokens = rest.trim().split(/\s+/)
  return tokens.length > 1 && tokens.every((token) => /^[\da-f]{3,}$/i.test(token))
}

/** Whether this is the text of the bytes: printable ASCII as it is, a dot for anything else. */
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
    return isPrintable ? character === String.fromCharCode(byte) : character === '.'
  })
}
