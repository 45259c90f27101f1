import { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'

/*
 * Views of memory, and memory for packets. `bytes.length` is not trusted: a caller may have given a Buffer a `length` of its
 * own, or changed the bytes of a packet after decoding. Neither must make memory visible that is not the packet's.
 */

/** The class that Node's `Buffer` creates its views with. */
const BufferView: new (memory: ArrayBufferLike, offset: number, length: number) => Buffer = (
  Buffer as unknown as Record<symbol, never>
)[Symbol.species]!

/** The getters of all typed arrays: true also of a caller's Buffer that has properties of its own, and fast. */
const lengthOf: (this: Uint8Array) => number = typedArrayGetter('length')
const memoryOf: (this: Uint8Array) => ArrayBufferLike = typedArrayGetter('buffer')
const offsetOf: (this: Uint8Array) => number = typedArrayGetter('byteOffset')
const nameOf: (this: unknown) => string | undefined = typedArrayGetter(Symbol.toStringTag)

function typedArrayGetter(name: PropertyKey): never {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)!.get as never
}

/** `bytes.subarray(start, end)`, which clamps both indices. `Buffer`'s own method takes twice as long. */
export function viewOf(bytes: Buffer, start: number, end: number): Buffer {
  const length = lengthOf.call(bytes)
  const last = end < length ? end : length
  const memory = memoryOf.call(bytes)
  const offset = offsetOf.call(bytes)
  return start < last
    ? new BufferView(memory, offset + start, last - start)
    : new BufferView(memory, offset, 0)
}

/** Whether a value is a Uint8Array, and not only an object with its prototype. */
export function isBytes(value: unknown): value is Uint8Array {
  return nameOf.call(value) === 'Uint8Array'
}

/** How many bytes there are, whatever `bytes.length` says. */
export function trueLength(bytes: Uint8Array): number {
  return lengthOf.call(bytes)
}

/**
 * The same memory as a `Buffer`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not bytes.
 */
export function asBuffer(what: string, bytes: Uint8Array): Buffer {
  if (!isBytes(bytes)) throw wrongType(what, 'a Uint8Array', bytes)
  return isTrueBuffer(bytes) ? bytes : bufferOf(bytes)
}

/** Whether bytes are a `Buffer` without a `length` of the caller's, of which the second answer may differ from the first. */
function isTrueBuffer(bytes: Uint8Array): bytes is Buffer {
  return Object.getPrototypeOf(bytes) === Buffer.prototype && !Object.hasOwn(bytes, 'length')
}

/** `asBuffer` for a chunk, of which methods are called too: a caller may have given it methods of its own. */
export function asChunk(bytes: Uint8Array): Buffer {
  const buffer = asBuffer('chunk', bytes)
  return Object.hasOwn(buffer, 'copy') || Object.hasOwn(buffer, 'subarray') ? bufferOf(buffer) : buffer
}

function bufferOf(bytes: Uint8Array): Buffer {
  const length = lengthOf.call(bytes)
  // Memory that has been transferred away has no length, and no view of it can be created.
  return length === 0 ? Buffer.alloc(0) : new BufferView(memoryOf.call(bytes), offsetOf.call(bytes), length)
}

const none = Buffer.alloc(0)

/** As Node does with the memory that its small buffers share: to transfer one would take away the memory of others. */
const markAsUntransferable: ((object: object) => void) | undefined =
  typeof process === 'undefined'
    ? undefined
    : process.getBuiltinModule?.('node:worker_threads')?.markAsUntransferable

/**
 * Memory for small packets, not cleared. They share blocks, because a block takes longer to allocate than a packet to write.
 * A packet keeps its whole block alive.
 */
export class SharedMemory {
  readonly #blockSize: number
  #block: Buffer = none
  /** The memory of the block. To ask a Buffer for it takes as long as to create a view. */
  #memory: ArrayBufferLike = none.buffer
  #free = 0

  /** @param blockSize in bytes */
  constructor(blockSize: number) {
    this.#blockSize = blockSize
  }

  /** Memory for one packet: a part of a block if it takes at most half of one. */
  take(size: number): Buffer {
    if (size > this.#blockSize / 2) return Buffer.allocUnsafeSlow(size)
    if (this.#free + size > this.#block.length) this.#newBlock()
    return this.cut(this.#free, this.#free + size)
  }

  /** The index of the first free byte of `block`. At least a sixteenth of the block is free. */
  get free(): number {
    if (this.#free > this.#block.length - this.#blockSize / 16) this.#newBlock()
    return this.#free
  }

  /** The current block, to be written to from `free` on. Ask for `free` first: it may begin a new block. */
  get block(): Buffer {
    return this.#block
  }

  /** The bytes from `start` to `end` of the block, which are a packet from now on. Those after `end` stay free. */
  cut(start: number, end: number): Buffer {
    this.#free = end
    return new BufferView(this.#memory, start, end - start)
  }

  #newBlock(): void {
    this.#block = Buffer.allocUnsafeSlow(this.#blockSize)
    this.#memory = this.#block.buffer
    this.#free = 0
    markAsUntransferable?.(this.#memory)
  }
}
