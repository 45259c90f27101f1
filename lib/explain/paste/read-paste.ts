import { isCaptureText } from '../capture/signature.ts'
import { checkVariables, codeHoldsBytes } from './code.ts'
import { areDigits } from './digits.ts'
import { MOST_BYTES } from './dumps.ts'
import { DAMAGED_HEX } from './evidence.ts'
import { forms, traces } from './forms.ts'
import { holdsBytes } from './held-bytes.ts'
import { readLog } from './log.ts'
import type { Form, Paste, Reading, Readings } from './paste.ts'
import { readWords } from './prose.ts'
import { OF_GDB } from './strings.ts'
import { noDigit, Unreadable, unreadable } from './unreadable.ts'

/** The message for a text without bytes, or whose bytes aren't certain. */
export function notBytes(problem: string): string {
  return `bytes in hex, as an array, a dump or base64, but ${problem}`
}

/** The number of ways to read a text that a message lists. */
const MOST_NAMES = 8

/** The message for a text that can be read in more than one way. */
export function waysToRead(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, or in ${names.length - MOST_NAMES} other ways` : ''
  return `it can be read in ${names.length} ways: as ${names.slice(0, MOST_NAMES).join(', or as ')}${more}`
}

/** The name of one way to read a text: `hex`. */
export function nameOf({ form, direction }: Reading): string {
  return direction === undefined ? form : `the bytes ${direction} in ${form}`
}

const CAPTURE =
  'it is a capture file. This lists the handshakes in it: npx mqtt-connect-packet explain --file FILE'

/** The first or last line of a block of code in Markdown. */
const FENCE = /^[ >]*(?:```|~~~)/m

/** A byte order mark, the colors of a terminal, and the sequence that grep writes after each. */
const INVISIBLE = /^\uFEFF|(?<!\r)(?!\s)\p{Cc}\[[\d;]*[mK]/gu

/**
 * Finds the bytes in a text that somebody has pasted: in one of the forms, in a block of Markdown, or in the lines of a log. Says what
 * was ignored. Never guesses: if a text can be read in more than one way, all readings are returned, and a person has to choose.
 */
export function readPaste(text: string): Paste {
  try {
    return read(withoutInvisible(text))
  } catch (error) {
    // The engine has a limit for regular expressions.
    if (error instanceof RangeError) return { problem: 'it has a word of millions of characters' }
    if (!(error instanceof Unreadable)) throw error
    const { message: problem, isDigit } = error
    let { position } = error
    if (position === undefined) return { problem }
    for (const { index, 0: removed } of text.matchAll(INVISIBLE))
      if (index <= position) position += removed.length
    return { problem, position, isDigit }
  }
}

/** A text in which LF is the only end of a line, without what a terminal doesn't show. */
export function withoutInvisible(text: string): string {
  return withLines(text.replace(INVISIBLE, ''))
}

/** The CR at an end of a line. Some programs print several, or print it behind the LF. */
const WITH_LF = /(?<!\r)\r+(?=\n)|(?<=\n)\r+/g

/**
 * A text in which LF is the only end of a line, because a dot in a regular expression stops at any. Each character stays at its index, so
 * others become blanks.
 */
function withLines(text: string): string {
  return text.replace(WITH_LF, blanks).replace(/[\r\u2028\u2029]/g, '\n')
}

/** The numbers of the columns, which PowerShell's Format-Hex, HxD and radare2 print above a dump. */
const COLUMNS =
  /^(?:offset\(\w\))?\s*00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f(?:\s|$)|^- offset -\s(?:\s{0,3}[\da-f]){16,32}\s+[\da-f]{16}$/i
const AROUND_COLUMNS = /^(?:(?:label|path):.*|offset bytes\s.*|\[0x[\da-f]+\]> p\w .*|[- ]*)$/i
/** The maximum number of lines above the columns. */
const MOST_ABOVE = 8
const LONGEST_HEADING = 300
/** The offset of the first row below the columns. */
const OFFSET_BELOW = /^[\s-]*(?:0x)?0{8,16}h?:?\s/

/** A line of PowerShell 7: one space is between its bytes and their text, in which some characters stand for several bytes. */
const POWERSHELL_LINE = /(?<=^[\da-f]{16} .{47}) .{0,16}\s*$/gim

/** Replaces such a heading with blanks, so that each character stays at its index. */
function withoutHeading(text: string): string {
  let end = 0
  for (const line of text.split('\n', MOST_ABOVE)) {
    const content = line.slice(0, LONGEST_HEADING).trim()
    if (COLUMNS.test(content)) {
      const heading = text.slice(0, end + line.length)
      if (!OFFSET_BELOW.test(text.slice(heading.length, heading.length + LONGEST_HEADING))) return text
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

/** The lines and columns of the table in which Netty shows bytes. */
const TABLE_LINE = /^ *(?:\+-[-+]+\+|\|(?: {1,2}[\da-f]){16} \|) *$/gim
/** `READ: 4B`: 4 bytes, not 0x4b. */
const TABLE_SIZE = /(?<=(?:READ|WRITE): )\d+B$/gm
const TABLE_OFFSET = /^\|([\da-f]{8})\| (?=[\da-f]{2} )/gim

/** Makes a dump with offsets of such a table, in which each character stays at its index. */
function withoutTable(text: string): string {
  const rows = text.replace(TABLE_OFFSET, ' $1  ')
  return rows === text ? text : rows.replace(TABLE_LINE, blanks).replace(TABLE_SIZE, blanks)
}

/** Blanks for a text. Line breaks stay. */
function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** Markdown's inline code: one line between backticks. */
const INLINE_CODE = /^(\s*)`([^`\n]+)`(\s*)$/

function read(pasted: string): Readings {
  const text = withoutHeading(withoutTable(pasted.replace(INLINE_CODE, '$1 $2 $3')))
  if (text.trim() === '') throw unreadable('it is empty')
  if (isCaptureText(text.trim())) throw unreadable(CAPTURE)
  if (!FENCE.test(text) && EXPLANATION.test(text))
    throw unreadable('it is the explanation of a packet: use the bytes that were explained')
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
  return (
    readBlocks(text) ?? readLines(text, problem) ?? checked(text, readWords(text)) ?? refuse(text, problem)
  )
}

/** Reads a text that consists of a single form. */
function readWhole(text: string): Readings | undefined {
  return readForm(text, traces) ?? alone(readForm(text, forms))
}

function readForm(text: string, candidates: readonly Form[]): Readings | undefined {
  for (const { name, recognises, read } of candidates) {
    const found = recognises(text) ? read(text) : undefined
    if (found === undefined) continue
    return found instanceof Uint8Array ? { readings: [{ form: name, bytes: found, ignored: [] }] } : found
  }
  return undefined
}

function alone(found: Readings | undefined): Readings | undefined {
  return found && { ...found, readings: found.readings.map((reading) => ({ ...reading, isAlone: true })) }
}

/** The heading above the rows of an explanation. */
const EXPLANATION = /^ *byte +hex +field /m

/** A row of a dump, whatever its bytes are. */
const ROW = /^\s*[\da-f]{4,8}:?\s+[\da-f]{4}\s/im

/** Reads the blocks of code in Markdown, and ignores the text around them. */
function readBlocks(text: string): Readings | undefined {
  const blocks: string[][] = []
  const outside: string[] = []
  let isInside = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      isInside = !isInside
      if (isInside) blocks.push([])
      // Some programs write the text into the line of the fence.
      outside.push(line.replace(FENCE, ''))
    } else (isInside ? blocks.at(-1)! : outside).push(line)
  }
  if (blocks.length === 0) return undefined
  let size = 0
  const found = blocks.flatMap((block) => {
    // A few characters with `*` stand for megabytes.
    if (size > MOST_BYTES) throw unreadable('its blocks have more than 16 MB')
    const inside = block.join('\n')
    // A report of the page has the bytes in a block of their own.
    if (EXPLANATION.test(inside)) return []
    try {
      const readings = inside.trim() === '' ? undefined : (readWhole(inside) ?? readLines(inside))
      for (const { bytes } of readings?.readings ?? []) size += bytes.length
      if (readings === undefined && blocks.length > 1 && holdsBytes(inside))
        throw unreadable('a block may have bytes that are not readable')
      if (readings === undefined) return []
      return [readings]
    } catch (error) {
      // If one block contains other code, the bytes in the next block can still be read.
      const isCode =
        error instanceof Unreadable &&
        error.position === undefined &&
        !areDigits(inside.trim()) &&
        !ROW.test(inside) &&
        !holdsBytes(inside)
      if (isCode && blocks.length > 1) return []
      throw error
    }
  })
  const [first] = found
  if (first === undefined) return undefined
  // Even a quotation from the block may be the beginning of another packet.
  if (codeHoldsBytes(outside.join('\n'))) throw unreadable('it has bytes before or after a block, too')
  const ignored = [
    blocks.length > found.length
      ? 'the text around the block, and other blocks'
      : 'the text around the block',
  ]
  const readings = found.flatMap((one) =>
    one.readings.map((each) => ({
      ...each,
      isAlone: false,
      isCounted: false,
      ignored: [...ignored, ...each.ignored],
    })),
  )
  return found.length === 1 ? { ...first, readings } : { readings }
}

/** Reads a log whose lines have bytes. A fault of the whole text is a fault of its lines, too. */
function readLines(text: string, problem?: Unreadable): Readings | undefined {
  try {
    return checked(text, readLog(text))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    if (error.isMaybeLog) return undefined
    throw problem === undefined || error.position === undefined
      ? error
      : unreadable(problem.message, error.position, error.isDigit)
  }
}

/** @throws Unreadable if the readings of a text are of code that may change the bytes */
function checked(text: string, readings: Readings | undefined): Readings | undefined {
  if (readings !== undefined) checkVariables(text)
  return readings
}

/** @throws Unreadable if a text has such a word, and no other that may be meant */
function checkDamagedHex(text: string): void {
  const [word, ...others] = text.matchAll(new RegExp(DAMAGED_HEX, 'gi'))
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
  [/^[> ]*(?:\$\d+ = |(?:\$?\w+ = )?0x[\da-f]+ <[^>\n]+>:?\s)"/m, OF_GDB],
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
