import type { Buffer } from 'buffer'
import { copyOwn, wrongType, wrongValue } from '../../errors/misuse.ts'
import { doubtAbout } from './certain.ts'
import { nameOf, notBytes, readPaste, waysToRead } from './read-paste.ts'

/**
 * Reads bytes in the forms in which people paste them:
 *
 * - hex: `10 0c 00 04`, `100c0004`, `10:0c:00:04`, `0x10 0x0c`, `0x100c0004`, `<10><0c>`, `[10][0c]`, `$10 $0c`, `10h 0ch`, and without
 *   leading zeros `10 c 0 4`
 * - decimal numbers, if they can't be hex: `16, 12, 0, 4`, `16 145 1 0`
 * - escapes: `\x10\x0c\x00\x04`, and in quotes also with text, `"\x10\x0c\x00\x04MQTT"`, in several literals and as Python's `b'…'`
 * - output of Node: `<Buffer 10 0c>`, `Uint8Array(2) [ 16, 12 ]`, `{"type":"Buffer","data":[16,12]}`
 * - arrays: JSON, C (also of Wireshark and of `xxd -i`, and with `'M'`), Go, Java, Python, Rust, also with other code around them; Erlang's `<<16,12>>`
 * - base64 of an MQTT packet, standard or URL-safe, and a percent-encoded packet: `%10%0C%00%04MQTT`
 * - dumps with offsets: Wireshark and tshark, tcpdump -X, xxd, hexdump -C, od -t x1, Format-Hex, UltraEdit, and gdb's x/14xb. The offsets and the
 *   text beside the bytes are verified.
 * - logs: strace, socat -x, tcpdump -X with its headers, tshark -x, Wireshark's Follow Stream, blocks of Markdown, and lines with a time, `TX:` or
 *   any other text that ends with a sign before the bytes, as from Arduino, ESP-IDF and Zephyr. A log with both directions of a connection, or
 *   of several connections, is an error, because its bytes aren't one sequence.
 *
 * Other text beside the bytes may mean anything, so the bytes must be whole packets then, and those of several lines exactly one, unless the
 * text counts them, as dumps with offsets, socat and tcpdump do. Bytes in a second place are an error, and so is code that doesn't only
 * write, print or measure an array. A notation that isn't listed may go unnoticed.
 *
 * It never guesses: a text that can be read in two ways is an error. Lines of nothing but bytes are joined, whatever packets they have.
 * `mqtt-connect-packet explain` reads more texts, and shows how it has read them.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `text` is not a string, `ERR_INVALID_ARG_VALUE` if it is in none of these forms. The
 *   message says what the text looks like, but never quotes it.
 * @example
 * bytesFromText('0000   c0 00   ..') // <Buffer c0 00>
 */
export function bytesFromText(text: string): Buffer {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text)
  const { readings = [], problem } = copyOwn(readPaste(text))
  const [first, ...others] = readings
  const doubt = first === undefined ? problem! : doubtAbout(first)
  if (first !== undefined && doubt === undefined && others.length === 0) return first.bytes
  throw wrongValue('text', notBytes(others.length > 0 ? waysToRead(readings.map(nameOf)) : doubt!))
}
