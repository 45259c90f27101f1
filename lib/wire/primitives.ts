import { Buffer } from 'buffer'
import { outOfRange, wrongType, wrongValue } from '../errors/misuse.ts'
import { MAX_STRING_LENGTH } from '../protocol/limits.ts'
import { readTwoByteInteger, writeTwoByteInteger } from './integers.ts'
import { asBuffer, isBytes, trueLength, viewOf } from './memory.ts'
import { readUtf8, utf8Length, writeUtf8 } from './utf8.ts'

/*
 * UTF-8 strings and binary data with their length prefix. MQTT 5.0 sections 1.5.4 and 1.5.6. The `write…` functions take a
 * caller's value, refuse what no packet could hold, and return the index after the bytes written. Without enough room, they only
 * count. Values that break a rule of MQTT are written, because the check that follows refuses them. None of the caller's code
 * runs.
 */

/**
 * @param what the path of the value, for the error
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a string.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it takes over 65,535 bytes.
 */
export function writeUtf8String(bytes: Uint8Array, at: number, value: unknown, what: string): number {
  if (typeof value !== 'string') throw wrongType(what, 'a string', value)
  if (value.length > MAX_STRING_LENGTH) throw tooLong(what)
  const start = at + 2
  const end = writeUtf8(bytes, start, value)
  if (end - start > MAX_STRING_LENGTH) throw tooLong(what)
  writeTwoByteInteger(bytes, at, end - start)
  return end
}

/**
 * @param value a value that has passed `checkBinary`
 * @throws RangeError `ERR_OUT_OF_RANGE` if it takes over 65,535 bytes.
 */
export function writeBinaryData(
  bytes: Uint8Array,
  at: number,
  value: Uint8Array | string,
  what: string,
): number {
  if (typeof value === 'string') return writeUtf8String(bytes, at, value, what)
  const length = trueLength(value)
  if (length > MAX_STRING_LENGTH) throw tooLong(what)
  const start = writeTwoByteInteger(bytes, at, length)
  const end = start + length
  if (end > bytes.length) return end
  if (length > LONG) bytes.set(value, start)
  else for (let i = 0; i < length; i++) bytes[start + i] = value[i]!
  return end
}

/** From this length on, a call into the runtime is faster than a loop. */
const LONG = 64

function tooLong(what: string): RangeError {
  return outOfRange(what, `at most ${MAX_STRING_LENGTH} bytes long`)
}

/**
 * Checks binary data that a caller has passed. Any getters run here, so that none runs during writing.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is neither bytes nor a string, `ERR_INVALID_ARG_VALUE` if it's a string
 *   with a lone surrogate, or an array with a false length. The check of a packet doesn't look into binary data, so it
 *   wouldn't find a lone surrogate, and replacing one would change the data.
 */
export function checkBinary(what: string, value: unknown): Uint8Array | string {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw wrongValue(what, 'a string without lone surrogates, or bytes')
    return value
  }
  if (!isBytes(value)) throw wrongType(what, 'a string or a Uint8Array', value)
  if (value.length !== trueLength(value)) throw wrongValue(what, 'bytes whose length is their own')
  return value
}

/**
 * Binary data as a `Buffer`: bytes share the caller's memory, and a string becomes UTF-8. Throws the same errors as
 * `checkBinary`.
 */
export function toBuffer(what: string, value: unknown): Buffer {
  const data = checkBinary(what, value)
  if (typeof data !== 'string') return asBuffer(what, data)
  const bytes = Buffer.allocUnsafe(utf8Length(data))
  writeUtf8(bytes, 0, data)
  return bytes
}

/** The index after the string or the binary data whose length prefix is at `at`. */
export function prefixedEnd(bytes: Uint8Array, at: number): number {
  return at + 2 + readTwoByteInteger(bytes, at)
}

/** The string whose length prefix is at `at`. */
export function readUtf8String(bytes: Buffer, at: number): string {
  return readUtf8(bytes, at + 2, prefixedEnd(bytes, at))
}

/** The binary data whose length prefix is at `at`, as a view. */
export function readBinaryData(bytes: Buffer, at: number): Buffer {
  return viewOf(bytes, at + 2, prefixedEnd(bytes, at))
}
