import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { areDigits, bytesFromDigits, isDecimalByte } from './digits.ts'
import { lineOf } from './dumps.ts'
import {
  DAMAGED,
  evidenceOf,
  isDamaged,
  mayBeString,
  mayStandForBytes,
  openingOf,
  STRING,
} from './evidence.ts'
import { simpleForms } from './forms.ts'
import { beginningsIn, directionOf, isAddressOfNetwork, isInList, labelOf, withoutTime } from './log-line.ts'
import { type Direction, type Reading, type Readings, readingsOfParts } from './paste.ts'
import { readRow } from './row.ts'
import { hasSigned, isSigned } from './signed.ts'
import { BYTE_ESCAPE, hasBytesInQuotes } from './strings.ts'
import { maybeLog, noDigit, Unreadable, unreadable } from './unreadable.ts'

/** A line with bytes, without the text before them. */
interface Row {
  readonly body: string
  readonly label: string
  readonly direction: Direction | undefined
  /** The number of interruptions before the row. Rows that belong together have the same number. */
  readonly block: number
  /** The row's index. */
  readonly index: number
}

/**
 * Bytes from the lines of a log. The text before the bytes of a line must end with a sign, such as a colon. Lines without bytes
 * are left out. If anything looks like bytes and can't be read, the whole text is unreadable, so that no bytes are left out.
 *
 * @throws Unreadable if a line has bytes and something else, or if bytes have been left out of the log
 */
export function readLog(text: string): Readings | undefined {
  const rows: Row[] = []
  let begun = 0
  const left: { line: string; start: number }[] = []
  /** Lines with bytes behind something that may be bytes as well. */
  const unclear: (Unclear & { start: number })[] = []
  let block = 0
  let heading: Direction | undefined
  let start = 0
  for (const line of text.split('\n')) {
    const row = rowIn(line)
    if (row !== undefined && !isUnclear(row)) {
      if (row.label !== '') begun++
      rows.push({
        ...row,
        direction: row.direction ?? (row.label === '' ? heading : undefined),
        block,
        index: rows.length,
      })
    } else if (line.trim() !== '') {
      checkNoBytes(line, start, rows)
      if (row !== undefined) unclear.push({ ...row, start })
      left.push({ line, start })
      block++
      heading = directionOf(line)
    }
    start += line.length + 1
  }
  // If other lines have bytes, the numbers in such a line may be bytes too.
  if (rows.length > 0) for (const { line, start: at } of left) checkNoBytes(line, at, rows)
  const labels = new Set(rows.map(({ label }) => label))
  const brackets = new Set(rows.map(({ body, label }) => openingOf(`${label} ${body}`)))
  const damaged = left.find((one) => isDamaged(one.line, labels, brackets))
  if (damaged !== undefined)
    throw unreadable('a line has no bytes, but begins as those with bytes do', damaged.start)
  const doubtful = unclear.find(
    (one) => !one.isNumber || one.labels.some((label) => label !== '' && labels.has(label)),
  )
  if (rows.length > 0 && doubtful !== undefined)
    throw unreadable('a line has bytes, and something that is not clear', doubtful.start)
  const areSigned = rows.some(({ body }) => isSigned(body) || /^\s*\\/.test(body))
  const signed = areSigned ? left.find(({ line }) => hasSigned(line) || BYTE_ESCAPE.test(line)) : undefined
  if (signed !== undefined) throw unreadable('a line has bytes, and something else', signed.start)
  const string = rows.length === 0 ? undefined : left.find(({ line }) => hasBytesInQuotes(line))
  if (string !== undefined) throw unreadable('the bytes in quotes in a line are not readable', string.start)
  const ofStrings = new Set(rows.flatMap(({ body, label }) => (STRING.test(body) ? [label] : [])))
  const plain = ofStrings.size === 0 ? undefined : left.find(({ line }) => mayBeString(line, ofStrings))
  if (plain !== undefined)
    throw unreadable('a line has a string without escapes, which may be bytes', plain.start)
  const bracket = rows.length === 0 ? undefined : left.find(({ line }) => /[[({]\s*$/.test(line))
  if (bracket !== undefined)
    throw unreadable('it has a part of an array, or more than an array', bracket.start)
  const ignored: string[] = []
  if (begun > 0) ignored.push(begun === 1 ? 'the beginning of a line' : `the beginnings of ${begun} lines`)
  if (left.length > 0)
    ignored.push(left.length === 1 ? 'a line without bytes' : `${left.length} lines without bytes`)
  const found = rows.length === 0 ? undefined : readingsOfRows(rows, ignored)
  const isCut = found?.readings.some(({ bytes }) => !chains(bytes, 0)) === true
  const lost = left.find(({ line }) => mayStandForBytes(line, isCut))
  if (found !== undefined && lost !== undefined) throw unreadable('a line may have more bytes', lost.start)
  return found
}

/** A line with bytes that can't be read. */
interface Unclear {
  /** The possible texts before the bytes. */
  readonly labels: readonly string[]
  /** True if the line counts only if it begins like a line with bytes, because a single number may be anything. */
  readonly isNumber: boolean
}

const isUnclear = (row: object): row is Unclear => Object.hasOwn(row, 'isNumber')

/** The bytes of a line, from the first possible place on. */
function rowIn(line: string): Pick<Row, 'body' | 'label' | 'direction'> | Unclear | undefined {
  const whole = line.replace(/\p{Cc}?\[\d{0,3}(?:;\d{1,3})*m/gu, '').trimEnd()
  const unread: string[] = []
  for (const at of beginningsIn(whole)) {
    const body = whole.slice(at)
    const readable = isRow(body)
    if (readable === undefined && at > 0) unread.push(labelOf(whole.slice(0, at)))
    if (!readable) continue
    const before = whole.slice(0, at)
    const label = labelOf(before)
    if (isAddressOfNetwork(before, body)) return undefined
    if (mayHaveBytes(before) || (isSigned(body) && hasSigned(before)) || isInList(before, body))
      return { labels: [label], isNumber: /^\w{1,3}$/.test(body) }
    return { body, label, direction: directionOf(before) }
  }
  return unread.length > 0 ? { labels: unread, isNumber: true } : undefined
}

const BYTE_AND_SIGN = /(?:^\s*|[^\w\s]\s+|\b[\da-f]{2}\s+)(?:0x)?[\da-f]{2}\s*[^\w\s]{1,2}\s*$/i

/** True if there may be bytes in front of the seemingly first bytes of a line: `10 > 0c`, but not `length 10: 0c`. */
function mayHaveBytes(before: string): boolean {
  if (BYTE_AND_SIGN.test(withoutTime(before))) return true
  return /\\[x\d]|[[{(<]\s*(?:0x[\da-f]+|\d+)\s*,/i.test(before) || pairsIn(before) !== undefined
}

/** True if a text is the bytes of one line; `undefined` if it's in the form of bytes, but unreadable. */
function isRow(body: string): boolean | undefined {
  // A log may have one byte in each line.
  if (/^(?:[\da-f]{1,2}|\d{1,3})$/i.test(body)) return true
  if (isSigned(body) && body.trim().length > '[10]'.length) return true
  const line = lineOf(body, 1)
  if (line !== undefined && line.rest !== '')
    return readRow(line.rest, line.hasColon) === undefined ? undefined : true
  if (readRow(body.trimStart(), false)?.hasText) return true
  let isUnreadable = false
  for (const { name, recognises, read } of simpleForms) {
    if (name === 'a dump' || !recognises(body)) continue
    try {
      if (read(body) !== undefined) return true
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      isUnreadable ||= !error.isMaybeLog
    }
  }
  return isUnreadable ? undefined : false
}

/** The characters of a line of bytes, as `od -c` writes them. */
const CHARACTERS = /^(?:\s+(?:\\[0abtnvfr]|[0-3][0-7]{2}|\S))+\s*$/

const STAR = 'it is a dump without offsets, in which * stands for any number of lines: print it again with -v'

/** @throws Unreadable if a line without a row may have bytes, or stands for some */
function checkNoBytes(line: string, start: number, rows: readonly Row[]): void {
  // Some of these lines consist of digits only, so they would pass for bytes.
  if (rows.length > 0 && CHARACTERS.test(line) && /\\/.test(line))
    throw unreadable('it is bytes and their characters below them: use od -t x1', start)
  const has = (pattern: RegExp): boolean =>
    beginningsIn(line).some((at) => pattern.test(line.slice(at).trim()))
  if (rows.length > 0 && has(/^\*$/)) throw unreadable(STAR, start)
  if (rows.length > 0 && has(/^(?:\.{3,}|…|\[?(?:truncated|snip\w*|cut)\]?)$/i))
    throw unreadable('bytes have been left out of it', start)
  const found = pairsIn(line, rows.length === 0)
  if (found !== undefined) throw noDigit(start + found)
}

const PAIR = /^(?:0x)?[\da-f]{2}$/i

/** A word such as `c1` is a byte only among others. */
const FEWEST_PAIRS = 3

/**
 * The index of the first token that isn't a byte, in a line with at least two consecutive bytes, one of which may be damaged.
 *
 * @param isAlone true if no other line has bytes
 */
function pairsIn(line: string, isAlone = false): number | undefined {
  const tokens = Array.from(line.matchAll(/[^\s,;]+/g), (match) => ({ text: match[0], at: match.index }))
  const decimal = tokens.findIndex(({ text }) => isDecimalByte(text))
  const isHex = tokens.some(({ text }) => /^(?:0[\da-f]|[a-f][\da-f]|\d[a-f])$/i.test(text))
  if (!isHex && tokens.filter(({ text }) => isDecimalByte(text)).length > tokens.length / 2) {
    const wrong = tokens.find(({ text }, i) => i > decimal && !/^\d{1,3}[\])}]*$/.test(text))
    if (wrong !== undefined) return wrong.at + wrong.text.search(/\D/)
  }
  const arePairs = tokens.map(({ text }) => PAIR.test(text))
  const first = arePairs.findIndex((isPair, i) => {
    const [before, after] = [tokens[i - 1]?.text ?? '', tokens[i + 1]?.text ?? '']
    return isPair && (PAIR.test(after) || DAMAGED.test(after) || DAMAGED.test(before))
  })
  if (first < 0 || (isAlone && arePairs.filter(Boolean).length < FEWEST_PAIRS)) return undefined
  const start = DAMAGED.test(tokens[first - 1]?.text ?? '') ? first - 1 : first
  const found = arePairs.indexOf(false, start)
  // If nothing after the bytes is wrong, something before them is.
  if (found < 0) return tokens[Math.max(start - 1, 0)]!.at
  const { text, at } = tokens[found]!
  return at + Math.max(text.search(/(?!(?<=^0)x.)[^\da-f]/i), 0)
}

/** The key of rows that have neither a beginning nor a direction. */
const NO_LABEL = ': '

/** The readings of rows: one per direction if all rows name their sender, otherwise one for each kind of beginning. */
function readingsOfRows(rows: readonly Row[], ignored: readonly string[]): Readings | undefined {
  const groups = new Map<string, Row[]>()
  for (const row of withArrows(rows)) {
    const key = row.direction ?? `${NO_LABEL}${row.label}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  const [only] = groups.size === 1 ? recordsIn([...groups.values()][0]!) : []
  const both = groups.size !== 1 || only!.length !== rows.length ? undefined : ambiguous(only!)
  if (both !== undefined) return { readings: both.map((reading) => ({ ...reading, ignored })) }
  const parts: { direction: Direction; bytes: Buffer; at: number }[] = []
  const readings: Reading[] = []
  const all = Array.from(groups, ([label, own]) => groupOf(label, own))
  if (!all.some(({ isEvident }) => isEvident)) return undefined
  // Next to lines of several bytes, `id: 7` is a number. Next to lines of one byte each, it may be one of them that is damaged.
  const areSingle = all.some(({ isEvident, areNumbers }) => isEvident && areNumbers)
  const unread = all.find(
    ({ problem, direction }) => problem !== undefined && (areSingle || direction !== undefined),
  )
  if (unread !== undefined) throw unread.problem
  if (all.some(({ label, isNumbers }) => label === NO_LABEL && isNumbers))
    throw unreadable('a line of digits may be the end of the bytes before it')
  for (const { label, direction, found, bytes, isNumbers } of all) {
    // `length: 14`
    if (isNumbers) continue
    const isDump = found.some(({ form }) => form === 'a dump')
    if (direction !== undefined) {
      for (const { at, bytes: own } of found) parts.push({ direction, bytes: own, at })
    } else if (isDump && found.length > 1) {
      for (const [i, record] of found.entries()) {
        readings.push({ form: `dump ${i + 1} of ${found.length}`, bytes: record.bytes, ignored })
      }
    } else {
      const form = label === NO_LABEL ? 'lines of bytes' : 'lines of a log'
      readings.push({ form, bytes, ignored })
    }
  }
  if (parts.length === 0) return readings.length === 0 ? undefined : { readings }
  const stream = readingsOfParts(
    'lines of a log',
    parts.sort((a, b) => a.at - b.at),
    ignored,
  )
  return readings.length === 0 ? stream : { readings: [...stream.readings, ...readings] }
}

/** The rows with the same beginning, or of the same direction. */
interface Group {
  readonly label: string
  readonly direction: Direction | undefined
  readonly found: readonly { readonly at: number; readonly form: string; readonly bytes: Buffer }[]
  readonly bytes: Buffer
  /** True if these are certainly bytes. */
  readonly isEvident: boolean
  /** True if each line has a single number. */
  readonly areNumbers: boolean
  /** True if these are numbers, and nothing says that somebody has sent them. */
  readonly isNumbers: boolean
  /** The reason why such numbers can't be bytes. */
  readonly problem: Unreadable | undefined
}

function groupOf(label: string, own: readonly Row[]): Group {
  const { direction } = own[0]!
  const bodies = own.map(({ body }) => body)
  const areNumbers = bodies.every((body) => !/\S[\s,;:]+\S|^\s*(?:[\\%"'$]|b["'])/.test(body))
  try {
    const found = recordsIn(own).map((record) => ({ at: record[0]!.index, ...readRecord(record) }))
    checkForms(found)
    const bytes = Buffer.concat(found.map((record) => record.bytes))
    const isEvident = evidenceOf(bytes, bodies, direction !== undefined)
    return {
      label,
      direction,
      found,
      bytes,
      isEvident,
      areNumbers,
      isNumbers: !isEvident && direction === undefined && areNumbers,
      problem: undefined,
    }
  } catch (problem) {
    if (!(problem instanceof Unreadable && areNumbers)) throw problem
    // Logs are full of numbers, so they count only if other lines have bytes.
    const none = { found: [], bytes: Buffer.alloc(0), isEvident: false }
    return { label, direction, ...none, areNumbers, isNumbers: true, problem }
  }
}

/** Beginnings that tell the direction only in pairs: `>` alone may be a quotation, and `->` the sign after a time. */
const pairs: readonly (readonly [sent: RegExp, received: RegExp])[] = [
  [/^>$/, /^<$/],
  [/^[-=]+>$/, /^<[-=]+$/],
  [/^(?:c|client|device|esp\w*)\s*:$/i, /^(?:s|server|b|broker)\s*:$/i],
]

/** The rows with their directions, if both beginnings of a pair are there. */
function withArrows(rows: readonly Row[]): readonly Row[] {
  const pair = pairs.find((both) => both.every((one) => rows.some(({ label }) => one.test(label))))
  if (pair === undefined) return rows
  const [sent, received] = pair
  const directionIn = (label: string): Direction | undefined =>
    sent.test(label) ? 'sent' : received.test(label) ? 'received' : undefined
  return rows.map((row) => ({ ...row, direction: row.direction ?? directionIn(row.label) }))
}

/** Groups of rows that are read as one: a dump up to the next offset 0, or consecutive rows. */
function recordsIn(rows: readonly Row[]): Row[][] {
  const records: Row[][] = []
  let last: Row | undefined
  for (const row of rows) {
    const offset = lineOf(row.body, 1)?.offset ?? ''
    const isNext = last !== undefined && last.block === row.block && last.index + 1 === row.index
    // A line between addresses may be the heading of another packet.
    const isOffset = offset !== '' && (last?.block === row.block || !/^\s*0x[\da-f]{6,}/i.test(row.body))
    const isNew = last === undefined || /^0+$/.test(offset) || (!isOffset && !isNext)
    if (isNew) records.push([row])
    else records.at(-1)!.push(row)
    last = row
  }
  return records
}

/** The readings of numbers that may be decimal or hex. */
function ambiguous(rows: readonly Row[]): readonly Reading[] | undefined {
  const text = rows.map(({ body }) => body).join('\n')
  const readings = areDigits(text) ? readingsOfDigits(text) : []
  const { direction } = rows[0]!
  const isEvident = readings.some(({ bytes }) => evidenceOf(bytes, [text], direction !== undefined))
  return readings.length > 1 && isEvident ? readings : undefined
}

function readingsOfDigits(text: string): readonly Reading[] {
  try {
    return bytesFromDigits(text)?.readings ?? []
  } catch (error) {
    if (error instanceof Unreadable) return []
    throw error
  }
}

/** @throws Unreadable if lines of one kind are in different forms: one of them may be a number, and digits may be hex or decimal */
function checkForms(found: readonly { readonly form: string }[]): void {
  const forms = new Set(found.map(({ form }) => form.replace(/^hex.*/, 'hex')))
  if (forms.size > 1) throw unreadable('its lines are in different forms')
}

/** @throws Unreadable if the lines are readable one by one, but not together */
function readRecord(rows: readonly Row[]): { form: string; bytes: Buffer } {
  const text = rows.map(({ body }) => body).join('\n')
  const withText = rows.map(({ body }) =>
    lineOf(body, 1) === undefined ? readRow(body.trimStart(), false) : undefined,
  )
  if (withText.every((row) => row?.hasText))
    return { form: 'hex', bytes: Buffer.concat(withText.map((row) => row!.bytes)) }
  // The text beside the bytes of a line may look like bytes.
  if (withText.some((row) => row?.hasText))
    throw unreadable('the bytes of a line have no text beside them, or not theirs')
  for (const { name, recognises, read } of simpleForms) {
    const found = recognises(text) ? read(text) : undefined
    if (found === undefined) continue
    if (found instanceof Uint8Array) return { form: name, bytes: found }
    if (found.readings.length > 1) throw unreadable('its numbers may be decimal or hex')
    return found.readings[0]!
  }
  if (rows.length === 1) throw maybeLog('it looks like prose')
  const parts = rows.map((row) => readRecord([row]))
  checkForms(parts)
  return { form: parts[0]!.form, bytes: Buffer.concat(parts.map((part) => part.bytes)) }
}
