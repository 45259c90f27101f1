import { Buffer } from 'buffer'
import { isCaptureText } from '../capture/signature.ts'
import { chains } from '../further-packets.ts'
import { bytesFromBase64 } from './base64.ts'
import { forms } from './forms.ts'
import { readLog } from './log.ts'
import { beginsConnect, looksLikePacket } from './looks-like-packet.ts'
import type { Paste, Reading, Readings } from './paste.ts'
import { BYTE_ESCAPE, bytesOfLiteral, quotedIn } from './strings.ts'
import { noDigit, Unreadable, unreadable } from './unreadable.ts'

/** The message for a text without bytes, or whose bytes aren't certain. */
export function notBytes(problem: string): string {
  return `bytes in hex, as an array, a dump or base64, but ${problem}`
}

/** The message for a text that can be read in more than one way. */
export function waysToRead(names: readonly string[]): string {
  return `it can be read in ${names.length} ways: as ${names.join(', or as ')}`
}

/** The name of one way to read a text: `hex`. */
export function nameOf({ form, direction }: Reading): string {
  return direction === undefined ? form : `the bytes ${direction} in ${form}`
}

const CAPTURE =
  'it is a capture file. This lists the handshakes in it: npx mqtt-connect-packet explain --file FILE'

/** The first or last line of a block of code in Markdown. */
const FENCE = /^[ >]*(?:```|~~~)/

/**
 * Finds the bytes in a text that somebody has pasted: in one of the forms, in a block of Markdown, or in the lines of a log. Says what
 * was ignored. Never guesses: if a text can be read in more than one way, all readings are returned, and a person has to choose.
 */
export function readPaste(text: string): Paste {
  // Keeps each character at its index.
  const lines = text.replaceAll('\r\n', ' \n')
  const start = lines.startsWith('\uFEFF') ? 1 : 0
  try {
    return read(lines.slice(start))
  } catch (error) {
    // The engine has a limit for regular expressions.
    if (error instanceof RangeError) return { problem: 'it has a word of millions of characters' }
    if (!(error instanceof Unreadable)) throw error
    const { message, position, isDigit } = error
    return { problem: message, ...(position !== undefined && { position: position + start, isDigit }) }
  }
}

/** The numbers of the columns, which PowerShell's Format-Hex and HxD print above a dump. */
const COLUMNS = /^(?:offset\(\w\))?\s*00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f(?:\s|$)/i
const AROUND_COLUMNS = /^(?:(?:label|path):.*|offset bytes\s.*|[- ]*)$/i
/** The maximum number of lines above the columns. */
const MOST_ABOVE = 8
const LONGEST_HEADING = 300

/** A line of PowerShell 7: one space is between its bytes and their text, in which some characters stand for several bytes. */
const POWERSHELL_LINE = /(?<=^[\da-f]{16} .{47}) .*$/gim

/** Replaces such a heading with blanks, so that each character stays at its index. */
function withoutHeading(text: string): string {
  let end = 0
  for (const line of text.split('\n', MOST_ABOVE)) {
    const content = line.slice(0, LONGEST_HEADING).trim()
    if (COLUMNS.test(content)) {
      const heading = text.slice(0, end + line.length)
      const rest = text.slice(heading.length).replace(/^\n\s*-+ -+ -+\s*\n/, blanks)
      return (
        blanks(heading) + (/\soffset bytes\s/i.test(heading) ? rest.replace(POWERSHELL_LINE, blanks) : rest)
      )
    }
    if (!AROUND_COLUMNS.test(content)) return text
    end += line.length + 1
  }
  return text
}

/** Blanks for a text. Line breaks stay. */
function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

function read(pasted: string): Readings {
  const text = withoutHeading(pasted)
  if (text.trim() === '') throw unreadable('it is empty')
  if (isCaptureText(text.trim())) throw unreadable(CAPTURE)
  if (areDetails(text)) throw unreadable('it is the details of packets without their bytes: use tshark -x')
  const other = others.find(([pattern]) => pattern.test(text.trimStart()))
  if (other !== undefined) throw unreadable(other[1])
  let problem: Unreadable | undefined
  try {
    const found = readWhole(text)
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof Unreadable && error.isMaybeLog)) throw error
    problem = error
  }
  return readBlocks(text) ?? readLines(text, problem) ?? readWords(text) ?? refuse(text, problem)
}

/** Reads a text that consists of a single form. */
function readWhole(text: string): Readings | undefined {
  for (const { name, recognises, read } of forms) {
    const found = recognises(text) ? read(text) : undefined
    if (found === undefined) continue
    return found instanceof Uint8Array ? { readings: [{ form: name, bytes: found, ignored: [] }] } : found
  }
  return undefined
}

/** Reads the blocks of code in Markdown, and ignores the text around them. */
function readBlocks(text: string): Readings | undefined {
  const blocks: string[][] = []
  let isInside = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      isInside = !isInside
      if (isInside) blocks.push([])
    } else if (isInside) blocks.at(-1)!.push(line)
  }
  if (blocks.length === 0) return undefined
  const found = blocks.flatMap((block) => {
    const inside = block.join('\n')
    try {
      const readings = inside.trim() === '' ? undefined : (readWhole(inside) ?? readLines(inside))
      return readings === undefined ? [] : [readings]
    } catch (error) {
      // If one block contains other code, the bytes in the next block can still be read.
      if (error instanceof Unreadable && error.position === undefined && blocks.length > 1) return []
      throw error
    }
  })
  const [first] = found
  if (first === undefined) return undefined
  const ignored = [
    blocks.length > found.length
      ? 'the text around the block, and other blocks'
      : 'the text around the block',
  ]
  const readings = found.flatMap((one) =>
    one.readings.map((each) => ({ ...each, ignored: [...ignored, ...each.ignored] })),
  )
  return found.length === 1 ? { ...first, readings } : { readings }
}

/** Reads a log whose lines have bytes. A fault of the whole text is a fault of its lines, too. */
function readLines(text: string, problem?: Unreadable): Readings | undefined {
  try {
    return readLog(text)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    if (error.isMaybeLog) return undefined
    throw problem === undefined || error.position === undefined
      ? error
      : unreadable(problem.message, error.position, error.isDigit)
  }
}

/** Words of hex or base64 in a sentence or a command, each a packet. Shorter ones may be anything. */
const LONG_HEX = /(?<![\da-z])(?:[\da-f]{2}){10,}(?![\da-z])/gi

/** Base64 in one line or several. */
const LONG_BASE64 = /(?<![\w+/=-])[\w+/-]{18,}(?:\n[\w+/-]+){0,99}={0,2}(?![\w+/=-])/g

function readWords(text: string): Readings | undefined {
  const hex = Array.from(text.matchAll(LONG_HEX), ([word]) => Buffer.from(word, 'hex'))
  const base64 = Array.from(text.matchAll(LONG_BASE64), ([word]) => bytesFromBase64(word) ?? Buffer.alloc(0))
  return (
    readingsOfWords(
      'hex',
      hex.filter((word) => looksLikePacket(word) && chains(word, 0)),
    ) ??
    readingsOfWords('string', stringsIn(text)) ??
    readingsOfWords('base64', base64.filter(isWhole))
  )
}

/**
 * The packets in the strings with escapes of a command or a program: `echo -en "\x10\x0c"`, `send(b'\x10\x0c')`. If there is only
 * one such string, and nothing is joined to it, its packet may be incomplete.
 */
function stringsIn(text: string): Buffer[] {
  const found = quotedIn(text).filter((inside) => BYTE_ESCAPE.test(inside))
  const isAlone = found.length === 1 && quotedIn(text).length === 1 && !isJoined(text, found[0]!)
  return found.flatMap((inside) => {
    try {
      const bytes = bytesOfLiteral(inside)
      return isWhole(bytes) || (isAlone && looksLikePacket(bytes)) ? [bytes] : []
    } catch (error) {
      if (error instanceof Unreadable) return []
      throw error
    }
  })
}

/** True if a sign before or after a string joins it to a different string, or fills in values. */
function isJoined(text: string, inside: string): boolean {
  const at = text.indexOf(inside)
  const end = at + inside.length + 1
  return (
    /[+%.]\s*b?$/.test(text.slice(Math.max(at - 10, 0), at - 1)) ||
    /^\s*(?:[+%.,\\]|b?["'])/.test(text.slice(end, end + 10))
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

/** A word of hex in which one or two characters aren't hex digits. */
const DAMAGED_HEX =
  /(?<![\w+/=:])(?=[\da-z:]{20})(?=(?:[a-f:]*\d){8})[\da-f:]*(?:[g-z][\da-f:]*){1,2}(?![\w+/=:])/gi

/** @throws Unreadable if a text has such a word, and no other that may be meant */
function checkDamagedHex(text: string): void {
  const [word, ...others] = text.matchAll(DAMAGED_HEX)
  if (word === undefined || others.length > 0) return
  throw noDigit(word.index + word[0].search(/[g-z]/i))
}

/** True if the text is tshark's details of a packet without a dump. */
function areDetails(text: string): boolean {
  const last = Array.from(text.matchAll(/^Frame \d+: \d+ bytes on wire/gm)).at(-1)
  return last !== undefined && !/^0000 /m.test(text.slice(last.index))
}

/** Texts that certainly don't contain all bytes of a packet, whatever their lines look like. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^-----BEGIN /, 'it is a PEM file: a certificate or a key'],
  [
    /^Follow: tcp,(?!hex|raw)|^peers:\s+- peer: 0\s/m,
    'it is Follow Stream without the bytes: show it as Hex Dump or Raw',
  ],
  [
    /^[> ]*(?:\$\d+ = |(?:\$?\w+ = )?0x[\da-f]+ <[^>\n]+>:?\s)"/m,
    'it is a string of gdb, which leaves out the last zero: use x/50xb in gdb',
  ],
  [/^(GET|POST|PUT|HEAD|OPTIONS|CONNECT) \S+ HTTP\/|^HTTP\/1/, 'it is HTTP'],
]

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\d\d:\d\d:\d\d\.\d+ IP6? \S+ > \S+: /m, 'it is tcpdump without the bytes: use tcpdump -X'],
  [/^\w+:\/\//, 'it is a URL'],
  [/^<\?xml|^<[a-z]+[\s>]/i, 'it is XML or HTML'],
  [/^(?:\{|\[(?![^\]\n]{1,60}\][\s[:(]*[a-z]))/i, 'it is JSON or code, but not an array of bytes'],
  [/^b?["'][\da-f]+["']$/i, 'it is hex in quotes: remove the quotes'],
  [/[^\t\n\r -~]/, 'it has characters that no form of bytes has'],
]

/** @throws Unreadable always, with a description of the text */
function refuse(text: string, problem: Unreadable | undefined): never {
  checkDamagedHex(text)
  if (problem !== undefined) throw problem
  const trimmed = text.trim()
  const [, kind = 'it looks like prose'] = kinds.find(([pattern]) => pattern.test(trimmed)) ?? []
  throw unreadable(kind)
}
