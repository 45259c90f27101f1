import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { bytesFromBase64 } from './base64.ts'
import { holdsBytes } from './held-bytes.ts'
import { beginsConnect, looksLikePacket } from './looks-like-packet.ts'
import type { Readings } from './paste.ts'
import { BYTE_ESCAPE, bytesOfLiteral, doubtOf, type Quoted, quotedIn } from './strings.ts'
import { attempt, unreadable } from './unreadable.ts'

/** Words of hex or base64 in a sentence or a command, each a packet. Shorter ones may be anything. */
const LONG_HEX = /(?<![\da-z])(?:[\da-f]{2}){10,}(?![\da-z])/gi

/** What joins base64 to more of it: escapes of a line break or of its signs, or the quotes between two strings. */
const JOINED = /(?:\\+[nr])+[\w+/]|\\+\/|%(?:2[BFbf]|0[ADad])|["'`]\s{0,80}(?:[+.\\]\s{0,80})?["'`]/.source

/** Base64 in one line or several. */
const LONG_BASE64 = new RegExp(
  `(?<![\\w+/=-])[\\w+/-]{18,}(?:[ \\t]{0,80}\\n[ \\t]{0,80}[\\w+/-]+){0,99}={0,2}(?![\\w+/=-]|${JOINED})`,
  'g',
)

/** Words that may be short hex or base64. */
const ANY_HEX = /(?<![\da-z])(?:[\da-f]{2}){2,}(?![\da-z])/gi
const ANY_BASE64 = /(?<![\w+/=-])(?:[\w+/-]{4,}={0,2}|[\w+/-]{2,3}={1,2})(?![\w+/=-])/g

/** The packets in the words of a text, if there are any. */
export function readWords(text: string): Readings | undefined {
  return (
    readingsOfWords('hex', wordsIn(text, LONG_HEX, ANY_HEX, hexOf, isPackets)) ??
    readingsOfWords('string', stringsIn(text)) ??
    readingsOfWords('base64', wordsIn(text, LONG_BASE64, ANY_BASE64, bytesFromBase64, isWhole))
  )
}

function hexOf(word: string): Buffer | undefined {
  return /^(?:[\da-f]{2})+$/i.test(word) ? Buffer.from(word, 'hex') : undefined
}

function isPackets(bytes: Buffer): boolean {
  return looksLikePacket(bytes) && chains(bytes, 0)
}

/**
 * The words that are packets.
 *
 * @throws Unreadable if another word has the same text in front of it, such as `"payload":"`, and isn't one
 */
function wordsIn(
  text: string,
  long: RegExp,
  any: RegExp,
  bytesOf: (word: string) => Buffer | undefined,
  isMeant: (bytes: Buffer) => boolean,
): Buffer[] {
  const found = new Map<number, Word>()
  for (const { 0: word, index } of text.matchAll(long)) {
    const bytes = bytesOf(word)
    if (bytes !== undefined && isMeant(bytes))
      found.set(index, { bytes, start: index, end: index + word.length })
  }
  const before = Array.from(found.keys(), (index) => contextOf(text, index))
  // Any word may be at the beginning of a line.
  const contexts = new Set(before.filter((context) => context.trim() !== ''))
  let last = 0
  for (const { 0: word, index } of found.size === 0 ? [] : text.matchAll(any)) {
    const isInside = index < last
    last = found.get(index)?.end ?? last
    if (found.has(index) || isInside) continue
    const bytes = bytesOf(word)
    const isPacket = bytes !== undefined && chains(bytes, 0)
    // A packet of four bytes is rarely a number by chance.
    const isMaybe =
      contexts.has(contextOf(text, index)) ||
      (isPacket && (bytes.length >= 4 || word.endsWith('='))) ||
      (bytes !== undefined && beginsConnect(bytes))
    if (!isMaybe) continue
    if (!isPacket) throw unreadable('not all of its words that may be bytes are packets', index)
    found.set(index, { bytes, start: index, end: index + word.length })
  }
  const sorted = [...found.values()].sort((a, b) => a.start - b.start)
  checkRest(partsBetween(text, sorted))
  return sorted.map(({ bytes }) => bytes)
}

/** A packet, and the indexes of its word. */
interface Word {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/** @throws Unreadable if the text around bytes may have others */
function checkRest(parts: readonly string[]): void {
  if (parts.length > 1 && parts.some(holdsBytes))
    throw unreadable('it has bytes in words, and others in another notation')
}

/** The last characters before a word, in its line. Numbers differ from line to line. */
function contextOf(text: string, index: number): string {
  const before = text.slice(Math.max(index - 12, 0), index)
  return before
    .slice(before.lastIndexOf('\n') + 1)
    .replace(/\d+/g, '#')
    .slice(-4)
}

/**
 * The packets in the strings with escapes of a command or a program: `echo -en "\x10\x0c"`, `send(b'\x10\x0c')`. If there is only
 * one such string, and nothing is joined to it, its packet may be incomplete.
 */
function stringsIn(text: string): Buffer[] {
  const all = quotedIn(text)
  const found = all.filter(({ inside }) => BYTE_ESCAPE.test(inside))
  const isAlone = found.length === 1 && all.length === 1 && !isJoined(text, found[0]!) && !GOES_ON.test(text)
  const packets = found.map(({ inside }) => {
    const bytes = attempt(() => bytesOfLiteral(inside))
    if (bytes === undefined || chains(bytes, 0)) return bytes
    return isAlone && looksLikePacket(bytes) && doubtOf([inside], bytes) === undefined ? bytes : undefined
  })
  const known = packets.filter((bytes) => bytes !== undefined)
  if (!known.some(beginsConnect)) return []
  if (known.length < packets.length) throw unreadable('not all of its strings with escapes are packets')
  checkRest(partsBetween(text, found))
  return known
}

/** Code that may write the rest of a string: two calls that write. */
const GOES_ON = /\b(?:write|send|print|put)\w{0,20}\([\s\S]*\b(?:write|send|print|put)\w{0,20}\(/

/** The parts of a text between words or strings, which are in this order. */
function partsBetween(
  text: string,
  found: readonly { readonly start: number; readonly end: number }[],
): string[] {
  const ends = [0, ...found.map(({ end }) => end)]
  return ends.map((end, i) => text.slice(end, found[i]?.start))
}

/** True if a sign before or after a string joins it to a different string, or fills in values. */
function isJoined(text: string, { start, end }: Quoted): boolean {
  return (
    /[+%.]\s*b?$/.test(text.slice(Math.max(start - 10, 0), start - 1)) ||
    /^\w|^\s*(?:[+%.,\\]|b?["'])/.test(text.slice(end + 1, end + 11))
  )
}

/** True for a CONNECT that ends where its length says. The next line of base64, or the next string, may be the rest. */
function isWhole(bytes: Buffer): boolean {
  return beginsConnect(bytes) && chains(bytes, 0)
}

function readingsOfWords(name: string, packets: readonly Buffer[]): Readings | undefined {
  if (packets.length === 0) return undefined
  const ignored = [`the text around the ${name}`]
  const form = (i: number): string =>
    packets.length === 1 ? name : `${name}, word ${i + 1} of ${packets.length}`
  return { readings: packets.map((bytes, i) => ({ form: form(i), bytes, ignored })) }
}
