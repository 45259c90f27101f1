import { BufferList } from 'bl'
import type { Buffer } from 'buffer'
import { packetMemory } from './packet-memory.ts'

/** How many bytes of small pieces are gathered into one block. */
const BLOCK_SIZE = 1024

/**
 * The bytes of a packet that has not arrived whole. They are copied out of the chunks they came in, small pieces
 * into one block: the memory held is the bytes themselves and at most one block more, however they arrive. A packet
 * that fits one block is not copied again.
 */
export class PartialPacket {
  /** The size of the whole packet, in bytes. */
  readonly size: number
  /** The full blocks, if there are any. */
  #list: BufferList | undefined = undefined
  /** The block that is being filled, and how far. */
  #block: Buffer
  #filled = 0

  /** @param atOnce how many bytes are there for the first `append` */
  constructor(size: number, atOnce: number) {
    this.size = size
    this.#block = packetMemory(Math.min(size, Math.max(BLOCK_SIZE, atOnce)))
  }

  /** The number of bytes held. */
  get length(): number {
    return this.#filled + (this.#list?.length ?? 0)
  }

  /** Takes those bytes of `chunk` from `start` on that are the packet's; returns the index after them. */
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
    const list = this.#list
    if (list === undefined) return this.#block
    list.append(this.#block)
    const bytes = packetMemory(this.size)
    list.copy(bytes)
    return bytes
  }

  #nextBlock(atOnce: number): void {
    const missing = this.size - this.length
    this.#list ??= new BufferList()
    this.#list.append(this.#block)
    this.#block = packetMemory(Math.min(missing, Math.max(BLOCK_SIZE, atOnce)))
    this.#filled = 0
  }
}
