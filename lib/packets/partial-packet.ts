import type { Buffer } from 'buffer'
import { SharedMemory } from '../wire/memory.ts'

/** How much memory small packets out of a stream share, in bytes. A packet keeps alive its own bytes, or this much. */
export const SHARED_SIZE = 640

const memory = new SharedMemory(SHARED_SIZE)

/** Memory for a packet out of a stream, not cleared. */
export function packetMemory(size: number): Buffer {
  return memory.take(size)
}

/** What holds the blocks of a partial packet: `BufferList` of the package bl has these methods. */
export interface ByteList {
  append(bytes: Buffer): unknown
  readonly length: number
  copy(target: Buffer, targetStart: number): unknown
}

/** A `ByteList` for code that does without bl. */
export class BlockList implements ByteList {
  readonly #blocks: Buffer[] = []
  #length = 0

  append(bytes: Buffer): void {
    this.#blocks.push(bytes)
    this.#length += bytes.length
  }

  get length(): number {
    return this.#length
  }

  copy(target: Buffer, targetStart: number): void {
    let at = targetStart
    for (const block of this.#blocks) {
      target.set(block, at)
      at += block.length
    }
  }
}

/** The size of a block that gathers small pieces, in bytes. */
const BLOCK_SIZE = 1024
/** How many blocks are merged into one. */
const MERGED = 16

/** Some of the blocks of a partial packet. */
interface Level {
  readonly list: ByteList
  blocks: number
}

/**
 * The bytes of a packet that has not arrived whole, copied out of the chunks that they came in. The memory held is the bytes
 * and a constant, however they arrive: small pieces are gathered in a block, and 16 full blocks are merged into one, again and
 * again. So the number of blocks grows with the logarithm of the bytes. A packet that fits one block is not copied again.
 */
export class PartialPacket {
  /** The size of the whole packet, in bytes. */
  readonly size: number
  readonly #createList: () => ByteList
  /** The full blocks. Each list holds later bytes, and less often merged blocks, than the one after it. */
  readonly #levels: Level[] = []
  /** The block that is being filled, and how far. */
  #block: Buffer
  #filled = 0
  /** The number of bytes in full blocks. */
  #stored = 0

  /** @param atOnce how many bytes are there for the first `append` */
  constructor(size: number, atOnce: number, createList: () => ByteList) {
    this.size = size
    this.#createList = createList
    this.#block = packetMemory(Math.min(size, Math.max(BLOCK_SIZE, atOnce)))
  }

  /** The number of bytes held. */
  get length(): number {
    return this.#stored + this.#filled
  }

  /** Takes those bytes of `chunk` from `start` on that belong to the packet; returns the index after them. */
  append(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + this.size - this.length)
    let at = start
    while (at < end) {
      if (this.#filled === this.#block.length) this.#nextBlock(end - at)
      const piece = Math.min(end - at, this.#block.length - this.#filled)
      chunk.copy(this.#block, this.#filled, at, at + piece)
      this.#filled += piece
      at += piece
    }
    return end
  }

  /** All bytes of the packet, once they are there. */
  take(): Buffer {
    return this.#stored === 0 ? this.#block : this.held()
  }

  /** The bytes that are there, as a copy. */
  held(): Buffer {
    const bytes = packetMemory(this.length)
    let at = 0
    for (const { list } of this.#levels.toReversed()) {
      list.copy(bytes, at)
      at += list.length
    }
    this.#block.copy(bytes, at, 0, this.#filled)
    return bytes
  }

  #nextBlock(atOnce: number): void {
    this.#stored += this.#filled
    this.#store(this.#block, 0)
    this.#block = packetMemory(Math.min(this.size - this.#stored, Math.max(BLOCK_SIZE, atOnce)))
    this.#filled = 0
  }

  #store(block: Buffer, index: number): void {
    const level = this.#levels[index] ?? this.#newLevel(index)
    level.list.append(block)
    level.blocks++
    if (level.blocks < MERGED) return
    const merged = packetMemory(level.list.length)
    level.list.copy(merged, 0)
    this.#newLevel(index)
    this.#store(merged, index + 1)
  }

  #newLevel(index: number): Level {
    const level = { list: this.#createList(), blocks: 0 }
    this.#levels[index] = level
    return level
  }
}
