import type { Buffer } from 'buffer'
import { bytesFromArray, USES, withoutComments } from './arrays.ts'
import { hasPackets, holdsBytes } from './held-bytes.ts'
import type { Readings } from './paste.ts'
import { Unreadable, unreadable } from './unreadable.ts'

/** The text between the sign of an assignment and its bracket. Written to avoid backtracking, because each part may consist of spaces. */
const BEFORE_BRACKET = /(?=(?<name>[\w.:&! ]{0,60}))\k<name>\(?(?=(?<gap>\s{0,80}))\k<gap>/.source

/** C++ needs no sign: `std::vector<uint8_t> packet{0x10, 0x0c}` */
const SIGN = /(?:=(?=(?<space>\s{0,80}))\k<space>|(?<=[\w\]]{1,2})(?=\{))/.source

/** An assignment of a list in braces or brackets: C and its relatives, JavaScript, Python, Rust. Each line and each `;` begins anew. */
const ASSIGNMENT = new RegExp(
  `(?:^|;)(?<assignment>[^;{}\\n]*${SIGN}(?:(?:\\{\\s{0,9})?\\{(?<braces>[^{}]*)\\}(?:\\s{0,9}\\})?|${BEFORE_BRACKET}\\[(?<brackets>[^[\\]]*)\\]\\s{0,80}\\)?))[ \\t]{0,80}(?=[;\\n\\r]|$)`,
  'gm',
)

const BEGUN = new RegExp(`${SIGN}(?:\\{|${BEFORE_BRACKET}[{[])`)

/** The type of an array in Rust, whose semicolon ends no statement: `P: [u8; 14] =` */
const RUST_TYPE = /(\[\s{0,9}\w{1,40}\s{0,9});(?=\s{0,9}\w{1,40}\s{0,9}\]\s{0,9}=)/g

/** The place in the source, which Rust's `dbg!` prints first. */
const PLACE = /^\s*(?:\[[\w./\\-]{1,200}(?::\d{1,9}){1,2}\])?\s*/

/** The reason why bytes in code aren't read. */
const CHANGED = 'other code may change the array'

/** A number of an array, or a character. */
const NUMBER = /^(?:0x[\da-f]{1,8}|-?\d{1,9}|'.{1,4}')$/i

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
  const code = text.replace(RUST_TYPE, '$1,')
  const found: Buffer[] = []
  const names = new Set<string>()
  /** The code around the arrays. */
  const around: string[] = []
  let end = 0
  for (const { index, 0: whole, groups } of code.matchAll(ASSIGNMENT)) {
    const { assignment = '', braces, brackets } = groups!
    const tokens = withoutComments(braces ?? brackets ?? '')
      .split(/[,\s]+/)
      .filter((token) => token !== '')
    const numbers = tokens.filter((token) => NUMBER.test(token))
    const name = assignment.split(/[={]/, 1)[0]!.trim()
    // Even a short array counts here, because it may be the last part of bytes that are logged in parts.
    if (names.has(name) && numbers.length > 0)
      throw unreadable('it has more than one array with the same name', index)
    if (numbers.length > 0) names.add(name)
    if (tokens.length < FEWEST || numbers.length < tokens.length / 2) continue
    const [place = ''] = PLACE.exec(assignment) ?? []
    const bytes = bytesIn(assignment.slice(place.length))
    if (bytes === 'wider') {
      if (hasPackets(whole)) throw unreadable('an array of wider numbers may have bytes, too', index)
      around.push(code.slice(end, index))
      end = index + whole.length
      continue
    }
    if (bytes === undefined) {
      const wrong = tokens.find((token) => !NUMBER.test(token))
      const at =
        wrong === undefined ? 0 : whole.indexOf(wrong, whole.lastIndexOf(braces === undefined ? '[' : '{'))
      throw unreadable('an array in the code is not bytes', index + at)
    }
    found.push(bytes)
    around.push(code.slice(end, index), place)
    end = index + whole.length
  }
  around.push(code.slice(end))
  if (found.length === 0 || around.every((code) => /^[;\s]*$/.test(code))) return undefined
  // The lines of a log may look like assignments, too.
  if (around.some(codeHoldsBytes)) return undefined
  const arrays = new Set(Array.from(names).flatMap((name) => variablesOf(name.replace(PLACE, ''))))
  if (around.some((code) => mayChange(code, arrays))) throw unreadable(CHANGED)
  const ignored = ['the code around the array']
  return {
    readings: found.map((bytes, i) => {
      const form = found.length === 1 ? 'an array' : `array ${i + 1} of ${found.length}`
      return { form, bytes, ignored }
    }),
  }
}

const COMMENT_OR_CAST = /(?<!\S)#[^\n]*|\((?:unsigned )?(?:byte|char|u?int8_t|u8)\)/g

/** True if code may have bytes, maybe with comments or casts between the numbers of an array. */
export function codeHoldsBytes(code: string): boolean {
  return holdsBytes(code) || holdsBytes(withoutComments(code).replace(COMMENT_OR_CAST, ' '))
}

/** What's in front of an array that is only written, printed, measured or read: the name of the call, or `sizeof`. */
const BEFORE_USE = new RegExp(
  String.raw`(?:\b(?:${USES}|puts\b|hex|len|size|bytes|from|count|strlen|unhexlify|b64decode|atob)\w{0,20}[!?]?\s{0,3}\((?:[^()\n]{0,80},)?\s{0,3}[&*]?|\bsizeof\s|\breturn\s)$`,
  'i',
)
/** What's behind it. */
const AFTER_USE =
  /^\s{0,3}(?:[,);\]}]|$|\.(?:length|len|size|count|data|hex|toString|decode|begin|end|as_slice)\b)/i
const LONGEST_CALL = 120
/** A call whose result may be a copy, which other code may change. */
const COPY =
  /=[^\n;=]{0,80}\b(?:from|bytes|decode|unhexlify|b64decode|atob)\w{0,20}[!?]?\s{0,3}\([^()\n]{0,80}$/

/** True if code may change one of these arrays, or join something to it: whatever isn't known to leave an array alone. */
function mayChange(code: string, arrays: ReadonlySet<string>): boolean {
  for (const { 0: word, index } of code.matchAll(/(?<![\w$])\$?(\w+)/g)) {
    if (!arrays.has(word.replace('$', ''))) continue
    const end = index + word.length
    const before = code.slice(Math.max(index - LONGEST_CALL, 0), index)
    if (!BEFORE_USE.test(before) || COPY.test(before) || !AFTER_USE.test(code.slice(end, end + LONGEST_CALL)))
      return true
  }
  return false
}

/** What declares a variable, up to its value. */
const DECLARATION =
  /(?:\b(?:var|let|val|const|auto|static|final|unsigned|byte|char|uchar|u?int8_t|vector|array|bytes|bytearray)\b[^=\n]{0,80}|:|\$\w{1,40}\s{0,9})$/i
/** `pkt`, `self.pkt`, `byte[] pkt`, `pkt, err` */
const TARGET = /^\s*[a-z_][\w.:,<>[\]() ]{0,80}$/i
/** A call, a string, a list of strings, or other brackets. */
const VALUE = /^\s{0,9}(?:new\s)?(?:[\w.:!]{1,60}\(|b?["'`]|\[\s{0,9}["']|\{|<<)/

/** The names that the variable may have that a statement sets to bytes. */
function assignedIn(statement: string): readonly string[] {
  const at = statement.indexOf('=')
  const target = statement.slice(0, Math.max(at, 0))
  const isCode = DECLARATION.test(target) || (TARGET.test(target) && VALUE.test(statement.slice(at + 1)))
  return isCode && holdsBytes(statement) ? variablesOf(target.split(',', 1)[0]!) : []
}

/**
 * Checks a text whose lines have bytes.
 *
 * @throws Unreadable if it's code in which a variable is set to bytes in one statement, and may be changed in another
 */
export function checkVariables(text: string): void {
  const statements = text.split(/[\n;]/)
  const assigned = statements.map(assignedIn)
  const names = new Set(assigned.flat())
  if (names.size === 0) return
  let start = 0
  for (const [i, statement] of statements.entries()) {
    if (assigned[i]!.length === 0 && mayChange(statement, names)) throw unreadable(CHANGED, start)
    start += statement.length + 1
  }
}

/** Words that are no names of variables. */
const KEYWORD =
  /^(?:\d.*|var|let|val|mut|const|auto|static|final|volatile|unsigned|signed|int|byte|char|uchar|u?int8_t|u8|vector|array|bytes|bytearray|number|std|struct|new|self|this|Uint8Array|Buffer)$/i

/** The variable in `uint8_t packet[]`, `const packet: number[]`, `self.packet`, `packet[] ATTRIBUTE`: each word that may be its name. */
function variablesOf(declared: string): readonly string[] {
  const [name = ''] = declared.split(/(?<!:):(?!:)/, 1)
  return (name.match(/\w+/g) ?? []).filter((word) => !KEYWORD.test(word))
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
