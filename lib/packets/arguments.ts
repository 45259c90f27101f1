import { Buffer } from 'buffer'
import { outOfRange, wrongType } from '../errors/misuse.ts'
import { asBuffer } from '../wire/memory.ts'
import { checkBytes, checkWellFormed } from '../wire/primitives.ts'
import { utf8Length, writeUtf8 } from '../wire/utf8.ts'

/*
 * What a caller passes: each function refuses what is of the wrong type or outside the range of its type, with a TypeError
 * or a RangeError. `what` is the path of the argument, for the message.
 */

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a boolean. */
export function checkBoolean(what: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw wrongType(what, 'a boolean', value)
  return value
}

/**
 * @param max 0 to 4,294,967,295
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a number.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it is not an integer from 0 to `max`.
 */
export function checkInteger(what: string, value: number, max: number): number {
  if (typeof value !== 'number') throw wrongType(what, 'a number', value)
  if (value >>> 0 !== value || value > max) throw outOfRange(what, `an integer from 0 to ${max}`)
  return value
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
    throw outOfRange(what, 'a positive integer or Infinity')
  }
  return value
}

/**
 * Binary data as a `Buffer`: bytes share the caller's memory, a string becomes UTF-8.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is neither bytes nor a string, `ERR_INVALID_ARG_VALUE` if it is a
 *   string with a lone surrogate.
 */
export function toBuffer(what: string, value: Uint8Array | string): Buffer {
  if (typeof value === 'string') {
    checkWellFormed(what, value)
    const bytes = Buffer.allocUnsafe(utf8Length(value))
    writeUtf8(bytes, 0, value)
    return bytes
  }
  checkBytes(what, value)
  return asBuffer(what, value)
}
