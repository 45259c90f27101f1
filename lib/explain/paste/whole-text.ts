import { isCaptureText } from '../capture/signature.ts'
import type { Form, Reading, Readings } from './paste.ts'
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
export const FENCE: RegExp = /^[ >]*(?:```|~~~)/m

/** The heading above the rows of an explanation. */
export const EXPLANATION: RegExp = /^ *byte +hex +field /m

/** @throws Unreadable if a text certainly doesn't contain all bytes of a packet, whatever its lines look like */
export function checkText(text: string): void {
  if (text.trim() === '') throw unreadable('it is empty')
  if (isCaptureText(text.trim())) throw unreadable(CAPTURE)
  if (!FENCE.test(text) && EXPLANATION.test(text))
    throw unreadable('it is the explanation of a packet: use the bytes that were explained')
  if (areDetails(text)) throw unreadable('it is the details of packets without their bytes: use tshark -x')
  const other = others.find(([pattern]) => pattern.test(text.trimStart()))
  if (other !== undefined) throw unreadable(other[1])
}

/** Follow Stream writes `[14 bytes missing in capture file]` and a zero as bytes, in the place of those that the capture lacks. */
const LOST = ' missing in capture file]\0'

/** Reads a text that consists of a single one of these forms. */
export function readForm(text: string, forms: readonly Form[]): Readings | undefined {
  for (const { name, recognises, read } of forms) {
    const found = recognises(text) ? read(text) : undefined
    if (found === undefined) continue
    const readings =
      found instanceof Uint8Array ? { readings: [{ form: name, bytes: found, ignored: [] }] } : found
    if (readings.readings.some(({ bytes }) => bytes.includes(LOST)))
      throw unreadable('a part of the connection is missing in the capture')
    return readings
  }
  return undefined
}

/** The reason why a text can't be read. Any other error is thrown again. */
export function problemOf(error: unknown): Unreadable {
  // The engine has a limit for regular expressions.
  if (error instanceof RangeError) return unreadable('it has a word of millions of characters')
  if (!(error instanceof Unreadable)) throw error
  return error
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
export function refuse(text: string, problem: Unreadable | undefined, otherwise: string): never {
  checkDamagedHex(text)
  if (problem !== undefined) throw problem
  const trimmed = text.trim()
  const [, kind = otherwise] = kinds.find(([pattern]) => pattern.test(trimmed)) ?? []
  throw unreadable(kind)
}

/** A word of hex in which one or two characters aren't hex digits. */
export const DAMAGED_HEX: RegExp =
  /(?<![\w+/=:])(?=[\da-z:]{20})(?=(?:[a-f:]*\d){8})[\da-f:]*(?:[g-z][\da-f:]*){1,2}(?![\w+/=:])/i

/** @throws Unreadable if a text has such a word, and no other that may be meant */
function checkDamagedHex(text: string): void {
  const [word, ...others] = text.matchAll(new RegExp(DAMAGED_HEX, 'gi'))
  if (word === undefined || others.length > 0) return
  throw noDigit(word.index + word[0].search(/[g-z]/i))
}
