import { Buffer } from 'buffer'
import { outOfRange, wrongType, wrongValue } from '../errors/misuse.ts'
import { MAX_STRING_LENGTH } from '../protocol/limits.ts'
import { PAST_END, readTwoByteInteger, writeTwoByteInteger } from '../wire/integers.ts'
import { wildcardAt } from '../wire/scan.ts'
import { readUtf8, utf8Length, writePlainUtf8, writeUtf8 } from '../wire/utf8.ts'
import { viewOf } from '../wire/view.ts'

/*
 * The values that a packet is built from: `check…` refuses what is of the wrong type or what no packet could
 * carry (misuse, so a TypeError or a RangeError), `…Size` does so and tells how many bytes the value takes,
 * `write…` writes it and returns the index after it. What a rule of MQTT forbids is left to the scan, or, where there
 * will be none, not written.
 */

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a boolean. */
export function checkBoolean(what: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw wrongType(what, 'a boolean', value)
  return value
}

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if `value` is not an object. */
export function checkObject(what: string, value: object): void {
  if (typeof value !== 'object' || value === null) throw wrongType(what, 'an object', value)
}

/** The error of a field that does not exist: a misspelt `username` would silently connect without credentials. */
export function noSuchField(what: string, name: string): TypeError {
  return wrongValue(`${what}.${name}`, 'no such field')
}

/**
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a number.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it is not an integer from 0 to `max`.
 */
export function checkInteger(what: string, value: number, max: number): number {
  if (typeof value !== 'number') throw wrongType(what, 'a number', value)
  if (!isInteger(value, 0, max)) throw outOfRange(what, `an integer from 0 to ${max}`, value)
  return value
}

/** Whether the value is an integer from `min` to `max`; both are 0 to 4,294,967,295. */
export function isInteger(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >>> 0 === value && value >= min && value <= max
}

/**
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a string.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it takes over 65,535 bytes.
 */
export function utf8StringSize(what: string, value: string): number {
  if (typeof value !== 'string') throw wrongType(what, 'a string', value)
  return prefixedSize(what, utf8Length(value))
}

/**
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is neither bytes nor a string.
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if it is a string with a lone surrogate.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it takes over 65,535 bytes.
 */
export function binaryDataSize(what: string, value: Uint8Array | string): number {
  if (typeof value === 'string') {
    checkWellFormed(what, value)
    return utf8StringSize(what, value)
  }
  if (!isBytes(value)) throw wrongType(what, 'a string or a Uint8Array', value)
  return prefixedSize(what, value.length)
}

/** Also of what only has the prototype of bytes. */
function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && typedArrayName.call(value) === 'Uint8Array'
}

/** How long bytes are, also if a property of their own says otherwise; slower than `length`. */
function trueLength(bytes: Uint8Array): number {
  return typedArrayLength.call(bytes)
}

const typedArrayName: (this: object) => string | undefined = typedArrayGetter(Symbol.toStringTag)
const typedArrayLength: (this: Uint8Array) => number = typedArrayGetter('length')

function typedArrayGetter(name: PropertyKey): never {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get as never
}

/** No scan looks into binary data, so a lone surrogate is refused here: nothing may replace it. */
function checkWellFormed(what: string, value: string): void {
  if (!value.isWellFormed()) throw wrongValue(what, 'a string without lone surrogates, or bytes')
}

function prefixedSize(what: string, length: number): number {
  if (typeof length !== 'number') throw wrongType(what, 'bytes of some length', length)
  if (!fitsPrefix(length)) throw outOfRange(what, `at most ${MAX_STRING_LENGTH} bytes`, length)
  return length + 2
}

function fitsPrefix(length: number): boolean {
  return isInteger(length, 0, MAX_STRING_LENGTH)
}

/*
 * Each `write…` writes every byte up to the index that it returns, whatever a getter gives it now: so if what is
 * returned in the end is the end of the packet, no byte of its memory is as another packet may have left it.
 *
 * If told that only `plain` values will do, it takes any value and returns `PAST_END` for one that is not: of the wrong
 * type, no well-formed string, holding U+0000, longer than the bytes; as a topic name also empty or with a wildcard.
 */

/** @throws TypeError `ERR_INVALID_ARG_VALUE` if the value was a string before. */
export function writeUtf8String(bytes: Uint8Array, at: number, value: string, plain: boolean): number {
  if (typeof value !== 'string') return unfit(plain)
  const start = at + 2
  const end = plain ? writePlainUtf8(bytes, start, value) : writeUtf8(bytes, start, value)
  writeTwoByteInteger(bytes, at, end - start)
  return end
}

/** @throws as `writeUtf8String` does. */
export function writeTopicName(bytes: Uint8Array, at: number, value: string, plain: boolean): number {
  const end = writeUtf8String(bytes, at, value, plain)
  if (!plain || end > bytes.length) return end
  const start = at + 2
  return end > start && wildcardAt(bytes, start, end) < 0 ? end : PAST_END
}

/** @throws TypeError `ERR_INVALID_ARG_VALUE` if the value was bytes or a string before. */
export function writeBinaryData(
  bytes: Uint8Array,
  at: number,
  value: Uint8Array | string,
  plain: boolean,
): number {
  if (typeof value === 'string') {
    return plain || value.isWellFormed() ? writeUtf8String(bytes, at, value, plain) : unfit(plain)
  }
  if (!isBytes(value)) return unfit(plain)
  const { length } = value
  if (!fitsPrefix(length)) return unfit(plain)
  const start = writeTwoByteInteger(bytes, at, length)
  const end = start + length
  if (plain && end > bytes.length) return PAST_END
  if (length > LONG && end <= bytes.length && trueLength(value) === length) {
    bytes.set(value, start)
  } else {
    // What an array does not have of the length that it claims is 0.
    for (let i = 0; i < length; i++) bytes[start + i] = value[i]!
  }
  return end
}

/** From this length on a call into the runtime is faster than a loop. */
const LONG = 64

/**
 * For a value that cannot be written: `PAST_END` if only `plain` ones will do. Else it has been checked, and throws.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` as the value was another when it was checked.
 */
export function unfit(plain: boolean): number {
  if (plain) return PAST_END
  throw changed()
}

/** The error of values that were others when they were checked and measured. */
export function changed(): TypeError {
  return wrongValue('fields', 'values that do not change while they are written')
}

/** The index after the string or the binary data whose length prefix stands at `at`. */
export function prefixedEnd(bytes: Uint8Array, at: number): number {
  return at + 2 + readTwoByteInteger(bytes, at)
}

/** The string whose length prefix stands at `at`. */
export function readUtf8String(bytes: Buffer, at: number): string {
  return readUtf8(bytes, at + 2, prefixedEnd(bytes, at))
}

/** The binary data whose length prefix stands at `at`, as a view. */
export function readBinaryData(bytes: Buffer, at: number): Buffer {
  return viewOf(bytes, at + 2, prefixedEnd(bytes, at))
}

/**
 * The same memory as a `Buffer`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not bytes.
 */
export function asBuffer(what: string, bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : bufferOf(what, bytes)
}

function bufferOf(what: string, bytes: Uint8Array): Buffer {
  if (!isBytes(bytes)) throw wrongType(what, 'a Uint8Array', bytes)
  // Memory that has been transferred away is of no length either, and cannot be shared.
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Binary data as the caller gave it, as a `Buffer`: bytes share the caller's memory, a string becomes UTF-8.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is neither bytes nor a string.
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if it is a string with a lone surrogate.
 */
export function toBuffer(what: string, value: Uint8Array | string): Buffer {
  if (typeof value === 'string') {
    checkWellFormed(what, value)
    const bytes = Buffer.allocUnsafe(utf8Length(value))
    writeUtf8(bytes, 0, value)
    return bytes
  }
  return asBuffer(what, value)
}

/**
 * A limit in bytes, or `fallback` if there is none.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a number.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it is neither a positive integer nor `Infinity`.
 */
export function checkLimit(what: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value !== 'number') throw wrongType(what, 'a number', value)
  if (!(value > 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY))) {
    throw outOfRange(what, 'a positive integer or Infinity', value)
  }
  return value
}
