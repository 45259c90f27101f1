import type { Buffer } from 'buffer'
import { copyOwn, wrongType, wrongValue } from '../../errors/misuse.ts'
import { doubtAbout, OTHER_TEXT } from './certain.ts'
import { counted, forms } from './forms.ts'
import { withoutFrame, withoutInvisible } from './plain-text.ts'
import { unreadable } from './unreadable.ts'
import { checkText, nameOf, notBytes, problemOf, readForm, refuse, waysToRead } from './whole-text.ts'

/** What is no prose: two bytes in a list, an escape, or a word of hex. */
const BYTES = /\d[\da-f][\s,:]+[\da-f]{2}|\\x|\d[\da-f]{7}/i

const all = [...counted, ...forms]

/**
 * Reads bytes in the forms in which people paste them:
 *
 * - hex: `10 0c 00 04`, `100c0004`, `10:0c:00:04`, `0x10 0x0c`, `0x100c0004`, `<10><0c>`, `[10][0c]`, `$10 $0c`, `10h 0ch`, and without
 *   leading zeros `10 c 0 4`
 * - decimal numbers, if they can't be hex: `16, 12, 0, 4`, `16 145 1 0`
 * - escapes: `\x10\x0c\x00\x04`, and in quotes also with text, `"\x10\x0c\x00\x04MQTT"`, in several literals and as Python's `b'…'`
 * - output of Node: `<Buffer c0 00>` unless it ends inside a packet, `Uint8Array(2) [ 16, 12 ]`, `{"type":"Buffer","data":[16,12]}`
 * - an array: JSON, C (also of Wireshark and of `xxd -i`, and with `'M'`), Go, Java, Python, Rust; Erlang's `<<16,12>>`
 * - base64 of an MQTT packet, standard or URL-safe, and a percent-encoded packet: `%10%0C%00%04MQTT`
 * - dumps with offsets: Wireshark and tshark, tcpdump -X, xxd, hexdump -C, od -t x1, Format-Hex, UltraEdit, and gdb's x/14xb. The offsets and the
 *   text beside the bytes are verified.
 * - one side of a connection, if the text counts its bytes: tcpdump -X with its headers, tshark -x, socat -x, and Wireshark's Follow Stream
 *
 * It never guesses: a text that can be read in two ways is an error, and so is other text beside the bytes, such as a log, a program, Markdown
 * or a sentence, because it may mean that more bytes follow. What declares an array, comments in it, and what joins strings may mean that too,
 * so the bytes must be whole packets then, and those of several strings exactly one. Lines of digits are joined if they're whole packets,
 * or of one notation and size.
 *
 * `mqtt-connect-packet explain` reads such texts, and shows what it leaves out.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `text` is not a string, `ERR_INVALID_ARG_VALUE` if it is in none of these forms. The
 *   message says what the text looks like, but never quotes it.
 * @example
 * bytesFromText('0000   c0 00   ..') // <Buffer c0 00>
 */
export function bytesFromText(text: string): Buffer {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text)
  try {
    return read(withoutInvisible(text))
  } catch (error) {
    throw wrongValue('text', notBytes(problemOf(error).message))
  }
}

/** @throws Unreadable if the bytes aren't certain */
function read(text: string): Buffer {
  const whole = withoutFrame(text)
  checkText(whole)
  const { readings } =
    readForm(whole, all) ?? refuse(whole, undefined, BYTES.test(whole) ? OTHER_TEXT : 'it looks like prose')
  const [first, ...others] = readings
  // The names of connections have addresses, which the message must not quote.
  if (copyOwn(first!).connection !== undefined) throw unreadable('it has more than one connection')
  if (others.length > 0) throw unreadable(waysToRead(readings.map(nameOf)))
  const doubt = doubtAbout(text, first!)
  if (doubt !== undefined) throw unreadable(doubt)
  return first!.bytes
}
