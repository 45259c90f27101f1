import type { Buffer } from 'buffer'
import { escapeHidden, inspect } from '../errors/hidden-characters.ts'
import { wrongType } from '../errors/misuse.ts'
import type { ControlPacketType } from '../protocol/control-packet-type.ts'

/**
 * What a constructor receives together with bytes that have been checked. Nobody outside can have it, so nothing else passes
 * for checked bytes.
 */
export const checked: unique symbol = Symbol('checked')

/**
 * What all packets have. A packet is its encoded bytes, and is immutable unless you write to `bytes`.
 *
 * @example
 * function send(packet: EncodedPacket): void {
 *   socket.write(packet.bytes)
 * }
 * send(packet)
 */
export abstract class EncodedPacket {
  /** The control packet type. */
  abstract readonly type: ControlPacketType
  /** Private: a logger or an inspector that walks over properties must not print a password. */
  readonly #bytes: Buffer

  /** @internal */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The encoded packet. Do not write to it: the packet's fields are read from these bytes. */
  get bytes(): Buffer {
    return this.#bytes
  }

  /** The length of the encoded packet in bytes, 2 to 268,435,460. */
  get size(): number {
    return this.#bytes.length
  }

  /**
   * Whether the two packets have the same encoded bytes.
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
    return this.#bytes.compare(other.#bytes)
  }

  /** The text form: one line of bounded length, without secrets. */
  abstract toString(): string

  /** The fields under their names, for `JSON.stringify`: complete, without secrets. */
  abstract toJSON(): object

  /** @internal The name and the fields, without secrets. */
  [inspect](
    _depth: number,
    options: object,
    nodeInspect: (value: object, options: object) => string,
  ): string {
    const { protocolVersion, ...fields } = this.toJSON() as { protocolVersion?: number }
    return `${this.inspectName} ${escapeHidden(nodeInspect(fields, options))}`
  }

  /** @internal The class with its namespace: `v5.ConnectPacket`. */
  protected abstract get inspectName(): string
}
