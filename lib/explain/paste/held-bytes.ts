import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { bytesFromBase64 } from './base64.ts'
import { beginsConnect, looksLikePacket } from './looks-like-packet.ts'
import { bytesFromPercents } from './percents.ts'
import { bytesOfLiteral, quotedIn } from './strings.ts'
import { attempt } from './unreadable.ts'

/*
 * Whatever a reader ignores must have no bytes, in any notation. In the rest of a text, times, addresses, versions and sizes are lists of
 * numbers too, so a list counts if it's a packet, or if it's longer than such a list is and written as bytes are.
 */

/** A word of hex, or a list in one: `10-0F-00-04`, `10:0f:00:04`. */
const HEX_WORD = /(?<![\da-z])(?:(?:[\da-f]{2}){4,}|[\da-f]{2}(?:[-:][\da-f]{2}){3,})(?![\da-z])/gi
/** The minimum number of bytes of a word without signs, because shorter ones are often numbers or names. */
const FEWEST_IN_WORD = 10
/** A shorter word, maybe in groups of four digits. */
const SHORT_WORD = /(?<![\w.:+-])(?:(?:[\da-f]{2}){4,9}|[\da-f]{4}(?: [\da-f]{4}){1,3}|[cde]000)(?![\w:-])/gi

/** True for a packet in hex, and for bytes that begin a CONNECT. */
function isHexOfPacket(word: string): boolean {
  const bytes = Buffer.from(word.replace(/[-:]/g, ''), 'hex')
  const isLong = bytes.length >= FEWEST_IN_WORD || /[-:]/.test(word)
  return beginsConnect(bytes) || (isLong && chains(bytes, 0))
}

/** True for packets in a short word. Numbers and dates must not pass for one, so without letters, the packet is checked, and no PUBLISH counts. */
export function isShortHexOfPacket(word: string): boolean {
  const bytes = Buffer.from(word.replaceAll(' ', ''), 'hex')
  return chains(bytes, 0) && (/[a-f]/i.test(word) || (!word.startsWith('3') && looksLikePacket(bytes)))
}

/** Two escapes in octal, one after the other. */
const OCTAL = /(?<!\\)(?:\\[0-3]?[0-7]{1,2}){2}/

/** True if a text may have bytes in any notation. A word of hex must be a packet, because others are names. */
export function holdsBytes(text: string): boolean {
  return OCTAL.test(text) || mayHavePackets(text)
}

/** The same for the lines of strace, which shows any data as strings: one must be a packet. */
export function mayHavePackets(text: string): boolean {
  return (
    OF_BUFFER.test(text) ||
    OTHER_BASE.test(text) ||
    hasMatch(text, HEX_WORD, isHexOfPacket) ||
    hasMatch(text, SHORT_WORD, isShortHexOfPacket) ||
    hasMatch(text, WORDS_OF_BYTES, areWords) ||
    runsIn(text, PAIR).some(arePairs) ||
    runsIn(text, NUMBER).some(areNumbers) ||
    hasMatch(text, BASE64, isBase64) ||
    (text.includes('\\') && hasEscapes(text)) ||
    (text.includes('%') && hasMatch(text, PERCENTS, arePercents))
  )
}

function hasMatch(text: string, pattern: RegExp, isMeant: (match: string) => boolean): boolean {
  for (const [match] of text.matchAll(pattern)) if (isMeant(match)) return true
  return false
}

/** The beginning of a Buffer as Node prints it, or of its JSON, also in a string. */
const OF_BUFFER =
  /<Buffer [\da-f]{2}\b|\bBuffer\\?"\s{0,9},\s{0,9}\\?"data\\?"\s{0,9}:\s{0,9}\[\s{0,9}\d|\{\s{0,9}"0"\s{0,9}:\s{0,9}\d{1,3}\b/i

/** Bytes in octal and in binary, and words in octal. */
const OTHER_BASE =
  /(?<!\w)(?:(?:[0-3][0-7]{2} +){7}[0-3][0-7]{2}|[01]{8} +[01]{8}|(?:[01][0-7]{5} +){2}[01][0-7]{5})(?!\w)/

/** Words of hex. */
const WORDS_OF_BYTES = /(?<!\w)(?:(?:[\da-f]{4} ){2,99}[\da-f]{4}|[\da-f]{8} [\da-f]{8})(?!\w)/gi

/** Three decimal numbers may be sizes, and with nothing but 0 and 1, words may be the bits of a field. */
function areWords(words: string): boolean {
  return /[a-f]/i.test(words) || (words.split(' ').length > 3 && /[2-9]/.test(words))
}

/** Two digits of hex, or a number of a list. No number is a part of an address or of a fraction. */
const PAIR = /(?<![\da-z])[\da-f]{2}(?![\da-z])/gi
const NUMBER = /(?<![\w.])(?:0x[\da-f]{1,2}|-?\d{1,3})(?!\w|\.\d)/gi

/** What may be between two numbers of a list. */
const BLANK = /^[ \t]{1,4}$/
const COMMA = /^\s{0,9}[,;|]\s{0,40}$/
const SIGN = /^[-:]$/
const LONGEST_GAP = 50

/** A list of numbers with the same signs between them. */
interface Run {
  readonly gap: RegExp
  /** The character before the list, apart from spaces. */
  readonly before: string
  readonly tokens: string[]
}

function runsIn(text: string, number: RegExp): Run[] {
  const runs: Run[] = []
  let last = ''
  let end = -LONGEST_GAP
  for (const { 0: token, index } of text.matchAll(number)) {
    const between = index - end < LONGEST_GAP ? text.slice(end, index) : ''
    const gap = [BLANK, COMMA, SIGN].find((each) => each.test(between))
    const run = runs.at(-1)
    if (gap !== undefined && run?.gap === gap && run.tokens.at(-1) === last) run.tokens.push(token)
    else if (gap !== undefined) {
      const start = end - last.length
      const before = text
        .slice(Math.max(start - 9, 0), start)
        .trim()
        .slice(-1)
      runs.push({ gap, before, tokens: [last, token] })
    }
    last = token
    end = index + token.length
  }
  return runs
}

/** The minimum number of bytes of a list that can't be anything else, by the way in which it's written. */
const FEWEST_IN_HEX = 4
/** Four numbers may be an address of IP. */
const FEWEST_IN_BRACKETS = 5
const FEWEST_IN_LIST = 10

function arePairs({ gap, tokens }: Run): boolean {
  const bytes = Buffer.from(tokens.join(''), 'hex')
  // A list of six or eight is an address of a network card, and a shorter one a time.
  const isLong = gap === SIGN ? bytes.length >= FEWEST_IN_LIST : bytes.length >= FEWEST_IN_HEX
  const isHex = gap === SIGN || tokens.some((token) => /[a-f]|^0\d/i.test(token))
  return (isLong && isHex) || isPacket(bytes) || isShortPacket(bytes)
}

function areNumbers({ gap, before, tokens }: Run): boolean {
  const values = tokens.map(Number)
  const areBytes = values.filter((value) => value >= -0x80 && value <= 0xff).length
  const areHex = tokens.some((token) => /^0x/i.test(token))
  const isInBrackets = /[[{<]/.test(before)
  const fewest = areHex ? FEWEST_IN_HEX : isInBrackets ? FEWEST_IN_BRACKETS : FEWEST_IN_LIST
  if (gap !== SIGN && tokens.length >= fewest && areBytes > (tokens.length * 3) / 4) return true
  if (areBytes < tokens.length) return false
  const bytes = Buffer.from(values)
  // A time may be before the list.
  const octal = tokens[0]!.length === 3 ? tokens : tokens.slice(1)
  const areOctal = octal.every((token) => /^[0-3][0-7]{2}$/.test(token))
  if (areOctal && isPacket(Buffer.from(octal.map((token) => Number.parseInt(token, 8))))) return true
  return isPacket(bytes) || ((gap === COMMA || isInBrackets || areHex) && isShortPacket(bytes))
}

/** True if bytes have the beginning of a CONNECT in them, or are packets. A number may be before them. */
function isPacket(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x10); at >= 0; at = bytes.indexOf(0x10, at + 1))
    if (beginsConnect(bytes.subarray(at, at + BYTES_TO_NAME))) return true
  return [0, 1].some((start) => bytes.length - start >= FEWEST_IN_HEX && chains(bytes, start))
}

/** The maximum number of bytes in a CONNECT up to its protocol name. */
const BYTES_TO_NAME = 16

/** PINGREQ, PINGRESP and DISCONNECT, maybe behind a number. Two other numbers may be coordinates. */
function isShortPacket(bytes: Buffer): boolean {
  return /^(?:..)?(?:[cde]000)+$/.test(bytes.toString('hex'))
}

const BASE64 = /(?<![\w+/=-])[\w+/-]{3,}={0,2}(?![\w+/=-])/g
/** Shorter words without a sign at the end are names. */
const FEWEST_OF_BASE64 = 16

function isBase64(word: string): boolean {
  return (word.length >= FEWEST_OF_BASE64 || word.endsWith('=')) && bytesFromBase64(word) !== undefined
}

/** The first byte of a CONNECT as the escape of a string, and some characters after it. */
const ESCAPED_CONNECT = /\\(?:x10|0?20)(?=\\)[!-~]{6,60}/gi

/** Escapes outside of quotes. The library of C reads random numbers, which strace shows as a string. */
const BARE_ESCAPES = /(?:\\x[\da-f]{2}){2}/i

function hasEscapes(text: string): boolean {
  return (
    hasMatch(text, ESCAPED_CONNECT, isString) ||
    quotedIn(text).some((inside) => inside.includes('\\') && isString(inside)) ||
    BARE_ESCAPES.test(text.replace(/"[^"\n]*"/g, ''))
  )
}

function isString(inside: string): boolean {
  const bytes = attempt(() => bytesOfLiteral(inside))
  return bytes !== undefined && bytes.length > 1 && (beginsConnect(bytes) || chains(bytes, 0))
}

const PERCENTS = /[\w.~!*'()/%-]{4,}/g
/** Three bytes, one of which is a control character that isn't the end of a line. */
const CONTROLS = /%(?:0[0-8bcef]|1[\da-f])(?:%[\da-f]{2}){2}|(?:%[\da-f]{2}){2}%(?:0[0-8bcef]|1[\da-f])/i

function arePercents(word: string): boolean {
  if (CONTROLS.test(word)) return true
  const at = word.indexOf('%10%')
  const bytes = word
    .slice(at, at + 4 * BYTES_TO_NAME)
    .replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const isConnect = at >= 0 && beginsConnect(Buffer.from(bytes, 'latin1'))
  return isConnect || (word.includes('%') && bytesFromPercents(word) !== undefined)
}
