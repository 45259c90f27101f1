import { ControlPacketType } from 'mqtt-connect-packet'

/**
 * Finds the packet boundaries in one direction of a connection. It reads the fixed headers, skips everything else, and retains a few
 * integers, however large a packet is or however it is split. MQTT 5.0 section 2.1.
 */
export class PacketBoundary {
  /** The number of fixed header bytes so far. 0 between packets and after the fixed header. */
  #headerSize = 0
  #remainingLength = 0
  /** The number of bytes after the fixed header that are still missing. */
  #left = 0
  #type = 0
  #isLost = false

  /** True if all packets so far are complete. */
  get isReached(): boolean {
    return this.#left === 0 && this.#headerSize === 0 && !this.#isLost
  }

  /** True after a malformed Remaining Length of more than four bytes, because the next packet could begin anywhere. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** True at a boundary, unless the last packet was a DISCONNECT, after which no packet may follow. MQTT-3.14.4-1. */
  get mayContinue(): boolean {
    return this.isReached && this.#type !== ControlPacketType.disconnect >> 4
  }

  /** Follows bytes that are passed on. */
  push(chunk: Uint8Array): void {
    this.#follow(chunk, false)
  }

  /** Follows bytes up to the next boundary. @returns how many of them to pass on: 0 at a boundary, all if the boundary is beyond them */
  pushToBoundary(chunk: Uint8Array): number {
    return this.#follow(chunk, true)
  }

  #follow(chunk: Uint8Array, stops: boolean): number {
    if (this.#isLost) return chunk.length
    const { length } = chunk
    // Local variables are faster, and a chunk may contain thousands of packets.
    let headerSize = this.#headerSize
    let left = this.#left
    let position = 0
    while (position < length) {
      if (left > 0) {
        const step = Math.min(left, length - position)
        position += step
        left -= step
      } else if (headerSize === 0) {
        if (stops) break
        this.#type = chunk[position++]! >> 4
        this.#remainingLength = 0
        headerSize = 1
      } else {
        const byte = chunk[position++]!
        this.#remainingLength |= (byte & 0x7f) << (7 * (headerSize - 1))
        if (byte < 0x80) {
          left = this.#remainingLength
          headerSize = 0
        } else if (++headerSize === LARGEST_HEADER) {
          this.#isLost = true
          return length
        }
      }
    }
    this.#headerSize = headerSize
    this.#left = left
    return position
  }
}

/** The first byte and four of the Remaining Length. */
const LARGEST_HEADER = 5
