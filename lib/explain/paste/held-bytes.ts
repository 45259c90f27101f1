import { Buffer } from 'buffer'
import { arePlausible, hasEscapedPackets, hasNumbersOfPackets } from './any-notation.ts'
import { standardDigits } from './base64.ts'
import { holdsConnect } from './looks-like-packet.ts'

/*
 * Whatever a reader ignores must have no bytes, in any notation. In the rest of a text, times, addresses, versions and sizes are lists of
 * numbers too, so a list counts if it's a packet, or if it's longer than such a list is and written as bytes are.
 */

/** Two escapes, one after the other, or bytes with a sign or a letter each. */
const MARKED =
  /(?<!\\)(?:\\(?:[0-3]?[0-7]{1,2}|x[\da-f]{2})){2}|(?:<[\da-f]{2}>|\[[\da-f]{2}\]|\$[\da-f]{2}(?!\w)\s?|\b[\da-f]{2}h(?!\w)\s?){4}/i

/** True if a text may have bytes in any notation. A word of hex must be a packet, because others are names. */
export function holdsBytes(text: string): boolean {
  return MARKED.test(text) || mayHavePackets(text)
}

/** True if a text has packets in any notation. */
export function hasPackets(text: string): boolean {
  return (
    hasNumbersOfPackets(text) || hasEscapedPackets(text) || hasMatch(text, BASE64_WORD, isBase64OfPackets)
  )
}

/** Maybe without the signs at the end. */
const BASE64_WORD = /(?<![\w+/-])[\w+/-]{3,}={0,2}(?![\w+/=-])/g

function isBase64OfPackets(word: string): boolean {
  const bytes = Buffer.from(standardDigits(word) ?? '', 'base64')
  return bytes.length > 1 && (holdsConnect(bytes) || arePlausible(bytes, 0))
}

/** The same for the lines of strace, which shows any data as strings: one must be a packet. */
export function mayHavePackets(text: string): boolean {
  return (
    hasPackets(text) ||
    WORDS_OF_BYTES.test(text) ||
    runsIn(text, PAIR).some(arePairs) ||
    runsIn(text, NUMBER).some(areNumbers) ||
    (text.includes('\\') && BARE_ESCAPES.test(text.replace(/"[^"\n]*"/g, ''))) ||
    CONTROLS.test(text)
  )
}

function hasMatch(text: string, pattern: RegExp, isMeant: (match: string) => boolean): boolean {
  for (const [match] of text.matchAll(pattern)) if (isMeant(match)) return true
  return false
}

/** Words of hex. Three decimal numbers may be sizes, and with nothing but 0 and 1, words may be the bits of a field. */
const WORDS_OF_BYTES =
  /(?<!\w)(?:(?=[\d ]{0,14}[a-f])(?:[\da-f]{4} ){2}|(?=[01 ]{0,19}[2-9])(?:\d{4} ){3})[\da-f]{4}(?!\w)/i

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
  // A list of six or eight is an address of a network card, and a shorter one a time.
  if (gap === SIGN) return tokens.length === 7 || tokens.length > 8
  return tokens.length >= FEWEST_IN_HEX && tokens.some((token) => /[a-f]|^0\d/i.test(token))
}

function areNumbers({ gap, before, tokens }: Run): boolean {
  const areBytes = tokens.filter((token) => Number(token) >= -0x80 && Number(token) <= 0xff).length
  const areHex = tokens.some((token) => /^0x/i.test(token))
  const isInBrackets = /[[{<]/.test(before)
  const fewest = areHex ? FEWEST_IN_HEX : isInBrackets ? FEWEST_IN_BRACKETS : FEWEST_IN_LIST
  return gap !== SIGN && tokens.length >= fewest && areBytes > (tokens.length * 3) / 4
}

/** Escapes outside of quotes. The library of C reads random numbers, which strace shows as a string. */
const BARE_ESCAPES = /(?:\\x[\da-f]{2}){2}/i

/** Three bytes, one of which is a control character that isn't the end of a line. */
const CONTROLS = /%(?:0[0-8bcef]|1[\da-f])(?:%[\da-f]{2}){2}|(?:%[\da-f]{2}){2}%(?:0[0-8bcef]|1[\da-f])/i
