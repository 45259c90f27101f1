import type { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'
import type { ControlPacketType } from '../protocol/control-packet-type.ts'

/** What `util.inspect` calls; a symbol of the global registry, so that no `node:` module is needed. */
export const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never

/** What is true of every packet here: it is its encoded bytes, and does not change. */
export abstract class EncodedPacket {
  abstract readonly type: ControlPacketType
  /** @internal An own property, so that packets of other bytes are not deeply equal. */
  protected readonly encoded: Buffer

  /** @internal */
  constructor(bytes: Buffer) {
    this.encoded = bytes
  }

  /** The encoded packet. Do not write to it: the packet's fields are read from these bytes. */
  get bytes(): Buffer {
    return this.encoded
  }

  /** The length of the encoded packet in bytes, 2 to 268,435,460. */
  get size(): number {
    return this.bytes.length
  }

  /**
   * Whether the two packets are encoded in the same bytes.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `other` is not a packet.
   */
  equals(other: EncodedPacket): boolean {
    return this.compare(other) === 0
  }

  /**
   * Orders packets by their encoded bytes, lexicographically: -1, 0 or 1, for `sort`.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `other` is not a packet.
   */
  compare(other: EncodedPacket): -1 | 0 | 1 {
    if (!(other instanceof EncodedPacket)) throw wrongType('other', 'a packet', other)
    return this.bytes.compare(other.bytes)
  }
}
