import type { Buffer } from 'buffer'
import type { Fault } from '../errors/fault.ts'
import { wrongType } from '../errors/misuse.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { checkBinaryData, checkFixed, fault, type Rules } from '../wire/check.ts'
import { packetIdField, remainingLengthField, topicNameField } from '../wire/fields.ts'
import { readInteger } from '../wire/integers.ts'
import { checked, EncodedPacket } from './encoded-packet.ts'
import { checkFormAndRemainingLength, PUBLISH_QOS, packetTypeFault, packetTypeOf } from './fixed-header.ts'

/**
 * The size of a packet identifier in bytes: 2 in MQTT, 4 between the nodes of some brokers.
 *
 * @example
 * const size: PacketIdBytes = 4
 * decode(bytes, { packetIdBytes: size })
 */
export type PacketIdBytes = 2 | 4

/**
 * A control packet whose body is not decoded: only its fixed header and its packet identifier have been checked. `decode` and
 * the streams create it.
 *
 * @typeParam IdBytes the size of its packet identifier
 * @example
 * const ping = decode(Buffer.from('c000', 'hex'))
 * `${ping}` // 'pingreq{flags:0,size:2}'
 */
export class OpaquePacket<IdBytes extends PacketIdBytes = PacketIdBytes> extends EncodedPacket {
  readonly #packetIdAt: number
  readonly #packetIdBytes: IdBytes

  private constructor(bytes: Buffer, packetIdAt: number, packetIdBytes: IdBytes, key: typeof checked) {
    if (key !== checked) throw wrongType('new OpaquePacket', 'no caller outside the library', bytes)
    super(bytes)
    this.#packetIdAt = packetIdAt
    this.#packetIdBytes = packetIdBytes
  }

  /** @internal Of bytes that have been checked. */
  static of<IdBytes extends PacketIdBytes>(
    bytes: Buffer,
    packetIdAt: number,
    packetIdBytes: IdBytes,
  ): OpaquePacket<IdBytes> {
    return new OpaquePacket(bytes, packetIdAt, packetIdBytes, checked)
  }

  get type(): Exclude<ControlPacketType, typeof ControlPacketType.connect> {
    return packetTypeOf(this.bytes[0]!) as never
  }

  /** The size of the packet identifier in bytes, 2 or 4. */
  get packetIdBytes(): IdBytes {
    return this.#packetIdBytes
  }

  /** The low half of the first byte, 0 to 15. In a PUBLISH it holds DUP, QoS and RETAIN. */
  get flags(): number {
    return this.bytes[0]! & 0x0f
  }

  /**
   * The packet identifier, 1 to 65,535, or to 4,294,967,295 if it has four bytes. `undefined` for packets that have none, such
   * as a PUBLISH with QoS 0.
   */
  get packetId(): number | undefined {
    if (this.#packetIdAt === 0) return undefined
    return readInteger(this.bytes, this.#packetIdAt, this.#packetIdBytes)
  }

  /** `publish{flags:…,pid:…,size:…}` */
  override toString(): string {
    const { flags, packetId, size } = this
    const pid = packetId === undefined ? '' : `pid:${packetId},`
    return `${controlPacketName(this.type)?.toLowerCase()}{flags:${flags},${pid}size:${size}}`
  }

  /** Type, flags, packet identifier and size, for `JSON.stringify`. */
  override toJSON(): object {
    const { type, flags, packetId, size } = this
    return { type, flags, ...(packetId !== undefined && { packetId }), size }
  }

  /** @internal */
  protected get inspectName(): string {
    return 'OpaquePacket'
  }
}

/** Checks the fixed header and the packet identifier of bytes that must be exactly one packet. */
export function checkOpaque<IdBytes extends PacketIdBytes>(
  rules: Rules,
  bytes: Buffer,
  packetIdBytes: IdBytes,
): OpaquePacket<IdBytes> | Fault {
  const end = bytes.length
  const wrongType = packetTypeFault(rules, bytes, 0, end)
  if (wrongType !== undefined) return wrongType
  const start = checkFormAndRemainingLength(rules, bytes)
  if (typeof start !== 'number') return start
  const type = packetTypeOf(bytes[0]!)
  if (mustBeEmpty(type, rules) && start < end) {
    const expected = `Remaining Length 0 in a ${controlPacketName(type)}`
    return fault(rules, 'body-not-allowed', remainingLengthField, 1, expected, 'more')
  }
  const withTopic = type === ControlPacketType.publish && (bytes[0]! & PUBLISH_QOS) !== 0
  if (!withTopic && !hasPacketId(type)) return OpaquePacket.of(bytes, 0, packetIdBytes)
  const at = withTopic ? checkBinaryData(rules, bytes, start, end, topicNameField) : start
  if (typeof at !== 'number') return at
  const next = checkFixed(rules, at, end, packetIdField, packetIdBytes)
  if (typeof next !== 'number') return next
  if (readInteger(bytes, at, packetIdBytes) === 0) {
    return fault(rules, 'packet-id-zero', packetIdField, at, 'a packet identifier above 0', '0')
  }
  return OpaquePacket.of(bytes, at, packetIdBytes)
}

/**
 * Whether the variable header of a type begins with a packet identifier: all from PUBACK to UNSUBACK. MQTT 3.1.1 section 2.3.1,
 * MQTT 5.0 section 2.2.1.
 */
function hasPacketId(type: number): boolean {
  return type >= ControlPacketType.puback && type <= ControlPacketType.unsuback
}

/**
 * Whether a packet is a fixed header and nothing else: PINGREQ and PINGRESP, and DISCONNECT before MQTT 5.0. MQTT 3.1.1 and
 * MQTT 5.0, sections 3.12 to 3.14.
 */
function mustBeEmpty(type: number, { version }: Rules): boolean {
  if (type === ControlPacketType.disconnect) return version?.hasProperties === false
  return type === ControlPacketType.pingreq || type === ControlPacketType.pingresp
}
