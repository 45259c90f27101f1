import { chains } from '../further-packets.ts'
import { isDecimalByte } from './digits.ts'
import { lineOf } from './dumps.ts'
import {
  DAMAGED,
  isDamaged,
  mayBeSide,
  mayBeString,
  mayStandForBytes,
  OMISSION,
  openingOf,
  STRING,
} from './evidence.ts'
import { simpleForms } from './forms.ts'
import { hasPackets, holdsBytes } from './held-bytes.ts'
import { namesIn } from './log-connections.ts'
import {
  beginningsIn,
  clockIn,
  contentOf,
  directionOf,
  isAddressOfNetwork,
  isInList,
  labelOf,
  sizeIn,
  withoutTime,
} from './log-line.ts'
import { type LogRow, readingsOfRows } from './log-rows.ts'
import { isOfMemory } from './memory.ts'
import type { Readings } from './paste.ts'
import { readRow } from './row.ts'
import { hasSigned, isSigned } from './signed.ts'
import { BYTE_ESCAPE } from './strings.ts'
import { noDigit, Unreadable, unreadable } from './unreadable.ts'

/** The beginning of a binary of Erlang, without its end in the same line. */
const BINARY = /<<\d+,[^<>\n]*$/m

/**
 * Bytes from the lines of a log. The text before the bytes of a line must end with a sign, such as a colon. Lines without bytes
 * are left out. If anything looks like bytes and can't be read, the whole text is unreadable, so that no bytes are left out.
 *
 * @throws Unreadable if a line has bytes and something else, or if bytes have been left out of the log
 */
export function readLog(text: string): Readings | undefined {
  const cut = text.search(BINARY)
  if (cut >= 0) throw unreadable('a binary of Erlang does not end in its line', cut)
  const rows: LogRow[] = []
  let begun = 0
  /** True if each line with bytes so far begins with a number, as may each line without bytes. */
  let areNumbered = true
  /** Lines without bytes, each with the row before it. */
  const left: { line: string; start: number; last: LogRow | undefined }[] = []
  /** Lines with bytes behind something that may be bytes as well. */
  const unclear: (Unclear & { start: number })[] = []
  let block = 0
  let masks = 0
  let heading = headingOf('')
  let file = ''
  let isAfterBlank = false
  let start = 0
  for (const line of text.split('\n')) {
    const row = rowIn(line, start)
    if (row !== undefined && !isUnclear(row)) {
      if (row.before.trim() !== '') begun++
      areNumbered &&= row.label.startsWith('#')
      rows.push({
        ...row,
        direction: row.direction ?? heading.direction,
        heading: heading.label,
        before: `${file} ${heading.names}\n${row.before}`,
        size: row.label === '' ? heading.size : sizeIn(row.before),
        isAfterBlank,
        block,
        masks,
        index: rows.length,
      })
    } else if (line.trim() !== '') {
      const last = rows.at(-1)
      checkNoBytes(line, start, last, last !== undefined && !areNumbered, last === undefined)
      if (row !== undefined) unclear.push({ ...row, start })
      left.push({ line, start, last })
      block++
      if (isMask(line) || (last !== undefined && beginsLike(line, last))) masks++
      heading = headingOf(line.trimEnd())
      file = FILE.exec(line.trimEnd())?.[1] ?? file
    }
    isAfterBlank = line.trim() === ''
    start += line.length + 1
  }
  if (rows.length === 0) return undefined
  const refuseIf = (isWrong: (line: string) => boolean, problem: string): void => {
    const wrong = left.find(({ line }) => isWrong(line))
    if (wrong !== undefined) throw unreadable(problem, wrong.start)
  }
  // As other lines have bytes, the numbers in these lines may be bytes too.
  for (const { line, start: at, last } of left) checkNoBytes(line, at, last, !areNumbered)
  // A line may also be one byte of others.
  if (hasPackets(left.map(({ line }) => line).join('\n')))
    throw unreadable(
      'lines without readable bytes have packets, too',
      left.find(({ line }) => hasPackets(line))?.start,
    )
  checkOrder(rows)
  const haveDirections = rows.some(({ direction }) => direction !== undefined)
  if (haveDirections) refuseIf(mayBeSide, 'the bytes of one side in a line are not readable')
  const labels = new Set(rows.map(({ label }) => label))
  const brackets = new Set(rows.map(({ body, label }) => openingOf(`${label} ${body}`)))
  refuseIf(
    (line) => isDamaged(line, labels, brackets, haveDirections),
    'a line has no bytes, but begins as those with bytes do',
  )
  const doubtful = unclear.find(
    (one) =>
      !one.isNumber || one.hasDirection || one.labels.some((label) => label !== '' && labels.has(label)),
  )
  if (doubtful !== undefined)
    throw unreadable('a line has bytes, and something that is not clear', doubtful.start)
  const ofStrings = new Set(rows.flatMap(({ body, label }) => (STRING.test(body) ? [label] : [])))
  if (ofStrings.size > 0)
    refuseIf(
      (line) => mayBeString(line, ofStrings),
      'a line has a string without escapes, which may be bytes',
    )
  refuseIf((line) => /[[({]\s*$/.test(line), 'it has a part of an array, or more than an array')
  const ignored: string[] = []
  if (begun > 0) ignored.push(begun === 1 ? 'the beginning of a line' : `the beginnings of ${begun} lines`)
  if (left.length > 0)
    ignored.push(left.length === 1 ? 'a line without bytes' : `${left.length} lines without bytes`)
  const found = readingsOfRows(rows, ignored)
  if (found === undefined) return undefined
  refuseIf(mayStandForBytes, 'a line may have more bytes')
  if (found.readings.some(({ bytes }) => !chains(bytes, 0))) {
    const areLists = rows.some(({ body }) => /^[[{<]/.test(body.trimStart()))
    const areDumps = rows.some(({ body }) => lineOf(body, 1) !== undefined)
    // Above the offsets of a dump, there may be a heading with their label.
    const hasLabel = (line: string) =>
      beginningsIn(line).some((at) => labels.has(labelOf(line.slice(0, at)) || '-'))
    refuseIf(
      (line) => mayBeRest(line, areLists) || isMask(line) || (!areDumps && hasLabel(line)),
      'a line may have more bytes',
    )
  }
  return found
}

/** What a line says about the rows below it that have no text of their own. */
interface Heading {
  readonly direction: LogRow['direction']
  readonly label: string
  readonly size: number
  /** The names of connections. */
  readonly names: string
}

/** The number of characters of a heading that are compared, because each row below has them. */
const LONGEST_HEADING = 200

function headingOf(whole: string): Heading {
  const line = whole.slice(-LONGEST_HEADING)
  return {
    direction: directionOf(line),
    label: line.endsWith(':') ? labelOf(line) : '',
    size: sizeIn(line),
    names: namesIn(line),
  }
}

/**
 * True if a line without readable bytes may have what a packet lacks: whatever has damaged it has left a digit of it, or the bracket of a
 * list, or a note on repetition.
 */
function mayBeRest(line: string, areLists: boolean): boolean {
  const content = withoutTime(line)
  return /\d|\brepeat|\+=/i.test(content) || (areLists && /[[{<]/.test(content))
}

/** The line in front of a file's lines, as `tail` prints it for several files. */
const FILE = /^==> .{0,1000}?(.{1,200}) <==$/

/** The maximum number of characters before the bytes of a line. It bounds the work, because these texts are compared with each other. */
const LONGEST_BEGINNING = 1000

/** A line with bytes that can't be read. */
interface Unclear {
  /** The possible texts before the bytes. */
  readonly labels: readonly string[]
  /** True if the line counts only if it begins like a line with bytes, or names a sender, because a single number may be anything. */
  readonly isNumber: boolean
  readonly hasDirection: boolean
}

const isUnclear = (row: object): row is Unclear => Object.hasOwn(row, 'isNumber')

/** Colors that have lost their control character. */
const LOST_COLORS = /\[\d{0,3}(?:;\d{1,3})*m/g
/** From the first quote or bar to the last one: a string, or the characters of a dump, in which the same text may be bytes. */
const TEXT = /["'`|].*["'`|]/

function withoutLostColors(line: string): string {
  const found = TEXT.exec(line)
  if (found === null) return line.replace(LOST_COLORS, '')
  const { 0: text, index } = found
  const [before, after] = [line.slice(0, index), line.slice(index + text.length)]
  return before.replace(LOST_COLORS, '') + text + after.replace(LOST_COLORS, '')
}

/**
 * The bytes of a line, from the first possible place on.
 *
 * @throws Unreadable if the text before them is too long
 */
function rowIn(
  line: string,
  start: number,
): Pick<LogRow, 'body' | 'label' | 'direction' | 'before'> | Unclear | undefined {
  const whole = withoutLostColors(line).trimEnd()
  const unread: string[] = []
  let hasDirection = false
  let hasEscapes = false
  for (const at of beginningsIn(whole)) {
    const body = whole.slice(at)
    // The text before a list is no part of it: `tx: [16, 12, 0, 4]`
    if (/^[\w ]{1,40}[:=] ?[[{<]/.test(body)) continue
    const readable = isRow(body)
    if (readable === undefined && at > 0) {
      unread.push(labelOf(whole.slice(0, at)))
      hasEscapes ||= BYTE_ESCAPE.test(body)
      hasDirection ||= directionOf(whole.slice(0, at)) !== undefined
    }
    if (!readable) continue
    const before = whole.slice(0, at)
    if (before.length > LONGEST_BEGINNING) {
      // A number at the end of a long line isn't bytes.
      if (/^\w{1,3}$/.test(body)) return undefined
      throw unreadable(`a line has more than ${LONGEST_BEGINNING} characters before its bytes`, start)
    }
    const label = labelOf(before)
    if (isAddressOfNetwork(before, body)) return undefined
    if (mayHaveBytes(before) || (isSigned(body) && hasSigned(before)) || isInList(before, body))
      return { labels: [label], isNumber: /^\w{1,3}$/.test(body), hasDirection: false }
    return { body, label, direction: directionOf(before), before }
  }
  return unread.length > 0 ? { labels: unread, isNumber: !hasEscapes, hasDirection } : undefined
}

const BYTE_AND_SIGN = /(?:^\s*|[^\w\s]\s+|\b[\da-f]{2}\s+)(?:0x)?[\da-f]{2}\s*[^\w\s]{1,2}\s*$/i

/** True if there may be bytes in front of the seemingly first bytes of a line: `10 > 0c`, but not `length 10: 0c`. */
function mayHaveBytes(before: string): boolean {
  if (BYTE_AND_SIGN.test(withoutTime(before)) || holdsBytes(before)) return true
  return /\\[x\d]|[[{(<]\s*(?:0x[\da-f]+|\d+)\s*,/i.test(before) || pairsIn(before) !== undefined
}

/** True if a text is the bytes of one line; `undefined` if it's in the form of bytes, but unreadable. */
function isRow(body: string): boolean | undefined {
  // A log may have one byte in each line.
  if (/^(?:[\da-f]{1,2}|\d{1,3})$/i.test(body)) return true
  if (isSigned(body) && body.trim().length > '[10]'.length) return true
  // The addresses are compared once all lines are known.
  if (isOfMemory(body)) return true
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

/** What the writers of logs print in the place of lines: `last message repeated 3 times`, `--- 3 messages dropped ---`, `identical 3 lines` */
const LEFT_OUT =
  /\b(?:message|line|above|previous)s? .{0,9}repeat|\brepeated \d+ times|\bidentical \d|\b\d+ (?:identical|similar|more|duplicate)|\(\d+ times\)|\[(?:\d+ lines|repeated)\b|\b(?:\d+ \w* ?(?:messages?|lines?|entries|callbacks)|\d+ duplicates) (?:dropped|lost|suppressed|missed)\b|\b(?:dropped|lost|suppressed|missed) \d+ (?:log )?(?:messages?|lines?|entries)\b/i

/** `xx xx xx`, `** **`, `<redacted>`, `[password removed]`, `-- masked --` */
const MASKED =
  /^(?=.*[x*?#_█.…-]{2}|.*[x*?#] [x*?#])[x\W_]+$|^(?:<[^<>]+>|\[[^[\]]+\]|\([^()]+\))$|\b(?:redacted|masked|censored|hidden|removed|stripped)\b/i
/** The text of a field: `MQTT`, `"MQTT"`, `'M', 'Q', 'T', 'T',` */
const TEXT_OF_FIELD = /^(?:"[^"]*"|'[^']*'|\w+),?$|^(?:'.',?\s*)+$/

const LONGEST_MASK = 400

/** True if a line between those with bytes may stand for some. */
function isMask(line: string): boolean {
  if (line.length > LONGEST_MASK || FILE.test(line.trimEnd())) return false
  return (
    TEXT_OF_FIELD.test(line.trim()) || beginningsIn(line).some((at) => MASKED.test(line.slice(at).trim()))
  )
}

/** True if a line has the text in front that a row has, so that it may be another row which lost its bytes. */
function beginsLike(line: string, { label }: LogRow): boolean {
  return label !== '' && beginningsIn(line).some((at) => labelOf(line.slice(0, at)) === label)
}

/** The seconds of half a day. A time of day that goes back by more is one of the next day. */
const HALF_A_DAY = 43_200

/** @throws Unreadable if a line with bytes is earlier than the one before, as in a viewer that shows the newest line first */
function checkOrder(rows: readonly LogRow[]): void {
  const times = rows.map(({ before }) => clockIn(before.slice(before.lastIndexOf('\n') + 1)))
  const isBack = times.some((time, i) => {
    const step = time - times[i - 1]!
    return step < 0 && step >= -HALF_A_DAY
  })
  if (isBack) throw unreadable('its times go back, so its packets may be in the wrong order')
}

/** Digits at the beginning of a line, not only letters: the end of a line that a program has broken. */
const REST = /^(?:0x)?(?=[a-f ]*\d)(?:(?:[\da-f]{2})+|[\da-f]{5,})(?=\s|$)/i

/** True if a line is the offset of the end, which hexdump and od print behind the last row of a dump. */
function isEndOfDump(line: string, row: string): boolean {
  const [end, before] = [lineOf(line, 1), lineOf(row, 1)]
  if (end?.rest !== '' || before === undefined) return false
  const size = readRow(before.rest, before.hasColon)?.bytes.length ?? 0
  return [16, 10, 8].some(
    (base) => Number.parseInt(end.offset, base) === Number.parseInt(before.offset, base) + size,
  )
}

/**
 * @param last the row before the line
 * @param mayBreak true if a program may have broken a row, so that its end is a line that begins with digits
 * @param isAlone true if no line has bytes so far
 * @throws Unreadable if a line without a row may have bytes, or stands for some
 */
function checkNoBytes(
  line: string,
  start: number,
  last: LogRow | undefined,
  mayBreak: boolean,
  isAlone = false,
): void {
  // Some of these lines consist of digits only, so they would pass for bytes.
  if (!isAlone && CHARACTERS.test(line) && /\\/.test(line))
    throw unreadable('it is bytes and their characters below them: use od -t x1', start)
  const has = (pattern: RegExp): boolean =>
    beginningsIn(line).some((at) => pattern.test(line.slice(at).trim()))
  if (!isAlone && has(/^\*$/)) throw unreadable(STAR, start)
  if (!isAlone && (has(OMISSION) || LEFT_OUT.test(line)))
    throw unreadable('bytes have been left out of it', start)
  const isRest = mayBreak && REST.test(contentOf(line))
  if (isRest && !(last !== undefined && isEndOfDump(contentOf(line), last.body)))
    throw unreadable('a line begins with digits, which may be the rest of the bytes before it', start)
  const found = pairsIn(line, isAlone)
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
