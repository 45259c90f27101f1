import type { Buffer } from 'buffer'
import { escapeHidden, hiddenCharacter, unicodeEscape } from '../errors/hidden-characters.ts'
import { firstInvalidByte } from '../wire/utf8.ts'

/*
 * The text form of a packet: one line of bounded length. Different values never look the same in it, and no value can forge a
 * field or a line.
 */

/** Printed in place of a password or authentication data. */
export const REDACTED = '*****'

/** The number of characters of a string, or bytes of binary data, that the text form shows. */
const LONGEST_VALUE = 256

/** The number of list entries that the text form shows. */
export const LONGEST_LIST = 100

/** Matches strings that need no quotes: letters and digits of any alphabet, spaces, and signs that don't delimit anything. */
const needsNoQuotes = /^[\p{L}\p{Nd} _\-./@$+#%=~!*&?;'()]+$/u

const notAscii = /[\u0080-\u00ff]/g

/** A string in the text form: unquoted if that is unambiguous, otherwise a JSON string. Cut off after 256 characters. */
export function stringText(value: string): string {
  if (value.length <= LONGEST_VALUE) return unquotedOrJson(value)
  // A character takes at most two UTF-16 units.
  const first = Array.from(value.slice(0, 2 * LONGEST_VALUE))
    .slice(0, LONGEST_VALUE)
    .join('')
  const text = unquotedOrJson(first)
  return first.length === value.length ? text : `${text}…(${characterCount(value)} characters)`
}

function unquotedOrJson(value: string): string {
  // Some letters are fillers that fonts render as nothing.
  return needsNoQuotes.test(value) && !hiddenCharacter.test(value) ? value : jsonText(value)
}

/** Binary data in the text form: like a string, with each byte outside printable ASCII as `\u00xx`. Cut off after 256 bytes. */
export function bytesText(bytes: Buffer): string {
  const first = bytes.toString('latin1', 0, LONGEST_VALUE)
  // A letter above ASCII needs no quotes in a string, but here it's a byte.
  const text = /[^\0-\x7f]/.test(first)
    ? jsonText(first).replace(notAscii, unicodeEscape)
    : unquotedOrJson(first)
  return bytes.length <= LONGEST_VALUE ? text : `${text}…(${bytes.length} bytes)`
}

/** A list in the text form, given its first entries. */
export function listText(entries: readonly string[], length: number): string {
  const more = length - entries.length
  return `[${entries.join(',')}${more > 0 ? `,…(${more} more)` : ''}]`
}

/** The same as `JSON.stringify`, but characters that are invisible, or that a terminal interprets, are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeHidden(JSON.stringify(value, null, indent))
}

function characterCount(value: string): number {
  let count = 0
  for (let i = 0; i < value.length; i++) {
    // The second half of a surrogate pair isn't a character of its own.
    if ((value.charCodeAt(i) & 0xfc00) !== 0xdc00) count++
  }
  return count
}

/** Bytes for JSON: a string if they are well-formed UTF-8, otherwise base64. */
export function bytesJson(bytes: Buffer): string | { base64: string } {
  return firstInvalidByte(bytes, 0, bytes.length) < 0
    ? bytes.toString()
    : { base64: bytes.toString('base64') }
}

/** `sessionExpiryInterval` as `session_expiry_interval`, the spelling of the text form. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
