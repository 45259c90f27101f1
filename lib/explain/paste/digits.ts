import { Buffer } from 'buffer'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { chains, frameEnd } from '../further-packets.ts'
import {
  areEven,
  endsInOther,
  haveSizes,
  hexOf,
  isMixed,
  mayHaveAddress,
  rowsOf,
  tokensIn,
} from './digit-lines.ts'
import { beginsConnect, holdsConnect, looksLikePacket } from './looks-like-packet.ts'
import { LOST_ZEROS, lacksZerosBeforeName, mayLackZeros } from './lost-zeros.ts'
import type { Readings } from './paste.ts'
import { unreadable } from './unreadable.ts'
import { mayBeWords } from './words.ts'

/** True if a text consists of digits and separators. */
export function areDigits(text: string): boolean {
  return !/[^\da-fx\s,:;-]/i.test(text) && /^\s*[\da-f]/i.test(text)
}

/**
 * Bytes from digits with or without separators: hex in groups of two or more digits, and numbers of one to three digits, which
 * may be decimal, or hex without leading zeros. Some texts fit both.
 *
 * @param text the text including the spaces around it, which distinguish columns of decimal numbers from hex
 */
export function bytesFromDigits(text: string): Readings | undefined {
  if (text.includes('--')) throw unreadable('-- may stand for lines that are left out of it')
  const lines = withoutSigns(text)
  const tokens = tokensIn(lines)
  const found = readDigits(lines, tokens)
  if (found !== undefined && mayLackDigit(text, tokens)) throw unreadable(LOST_DIGIT)
  return found && checked(found, lines, tokens)
}

/** A byte whose sign C has made three other bytes, because `char` is signed: `ffffffc2`. */
const SIGNED_BYTE = /(?<![\da-fx])(0x)?f{6}([89a-f][\da-f])(?![\da-f])/gi

/**
 * The text with blanks in place of such signs, if all other numbers are bytes. Four bytes `ffffffff` may also be a number.
 *
 * @throws Unreadable if the bytes may have signs
 */
function withoutSigns(text: string): string {
  if (!/f{6}[89a-f]/i.test(text) || chains(hexOf(tokensIn(text)), 0)) return text
  const lines = text.replace(SIGNED_BYTE, '      $1$2')
  const areBytes = lines !== text && tokensIn(lines).every((token) => /^(?:0x)?[\da-f]{1,2}$/i.test(token))
  if (areBytes && /(?<!f)f{6}(?!ff)/i.test(text)) return lines
  const hex = hexOf(tokensIn(text)).toString('hex')
  const bytes = Buffer.from(hex.replace(/ffffff([89a-f].)|(..)/g, '$1$2'), 'hex')
  if (areBytes || chains(bytes, 0) || beginsConnect(bytes))
    throw unreadable('ffffff may be the signs of bytes in C: print them as unsigned char')
  return text
}

function readDigits(lines: string, tokens: readonly string[]): Readings | undefined {
  const text = lines.trim()
  const digits = tokens.map((token) => token.replace(/^0x(?=[\da-f]$)/i, '0').replace(/^0x/i, ''))
  if (digits.some((token) => !/^[\da-f]+$/i.test(token))) return undefined
  if (/(?<![^\s,:;-])-\s*[\da-f]/i.test(text)) throw unreadable('some of its numbers have a minus sign')
  if (lines.split('\n').some((line) => WORD_AND_LIST.test(line.trim())))
    throw unreadable('something else may be before the list')
  const prefixed = tokens.filter((token) => /^0x/i.test(token)).length
  if (isMixed(lines)) throw unreadable('a time, a date or something else may be before the bytes')
  if (prefixed === 0 && tokens.length > 1) {
    if (isDecimalList(text, tokens)) return decimals(tokens)
    if (tokens.some((token) => token.length % 2 === 1)) return unpadded(lines, tokens)
  }
  const all = digits.join('')
  if (digits.length > 1 && digits.some((token) => token.length % 2 === 1)) {
    throw unreadable('it is hex in which a group has an odd number of digits')
  }
  if (all.length % 2 !== 0) throw unreadable('it is hex with an odd number of digits')
  const bytes = Buffer.from(all, 'hex')
  // od -A n and other tools write decimal numbers in columns and pad them with spaces.
  if (tokens.every((token) => /^[1-9]\d$/.test(token)) && !/\S \S/.test(lines) && / {2}/.test(lines)) {
    return either(bytes, tokens)
  }
  const other = otherReading(lines, tokens, prefixed, bytes)
  if (other !== undefined) throw unreadable(other)
  return { readings: [{ form: 'hex', bytes, ignored: [] }] }
}

/** True if numbers of one digit are among longer ones, and signs or zeros before digits show that one may have lost a digit. */
function mayLackDigit(text: string, tokens: readonly string[]): boolean {
  if (tokens.every((token) => token.length % 2 === 0) && !isDecimalList(text, tokens)) return false
  const arePadded = tokens.some((token) => /^0x0.$/i.test(token))
  return !text.split('\n').every(areEven) || (arePadded && tokens.some((token) => /^0x.$/i.test(token)))
}

/** A list in which only the first token lacks a comma: `db 16, 12, 0, 4`. */
const WORD_AND_LIST = /^[\da-f]+\s+[\da-f]+(?:\s*,\s*[\da-f]+)+[\s,]*$/i

const LOST_DIGIT = 'one of its numbers may have lost a digit'

const BLANK_LINE = /\n[^\S\n]*\n/
export const AFTER_BLANK_LINE = 'a line may be missing where it has an empty one'

/** The minimum number of bytes that rarely look like a packet by chance. */
const FEWEST = 4

/**
 * The readings, if one is a packet, or if no other meaning of the digits is one.
 *
 * @throws Unreadable if a length or the numbers of lines may be among the bytes, or if the numbers may be octal
 */
function checked(found: Readings, lines: string, tokens: readonly string[]): Readings {
  const { bytes } = found.readings[0]!
  const areChained = chains(bytes, 0)
  if (!areChained && tokens.every((token) => /^[01][0-7]{5}$/.test(token)) && /^\s|\S\s+\S/.test(lines))
    throw unreadable('it may be words in octal: use od -t x1, hexdump -C or xxd')
  if (lacksZerosBeforeName(tokens.join('')) && !holdsConnect(bytes)) throw unreadable(LOST_ZEROS)
  if (!areChained && BLANK_LINE.test(lines.trim())) throw unreadable(AFTER_BLANK_LINE)
  const rows = rowsOf(lines)
  const areUndivided = rows.every(([token, ...more]) => token!.length > 2 && more.length === 0)
  if (areUndivided && !areChained && [tokens.join(''), ...tokens].some(mayLackZeros))
    throw unreadable(LOST_ZEROS)
  if (tokens.length < 2) {
    if (/^\d{10,}$/.test(tokens[0]!) && !areChained)
      throw unreadable('it may be decimal numbers without spaces')
    return found
  }
  if (found.readings.length > 1) {
    if (areNumbered(rows)) throw unreadable(NUMBERS)
    return found
  }
  const isWhole = areChained && (bytes[0] !== ControlPacketType.connect || beginsConnect(bytes))
  const base = found.readings[0]!.form === DECIMAL ? 10 : 16
  // An offset among the bytes may also begin a packet.
  const hasLonger = rows.length === 1 && tokens.some(({ length }) => length > tokens[0]!.length)
  const isSure = isWhole && (!hasLonger || frameEnd(bytes, 0) === bytes.length)
  if (
    !isSure &&
    base === 16 &&
    ((bytes.length > FEWEST && haveSizes(rows)) || lines.split('\n').some(endsInOther))
  )
    throw unreadable('something else may be between the bytes')
  if (!isWhole && hasShortLine(rows, base)) throw unreadable(IN_OWN_LINE)
  if (!isWhole && hasColumn(rows, base)) throw unreadable('a number may be before the bytes, or after them')
  if (haveHeading(rows)) throw unreadable('numbers may be above the bytes')
  if (!(isWhole && areLinesWhole(bytes, rows, base)) && mayEndInNumber(lines, base))
    throw unreadable('a line may end inside a number')
  const mayBeOctal = tokens.every((token) => /^0?[0-7]{1,3}$/.test(token)) && arePackets(inBase(8, tokens))
  const before = bytes.subarray(0, -1)
  if ([bytes.at(-1), Number(tokens.at(-1))].includes(before.length) && !isWhole && arePackets(before))
    throw unreadable('a length may be behind the bytes')
  if (looksLikePacket(bytes) && !(mayBeOctal && base === 10)) return found
  if (mayBeOctal) throw unreadable('it is numbers that may be octal: use od -t x1')
  const rest = bytes.subarray(1)
  const length = tokens[0]!.length <= 3 ? [bytes[0], Number(tokens[0])] : []
  if (length.includes(rest.length) && arePackets(rest)) throw unreadable('a length may be before the bytes')
  if ((base === 10 || rows.length > 1) && areNumbered(rows)) throw unreadable(NUMBERS)
  const longest = / {2}/.test(lines.trim()) ? 2 : 4
  if (tokens.every((token) => /^\d+$/.test(token)) && tokens.some((token) => token.length > longest))
    throw unreadable('it may be decimal numbers of more than one byte: use od -t x1')
  if (!tokens.every((token) => /^\d{1,2}$/.test(token))) return found
  const hex = inBase(16, tokens)
  return arePackets(base === 10 ? hex : inBase(10, tokens)) ? either(hex, tokens) : found
}

/**
 * True if the bytes are one packet, or each line is whole packets. A number in two lines is a byte more, and the last bytes of a packet may look like
 * another one.
 */
function areLinesWhole(bytes: Buffer, rows: readonly (readonly string[])[], base: 10 | 16): boolean {
  return frameEnd(bytes, 0) === bytes.length || rows.every((row) => chains(bytesOf(row, base), 0))
}

/** True if the numbers have no leading zeros, and the parts of one may be in two lines. */
function mayEndInNumber(text: string, base: 10 | 16): boolean {
  if (/\b0\w/.test(text)) return false
  const lines = text.trim().split('\n')
  const ends = lines.map((line) => [line.trim().slice(0, 4), line.trim().slice(-4)].map(tokensIn))
  return ends.some(([, last], i) => {
    const next = ends[i + 1]?.[0]?.[0]
    const number = `${last!.at(-1)}${next}`
    return next !== undefined && /^[1-9a-f]\w*$/i.test(number) && Number.parseInt(number, base) <= 255
  })
}

export const IN_OWN_LINE = 'a time or a number may be in a line of its own'
const NUMBERS = 'the numbers of the lines may be before the bytes'

/** True if the bytes are packets without the first or the last row, which is shorter than a date: `12:34` */
function hasShortLine(rows: readonly (readonly string[])[], base: 10 | 16): boolean {
  return [0, rows.length - 1].some((own) => {
    if (rows.length < 2 || rows[own]!.join('').length > DIGITS_OF_DATE) return false
    const rest = bytesOf(rows.filter((_, i) => i !== own).flat(), base)
    return own === 0 ? arePackets(rest) : areWhole(rest)
  })
}

const DIGITS_OF_DATE = 8

function bytesOf(tokens: readonly string[], base: 10 | 16): Buffer {
  return base === 10 ? inBase(10, tokens) : hexOf(tokens.map((token) => token.padStart(2, '0')))
}

/**
 * True if the bytes are packets without the first or the last group of each row. That of a single row must have another size in hex than the group
 * beside it, because one byte too many is a common fault.
 */
function hasColumn(rows: readonly (readonly string[])[], base: 10 | 16): boolean {
  return [0, -1].some((own) => {
    const isFirst = own === 0
    const isOther = (row: readonly string[]) => row.at(own)!.length !== row.at(isFirst ? 1 : -2)!.length
    const isNext = ([number]: readonly string[], i: number) => Number(number) === Number(rows[0]![0]) + i
    const isColumn = rows.length > 1 || (base === 16 && rows.some(isOther))
    if (!isColumn || !rows.every((row) => row.length > 1)) return false
    if (isFirst && rows.length > 1 && rows.every(isNext)) return true
    const rest = rows.flatMap((row) => (isFirst ? row.slice(1) : row.slice(0, -1)))
    // Bytes may have no leading zeros, but what is behind them is seldom a number then.
    return isFirst ? arePackets(bytesOf(rest, base)) : areWhole(base === 10 ? inBase(10, rest) : hexOf(rest))
  })
}

/** True if the first row has the numbers of columns, and the next row doesn't continue them. */
function haveHeading([first = [], second]: readonly (readonly string[])[]): boolean {
  const count = (from: number) => (token: string, i: number) => Number.parseInt(token, 16) === from + i
  if (second === undefined || first.length < FEWEST) return false
  return first.every(count(0)) && !second.slice(0, FEWEST).every(count(first.length))
}

/** True if the rows begin with their own numbers, or are a packet without their first numbers. */
function areNumbered(rows: readonly (readonly string[])[]): boolean {
  const rest = rows.flatMap((row) => row.slice(1))
  return areCounted(rows) || [10, 16].some((base) => arePackets(inBase(base, rest)))
}

/** True if each of several rows begins with its own number, its offset or its length. */
function areCounted(rows: readonly (readonly string[])[]): boolean {
  let at = 0
  const offsets = rows.map((row) => {
    const before = at
    at += row.length - 1
    return before
  })
  const meanings = [
    (_: readonly string[], i: number) => i,
    (_: readonly string[], i: number) => i + 1,
    (_: readonly string[], i: number) => offsets[i]!,
    (row: readonly string[]) => row.length - 1,
  ]
  return (
    rows.length > 1 &&
    rows.every((row) => row.length > 1) &&
    [10, 16].some((base) =>
      meanings.some((meaning) => rows.every((row, i) => Number.parseInt(row[0]!, base) === meaning(row, i))),
    )
  )
}

/** True if bytes are whole packets or the beginning of a CONNECT, and too long to be that by chance. */
export function arePackets(bytes: Buffer): boolean {
  return bytes.length >= FEWEST && (looksLikePacket(bytes) || chains(bytes, 0))
}

/** The same for what is left without the end, because the beginning of a CONNECT says nothing about its end. */
function areWhole(bytes: Buffer): boolean {
  return bytes.length >= FEWEST && chains(bytes, 0)
}

export function inBase(base: number, tokens: readonly string[]): Buffer {
  return Buffer.from(tokens.map((token) => Number.parseInt(token, base)))
}

const DECIMAL = 'decimal numbers'

function decimals(tokens: readonly string[]): Readings {
  return { readings: [{ form: DECIMAL, bytes: Buffer.from(tokens.map(Number)), ignored: [] }] }
}

/** The two readings of numbers that consist of the digits 0 to 9. */
function either(bytes: Buffer, tokens: readonly string[]): Readings {
  return { readings: [{ form: 'hex', bytes, ignored: [] }, ...decimals(tokens).readings] }
}

/** `32, 2, 0, 5`: a list with commas is decimal, unless its numbers have leading zeros or letters. */
function isDecimalList(text: string, tokens: readonly string[]): boolean {
  return text.includes(',') && tokens.every(isDecimalByte)
}

/** A number from 0 to 255 without leading zeros. */
export function isDecimalByte(token: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(token) && Number(token) <= 255
}

/** Numbers without leading zeros, `10 c 0 4`: hex if one has a letter, decimal if one has three digits. */
function unpadded(lines: string, tokens: readonly string[]): Readings {
  const areHex = tokens.every((token) => /^(?:[\da-f]|[1-9a-f][\da-f])$/i.test(token))
  const areDecimal = tokens.every(isDecimalByte)
  if (!areDecimal && tokens.every((token) => /^\d{3}$/.test(token) && Number(token) <= 255)) {
    if (tokens.some((token) => /[89]/.test(token))) return decimals(tokens)
    throw unreadable('it is numbers that may be octal: use od -t x1')
  }
  if (areDecimal && !areHex) return decimals(tokens)
  if (areHex && tokens.some((token) => token.length === 2)) {
    const bytes = Buffer.from(tokens.map((token) => Number.parseInt(token, 16)))
    if (areDecimal) return either(bytes, tokens)
    if (tokens.findIndex((token) => token.length === 1) === tokens.length - 1 && !chains(bytes, 0))
      throw unreadable(LOST_DIGIT)
    return { readings: [{ form: 'hex without leading zeros', bytes, ignored: [] }] }
  }
  // If other bytes have leading zeros, a single digit has lost one.
  const odd = tokens.findIndex((token) => token.length % 2 === 1)
  const before = tokens.slice(0, odd)
  const isPadded = before.length > 0 && before.every((token) => token.length === 2)
  throw unreadable(
    'it is hex in which a group has an odd number of digits',
    isPadded ? positionOf(lines, odd) : undefined,
    true,
  )
}

/** The index of a token in the text. */
function positionOf(lines: string, index: number): number | undefined {
  let i = 0
  for (const match of lines.matchAll(/[\da-fx]+/gi)) if (i++ === index) return match.index
  return undefined
}

/** A time of day. */
const TIME = /^\s*[0-2]\d:[0-5]\d(?::[0-6]\d)?:?\s*$/

/** Meanings that groups of hex digits can have other than bytes in order. */
function otherReading(
  lines: string,
  tokens: readonly string[],
  prefixed: number,
  bytes: Buffer,
): string | undefined {
  if (tokens.every((token) => /^(?:0b[01]{8}|(?:[01]{4})+)$/.test(token)) && tokens.join('').length >= 8) {
    return 'it may be binary digits: write it in hex'
  }
  if (prefixed > 0 && prefixed < tokens.length) return 'some of its numbers have 0x, and some do not'
  if (prefixed > 1 && tokens.some((token) => token.length > 4)) return 'it has numbers of more than one byte'
  if (prefixed === 0 && mayBeWords(rowsOf(lines), bytes, /^ \S/.test(lines), /:/.test(lines))) {
    return 'it may be words, whose bytes are swapped or padded: use od -t x1, hexdump -C or xxd'
  }
  if (TIME.test(lines) && !chains(bytes, 0)) return 'it may be a time'
  return mayHaveAddress(lines) && !looksLikePacket(bytes)
    ? 'an address may be before the bytes: write a colon after it'
    : undefined
}
