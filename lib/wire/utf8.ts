import { Buffer } from 'buffer'
import { FEW, readFewAscii } from './unrolled.ts'

/*
 * Strict UTF-8, as MQTT demands it: MQTT 3.1.1 section 1.5.3, MQTT 5.0 section 1.5.4. A string that isn't well-formed is refused.
 * Nothing is ever replaced, so two different client ids can't become the same string.
 */

/**
 * The index of the first byte that is U+0000 or not part of well-formed UTF-8, or -1 if there is none. For an invalid sequence,
 * it's the index of the sequence's first byte.
 */
export function firstInvalidByte(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    // A single comparison covers 0, and 0x80 and above.
    if (((bytes[at]! - 1) & 0xff) >= 0x7f) return bytes[at] === 0 ? at : firstInvalidSequence(bytes, at, end)
  }
  return -1
}

/** Continues `firstInvalidByte` at the first byte of a multi-byte sequence. */
function firstInvalidSequence(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    const length = sequenceLength(bytes, at, end)
    if (length === 0) return at
    at += length
  }
  return -1
}

/**
 * The length in bytes of the well-formed sequence at `at`, 1 to 4; 0 if it isn't well-formed or is U+0000. The range of the
 * second byte depends on the first, which excludes overlong forms, surrogate halves (ED A0 80 to ED BF BF) and values above
 * U+10FFFF. Unicode Standard, table 3-7.
 */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!
  if (first < 0x80) return first === 0 ? 0 : 1
  const second = at + 1 < end ? bytes[at + 1]! : 0
  if (first < 0xe0) return first >= 0xc2 && isContinuation(second) ? 2 : 0
  if (first > 0xf4) return 0
  let lowest = 0x80
  let highest = 0xbf
  if (first === 0xe0) lowest = 0xa0
  else if (first === 0xed) highest = 0x9f
  else if (first === 0xf0) lowest = 0x90
  else if (first === 0xf4) highest = 0x8f
  if (second < lowest || second > highest) return 0
  if (at + 2 >= end || !isContinuation(bytes[at + 2]!)) return 0
  if (first < 0xf0) return 3
  return at + 3 < end && isContinuation(bytes[at + 3]!) ? 4 : 0
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** Up to this length, in bytes or UTF-16 units, JavaScript is faster than a call into the runtime. */
const SHORT = 32

/** The string from `start` to `end`. The bytes must be well-formed. */
export function readUtf8(bytes: Buffer, start: number, end: number): string {
  return readShortAscii(bytes, start, end - start) ?? bytes.toString('utf8', start, end)
}

/** Returns `undefined` if the bytes are too many, or not all ASCII. */
function readShortAscii(bytes: Uint8Array, at: number, length: number): string | undefined {
  if (length <= FEW) return readFewAscii(bytes, at, length)
  if (length > SHORT) return undefined
  const head = readFewAscii(bytes, at, FEW)
  const tail = readFewAscii(bytes, at + FEW, length - FEW)
  return head === undefined || tail === undefined ? undefined : head + tail
}

/** The number of bytes that `writeUtf8` writes for a string; a lone surrogate takes 3. */
export function utf8Length(value: string): number {
  const { length } = value
  if (length > SHORT) return Buffer.byteLength(value)
  for (let i = 0; i < length; i++) {
    if (value.charCodeAt(i) >= 0x80) return Buffer.byteLength(value)
  }
  return length
}

/**
 * Writes a string as UTF-8 and returns the index after it. Writes nothing if there isn't enough room. A lone surrogate is written
 * as the three bytes of its code point instead of being replaced, so that the check that follows refuses it there.
 */
export function writeUtf8(bytes: Uint8Array, start: number, value: string): number {
  const { length } = value
  if (start + length > bytes.length) return start + utf8Length(value)
  for (let i = 0; i < length; i++) {
    const unit = value.charCodeAt(i)
    if (unit >= 0x80) return writeMultiByte(bytes, start + i, value, i)
    bytes[start + i] = unit
  }
  return start + length
}

/** Continues `writeUtf8` at the unit `from`. */
function writeMultiByte(bytes: Uint8Array, start: number, value: string, from: number): number {
  let at = start
  for (let i = from; i < value.length; i++) {
    const point = value.codePointAt(i)!
    if (point < 0x80) {
      bytes[at++] = point
    } else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6)
      bytes[at++] = 0x80 | (point & 0x3f)
    } else if (point < 0x10000) {
      bytes[at++] = 0xe0 | (point >> 12)
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
      bytes[at++] = 0x80 | (point & 0x3f)
    } else {
      bytes[at++] = 0xf0 | (point >> 18)
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
      bytes[at++] = 0x80 | (point & 0x3f)
      i++ // The second half of the surrogate pair.
    }
  }
  return at
}
