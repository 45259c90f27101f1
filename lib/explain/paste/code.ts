import type { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { bytesFromArray, withoutComments } from './arrays.ts'
import { holdsBytes } from './held-bytes.ts'
import type { Readings } from './paste.ts'
import { Unreadable, unreadable } from './unreadable.ts'

/** The text between the sign of an assignment and its bracket. Written to avoid backtracking, because each part may consist of spaces. */
const BEFORE_BRACKET = /(?=(?<name>[\w.:&! ]{0,60}))\k<name>\(?(?=(?<gap>\s{0,80}))\k<gap>/.source

const SIGN = /=(?=(?<space>\s{0,80}))\k<space>/.source

/** An assignment of a list in braces or brackets: C and its relatives, JavaScript, Python, Rust. Each line and each `;` begins anew. */
const ASSIGNMENT = new RegExp(
  `(?:^|;)(?<assignment>[^;{}\\n\\r\\u2028\\u2029]*${SIGN}(?:\\{(?<braces>[^{}]*)\\}|${BEFORE_BRACKET}\\[(?<brackets>[^[\\]]*)\\]\\s{0,80}\\)?))[ \\t]{0,80}(?=[;\\n\\r]|$)`,
  'gm',
)

const BEGUN = new RegExp(`${SIGN}(?:\\{|${BEFORE_BRACKET}[{[])`)

/** The place in the source, which Rust's `dbg!` prints first. */
const PLACE = /^\s*(?:\[[\w./\\-]{1,200}(?::\d{1,9}){1,2}\])?\s*/

/** The minimum number of bytes, because shorter lists are settings, pins or addresses. */
const FEWEST = 4

/** True for code with at least one such assignment. */
export function isCode(text: string): boolean {
  return BEGUN.test(text)
}

/**
 * The arrays of bytes in a piece of code, if there is other code around them.
 *
 * @throws Unreadable if a list of numbers in the code can't be read
 */
export function readCode(text: string): Readings | undefined {
  if (isArray(text)) return undefined
  const found: Buffer[] = []
  const names = new Set<string>()
  /** The code around the arrays. */
  const around: string[] = []
  let end = 0
  for (const { index, 0: whole, groups } of text.matchAll(ASSIGNMENT)) {
    const { assignment = '', braces, brackets } = groups!
    const tokens = withoutComments(braces ?? brackets ?? '')
      .split(/[,\s]+/)
      .filter((token) => token !== '')
    const numbers = tokens.filter((token) => /^(?:0x[\da-f]{1,8}|-?\d{1,9}|'.{1,4}')$/i.test(token))
    const name = assignment.slice(0, assignment.indexOf('=')).trim()
    // Even a short array counts here, because it may be the last part of bytes that are logged in parts.
    if (names.has(name) && numbers.length > 0)
      throw unreadable('it has more than one array with the same name', index)
    if (numbers.length > 0) names.add(name)
    if (tokens.length < FEWEST || numbers.length < tokens.length / 2) continue
    const [place = ''] = PLACE.exec(assignment) ?? []
    const bytes = bytesIn(assignment.slice(place.length))
    if (bytes === 'wider') {
      around.push(text.slice(end, index))
      end = index + whole.length
      continue
    }
    if (bytes === undefined) {
      const wrong = tokens.find((token) => !numbers.includes(token))
      const at = wrong === undefined ? 0 : whole.indexOf(wrong, whole.search(/[{[][^{}[\]]*[}\]]\W*$/))
      throw unreadable('an array in the code is not bytes', index + at)
    }
    found.push(bytes)
    around.push(text.slice(end, index), place)
    end = index + whole.length
  }
  around.push(text.slice(end))
  if (found.length === 0 || around.every((code) => /^[;\s]*$/.test(code))) return undefined
  // The lines of a log may look like assignments, too.
  if (around.some(holdsBytes)) return undefined
  if (around.some((code) => changesOne(code, names))) throw unreadable('other code changes the array')
  if (found.some((bytes) => !chains(bytes, 0)) && around.some((code) => mayBeRest(code, names)))
    throw unreadable('the packet in an array has no end, which other code may add')
  const ignored = ['the code around the array']
  return {
    readings: found.map((bytes, i) => {
      const form = found.length === 1 ? 'an array' : `array ${i + 1} of ${found.length}`
      return { form, bytes, ignored }
    }),
  }
}

/** A list in brackets that is no index, a string of bytes in Python, or a call or an operator that makes an array longer. */
const REST =
  /(?<![\w\])\s])\s{0,9}[[{]\s{0,9}(?:0x[\da-f]|-?\d)|\bb["']|\+=\s{0,9}[^\s\d;]|\.(?:append|concat|extend|push)\(/i

/** A function that writes, with the beginning of what it writes. */
const WRITE = /\b(?:write|send|print|put|transmit)\w{0,20}\s{0,9}\(([^()\n]{0,200})/gi

/** True if code may have the rest of a packet, whose beginning is in an array. */
function mayBeRest(code: string, names: ReadonlySet<string>): boolean {
  if (REST.test(code)) return true
  const arrays = new Set(Array.from(names, variableOf))
  return Array.from(code.matchAll(WRITE)).some(
    ([, written = '']) => !(written.match(/\w+/g) ?? []).some((word) => arrays.has(word)),
  )
}

/** An assignment to one element of an array, or a call that changes it. */
const CHANGE =
  /\b(\w+)\s{0,9}\[[^[\]\n]{0,40}\]\s{0,9}[-+|&^]?=(?!=)|\b(\w+)\.(?:copyWithin|fill|insert|pop|reverse|set|shift|splice|unshift|write\w{0,20})\(|\b(?:mem|str)\w{0,9}\(\s{0,9}&?(\w+)/g

function changesOne(code: string, names: ReadonlySet<string>): boolean {
  const arrays = new Set(Array.from(names, variableOf))
  return Array.from(code.matchAll(CHANGE)).some((found) =>
    found.slice(1).some((name) => arrays.has(name ?? '')),
  )
}

/** The variable in `uint8_t packet[]`, `const packet: number[]`, `self.packet`. */
function variableOf(declared: string): string {
  const [name = ''] = declared.split(/(?<!:):(?!:)/, 1)
  return (
    name
      .replace(/\[\w{0,20}\]/g, '')
      .match(/\w+/g)
      ?.at(-1) ?? ''
  )
}

/** True if the whole text is one array, with or without its length. */
function isArray(text: string): boolean {
  try {
    return bytesFromArray(text.trim()) !== undefined
  } catch (error) {
    if (error instanceof Unreadable && error.isMaybeLog) return false
    throw error
  }
}

/** The bytes of one assignment, or `wider` if its numbers are larger than a byte. */
function bytesIn(assignment: string): Buffer | 'wider' | undefined {
  try {
    return bytesFromArray(assignment)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return /more than a byte/.test(error.message) ? 'wider' : undefined
  }
}
