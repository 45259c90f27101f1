import { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'
import { bytesFromArray } from './bytes-from-array.ts'
import { bytesFromBase64 } from './bytes-from-base64.ts'
import { bytesFromDump } from './bytes-from-dump.ts'
import { bytesFromEscapes } from './bytes-from-escapes.ts'
import { captureAdvice, isCaptureText } from './capture.ts'
import { notBytes } from './not-bytes.ts'

/**
 * Reads bytes from the forms in which people paste them:
 *
 * - hex: `10 0c 00 04`, `100c0004`, `10:0c:00:04`, `0x10 0x0c`, `0x100c0004`
 * - escapes: `\x10\x0c\x00\x04MQTT`, also in quotes and as Python's `b'…'`
 * - output of Node: `<Buffer 10 0c>`, `Uint8Array(2) [ 16, 12 ]`, `{"type":"Buffer","data":[16,12]}`
 * - arrays: JSON, C (also of Wireshark and of `xxd -i`), Go, Java, Python
 * - base64 of an MQTT packet, standard or URL-safe
 * - dumps with offsets: Wireshark and tshark, tcpdump -X, xxd, hexdump -C, od -t x1. The offsets are verified, and so is the text
 *   beside the bytes.
 *
 * It never guesses: a text with two possible readings is an error.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `text` is not a string, `ERR_INVALID_ARG_VALUE` if it is in none of these forms. The
 *   message says what it looks like, and contains nothing of it.
 * @example
 * bytesFromText('0000   c0 00   ..') // <Buffer c0 00>
 */
export function bytesFromText(text: string): Buffer {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text)
  const lines = text.replaceAll('\r\n', '\n')
  const trimmed = lines.trim()
  if (trimmed === '') throw notBytes('it is empty')
  if (isCaptureText(trimmed)) throw notBytes(`it is ${captureAdvice()}`)
  const node = nodeBuffer(trimmed)
  if (node !== undefined) return node
  return (
    bytesFromArray(trimmed) ??
    bytesFromEscapes(trimmed) ??
    bytesFromDump(lines) ??
    bytesFromHex(trimmed) ??
    bytesFromBase64(trimmed) ??
    refuse(trimmed)
  )
}

/** `<Buffer 10 0c>` */
function nodeBuffer(text: string): Buffer | undefined {
  const inside = /^<Buffer((?:\s[\da-f]{2})*)(\s*\.\.\. \d+ more bytes?)?\s?>$/i.exec(text)
  if (inside === null) return undefined
  if (inside[2] !== undefined) {
    throw notBytes(
      "it is a Buffer that console.log has cut after 50 bytes: print buffer.toString('hex') instead",
    )
  }
  if (inside[1] === '') throw notBytes('it is empty')
  return Buffer.from(inside[1]!.replace(/\s/g, ''), 'hex')
}

/** Digits with or without separators, as long as no digit can belong to two bytes. */
function bytesFromHex(text: string): Buffer | undefined {
  if (!/^[\da-f][\da-fx\s,:;-]*$/i.test(text)) return undefined
  const tokens = text.split(/[\s,:;-]+/).filter((token) => token !== '')
  const digits = tokens.map((token) => token.replace(/^0x([\da-f])$/i, '0$1').replace(/^0x/i, ''))
  if (digits.some((token) => !/^[\da-f]+$/i.test(token))) return undefined
  if (tokens.length > 1 && /,/.test(text) && tokens.every((token) => /^\d{1,3}$/.test(token))) {
    throw notBytes('it is a list of numbers that may be decimal or hex: write [16, 12] or 0x10, 0x0c')
  }
  if (digits.length === 1 || digits.every((token) => token.length % 2 === 0)) {
    const all = digits.join('')
    if (all.length % 2 !== 0) throw notBytes('it is hex with an odd number of digits')
    return Buffer.from(all, 'hex')
  }
  throw notBytes('it is hex in which a group has an odd number of digits')
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /\n\*\n/,
    'it is a dump without offsets, in which * stands for any number of lines: print it again with -v',
  ],
  [/^-----BEGIN /, 'it is a PEM file: a certificate or a key'],
  [/^(GET|POST|PUT|HEAD|OPTIONS|CONNECT) \S+ HTTP\/|^HTTP\/1/, 'it is HTTP'],
  [/^\w+:\/\//, 'it is a URL'],
  [/^<\?xml|^<[a-z]+[\s>]/i, 'it is XML or HTML'],
  [/^[{[]/, 'it is JSON or code, but not an array of bytes'],
  [/^b?["'][\da-f]+["']$/i, 'it is hex in quotes: remove the quotes'],
  [/[^\t\n\r -~]/, 'it has characters that no form of bytes has'],
]

/** @throws TypeError always: it says what the text looks like */
function refuse(text: string): never {
  const [, kind = 'it is like words'] = kinds.find(([pattern]) => pattern.test(text)) ?? []
  throw notBytes(kind)
}
