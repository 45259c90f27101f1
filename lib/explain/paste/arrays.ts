import { Buffer } from 'buffer'
import { areEven } from './digit-lines.ts'
import { arePackets, inBase, isDecimalByte } from './digits.ts'
import { holdsBytes } from './held-bytes.ts'
import { looksLikePacket } from './looks-like-packet.ts'
import type { Reading, Readings } from './paste.ts'
import { bytesOfLiteral } from './strings.ts'
import { maybeLog, unreadable } from './unreadable.ts'

/** Brackets that contain no other brackets. */
const BRACKETS = /[[{(]([^[\](){}]*)[\]})]/g

/** A number: decimal, with a sign in Java, or hex. */
const NUMBER = /^(?:-?\d{1,9}|0x[\da-f]{1,8})$/i

/** A C character: `'M'`, `'\0'`. */
const CHARACTER = /'(?:\\(?:x[\da-fA-F]{2}|[0-3]?[0-7]{1,2}|.)|[^\\'\n])'/g

/** Names of types whose elements are larger than a byte. The order of the bytes in such a number is unknown. */
const WIDE_TYPE =
  /\b(?:q?u?int(?:_least|_fast)?(?!8)\d*(?:_t)?|d?word|unsigned|u?short|u?long|float|double|wchar_t|size_t|[ui](?:16|32|64)|(?:Big)?(?:Int|Uint|Float)(?:16|32|64)Array)\b|\barray\('(?!b')/i

/** Types of one byte whose names contain one of those words. */
const NARROW_TYPE = /\b(?:unsigned|signed)\s+char\b/g

/** A line that begins with the numbers of an array. */
const NUMBERS = /^[^\S\n]*(?:0x[\da-f]{1,2}|-?\d{1,3})\s*,\s*(?:0x|-?\d)/im

/** One list of numbers in a text. */
interface List {
  readonly start: number
  readonly end: number
  readonly numbers: readonly string[]
  /** True if the numbers are pairs of hex digits without 0x. */
  readonly arePairs: boolean
}

/** The beginnings of the names of functions that only write, print or read an array. */
export const USES = 'write|send|print|publish|transmit|log|debug|info|dump|decode|explain|parse|feed'

/** Functions that leave the bytes of an array as they are. */
const HARMLESS = new RegExp(
  `^(?:\\w*(?:${USES}|puts|array|bytes?|buffer|vector|list|tuple|expect|assert|equal)\\w*|data|from|of|hex|new|Some|Ok)?$`,
  'i',
)
/** A part of another array that is set, or an expression with each byte. */
const CHANGED = /:[\w\s-]{0,20}\]\s*=\s*\S?$|[\^~]|\bfor\b/

/** True if the brackets up to an array, or its own, are of a call that may join it to others or change it. */
function isChanged(before: string): boolean {
  const open: number[] = []
  for (const { 0: sign, index } of before.matchAll(/[()]/g)) {
    if (sign === '(') open.push(index)
    else open.pop()
  }
  const names = open.map((index) => /\w*$/.exec(before.slice(Math.max(index - 40, 0), index))![0])
  return CHANGED.test(before) || !names.every((name) => HARMLESS.test(name))
}

/** What may be in front of an array without saying anything about it: its type, as languages write and print it. */
const TYPE =
  /^(?:\b(?:new|bytes|bytearray|byte|Buffer|from|of|ArrayBuffer|Uint8Array|Int8Array|array|u?byteArrayOf|listOf|List|u?int8|u8|vec|type|data|[bB])\b|(?<=Array\(|Buffer\(|\[)\d+\b|[\s.!&()[\]{<>"':,])*$/

/** What declares one variable: a name with its type, and an assignment or, in C++, a bracket. */
const DECLARED = /^(?:[^=;"'`()\n]|;(?= ?\w+\])|\(\))*(?:=[^=;"'`\n]*|>\s*\w+\s*)$/

/** The name of an array whose numbers have no 0x. The same digits may be decimal numbers in another array. */
export const IN_HEX = 'an array in hex'

/**
 * Bytes from an array in JSON or in a programming language: the only list of numbers in brackets, with the code that such a
 * language puts around it.
 *
 * @returns `undefined` if the text isn't code with a list of numbers
 */
export function bytesFromArray(text: string): Buffer | undefined {
  return arrayIn(text)?.bytes
}

/** The same with the name of the form. */
export function readArray(text: string): Readings | undefined {
  const found = arrayIn(text)
  return found && { readings: [found] }
}

function arrayIn(text: string): Reading | undefined {
  if (!/[[{(]|^<</.test(text)) return undefined
  const indexed = bytesByIndex(text)
  if (indexed !== undefined) return { form: 'an array', bytes: indexed, ignored: [] }
  const code = withNumbers(
    withoutComments(/^<<[^<>]*>>\.?$/.test(text) ? `[${text.replace(/^<<|>>\.?$/g, '')}]` : text),
  ).replaceAll('(byte)', ' ')
  // Node and Erlang.
  if (/\.\.\.(?: \d+ more item|\s*(?:>>|\]$))/.test(code))
    throw unreadable('it is an array that is printed only in part')
  const lists = listsIn(code)
  if (lists.length > 1) throw maybeLog('it has more than one array')
  const [list] = lists
  if (list === undefined) return undefined
  const before = code.slice(0, list.start)
  const after = code.slice(list.end)
  if (!beginsArray(before) || !endsArray(after) || holdsBytes(before)) return undefined
  if (NUMBERS.test(before) || NUMBERS.test(after))
    throw unreadable('it has a part of an array, or more than an array')
  if (WIDE_TYPE.test(before.replace(NARROW_TYPE, ' '))) {
    throw unreadable('it is an array of numbers that are more than a byte each')
  }
  checkLength(before, after, list.numbers.length)
  const comments = text.match(COMMENTS) ?? []
  if (comments.some(holdsBytes)) throw unreadable('a comment may have bytes, too')
  if (isChanged(code.slice(0, list.start + 1))) throw unreadable('it is code that may change the array')
  const form = list.arePairs ? IN_HEX : 'an array'
  const isTyped = TYPE.test(before)
  const hasOtherText = !isTyped && !DECLARED.test(before.trim())
  const ignored = isTyped ? [] : ['the text before the array']
  // A comment is also how people write that bytes are missing.
  if (comments.length > 0) ignored.push('the comments')
  return { form, bytes: bytesOfNumbers(list.numbers), ignored, hasOtherText }
}

/** `JSON.stringify` of a Uint8Array: `{"0":16,"1":48}` */
function bytesByIndex(text: string): Buffer | undefined {
  if (!/^\{\s*"0"\s*:.*\}$/s.test(text)) return undefined
  const numbers: string[] = []
  for (const entry of text.slice(1, -1).split(',')) {
    const [, index, number] = /^\s*"(\d+)"\s*:\s*(\d+)\s*$/.exec(entry) ?? []
    if (number === undefined || index !== `${numbers.length}`) return undefined
    numbers.push(number)
  }
  return bytesOfNumbers(numbers)
}

const COMMENTS = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g

/** The code with each comment replaced by a space. One without an end stays. */
export function withoutComments(text: string): string {
  return text.replace(COMMENTS, (comment) => (/^\/\/|^\/\*.*\*\/$/s.test(comment) ? ' ' : comment))
}

/**
 * The code with each quoted character between commas or brackets replaced by its number. In `array('B', [16])`, the character
 * means something else.
 */
function withNumbers(code: string): string {
  // Lists of one-character strings contain no numbers, or use other brackets.
  if (
    !code.includes("'") ||
    !hasNumberInBraces(code.replace(CHARACTER, '')) ||
    /\[\s*'(?!\s*[,}])/.test(code)
  )
    return code
  return code.replace(CHARACTER, (literal) => `${bytesOfLiteral(literal.slice(1, -1))[0]}`)
}

function hasNumberInBraces(code: string): boolean {
  const [, ...parts] = code.split('{')
  return parts.some((part) => /\d/.test(part.slice(0, part.indexOf('}') + 1)))
}

function listsIn(code: string): List[] {
  const lists: List[] = []
  for (const { index, 0: brackets, 1: inside = '' } of code.matchAll(BRACKETS)) {
    const pairs = brackets.startsWith('[') ? pairsIn(inside) : undefined
    const numbers = pairs ?? numbersIn(inside, brackets[0]!)
    const areNumbers = numbers.every((number) => NUMBER.test(number))
    const areHexDigits = numbers.every((number) => /^[\da-f]{1,2}$/i.test(number))
    if (numbers.length > 2 && areHexDigits && !areNumbers) throw maybeLog('it is an array in hex without 0x')
    if (numbers.length === 0 || !areNumbers) continue
    // `packet[84] = {…}`, `Uint8Array(84) [ … ]`, `… (84 bytes)`, Go's `[84]byte{…}`: the size of the array.
    const isAfterName = brackets.startsWith('[') && /[\w)\]]/.test(code[index - 1] ?? '')
    const isBeforeType = brackets.startsWith('[') && /[a-z]/.test(code[index + brackets.length] ?? '')
    const isSize = numbers.length === 1 && (brackets.startsWith('(') || isAfterName || isBeforeType)
    if (!isSize)
      lists.push({ start: index, end: index + brackets.length, numbers, arePairs: pairs !== undefined })
  }
  return lists
}

/** The pairs of hex digits between brackets, as Rust prints them on request, unless they may be decimal numbers. */
function pairsIn(inside: string): string[] | undefined {
  const tokens = inside.trim().split(/\s*,\s*|\s+/)
  const areHex =
    (inside.includes(',') || !tokens.every(isDecimalByte)) &&
    tokens.some((token) => /^0\d|[a-f]/i.test(token))
  if (tokens.length < 2 || !areHex || !tokens.every((token) => /^[\da-f]{2}$/i.test(token))) return undefined
  return tokens.map((pair) => `0x${pair}`)
}

/** The numbers between brackets, in the notation of `NUMBER`. Go and numpy print decimal numbers without commas. */
function numbersIn(inside: string, bracket: string): string[] {
  if (bracket === '[') {
    const tokens = inside.trim().split(/\s*,\s*|\s+/)
    if (tokens.length > 1 && !inside.includes(',') && tokens.every(isDecimalByte)) {
      // Go prints no line breaks, and numpy indents the next line. A whole text may be indented, too.
      if (/\d[ \t]*\n\d/.test(inside) || (haveBreak(inside) && !hasColumns(inside)))
        throw unreadable('it is an array in which a line ends inside a number, or between two')
      if (!inside.split('\n').every(areEven)) throw unreadable('a number in the array may have lost a digit')
      return tokens
    }
  }
  const numbers = inside.split(',').map((number) => number.trim())
  if (numbers.at(-1) === '') numbers.pop()
  return numbers
}

/** True if the end of a line is between two numbers. */
function haveBreak(inside: string): boolean {
  return Array.from(inside.matchAll(/\d(\s+)(?=\d)/g)).some(([, gap]) => gap!.includes('\n'))
}

/** True if the numbers stand in columns, as numpy's do: a number that a line break has cut is narrower. */
function hasColumns(inside: string): boolean {
  const columns = inside.split('\n').flatMap((line) => line.trim().match(/(?<![ \t])[ \t]+\d+/g) ?? [])
  return columns.every(({ length }) => length === columns[0]!.length)
}

/** True if the list follows code, not prose: an assignment, a call, a type, or a name directly before the bracket. */
function beginsArray(before: string): boolean {
  const code = before.trimEnd()
  // Jest prints `Uint8Array [`.
  const isName = (code === before || code.endsWith('Array')) && /\w$/.test(code)
  return (code === '' || isName || /[=:(,>)\]{&!]$/.test(code)) && /^[\w\s$"',.:=;*&<>()[\]{}!-]*$/.test(code)
}

/** True if only code follows the list: closing brackets, or the length of the list. */
function endsArray(after: string): boolean {
  const rest = after.replace(/^[\s;,)\]}?]+(?:\.unwrap\(\);?)?/, '').trim()
  return rest === '' || /^unsigned int \w+ = \d+;$/.test(rest) || /^"type"\s*:\s*"Buffer"\s*\}$/.test(rest)
}

/** Bytes from decimal or 0x numbers. Some languages print bytes as signed numbers. */
export function bytesOfNumbers(numbers: readonly string[]): Buffer {
  const values = numbers.map((number) => {
    if (/^-?0\d/.test(number)) throw unreadable('it is an array with numbers that may be octal')
    return Number(number)
  })
  const least = values.some((value) => value < 0) ? -128 : 0
  if (!values.every((value) => value >= least && value <= least + 255)) {
    throw unreadable('it is an array with a number that is not a byte')
  }
  const bytes = Buffer.from(values)
  const mayBe = (base: number, digits: RegExp): boolean =>
    numbers.every((number) => digits.test(number)) && arePackets(inBase(base, numbers))
  if (!looksLikePacket(bytes) && (mayBe(8, /^[0-7]{1,3}$/) || mayBe(16, /^\d{1,2}$/)))
    throw unreadable('it is an array with numbers that may be hex or octal')
  return bytes
}

/** `xxd -i`, Wireshark and Node print the number of bytes, and languages declare it: `p[14]`, `[u8; 14]`, `array<uint8_t, 14>` */
function checkLength(before: string, after: string, length: number): void {
  const around = `${before}${after}`
  const said =
    /\blen(?:gth)?"?\s*[=:]\s*(0x[\da-f]+|\d+)/i.exec(around) ??
    /_len\s*=\s*(\d+)/.exec(around) ??
    /[[;,]\s*(0x[\da-f]+|\d+)\s*[\]>]/i.exec(around) ??
    /(?:Array|Buffer)\((\d+)\)\s*$/.exec(before)
  if (said !== null && Number(said[1]) !== length) {
    throw unreadable('it is an array with another number of bytes than it says')
  }
}
