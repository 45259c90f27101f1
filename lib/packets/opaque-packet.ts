import type { Buffer } from 'buffer'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { fixedHeaderField, packetIdField, remainingLengthField, topicNameField } from '../wire/fields.ts'
import { readFourByteInteger, readTwoByteInteger, readVariableByteInteger } from '../wire/integers.ts'
import { type Scan, scanBinaryData, scanFixed, scanVariableByteInteger } from '../wire/scan.ts'
import { EncodedPacket, inspect } from './encoded-packet.ts'
import { checkPacketType, refuseLength } from './fixed-header.ts'

/** The size of a packet identifier in bytes: 2 in MQTT, 4 between the nodes of some brokers. */
export type PacketIdBytes = 2 | 4

/** The types whose variable header begins with a packet identifier. MQTT 3.1.1 section 2.3.1, MQTT 5.0 section 2.2.1. */
const identified: ReadonlySet<number> = new Set([
  ControlPacketType.puback,
  ControlPacketType.pubrec,
  ControlPacketType.pubrel,
  ControlPacketType.pubcomp,
  ControlPacketType.subscribe,
  ControlPacketType.suback,
  ControlPacketType.unsubscribe,
  ControlPacketType.unsuback,
])

/**
 * Any control packet but CONNECT: its fixed header has been checked, its body is not decoded.
 *
 * @typeParam IdBytes the size of its packet identifier
 */
export class OpaquePacket<IdBytes extends PacketIdBytes = PacketIdBytes> extends EncodedPacket {
  readonly #bytes: Buffer
  readonly #packetIdAt: number
  /** The size of the packet identifier in bytes. */
  readonly packetIdBytes: IdBytes

  /** @internal */
  constructor(bytes: Buffer, packetIdAt: number, packetIdBytes: IdBytes) {
    super()
    this.#bytes = bytes
    this.#packetIdAt = packetIdAt
    this.packetIdBytes = packetIdBytes
  }

  get type(): Exclude<ControlPacketType, typeof ControlPacketType.connect> {
    return (this.#bytes[0]! & 0xf0) as never
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  /** The low nibble of the first byte, 0 to 15: of a PUBLISH DUP, QoS and RETAIN. */
  get flags(): number {
    return this.#bytes[0]! & 0x0f
  }

  /** The packet identifier, 0 to 65,535, or to 4,294,967,295 if it has four bytes; absent where such a packet has none. */
  get packetId(): number | undefined {
    if (this.#packetIdAt === 0) return undefined
    return this.packetIdBytes === 2
      ? readTwoByteInteger(this.#bytes, this.#packetIdAt)
      : readFourByteInteger(this.#bytes, this.#packetIdAt)
  }

  /** `publish{flags:…,pid:…,size:…}` */
  override toString(): string {
    const { flags, packetId, size } = this
    const pid = packetId === undefined ? '' : `pid:${packetId},`
    return `${controlPacketName(this.type)?.toLowerCase()}{flags:${flags},${pid}size:${size}}`
  }

  /** @internal */
  [inspect](): string {
    return `OpaquePacket ${this}`
  }

  toJSON(): object {
    const { type, flags, packetId, size } = this
    return { type, flags, ...(packetId !== undefined && { packetId }), size }
  }
}

/** Checks the fixed header of exactly one packet that is not a CONNECT, and finds its packet identifier. */
export function scanOpaque<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  scan: Scan,
  packetIdBytes: IdBytes,
): OpaquePacket<IdBytes> {
  const end = bytes.length
  checkPacketType(bytes, 0, end, scan.version)
  let at = scanFixed(scan, 0, end, fixedHeaderField, 1)
  const start = scanVariableByteInteger(scan, bytes, at, end, remainingLengthField, scan.version === 5)
  const size = start + readVariableByteInteger(bytes, at, start)
  if (size !== end) refuseLength(scan, bytes, size)
  at = start
  const type = bytes[0]! & 0xf0
  const withTopic = type === ControlPacketType.publish && (bytes[0]! & PUBLISH_QOS) !== 0
  if (withTopic) at = scanBinaryData(scan, bytes, at, end, topicNameField)
  if (!withTopic && !identified.has(type)) return new OpaquePacket(bytes, 0, packetIdBytes)
  scanFixed(scan, at, end, packetIdField, packetIdBytes)
  return new OpaquePacket(bytes, at, packetIdBytes)
}

/** The QoS bits among the flags of a PUBLISH: with QoS 0 it has no packet identifier. */
const PUBLISH_QOS = 0x06
