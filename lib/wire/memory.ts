import { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'

/*
 * Views of memory. `bytes.length` isn't trusted, because a caller may have given a Buffer a `length` of
 * its own or changed the bytes of a packet after decoding. Neither may expose memory outside the packet.
 */

/** The class of the views that Node's `Buffer` creates. */
export const BufferView: new (memory: ArrayBufferLike, offset: number, length: number) => Buffer = (
  Buffer as unknown as Record<symbol, never>
)[Symbol.species]!

/** The getters of all typed arrays. They are fast, and can't be overridden by properties that a caller adds to a Buffer. */
const lengthOf: (this: Uint8Array) => number = typedArrayGetter('length')
const memoryOf: (this: Uint8Array) => ArrayBufferLike = typedArrayGetter('buffer')
const offsetOf: (this: Uint8Array) => number = typedArrayGetter('byteOffset')
const nameOf: (this: unknown) => string | undefined = typedArrayGetter(Symbol.toStringTag)

function typedArrayGetter(name: PropertyKey): never {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get as never
}

/** The same as `bytes.subarray(start, end)`, clamping both indices. `Buffer`'s own method takes twice as long. */
export function viewOf(bytes: Uint8Array, start: number, end: number): Buffer {
  const length = lengthOf.call(bytes)
  // No view of transferred memory can be created, not even an empty one.
  if (length === 0) return Buffer.alloc(0)
  const last = end < length ? end : length
  const first = start < 0 ? 0 : start < last ? start : last
  return new BufferView(memoryOf.call(bytes), offsetOf.call(bytes) + first, last - first)
}

/** True for a Uint8Array, and false for an object that merely has its prototype. */
export function isBytes(value: unknown): value is Uint8Array {
  return nameOf.call(value) === 'Uint8Array'
}

/** The real number of bytes, whatever `bytes.length` says. */
export function trueLength(bytes: Uint8Array): number {
  return lengthOf.call(bytes)
}

/**
 * A `Buffer` that shares the memory of `bytes`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not bytes.
 */
export function asBuffer(what: string, bytes: Uint8Array): Buffer {
  return isBytes(bytes) && isTrueBuffer(bytes) ? bytes : asNewBuffer(what, bytes)
}

/** A constant, because looking it up for each packet takes longer than the comparison. */
const prototype: object = Buffer.prototype

/** True for a `Buffer` without a `length` of its own, which could answer differently the second time. */
function isTrueBuffer(bytes: Uint8Array): bytes is Buffer {
  return Object.getPrototypeOf(bytes) === prototype && !Object.hasOwn(bytes, 'length')
}

/** The same as `asBuffer`, always as a new `Buffer`: the caller may have given its own one other members, such as a `byteOffset`. */
export function asNewBuffer(what: string, bytes: Uint8Array): Buffer {
  if (!isBytes(bytes)) throw wrongType(what, 'a Uint8Array', bytes)
  return viewOf(bytes, 0, trueLength(bytes))
}
