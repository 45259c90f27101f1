import type { Buffer } from 'buffer'
import { escapeHidden, inspect } from '../errors/hidden-characters.ts'
import { copyOwn, wrongType } from '../errors/misuse.ts'
import type { ControlPacketType } from '../protocol/control-packet-type.ts'

/**
 * Passed to a constructor together with bytes that have been checked. Nobody outside the library has it, so it proves that the bytes
 * have been checked.
 */
export const checked: unique symbol = Symbol('checked')

/** Constructs the packet that it's given, so that the class below adds its field to that packet. */
class Itself {
  constructor(packet: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is how a class adds a private field to an object that exists.
    return packet
  }
}

/**
 * Adds the bytes to a packet. They're private, so that loggers and inspectors that walk over properties can't print a password. The field
 * isn't one of `EncodedPacket`, because V8 takes three times as long to create an object whose base class has fields.
 */
class Bytes extends Itself {
  readonly #bytes: Buffer

  constructor(packet: EncodedPacket, bytes: Buffer) {
    super(packet)
    this.#bytes = bytes
  }

  static of(packet: object): Buffer {
    return (packet as Bytes).#bytes
  }

  static areIn(value: object): boolean {
    return #bytes in value
  }
}

/** @internal True if a value is a packet of this class, not just an object with its prototype. Never runs code of the value. */
export function isPacket<Kind extends EncodedPacket>(
  value: unknown,
  Class: abstract new (...args: never) => Kind,
): value is Kind {
  return typeof value === 'object' && value !== null && Bytes.areIn(value) && value instanceof Class
}

/**
 * The members that all packets share. A packet is its encoded bytes, and is immutable unless you write to `bytes`.
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

  /** @internal */
  constructor(bytes: Buffer) {
    new Bytes(this, bytes)
  }

  /** The encoded packet. Don't write to it, because the packet's fields are read from these bytes. */
  get bytes(): Buffer {
    return Bytes.of(this)
  }

  /** The length of the encoded packet in bytes, 2 to 268,435,460. */
  get size(): number {
    return this.bytes.length
  }

  /**
   * True if both packets have the same encoded bytes. Use it instead of a deep comparison, which treats any two packets as equal
   * because fields aren't enumerable.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `other` is not a packet.
   */
  equals(other: EncodedPacket): boolean {
    return this.compare(other) === 0
  }

  /**
   * Orders packets by their encoded bytes, lexicographically. Returns -1, 0 or 1, as `sort` expects.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if `other` is not a packet.
   */
  compare(other: EncodedPacket): -1 | 0 | 1 {
    if (!isPacket(other, EncodedPacket)) throw wrongType('other', 'a packet', other)
    return this.bytes.compare(other.bytes)
  }

  /** The text form: one line of bounded length, without secrets. */
  abstract toString(): string

  /** All fields under their names, for `JSON.stringify`, without secrets. */
  abstract toJSON(): object

  /** @internal The name and the fields, without secrets. */
  [inspect](
    _depth: number,
    options: object,
    nodeInspect: (value: object, options: object) => string,
  ): string {
    const { protocolVersion, ...fields }: { protocolVersion?: number } = copyOwn(this.toJSON())
    return `${this.inspectName} ${escapeHidden(nodeInspect(fields, options))}`
  }

  /** @internal The class with its namespace: `v5.ConnectPacket`. */
  protected abstract get inspectName(): string
}
