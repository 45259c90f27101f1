import type { Buffer } from 'buffer'
import { wrongType, wrongValue } from '../../errors/misuse.ts'
import { captureAdvice, isCaptureText } from '../capture.ts'
import { bytesFromArray } from './arrays.ts'
import { bytesFromBase64 } from './base64.ts'
import { bytesFromDump } from './dumps.ts'
import { bytesFromHex, bytesFromNode } from './hex.ts'
import { bytesFromMemory } from './memory.ts'
import { bytesFromEscapes } from './strings.ts'
import { Unreadable, unreadable } from './unreadable.ts'

/**
 * Reads bytes from the forms in which people paste them:
 *
 * - hex: `10 0c 00 04`, `100c0004`, `10:0c:00:04`, `0x10 0x0c`, `0x100c0004`
 * - escapes: `\x10\x0c\x00\x04MQTT`, also in quotes and as Python's `b'…'`
 * - output of Node: `<Buffer 10 0c>`, `Uint8Array(2) [ 16, 12 ]`, `{"type":"Buffer","data":[16,12]}`
 * - arrays: JSON, C (also of Wireshark and of `xxd -i`), Go, Java, Python
 * - base64 of an MQTT packet, standard or URL-safe
 * - dumps with offsets: Wireshark and tshark, tcpdump -X, xxd, hexdump -C, od -t x1, and gdb's x/14xb. The offsets are verified, and
 *   so is the text beside the bytes.
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
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw wrongValue('text', `bytes in hex, as an array, a dump or base64, but ${error.message}`)
  }
}

function read(text: string): Buffer {
  const lines = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '')
  const trimmed = lines.trim()
  if (trimmed === '') throw unreadable('it is empty')
  if (isCaptureText(trimmed)) throw unreadable(`it is ${captureAdvice()}`)
  return (
    bytesFromNode(trimmed) ??
    bytesFromArray(trimmed) ??
    bytesFromEscapes(trimmed) ??
    bytesFromMemory(trimmed) ??
    bytesFromDump(lines) ??
    bytesFromHex(lines) ??
    bytesFromBase64(trimmed) ??
    refuse(trimmed)
  )
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

/** @throws Unreadable always: it says what the text looks like */
function refuse(text: string): never {
  const [, kind = 'it is like words'] = kinds.find(([pattern]) => pattern.test(text)) ?? []
  throw unreadable(kind)
}
