import { Buffer } from 'buffer'
import { chains, packetEnds } from '../further-packets.ts'
import { groupsOf } from '../groups.ts'
import { IN_HEX } from './arrays.ts'
import { checkBeginning } from './beginning.ts'
import { AFTER_BLANK_LINE, areDigits, bytesFromDigits } from './digits.ts'
import { lineOf } from './dumps.ts'
import { evidenceOf } from './evidence.ts'
import { simpleForms } from './forms.ts'
import { hasPackets } from './held-bytes.ts'
import { connectionsOf } from './log-connections.ts'
import { beginsConnect } from './looks-like-packet.ts'
import { checkOneStream, sidesOf } from './one-stream.ts'
import { type Direction, type Reading, type Readings, readingsOfParts } from './paste.ts'
import { readRow } from './row.ts'
import { attempt, maybeLog, Unreadable, unreadable } from './unreadable.ts'

/** A line with bytes, without the text before them. */
export interface LogRow {
  readonly body: string
  readonly label: string
  readonly direction: Direction | undefined
  /** The text in front of the bytes, with the name of the file. */
  readonly before: string
  /** The number of bytes that this text names, or that the line before names if the row has no text of its own. */
  readonly size: number
  readonly isAfterBlank: boolean
  /** The line before rows that have no text of their own, if it ends with a colon. */
  readonly heading: string
  /** The number of interruptions before the row. Rows that belong together have the same number. */
  readonly block: number
  /** The number of lines before the row that may stand for bytes. */
  readonly masks: number
  /** The row's index. */
  readonly index: number
}

const MAY_BE_REST = 'a packet has no end, which may be in the lines that begin in another way'

/** The beginning of the key of rows that have neither a beginning nor a direction. */
const NO_LABEL = ': \n'

/** The readings of rows. If rows that are otherwise alike are of several connections, each connection has readings of its own. */
export function readingsOfRows(rows: readonly LogRow[], ignored: readonly string[]): Readings | undefined {
  const withDirections = withArrows(rows)
  const groups = groupsOf(withDirections, keyOf)
  const names = new Map<LogRow, string>()
  let areSeveral = false
  for (const group of groups.values()) {
    const connections = connectionsOf(group.map(({ before }) => before))
    for (const [i, row] of group.entries()) names.set(row, connections[i]!)
    areSeveral ||= new Set(connections).size > 1
  }
  if (!areSeveral) return readingsOfGroups(groups, rows.length, ignored)
  const connections = Array.from(groupsOf(withDirections, (row) => names.get(row)!))
  const readings = connections.flatMap(([name, own], i) => {
    const found = readingsOfGroups(groupsOf(own, keyOf), own.length, ignored)
    if (found === undefined)
      throw unreadable('its lines are of several connections, and some may not be bytes')
    // Several ways to read one connection aren't its two sides.
    if (found.readings.length > 1 && found.readings.some(({ direction }) => direction === undefined))
      throw unreadable('its lines are of several connections, and some can be read in two ways')
    // A name that one line has and others don't have may be damage instead.
    if (found.readings.some(({ bytes }) => !chains(bytes, 0))) throw unreadable(MAY_BE_REST)
    return found.readings.map((reading) => ({
      ...reading,
      form: `${reading.form}, connection ${i + 1}`,
      connection: `${i + 1}: ${name}`,
    }))
  })
  return { readings }
}

/** Rows with the same key are read together. */
function keyOf({ direction, label, heading }: LogRow): string {
  return direction ?? `${label === '' ? NO_LABEL : `: ${label}`}${heading}`
}

/** The readings of one connection's rows: one per direction if all name their sender, otherwise one for each kind of beginning. */
function readingsOfGroups(
  groups: ReadonlyMap<string, readonly LogRow[]>,
  rows: number,
  ignored: readonly string[],
): Readings | undefined {
  const [only] = groups.size === 1 ? recordsIn([...groups.values()][0]!) : []
  const both = groups.size !== 1 || only!.length !== rows ? undefined : ambiguous(only!)
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
  if (all.some(({ label, isNumbers }) => label.startsWith(NO_LABEL) && isNumbers))
    throw unreadable('a line of digits may be the end of the bytes before it')
  checkRest(all)
  checkArrays(all)
  const numbers = all.filter(({ isNumbers }) => isNumbers).flatMap((group) => group.rows)
  if (hasPackets(numbers.map(({ before, body }) => `${before}${body}`).join('\n')))
    throw unreadable('lines of digits may be packets, too')
  for (const { label, direction, found, bytes, isNumbers, rows: own } of all) {
    // `length: 14`
    if (isNumbers) continue
    const isDump = found.some(({ form }) => form === 'a dump' || form.startsWith('memory'))
    // An offset may be before the bytes of a dump.
    const lines = isDump ? own.map(({ before }) => ({ before, body: '' })) : own
    checkBeginning(lines, bytes, found[0]!.bytes.length)
    if (direction !== undefined) {
      for (const { at, bytes: own } of found) parts.push({ direction, bytes: own, at })
    } else if (isDump && found.length > 1) {
      for (const [i, record] of found.entries()) {
        readings.push({ form: `dump ${i + 1} of ${found.length}`, bytes: record.bytes, ignored })
      }
    } else {
      const form = label.startsWith(NO_LABEL) ? 'lines of bytes' : 'lines of a log'
      const sides = rows > 1 ? sidesOf(bytes) : undefined
      if (sides !== undefined && groups.size === 1) return readingsOfParts(form, sides, ignored)
      // Whole packets under lines such as `$ xxd -p a.bin` may be anybody's.
      const areApart = found.length > 1 && own.every(({ before }) => before.trim() === '')
      if (areApart && found.every((record) => chains(record.bytes, 0))) {
        for (const [i, record] of found.entries())
          readings.push({ form: `${form}, part ${i + 1} of ${found.length}`, bytes: record.bytes, ignored })
      } else {
        if (rows > 1) checkOneStream(bytes)
        readings.push({ form, bytes, ignored })
      }
    }
  }
  if (parts.length === 0) return readings.length === 0 ? undefined : { readings }
  const stream = readingsOfParts(
    'lines of a log',
    parts.sort((a, b) => a.at - b.at),
    ignored,
  )
  for (const { bytes } of stream.readings) checkOneStream(bytes)
  return readings.length === 0 ? stream : { readings: [...stream.readings, ...readings] }
}

/** @throws Unreadable if bytes lack the rest of a packet, and lines that begin in another way may have it */
function checkRest(all: readonly Group[]): void {
  const isCut = all.some(({ isNumbers, bytes }) => !isNumbers && !chains(bytes, 0))
  if (isCut && all.length > 1 && all.some(({ direction }) => direction === undefined))
    throw unreadable(MAY_BE_REST)
}

/** Not only zeros, which are bytes of hex as well. */
const IN_BINARY = /^(?=.*1)\s*(?:(?:0b)?(?:[01]{8}|[01]{4} [01]{4})[\s,]*){2,}$/

/** The rows with the same beginning, or of the same direction. */
interface Group {
  readonly rows: readonly LogRow[]
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

/** More than a number or a date. */
const SEVERAL = /\S[\s,;:]+\S|[>\])}][<[({]|\$[\da-f]{1,2}\$|(?:[\da-f]{2}-){3}|^\s*(?:[\\%"'$]|b["'])/i

function groupOf(label: string, own: readonly LogRow[]): Group {
  const { direction } = own[0]!
  const bodies = own.map(({ body }) => body)
  const areNumbers = bodies.every((body) => !SEVERAL.test(body))
  const group = { rows: own, label, direction, areNumbers }
  if (bodies.some((body) => IN_BINARY.test(body)))
    throw unreadable('a line may be binary digits: write it in hex')
  const records = recordsIn(own)
  let found: Group['found']
  try {
    found = records.map((record) => ({ at: record[0]!.index, ...readRecord(record) }))
    checkForms(found)
  } catch (problem) {
    if (!(problem instanceof Unreadable && areNumbers)) throw problem
    // Logs are full of numbers, so they count only if other lines have bytes.
    return { ...group, found: [], bytes: Buffer.alloc(0), isEvident: false, isNumbers: true, problem }
  }
  const bytes = Buffer.concat(found.map((record) => record.bytes))
  if (isBroken(records, found, bytes))
    throw unreadable('a line between the bytes of a packet may stand for more of them')
  const isEvident = evidenceOf(bytes, bodies, direction !== undefined)
  const isNumbers = !isEvident && direction === undefined && areNumbers
  if (!isNumbers && !chains(bytes, 0)) checkComplete(own)
  return { ...group, found, bytes, isEvident, isNumbers, problem: undefined }
}

/** True if a line that may stand for bytes is within a packet. */
function isBroken(records: readonly (readonly LogRow[])[], found: Group['found'], bytes: Buffer): boolean {
  const ends = new Set(packetEnds(bytes, 0))
  let end = 0
  return records.some((record, i) => {
    const isInterrupted = i > 0 && record[0]!.masks !== records[i - 1]!.at(-1)!.masks && !ends.has(end)
    end += found[i]!.bytes.length
    return isInterrupted
  })
}

/** What programs write in front of bytes of which they show only the first: `Payload […]: `, `data (truncated): `, `first 40 bytes: ` */
const CUT_SHORT = /…|\.\.\.|\btruncated\b|\bfirst \d/i

/**
 * @throws Unreadable if rows may have lost bytes: they name more than they have, or an empty line is in the place of another one; or if they
 *   have a second CONNECT, which the first one seems to contain because its length is wrong
 */
function checkComplete(rows: readonly LogRow[]): void {
  checkSizes(rows)
  if (rows.some(({ before }) => CUT_SHORT.test(before))) throw unreadable('bytes have been left out of it')
  const connects = rows.filter((row) =>
    beginsConnect(attempt(() => readRecord([row]).bytes) ?? Buffer.alloc(0)),
  )
  if (connects.length > 1) throw unreadable('it has the packets of several connections')
  if (rows.some(({ label, isAfterBlank }, i) => i > 0 && label === '' && isAfterBlank))
    throw unreadable(AFTER_BLANK_LINE)
}

/** @throws Unreadable if a row names more bytes than it has, and those after it, up to one that names another size, haven't exactly the rest */
function checkSizes(rows: readonly LogRow[]): void {
  let due = 0
  let last = 0
  for (const row of rows) {
    const own = sizeOf(row) ?? 0
    const isRest = due > 0 && (row.size === last || row.label === '')
    due = isRest ? due - own : due > 0 ? -1 : Math.max(row.size - own, 0)
    if (due < 0) break
    if (!isRest) last = row.size
  }
  if (due !== 0) throw unreadable('a line says that it has more bytes')
}

/** Beginnings that tell the direction only in pairs: `>` alone may be a quotation, and `->` the sign after a time. */
const pairs: readonly (readonly [sent: RegExp, received: RegExp])[] = [
  [/^>$/, /^<$/],
  [/^[-=]+>$/, /^<[-=]+$/],
  [/^(?:c|client|device|esp\w*)\s*:$/i, /^(?:s|server|b|broker)\s*:$/i],
]

/** The rows with their directions, if both beginnings of a pair are there. */
function withArrows(rows: readonly LogRow[]): readonly LogRow[] {
  const pair = pairs.find((both) => both.every((one) => rows.some(({ label }) => one.test(label))))
  if (pair === undefined) return rows
  const [sent, received] = pair
  const directionIn = (label: string): Direction | undefined =>
    sent.test(label) ? 'sent' : received.test(label) ? 'received' : undefined
  return rows.map((row) => ({ ...row, direction: row.direction ?? directionIn(row.label) }))
}

/** The number of bytes in a row; `undefined` if it can't be read alone. */
function sizeOf(row: LogRow): number | undefined {
  return attempt(() => readRecord([row]).bytes.length)
}

function isFirstOffset(offset = ''): boolean {
  return /^0+$/.test(offset)
}

/** Groups of rows that are read as one: a dump up to the next offset 0, or consecutive rows. */
function recordsIn(rows: readonly LogRow[]): LogRow[][] {
  const records: LogRow[][] = []
  let last: LogRow | undefined
  for (const row of rows) {
    const line = lineOf(row.body, 1)
    const offset = line?.offset ?? ''
    const isNext = last !== undefined && last.block === row.block && last.index + 1 === row.index
    // A line between addresses may be the heading of another packet, and an offset alone may be a packet of four bytes.
    const mayBeFirst = line?.rest === '' || /^\s*0x[\da-f]{6,}/i.test(row.body)
    const isOffset = offset !== '' && (last?.block === row.block || !mayBeFirst)
    const isNew = last === undefined || isFirstOffset(offset) || (!isOffset && !isNext)
    if (isNew) records.push([row])
    else records.at(-1)!.push(row)
    last = row
  }
  return records
}

/** The readings of numbers that may be decimal or hex. */
function ambiguous(rows: readonly LogRow[]): readonly Reading[] | undefined {
  const text = rows.map(({ body }) => body).join('\n')
  const { readings = [] } = (areDigits(text) && attempt(() => bytesFromDigits(text))) || {}
  const { direction } = rows[0]!
  const isEvident = readings.some(({ bytes }) => evidenceOf(bytes, [text], direction !== undefined))
  return readings.length > 1 && isEvident ? readings : undefined
}

/** @throws Unreadable if the same digits may be hex in the array of one line, and decimal in that of another */
function checkArrays(all: readonly Group[]): void {
  const forms = new Set(all.flatMap(({ found }) => found.map(({ form }) => form)))
  if (forms.has(IN_HEX) && forms.has('an array')) throw unreadable('its lines are in different forms')
}

/** @throws Unreadable if lines of one kind are in different forms: one of them may be a number, and digits may be hex or decimal */
function checkForms(found: readonly { readonly form: string }[]): void {
  const forms = new Set(found.map(({ form }) => form.replace(/^hex.*/, 'hex')))
  if (forms.size > 1) throw unreadable('its lines are in different forms')
}

/** @throws Unreadable if the lines are readable one by one, but not together */
function readRecord(rows: readonly LogRow[]): { form: string; bytes: Buffer } {
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
    if (found.readings.length > 1) throw unreadable('its numbers can be read in two ways')
    return found.readings[0]!
  }
  if (rows.length === 1) throw maybeLog('it looks like prose')
  const parts = rows.map((row) => readRecord([row]))
  checkForms(parts)
  return { form: parts[0]!.form, bytes: Buffer.concat(parts.map((part) => part.bytes)) }
}
