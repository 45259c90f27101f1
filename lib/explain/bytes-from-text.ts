import { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'
import { bytesFromArray } from './text-array.ts'
import { bytesFromDump } from './text-dump.ts'
import { notBytes } from './text-error.ts'
import { bytesFromEscapes } from './text-escapes.ts'

/**
 * Reads bytes from the forms in which people paste them:
 *
 * - hex: `10 0c 00 04`, `100c0004`, `10:0c:00:04`, `0x10 0x0c`, `0x100c0004`
 * - escapes: `\x10\x0c\x00\x04MQTT`, also in quotes and as Python's `b'…'`
 * - output of Node: `<Buffer 10 0c>`, `Uint8Array(2) [ 16, 12 ]`, `{"type":"Buffer","data":[16,12]}`
 * - arrays: JSON, C (also of Wireshark and of `xxd -i`), Go, Java, Python
 * - base64 of an MQTT packet
 * - dumps with offsets: Wireshark and tshark, tcpdump -X, xxd, hexdump -C, od -t x1. The offsets are verified, and so is the text
 *   beside the bytes.
 *
 * It never guesses: what can be read in two ways is an error.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `text` is not a string, `ERR_INVALID_ARG_VALUE` if it is in none of these forms. The
 *   message says what it looks like, and contains nothing of it.
 * @example
 * bytesFromText('0000   c0 00   ..') // <Buffer c0 00>
 */
export function bytesFromText(text: string): Buffer {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text)
  const trimmed = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim()
  if (trimmed === '') throw notBytes('it is empty')
  const node = nodeBuffer(trimmed)
  if (node !== undefined) return node
  return (
    bytesFromArray(trimmed) ??
    bytesFromEscapes(trimmed) ??
    bytesFromDump(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')) ??
    bytesFromHex(trimmed) ??
    bytesFromBase64(trimmed) ??
    refuse(trimmed)
  )
}

/** `<Buffer 10 0c>` */
function nodeBuffer(text: string): Buffer | undefined {
  const inside = /^<Buffer((?:\s[\da-f]{2})*)(\s*\.\.\. \d+ more bytes?)?>$/i.exec(text)
  if (inside === null) return undefined
  if (inside[2] !== undefined) {
    throw notBytes(
      "it is a Buffer that console.log has cut after 50 bytes: print buffer.toString('hex') instead",
    )
  }
  return Buffer.from(inside[1]!.replace(/\s/g, ''), 'hex')
}

/** Digits with or without separators, as long as no digit can belong to two bytes. */
function bytesFromHex(text: string): Buffer | undefined {
  if (!/^[\da-fx\s,:;-]+$/i.test(text)) return undefined
  const tokens = text.split(/[\s,:;-]+/).filter((token) => token !== '')
  const digits = tokens.map((token) => token.replace(/^0x([\da-f])$/i, '0$1').replace(/^0x/i, ''))
  if (tokens.length === 0 || digits.some((token) => !/^[\da-f]+$/i.test(token))) return undefined
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

/** Base64, if what it encodes begins like an MQTT packet: many a word is valid base64 too. */
function bytesFromBase64(text: string): Buffer | undefined {
  const compact = text.replace(/\n/g, '')
  if (!/^[\w+/-]+={0,2}$/.test(compact)) return undefined
  const standard = compact.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const bytes = Buffer.from(standard, 'base64')
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === standard
  return isCanonical && beginsLikeMqtt(bytes[0]!) ? bytes : undefined
}

/** Whether a packet can begin with this byte. */
function beginsLikeMqtt(first: number): boolean {
  const type = first >> 4
  const flags = first & 0x0f
  if (type === 3) return true
  return type !== 0 && flags === (type === 6 || type === 8 || type === 10 ? 2 : 0)
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
  [/^\s*[\da-f]{4,8}[:\s]/i, 'it is like a dump, but not in a form that is known'],
  [/[^\t\n\r -~]/, 'it has characters that no form of bytes has'],
]

function refuse(text: string): never {
  const kind = kinds.find(([pattern]) => pattern.test(text))
  throw notBytes(kind?.[1] ?? 'it is like words')
}
