import type { Direction } from './paste.ts'

/** The maximum number of places in a line to try. */
const MOST_BEGINNINGS = 12

/** The sign between a log's text and the bytes, or the space before a string, a Buffer, a list of numbers, or an offset. */
const SIGN =
  /[\s>+|](?=(?:0x)?[\da-f]{4,16}(?: <[^<>\n]{0,200}>)?:\s+(?:0x)?[\da-f]{2})|[:=>|)\]→←<$#-]\s+|(?:>>|<<|[:=])(?=[\d<[{"'b\\*]|[a-f][\da-f](?:[\da-f]{2})*(?!\w))|\s(?=b["']|<Buffer\b|\\x|"\\|\[-?\d{1,3}(?:,? -?\d{1,3}){3})/gi

/** The time at the beginning of a line: a date, a time of day, or seconds, maybe in brackets. */
const TIME =
  /^\s*\[?(?:(?:[A-Z][a-z]{2},? +)?[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: [A-Z]{3,4})?(?: \d{4})?|\d{1,2}[./]\d{1,2}[./]\d{4} \d\d:\d\d:\d\d(?:[.,]\d{1,9})?)\]?(?=\s)\s*|^\s*\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?[0-2]?\d:[0-5]\d:[0-6]\d(?:[.,]\d{1,9}(?:,\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?\]?(?=\s)\s*|^\s*\[\s*\d+\.\d+\]\s*|^\s*[VDIWE] \(\d+\)\s+|^\s*\d+\.\d{3,}\s+/

/** Words of a log that name the sender of the following bytes. */
const SENT =
  /\b(?:tx|sent|send|sending|sends|write|wrote|writing|written|out|outgoing|transmit\w*)\b|>>+|→|-{2,9}>/i
const RECEIVED =
  /\b(?:rx|recv|received|receive|receiving|receives|read|in|incoming|got|response|answer)\b|<<+|←|<--+/i

/** The indexes at which the bytes of a line may begin: its start, behind a time, and behind each sign. */
export function beginningsIn(line: string): number[] {
  const found = new Set([line.length - line.trimStart().length])
  const time = TIME.exec(line)?.[0].length ?? 0
  if (time > 0) found.add(time)
  for (const match of line.matchAll(SIGN)) {
    if (found.size >= MOST_BEGINNINGS) break
    // Signs in a time or in an address are part of it.
    if (match.index >= time) found.add(match.index + match[0].length)
  }
  return [...found].sort((a, b) => a - b)
}

/** A line without the marks of a quotation, the name of a container and the time at its beginning. */
export function contentOf(line: string): string {
  return withoutTime(line.replace(/^(?:\s*[>|]|\s*[\w./-]+\s+\|(?=\s))+/, '')).trimStart()
}

/** What follows the time of day in a text that is nothing but a time: a zone, or a year. */
export function endOfTime(before: string): string {
  const [time = ''] = TIME.exec(before) ?? []
  return time === before
    ? before.slice(before.lastIndexOf(':')).replace(/^:[\d.,]+(?: [A-Z]{3,4}(?= \d))?/, '')
    : ''
}

const TIME_OF_DAY = /(?<![\d:.])(\d{1,2}):(\d\d):(\d\d(?:[.,]\d+)?)(?![\d:])/
/** Seconds since 1970, or milliseconds or seconds since the start of a device, as ESP-IDF and Linux print them. */
const CLOCK = /^\s*(?:[VDIWE] \(|\[ *)?(\d+\.\d+|\d{10}|(?<=\()\d+)\b/

/** The time in the text before the bytes of a line, in seconds or milliseconds; `NaN` without one. */
export function clockIn(before: string): number {
  const [, hours, minutes, seconds] = TIME_OF_DAY.exec(before) ?? []
  if (seconds === undefined) return Number(CLOCK.exec(before)?.[1])
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds.replace(',', '.'))
}

/** A line without the time at its beginning. */
export function withoutTime(line: string): string {
  return line.replace(TIME, '')
}

/** `14 bytes`, `len=14` */
export const SIZE: RegExp = /\b(?:len|length|size|bytes?)\b[\s:=(]*\d+|\b\d+\s*(?:bytes?|octets?|B)\b/gi
/** `tx (14): ` */
const SIZE_AT_END = /\(\d+\)\W*$/g

/** The largest number of bytes that a text before bytes names. */
export function sizeIn(before: string): number {
  const sizes = [SIZE, SIZE_AT_END].flatMap((pattern) => before.match(pattern) ?? [])
  return Math.max(0, ...sizes.map((size) => Number(/\d+/.exec(size)![0])))
}

/** The text before the bytes, without its numbers, so that it's the same for all lines of one kind. */
export function labelOf(before: string): string {
  return withoutTime(before)
    .replace(/0x[\da-f]+|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The sender of the following bytes, if exactly one side is named. */
export function directionOf(before: string): Direction | undefined {
  const isSent = SENT.test(withoutTime(before))
  const isReceived = RECEIVED.test(withoutTime(before))
  if (isSent === isReceived) return undefined
  return isSent ? 'sent' : 'received'
}

/** The beginning of a list of bytes with colons: those of Arduino's `print(byte, HEX)` have no leading zeros. */
const LIST = /(?<![^\s:])[\da-f]{1,2}:(?:\S{0,300}:)?$/i
const PADDED_LIST = /(?<![^\s:])[\da-f]{2}:(?:\S{0,300}:)?$/i
/** Such a list behind a sign. A letter may have taken the place of a digit. */
const LIST_AFTER_SIGN = /(?<!\w)(?=\w?\d)\w{2}:(?:\S{0,300}:)?$/

/**
 * True if the bytes may be the rest of a list: a number with 0x after another one, `0x0040 | 0x0002`, but not what follows the address of
 * a debugger; or bytes with colons, maybe after a damaged one, `10:1l:00:04`.
 */
export function isInList(before: string, body: string): boolean {
  if (/^0x/i.test(body) && /0x[\da-f]{1,5}\s*[^\w\s]{1,2}\s*$/i.test(before)) return true
  if (/(?:[\da-f]{2}:){7}/i.test(before)) return true
  const list = /(?:^|:)[\da-f](?::|$)/i.test(body) ? LIST : PADDED_LIST
  const end = before.slice(-400)
  return (
    /^[\da-f]{1,2}(?:[,;]?\s*$|:[\da-f]{1,2})/i.test(body) && (list.test(end) || LIST_AFTER_SIGN.test(end))
  )
}

/** `MAC: aa:bb:cc:dd:ee:ff` */
export function isAddressOfNetwork(before: string, body: string): boolean {
  return (
    /\b(?:mac|bssid|addr(?:ess)?|station|ether\w*|src|dst)\b/i.test(before) &&
    /^[\da-f]{2}(?:[:-][\da-f]{2}){5}\)?$/i.test(body)
  )
}
