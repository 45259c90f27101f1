import { checkVariables, codeHoldsBytes, isCode, readCode } from './code.ts'
import { areDigits } from './digits.ts'
import { MOST_BYTES } from './dumps.ts'
import { counted, forms } from './forms.ts'
import { holdsBytes } from './held-bytes.ts'
import { readLog } from './log.ts'
import type { Form, Paste, Readings } from './paste.ts'
import { positionIn, withoutFrame, withoutInvisible } from './plain-text.ts'
import { readWords } from './prose.ts'
import { isStrace, readStrace } from './strace.ts'
import { Unreadable, unreadable } from './unreadable.ts'
import { checkText, EXPLANATION, FENCE, problemOf, readForm, refuse } from './whole-text.ts'

/** The forms that a whole text can have. */
const all: readonly Form[] = [
  { name: 'lines of strace', recognises: isStrace, read: readStrace },
  ...counted,
  { name: 'arrays in code', recognises: isCode, read: readCode },
  ...forms,
]

/**
 * Finds the bytes in a text that somebody has pasted: in one of the forms, in a block of Markdown, or in the lines of a log. Says what
 * was ignored. Never guesses: if a text can be read in more than one way, all readings are returned, and a person has to choose.
 */
export function readPaste(text: string): Paste {
  try {
    return read(withoutFrame(withoutInvisible(text)))
  } catch (error) {
    const { message: problem, position, isDigit } = problemOf(error)
    return position === undefined ? { problem } : { problem, position: positionIn(text, position), isDigit }
  }
}

function read(text: string): Readings {
  checkText(text)
  let problem: Unreadable | undefined
  try {
    const found = readForm(text, all)
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof Unreadable && error.isMaybeLog)) throw error
    problem = error
  }
  return (
    readBlocks(text) ??
    readLines(text, problem) ??
    checked(text, readWords(text)) ??
    refuse(text, problem, 'it looks like prose')
  )
}

/** A row of a dump, whatever its bytes are. */
const ROW = /^[^\S\n]*[\da-f]{4,8}:?[^\S\n]+[\da-f]{4}\s/im

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
      const readings = inside.trim() === '' ? undefined : (readForm(inside, all) ?? readLines(inside))
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
    one.readings.map((each) => ({ ...each, ignored: [...ignored, ...each.ignored] })),
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
