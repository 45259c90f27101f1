import { beginsPacket } from '../further-packets.ts'
import { UNREADABLE } from '../value-text.ts'
import { withoutTime } from './log-line.ts'
import type { Paste, Problem, Reading, Readings } from './paste.ts'
import { readPaste } from './read-paste.ts'

/** The line of a dump that stands for any number of others, so a few characters have megabytes. */
const STAR = /^[ \t]*\*[ \t]*$/m

/** The maximum number of wrong characters, and the maximum length of a text with one of them, because each is tried with all digits. */
const MOST = 8
const LONGEST = 0x1000

/**
 * The readings of a text with wrong characters: the bytes before the first one, and the rest in hex. If it isn't certain where the
 * next byte begins, the rest is only a byte that can't be read.
 */
export function readDamaged(text: string, problem: Problem): Readings | undefined {
  if (!problem.isDigit) return undefined
  const [before, ...others] = readBefore(text, problem.position!)
  const repaired = STAR.test(text) ? undefined : readRepaired(text, problem)
  if (repaired !== undefined) {
    const isOne = others.length === 0 && repaired.readings.length === 1
    return repaired.readings.every((one) => isSure(one, isOne ? before : undefined)) ? repaired : undefined
  }
  return before && others.length === 0 && isSure(before)
    ? { readings: [{ ...before, rest: [UNREADABLE] }] }
    : undefined
}

/**
 * True if the known bytes begin a packet, and are the same in the text before the first wrong character. Otherwise, the text may be in
 * another form: numbers may be decimal, and an offset may have been read as bytes.
 */
function isSure({ bytes }: Reading, before?: Reading): boolean {
  if (bytes.length < 2 || !beginsPacket(bytes)) return false
  const [known, head] = [bytes.toString('hex'), before?.bytes.toString('hex') ?? '']
  return known.startsWith(head) || head.startsWith(known)
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}', '<': '>' }

/** The bytes before the one to which a character belongs. */
function readBefore(text: string, position: number): Readings['readings'] {
  // A time at the beginning of a log looks like bytes with colons.
  if (withoutTime(text.slice(0, position)).trim() === '') return []
  let start = position
  while (/[\da-f]/i.test(text.charAt(start - 1))) start--
  const pairs = text.slice(start, position - ((position - start) % 2))
  const readings = readHead(text.slice(0, start) + pairs)
  // Pairs of digits are bytes only in hex: in decimal, they may be the beginning of a number.
  const areBytes = readings.every(({ bytes }) => bytes.toString('hex').endsWith(pairs.toLowerCase()))
  return areBytes ? readings : readHead(text.slice(0, start))
}

/** The bytes in the beginning of a text. */
function readHead(head: string): Readings['readings'] {
  const closed = Math.max(...Object.values(closing).map((bracket) => head.lastIndexOf(bracket)))
  const [open = ''] = /[[{<]/.exec(head.slice(closed + 1)) ?? []
  const trimmed = head.replace(/0x$/, '').trimEnd().replace(/,$/, '')
  const { readings = [] } = readPaste(`${trimmed}${closing[open] ?? ''}`)
  return readings
}

/**
 * Tries all hex digits in place of each wrong character. The digits that make the text readable must all change the
 * same byte and nothing else. Otherwise, no byte is certain.
 */
function readRepaired(text: string, problem: Problem): Readings | undefined {
  const places: number[] = []
  let repaired = text
  let found = problem as Paste
  while (found.problem !== undefined) {
    const { position = -1, isDigit }: Problem = found
    const [digits] = /^[\da-f]*/i.exec(repaired.slice(position))!
    // A byte that has lost a digit, or has one too many, is replaced.
    if (
      !isDigit ||
      places.length === MOST ||
      digits.length > 3 ||
      text.length * (places.length + 1) > LONGEST
    )
      return undefined
    const place = digits === '' ? position : position + 1
    const head = repaired.slice(0, position).padEnd(place, '0')
    let next: Changed | undefined
    for (const tried of withDigits(`${head}0${repaired.slice(position + (digits.length || 1))}`, place)) {
      const { problem: other, position: at = 0 } = tried.paste as Problem
      if (other !== undefined && at <= place) continue
      next = tried
      break
    }
    if (next === undefined) return undefined
    places.push(place)
    repaired = next.changed
    found = next.paste
  }
  const tokens = tokensOf(found.readings)
  const unknown = new Set<number>()
  for (const place of places) {
    const changed = new Set<number>()
    for (const { paste } of withDigits(repaired, place)) {
      const other = paste.readings === undefined ? [] : tokensOf(paste.readings)
      for (const [i, token] of other.entries()) if (token !== tokens[i]) changed.add(i)
    }
    // If the text beside the bytes allows only one digit, the bytes are counted.
    const [before] = changed.size === 0 ? readBefore(repaired, place) : []
    if (before !== undefined) changed.add(before.bytes.length + 1)
    const [index = 0, ...others] = changed
    if (index === 0 || others.length > 0) return { readings: [] }
    unknown.add(index)
  }
  for (const index of unknown) tokens[index] = UNREADABLE
  const readings = found.readings.map((reading) => {
    const { length } = reading.bytes
    const [, ...own] = tokens.splice(0, length + 1)
    const end = own.indexOf(UNREADABLE)
    return end < 0 ? reading : { ...reading, bytes: reading.bytes.subarray(0, end), rest: own.slice(end) }
  })
  return { ...found, readings }
}

/** The form of each reading, followed by its bytes. */
function tokensOf(readings: Readings['readings']): string[] {
  return readings.flatMap(({ form, bytes }) => [form, ...(bytes.toString('hex').match(/../g) ?? [])])
}

interface Changed {
  readonly changed: string
  readonly paste: Paste
}

function* withDigits(text: string, place: number): Generator<Changed> {
  for (const digit of '0123456789abcdef') {
    const changed = text.slice(0, place) + digit + text.slice(place + 1)
    yield { changed, paste: readPaste(changed) }
  }
}
