import type { Buffer } from 'buffer'
import { SharedMemory } from '../wire/shared-memory.ts'

/** The size in bytes of the memory that small packets from a stream share. A packet retains its own bytes, or this many. */
export const SHARED_SIZE = 640

const memory = new SharedMemory(SHARED_SIZE)

/** Memory for a packet from a stream, not cleared. */
export function packetMemory(size: number): Buffer {
  return memory.take(size)
}

/** Holds the blocks of a partial packet. `BufferList` of the package bl has these methods. */
export interface ByteList {
  append(bytes: Buffer): unknown
  readonly length: number
  copy(target: Buffer, targetStart: number): unknown
}

/** A `ByteList` where bl isn't available. */
export class BlockList implements ByteList {
  readonly #blocks: Buffer[] = []
  length = 0

  append(bytes: Buffer): void {
    this.#blocks.push(bytes)
    this.length += bytes.length
  }

  copy(target: Buffer, targetStart: number): void {
    let at = targetStart
    for (const block of this.#blocks) {
      target.set(block, at)
      at += block.length
    }
  }
}

/** The size of the first block, in bytes. */
const BLOCK_SIZE = 1024

/**
 * The bytes of a packet that arrives in several chunks, copied out of them. Each block is as large as all previous ones together,
 * so the memory held is at most twice the bytes plus a constant, and there are few blocks. A packet that fits into one block
 * isn't copied again.
 */
export class PartialPacket {
  /** The size of the whole packet, in bytes. */
  readonly size: number
  /** The number of bytes that have arrived. */
  length = 0
  readonly #createList: () => ByteList
  /** The full blocks, if any: most packets fit into the first block. */
  #list: ByteList | undefined = undefined
  /** The block being filled, and the number of bytes in it. */
  #block: Buffer | undefined = undefined
  #filled = 0

  constructor(size: number, createList: () => ByteList) {
    this.size = size
    this.#createList = createList
  }

  /** Takes the packet's bytes out of `chunk`, from `start` on, and returns the index after them. */
  append(chunk: Buffer, start: number): number {
    const end = start + Math.min(chunk.length - start, this.size - this.length)
    let at = start
    while (at < end) {
      const block = this.#blockFor(end - at)
      const piece = Math.min(end - at, block.length - this.#filled)
      chunk.copy(block, this.#filled, at, at + piece)
      this.#filled += piece
      this.length += piece
      at += piece
    }
    return end
  }

  /** Like `append`, but only counts the bytes, for a packet that has been refused. */
  skip(chunk: Buffer, start: number): number {
    const piece = Math.min(chunk.length - start, this.size - this.length)
    this.length += piece
    return start + piece
  }

  /** All bytes of the packet, once they have arrived. */
  take(): Buffer {
    return this.#list === undefined ? this.#block! : this.held()
  }

  /** A copy of the bytes that have arrived, unless they were skipped. */
  held(): Buffer {
    const stored = this.#list?.length ?? 0
    const bytes = packetMemory(stored + this.#filled)
    this.#list?.copy(bytes, 0)
    this.#block?.copy(bytes, stored, 0, this.#filled)
    return bytes
  }

  /** A block with room. `atOnce` is the number of bytes available for it. */
  #blockFor(atOnce: number): Buffer {
    if (this.#block !== undefined) {
      if (this.#filled < this.#block.length) return this.#block
      this.#list ??= this.#createList()
      this.#list.append(this.#block)
    }
    const size = Math.max(this.length, atOnce, BLOCK_SIZE)
    this.#block = packetMemory(Math.min(this.size - this.length, size))
    this.#filled = 0
    return this.#block
  }
}
