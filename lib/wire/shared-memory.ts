import { Buffer } from 'buffer'
import { BufferView } from './memory.ts'

const none = Buffer.alloc(0)

/** Transferring one packet's memory would take away its neighbours', so shared blocks are marked as Node marks its own. */
const markAsUntransferable: ((object: object) => void) | undefined =
  typeof process === 'undefined'
    ? undefined
    : process.getBuiltinModule?.('node:worker_threads')?.markAsUntransferable

/**
 * Memory for small packets, not cleared. Packets share blocks, because allocating memory takes longer than writing a packet. A
 * packet therefore keeps its whole block alive.
 */
export class SharedMemory {
  readonly #blockSize: number
  #block: Buffer = none
  /** The block's ArrayBuffer, kept because asking a Buffer for it takes as long as creating a view. */
  #memory: ArrayBufferLike = none.buffer
  #free = 0

  /** @param blockSize in bytes */
  constructor(blockSize: number) {
    this.#blockSize = blockSize
  }

  /** Returns memory for one packet. Packets that take at most half a block share one. */
  take(size: number): Buffer {
    if (size > this.#blockSize / 2) return Buffer.allocUnsafeSlow(size)
    if (this.#free + size > this.#block.length) this.#newBlock()
    return this.cut(this.#free, this.#free + size)
  }

  /** The index of the first free byte in `block`, of which at least a sixteenth is free. */
  get free(): number {
    if (this.#free > this.#block.length - this.#blockSize / 16) this.#newBlock()
    return this.#free
  }

  /** The current block, to be written from `free` on. Read `free` first, because that can start a new block. */
  get block(): Buffer {
    return this.#block
  }

  /** Turns the bytes from `start` to `end` of the block into a packet. The bytes after `end` stay free. */
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
