import type { Buffer } from 'buffer'
import { fault, type Policy } from '../codec/context.ts'
import { type Field, remainingLengthField } from '../codec/fields.ts'
import {
  checkFormAndRemainingLength,
  PUBLISH_QOS,
  packetTypeFault,
  packetTypeOf,
} from '../codec/fixed-header.ts'
import { checkBinaryData, checkFixed } from '../codec/steps.ts'
import type { Fault } from '../errors/fault.ts'
import { notForCallers } from '../errors/misuse.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { readInteger } from '../wire/integers.ts'
import { checked, EncodedPacket } from './encoded-packet.ts'

/**
 * The size of a packet identifier in bytes: 2 in MQTT, 4 between the nodes of some brokers.
 */
export type PacketIdBytes = 2 | 4

/**
 * A control packet whose body isn't decoded: only its fixed header and its packet identifier are checked. `decode` and the
 * streams create it.
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
    if (key !== checked) throw notForCallers('new OpaquePacket')
    super(bytes)
    this.#packetIdAt = packetIdAt
    this.#packetIdBytes = packetIdBytes
  }

  /** @internal Creates one for bytes that have been checked. */
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
   * The packet identifier, 1 to 65,535, or to 4,294,967,295 if it has four bytes. `undefined` for packets without one, such as a
   * PUBLISH with QoS 0.
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

export const packetIdField: Field = {
  name: 'packetId',
  section: { v3_1: '2.4', v3_1_1: '2.3.1', v5: '2.2.1' },
}
export const topicNameField: Field = { name: 'topicName', section: '3.3.2.1', secret: true }

/** Checks the fixed header and the packet identifier of bytes that must be exactly one packet. */
export function checkOpaque<IdBytes extends PacketIdBytes>(
  policy: Policy,
  bytes: Buffer,
  packetIdBytes: IdBytes,
): OpaquePacket<IdBytes> | Fault {
  const end = bytes.length
  const wrongType = packetTypeFault(policy, bytes, 0, end)
  if (wrongType !== undefined) return wrongType
  const context = policy.unknown
  const start = checkFormAndRemainingLength(context, bytes)
  if (typeof start !== 'number') return start
  const type = packetTypeOf(bytes[0]!)
  if (mustBeEmpty(type) && start < end) {
    const problem = `must be 0 in a ${controlPacketName(type)}`
    return fault(context, 'body-not-allowed', remainingLengthField, 1, { problem })
  }
  const withTopic = type === ControlPacketType.publish && (bytes[0]! & PUBLISH_QOS) !== 0
  if (!withTopic && !hasPacketId(type)) return OpaquePacket.of(bytes, 0, packetIdBytes)
  const at = withTopic ? checkBinaryData(context, bytes, start, end, topicNameField) : start
  if (typeof at !== 'number') return at
  const next = checkFixed(context, at, end, packetIdField, packetIdBytes)
  if (typeof next !== 'number') return next
  if (readInteger(bytes, at, packetIdBytes) === 0) {
    return fault(context, 'packet-id-zero', packetIdField, at)
  }
  return OpaquePacket.of(bytes, at, packetIdBytes)
}

/**
 * True if the type's variable header begins with a packet identifier: all types from PUBACK to UNSUBACK. MQTT 3.1.1 section
 * 2.3.1, MQTT 5.0 section 2.2.1.
 */
function hasPacketId(type: number): boolean {
  return type >= ControlPacketType.puback && type <= ControlPacketType.unsuback
}

/** True if the packet consists of its fixed header only. MQTT 3.1.1 and MQTT 5.0, sections 3.12 and 3.13. */
function mustBeEmpty(type: number): boolean {
  return type === ControlPacketType.pingreq || type === ControlPacketType.pingresp
}
