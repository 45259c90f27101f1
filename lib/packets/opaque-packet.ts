import type { Buffer } from 'buffer'
import type { Fault } from '../errors/fault.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { fixedHeaderField, packetIdField, remainingLengthField, topicNameField } from '../wire/fields.ts'
import { readInteger, readVariableByteInteger } from '../wire/integers.ts'
import {
  notShortest,
  type Scan,
  scanBinaryData,
  scanFixed,
  scanVariableByteIntegerOfAnyForm,
} from '../wire/scan.ts'
import { EncodedPacket, inspect } from './encoded-packet.ts'
import { lengthFault, packetTypeFault } from './fixed-header.ts'

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
  readonly #packetIdAt: number
  /** The size of the packet identifier in bytes. */
  readonly packetIdBytes: IdBytes

  /** @internal */
  constructor(bytes: Buffer, packetIdAt: number, packetIdBytes: IdBytes) {
    super(bytes)
    this.#packetIdAt = packetIdAt
    this.packetIdBytes = packetIdBytes
  }

  get type(): Exclude<ControlPacketType, typeof ControlPacketType.connect> {
    return (this.encoded[0]! & 0xf0) as never
  }

  /** The low nibble of the first byte, 0 to 15: of a PUBLISH DUP, QoS and RETAIN. */
  get flags(): number {
    return this.encoded[0]! & 0x0f
  }

  /** The packet identifier, 0 to 65,535, or to 4,294,967,295 if it has four bytes; absent where such a packet has none. */
  get packetId(): number | undefined {
    if (this.#packetIdAt === 0) return undefined
    return readInteger(this.encoded, this.#packetIdAt, this.packetIdBytes)
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
): OpaquePacket<IdBytes> | Fault {
  const end = bytes.length
  const wrongType = packetTypeFault(bytes, 0, end, scan.version)
  if (wrongType !== undefined) return wrongType
  scan.observer?.(fixedHeaderField, 0, 0, 1)
  const start = scanVariableByteIntegerOfAnyForm(scan, bytes, 1, end, remainingLengthField)
  if (typeof start !== 'number') return start
  if (scan.version === ProtocolVersion.v5) {
    const wrong = notShortest(scan, bytes, 1, start, remainingLengthField)
    if (wrong !== undefined) return wrong
  }
  const size = start + readVariableByteInteger(bytes, 1, start)
  if (size !== end) return lengthFault(scan, bytes, size)
  const type = bytes[0]! & 0xf0
  const withTopic = type === ControlPacketType.publish && (bytes[0]! & PUBLISH_QOS) !== 0
  if (!withTopic && !identified.has(type)) return new OpaquePacket(bytes, 0, packetIdBytes)
  const at = withTopic ? scanBinaryData(scan, bytes, start, end, topicNameField) : start
  if (typeof at !== 'number') return at
  const next = scanFixed(scan, at, end, packetIdField, packetIdBytes)
  return typeof next === 'number' ? new OpaquePacket(bytes, at, packetIdBytes) : next
}

/** The QoS bits among the flags of a PUBLISH: with QoS 0 it has no packet identifier. */
const PUBLISH_QOS = 0x06
