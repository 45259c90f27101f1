import { BufferList } from 'bl'
import { Buffer } from 'buffer'

/** How many bytes of small pieces are gathered into one block. */
const BLOCK_SIZE = 1024

/**
 * The bytes of a packet that has not arrived whole. They are copied out of the chunks they came in, small pieces
 * into shared blocks: the memory held is the bytes themselves and at most one block more, however they arrive.
 */
export class PartialPacket {
  readonly #list = new BufferList()
  /** The block that is being filled, and how far. It is not in the list yet; all blocks in the list are full. */
  #block: Buffer | undefined = undefined
  #filled = 0

  /** The number of bytes held. */
  get length(): number {
    return this.#list.length + this.#filled
  }

  append(piece: Uint8Array): void {
    let rest = piece
    while (rest.length > 0) {
      if (this.#block === undefined) {
        this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_SIZE, rest.length))
        this.#filled = 0
      }
      const part = rest.subarray(0, this.#block.length - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.length
      rest = rest.subarray(part.length)
      if (this.#filled === this.#block.length) this.#closeBlock()
    }
  }

  /** The first bytes, at most `length` of them. `length` is at most a block's. */
  head(length: number): Buffer {
    if (this.#block === undefined || this.#list.length > 0) return this.#list.slice(0, length)
    return this.#block.subarray(0, Math.min(this.#filled, length))
  }

  /** All bytes, in memory of their own; nothing is held afterwards. */
  take(): Buffer {
    this.#closeBlock()
    const bytes = Buffer.allocUnsafeSlow(this.#list.length)
    this.#list.copy(bytes)
    this.#list.consume(bytes.length)
    return bytes
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#list.append(this.#block.subarray(0, this.#filled))
    this.#block = undefined
    this.#filled = 0
  }
}
