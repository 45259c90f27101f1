import type { Buffer } from 'buffer'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import { fixedHeaderField, packetIdField, remainingLengthField, topicNameField } from '../wire/fields.ts'
import { readFourByteInteger, readTwoByteInteger } from '../wire/integers.ts'
import { Reader, type ScanOptions } from '../wire/reader.ts'
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
  version: ProtocolVersion,
  options: ScanOptions,
  packetIdBytes: IdBytes,
): OpaquePacket<IdBytes> {
  const read = new Reader(bytes, version, options)
  checkPacketType(bytes, 0, bytes.length, version)
  const first = read.byte(fixedHeaderField)
  const remainingLength = read.variableByteInteger(remainingLengthField, version === 5)
  if (read.at + remainingLength !== read.end) refuseLength(read, read.at + remainingLength)
  read.pastEnd = 'field-past-end'
  let packetIdAt = 0
  if ((first & 0xf0) === ControlPacketType.publish) {
    if ((first & 0x06) !== 0) {
      read.binaryData(topicNameField)
      packetIdAt = read.fixed(packetIdField, packetIdBytes)
    }
  } else if (identified.has(first & 0xf0)) {
    packetIdAt = read.fixed(packetIdField, packetIdBytes)
  }
  return new OpaquePacket(bytes, packetIdAt, packetIdBytes)
}
