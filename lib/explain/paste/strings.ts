import { Buffer } from 'buffer'
import { chains, lackSpace } from '../further-packets.ts'
import { beginsConnect, holdsConnect, looksLikePacket } from './looks-like-packet.ts'
import type { Found } from './paste.ts'
import { maybeLog, unreadable } from './unreadable.ts'

/** A backslash with its sequence: two hex digits, a character up to U+007F, octal digits up to 377, or a letter. */
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u00([0-7][\da-fA-F])|([0-3]?[0-7]{1,2})|(.?))/gs

/** The escape of one byte, in hex or octal. */
export const BYTE_ESCAPE: RegExp = /\\(?:x[\da-f]{2}|[0-3]?[0-7]{1,2})/i

/** The meaning of letters after a backslash in C, Python and JavaScript. */
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** The characters that may be between two literals of one string: a sign, or the end of a line. */
const JOINT = /\s*(?:\+|\\ ?\n)?\s*/y

/** Bytes from a string with escapes, `\x10\x0c`, which may contain text if it's in quotes. */
export function bytesFromEscapes(pasted: string): Found | undefined {
  const text = pasted.trim()
  if (text.startsWith('\\x')) return bytesOfBareEscapes(pasted)
  const isCall = /^(?:bytearray)?\(/.test(text) && text.endsWith(')')
  const inside = literalsIn(isCall ? text.slice(text.indexOf('(') + 1, -1).trim() : text)
  // A string whose only escapes are those of lines and quotes is text, such as JSON: every packet has a byte below 9.
  if (inside === undefined || !escapesIn(inside).some((each) => !/^\\[nrt"'\\]/.test(each))) return undefined
  if ([...inside, inside.join('')].some((literal) => /^b?(["']).*\1$/.test(literal)))
    throw unreadable('it is a string in a string')
  const bytes = Buffer.concat(inside.map(bytesOfLiteral))
  const other = otherMeaning(inside)
  if (other !== undefined && !looksLikePacket(bytes)) throw unreadable(other)
  const decimal = other === OCTAL_OR_DECIMAL ? decimalReading(inside) : bytes
  if (decimal.compare(bytes) !== 0 && looksLikePacket(decimal)) {
    const form = (base: string): string => `a string with ${base} escapes`
    return {
      readings: [
        { form: form('octal'), bytes, ignored: [] },
        { form: form('decimal'), bytes: decimal, ignored: [] },
      ],
    }
  }
  if (text.startsWith('`') && inside.some((literal) => /["']/.test(literal)) && !chains(bytes, 0))
    throw unreadable('it has code between backticks')
  const doubt = doubtOf(inside, bytes)
  if (doubt !== undefined) throw unreadable(doubt)
  if (inside.length === 1) return bytes
  // A language joins them only if they're of one value.
  return {
    readings: [{ form: 'strings', bytes, ignored: ['what is between the strings'], isJoined: true }],
  }
}

/** Hex in quotes, as Python prints it, maybe with the end of its line. */
const QUOTED_HEX = /^b?(["'])((?:[\da-f]{2})+)(?:\\[nr])*\1$/i

/** Bytes from hex in quotes, which may be any text, so they must be a packet. */
export function bytesFromQuotedHex(text: string): Buffer | undefined {
  const bytes = Buffer.from(QUOTED_HEX.exec(text)?.[2] ?? '', 'hex')
  return looksLikePacket(bytes) && chains(bytes, 0) ? bytes : undefined
}

/** `...`, an entity of HTML, a color of a terminal, or a variable. */
const NO_BYTES = /\.\.\.|&#?\w+;|\[[\d;]*m|[#$%]\{|\$[a-z_]|%[sdx]/i

/** The escape of a byte with two backslashes. */
const DOUBLED = /\\\\(?:x[\da-f]{2}|u00[\da-f]{2}|\d{3})/i

/** The first byte of a CONNECT after text. */
const AFTER_TEXT = /[\w"'`:=>] ?["'`]?\\(?:x10|u0010|0?20)/i

/** The reason why a string may have other bytes than its escapes say, if these aren't whole packets. */
export function doubtOf(literals: readonly string[], bytes: Buffer): string | undefined {
  if (chains(bytes, 0)) return isOfRust(literals) && chains(bytesOfRust(literals), 0) ? OF_RUST : undefined
  if (isOfGdb(literals)) return OF_GDB
  // Python's \xe9 in a string without b is a character, which has two bytes.
  if (chains(Buffer.from(bytes.toString('latin1'), 'utf8'), 0))
    return 'its escapes may be characters instead of bytes'
  if (isOfRust(literals)) return OF_RUST
  if (literals.some((literal) => DOUBLED.test(literal)))
    return 'it is a string in a string: its backslashes are doubled'
  if (!beginsConnect(bytes) && holdsConnect(bytes) && literals.some((literal) => AFTER_TEXT.test(literal)))
    return 'it is text with a packet in it'
  return literals.some((literal) => NO_BYTES.test(literal))
    ? 'it is a string in which ..., &lt;, a color or a variable may be other bytes'
    : undefined
}

export const OF_GDB = 'it is a string of gdb, which leaves out the last zero: use x/50xb in gdb'

/** True if a string may be one of gdb, which writes three digits in every number. Its parts may stand in a structure, so nothing else tells. */
function isOfGdb(literals: readonly string[]): boolean {
  const numbers = escapesIn(literals).filter((each) => /^\\[\dx]/.test(each))
  return numbers.length > 0 && numbers.every((each) => /^\\[0-3][0-7]{2}$/.test(each))
}

/** True if a string may be one of Rust or others, which print a zero byte as `\0`. A digit may follow: `\002` is three bytes there, and one in octal. */
function isOfRust(literals: readonly string[]): boolean {
  const escapes = escapesIn(literals)
  return escapes.some((each) => /^\\0[0-7]/.test(each)) && !escapes.some((each) => /^\\[1-9]/.test(each))
}

const OF_RUST = 'it is a string with numbers in octal, or with zero bytes before digits'

/** The bytes of such a string if no number is in octal. */
function bytesOfRust(literals: readonly string[]): Buffer {
  const withHex = (each: string) => (each === '\\0' ? '\\x00' : each)
  return Buffer.concat(
    literals.map((literal) => bytesOfLiteral(literal.replace(/\\(?:\\|0(?=[0-7]))/g, withHex))),
  )
}

/** A number after a backslash that Lua and OCaml read as decimal, with a different result than in octal. */
const DECIMAL_ESCAPE = /^\\(?!0+[0-7]$)\d{2,3}$/

/** Hex as PostgreSQL prints it, with one sign in front of all digits. */
const LONG_HEX = /^\\x(?:[\da-f]{2}){2,}$/i

/**
 * The bytes of a string in Lua or OCaml. OCaml writes three digits in every number, and Lua writes numbers instead of letters, so a string
 * that has letters and shorter numbers has no such bytes.
 */
function decimalReading(literals: readonly string[]): Buffer {
  const escapes = escapesIn(literals)
  const isOfC =
    escapes.some((each) => /^\\[abefnrtv]/.test(each)) && escapes.some((each) => /^\\\d{1,2}$/.test(each))
  if (isOfC) return Buffer.alloc(0)
  const inHex = (each: string): string =>
    /^\\\d/.test(each) ? `\\x${Number(each.slice(1)).toString(16).padStart(2, '0')}` : each
  return Buffer.concat(literals.map((literal) => bytesOfLiteral(literal.replace(ANY_ESCAPE, inHex))))
}

const ANY_ESCAPE = /\\(?:\d{1,3}|.)/gs

function escapesIn(literals: readonly string[]): string[] {
  return literals.flatMap((inside) => inside.match(ANY_ESCAPE) ?? [])
}

/** A different meaning of a string's escapes in other languages, if there is one. */
function otherMeaning(literals: readonly string[]): string | undefined {
  if (escapesIn(literals).some((each) => DECIMAL_ESCAPE.test(each))) return OCTAL_OR_DECIMAL
  return literals.some((inside) => LONG_HEX.test(inside)) ? HEX_AFTER_SIGN : undefined
}

const OCTAL_OR_DECIMAL = 'it is a string with escapes that may be octal or decimal: write them in hex'

const HEX_AFTER_SIGN = 'it may be hex with \\x in front of it: remove the \\x'

/**
 * The text between the quotes of one string, in one literal or several: C and Python join consecutive literals, and Wireshark
 * breaks a string into lines.
 *
 * @returns `undefined` if the text is anything else
 */
function literalsIn(text: string): string[] | undefined {
  if (!/^b?["'`]/.test(text)) return undefined
  const code = text.replace(/;$/, '')
  const literals: string[] = []
  for (let at = 0; at < code.length; ) {
    if (code[at] === 'b') at++
    const quote = code[at] ?? ''
    if (!/["'`]/.test(quote)) throw afterLiteral(code[at])
    if (code.startsWith(quote.repeat(3), at)) throw unreadable('it is a string in triple quotes')
    const end = endOfLiteral(code, at + 1, quote)
    if (end < 0) throw unreadable('it is a string without its closing quote')
    const inside = code.slice(at + 1, end)
    if (quote === '`' && inside.includes('${')) throw unreadable('it is a template with a variable')
    literals.push(inside)
    JOINT.lastIndex = end + 1
    const [joint] = JOINT.exec(code)!
    at = JOINT.lastIndex
    if (at === code.length && joint.trim() !== '') throw afterLiteral('+')
  }
  return literals
}

function afterLiteral(character: string | undefined): Error {
  return maybeLog(
    character === ',' ? 'it has more than one string' : 'it is a string with something after it',
  )
}

/** The index of the quote that ends a literal, or -1. A quote after an odd number of backslashes doesn't end it. */
export function endOfLiteral(text: string, start: number, quote: string): number {
  for (let at = start; ; ) {
    const end = text.indexOf(quote, at)
    let backslashes = 0
    while (end - backslashes > start && text[end - backslashes - 1] === '\\') backslashes++
    if (end < 0 || backslashes % 2 === 0) return end
    at = end + 1
  }
}

/** The text between two quotes, and its indexes. */
export interface Quoted {
  readonly inside: string
  readonly start: number
  readonly end: number
}

/** The strings in a text. None goes past the end of its line. */
export function quotedIn(text: string): Quoted[] {
  let before = 0
  return text.split('\n').flatMap((line) => {
    const strings: Quoted[] = []
    // Keeps the time linear: after an unclosed quote, no later quote of the same kind in that line is tried.
    const unclosed = new Set<string>()
    for (let at = 0; at < line.length; at++) {
      const quote = line[at]!
      if ((quote !== '"' && quote !== "'") || unclosed.has(quote) || isApostrophe(line, at)) continue
      const end = endOfLiteral(line, at + 1, quote)
      if (end < 0) {
        unclosed.add(quote)
      } else {
        strings.push({ inside: line.slice(at + 1, end), start: before + at + 1, end: before + end })
        at = end
      }
    }
    before += line.length + 1
    return strings
  })
}

/** True for a quote after a letter. Such a quote doesn't begin a string, unless the letter is the prefix of Python's `b'…'`. */
function isApostrophe(line: string, at: number): boolean {
  const before = line.slice(Math.max(0, at - 2), at)
  return /[a-z\d]$/i.test(before) && !/(?:^|[^a-z\d])b$/i.test(before)
}

/** The bytes of the text between two quotes. */
export function bytesOfLiteral(inside: string): Buffer {
  const plain = bytesOfPairs(inside)
  if (plain !== undefined) return plain
  if (inside.includes('\n')) throw unreadable('it is a string with the end of a line in it')
  if (/[^\t -~]/.test(inside)) throw unreadable('it is a string with characters that are not ASCII')
  const characters = inside.replace(ESCAPE, (whole, hex, unicode, octal, letter, at: number) => {
    if (hex !== undefined || unicode !== undefined)
      return String.fromCharCode(Number.parseInt(hex ?? unicode, 16))
    // Languages disagree about \400, which has nine bits.
    const isTooLarge = /^\\[4-7][0-7]$/.test(whole) && /[0-7]/.test(inside[at + 3] ?? '')
    if (octal !== undefined && !isTooLarge) return String.fromCharCode(Number.parseInt(octal, 8))
    const character = letters[letter]
    if (character === undefined) throw unreadable('it is a string with an escape that is not known')
    return character
  })
  return Buffer.from(characters, 'latin1')
}

/** `\x10\x0c` without quotes. A space may be a character of the text, unless all bytes of a line are separated by spaces. */
function bytesOfBareEscapes(text: string): Buffer {
  if (LONG_HEX.test(text.trim())) throw unreadable(HEX_AFTER_SIGN)
  const parts = text.split('\n').map((line) => {
    const compact = line.trim()
    const tokens = compact.split(/\s+/)
    const isSeparated = tokens.length > 1 && tokens.every((token) => token.length === 4)
    return bytesOfPairs(isSeparated ? tokens.join('') : compact)
  })
  if (parts.includes(undefined)) throw unreadable('it is a string with escapes and text: put it in quotes')
  const bytes = Buffer.concat(parts as Buffer[])
  // Rust and Python print the first byte of a CONNACK as a space.
  if ((/^ /m.test(text) && !chains(bytes, 0)) || lackSpace(bytes))
    throw unreadable('a space in front of it may be a byte')
  return bytes
}

/** The bytes of repeated `\x` and two digits; `undefined` if there is anything else. */
function bytesOfPairs(text: string): Buffer | undefined {
  for (let at = 0; at < text.length; at += 4) {
    if (text[at] !== '\\' || text[at + 1] !== 'x') return undefined
  }
  const bytes = Buffer.from(text.replaceAll('\\x', ''), 'hex')
  return bytes.length * 4 === text.length ? bytes : undefined
}
