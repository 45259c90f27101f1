import type { Buffer } from 'buffer'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { wrongType, wrongValue } from '../errors/misuse.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { PROTOCOL_HEADER_LENGTH } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { variableByteIntegerEnd } from '../wire/integers.ts'
import { Reader, type ScanOptions, strictScan } from '../wire/reader.ts'
import { checkPacketType, packetSize } from './fixed-header.ts'
import { type OpaquePacket, type PacketIdBytes, scanOpaque } from './opaque-packet.ts'
import * as v3_1_1 from './v3_1_1/connect-packet.ts'
import * as v5 from './v5/connect-packet.ts'
import { asBuffer, checkLimit } from './values.ts'

/** A CONNECT of either version. */
export type ConnectPacket = v3_1_1.ConnectPacket | v5.ConnectPacket

/** What one packet's bytes can be. */
export type PacketVariant<IdBytes extends PacketIdBytes = 2> = ConnectPacket | OpaquePacket<IdBytes>

/** How strict to be. */
export interface DecodeOptions {
  /** The rules not to enforce, by the code of their error: see docs/errors.md. Default none. */
  readonly allow?: Iterable<RelaxableCode> | undefined
  /** The largest whole packet accepted, in bytes. Default `Infinity`: the bytes are there already. */
  readonly maximumPacketSize?: number | undefined
}

export interface BasicDecodeOptions<IdBytes extends PacketIdBytes = PacketIdBytes> extends DecodeOptions {
  /** The size of a packet identifier in bytes. Default 2. */
  readonly packetIdBytes?: IdBytes | undefined
}

/**
 * Decodes exactly one packet. It shares memory with `bytes`, so do not write to them afterwards.
 *
 * @param bytes the whole packet, nothing before or behind it
 * @param protocolVersion the version to accept. Default `undetermined`: read from the packet
 * @throws MqttError if the bytes are not exactly one packet or break a rule
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is not what it must be
 * @throws RangeError `ERR_OUT_OF_RANGE` if `maximumPacketSize` is no size
 */
export function bufferToPacketVariant(
  bytes: Uint8Array,
  protocolVersion: ProtocolVersion = ProtocolVersion.undetermined,
  options?: DecodeOptions,
): PacketVariant {
  return bufferToBasicPacketVariant(bytes, protocolVersion, options)
}

/** `bufferToPacketVariant` for packet identifiers of 2 or of 4 bytes, which matter to `OpaquePacket.packetId`. */
export function bufferToBasicPacketVariant<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  protocolVersion: ProtocolVersion = ProtocolVersion.undetermined,
  options?: BasicDecodeOptions<IdBytes>,
): PacketVariant<IdBytes> {
  if (!(bytes instanceof Uint8Array)) throw wrongType('bytes', 'a Uint8Array', bytes)
  checkVersion(protocolVersion)
  const buffer = asBuffer(bytes)
  if (options === undefined) {
    return decodePacket(buffer, protocolVersion, strictScan, 2 as IdBytes)
  }
  const scanOptions = scanOptionsOf(options)
  const { packetIdBytes = 2 as IdBytes } = options
  if (packetIdBytes !== 2 && packetIdBytes !== 4) throw wrongValue('packetIdBytes', '2 or 4')
  const maximum = checkLimit('maximumPacketSize', options.maximumPacketSize, Number.POSITIVE_INFINITY)
  if (maximum !== Number.POSITIVE_INFINITY) {
    checkPacketType(buffer, 0, buffer.length, protocolVersion)
    packetSize(buffer, 0, buffer.length, maximum, protocolVersion)
  }
  return decodePacket(buffer, protocolVersion, scanOptions, packetIdBytes)
}

/** @throws TypeError `ERR_INVALID_ARG_VALUE` if the version is not one of `ProtocolVersion`. */
export function checkVersion(version: ProtocolVersion): void {
  if (
    version !== ProtocolVersion.undetermined &&
    version !== ProtocolVersion.v3_1_1 &&
    version !== ProtocolVersion.v5
  ) {
    throw wrongValue('protocolVersion', 'one of ProtocolVersion: 0, 4, 5')
  }
}

/** @throws TypeError if `allow` is not a list of codes that can be relaxed. */
export function scanOptionsOf(options: DecodeOptions): ScanOptions {
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options)
  const { allow } = options
  if (allow === undefined) return strictScan
  if (typeof allow === 'string' || typeof allow?.[Symbol.iterator] !== 'function') {
    throw wrongType('allow', 'an array of error codes', allow)
  }
  const allowed = new Set(allow)
  for (const code of allowed) {
    if (!relaxableCodes.has(code))
      throw wrongValue(`allow: ${String(code)}`, `one of ${[...relaxableCodes].join(', ')}`)
  }
  return { allow: allowed, observer: undefined }
}

/** Decodes exactly one packet of any type. */
export function decodePacket<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  version: ProtocolVersion,
  options: ScanOptions,
  packetIdBytes: IdBytes,
): PacketVariant<IdBytes> {
  return bytes.length > 0 && (bytes[0]! & 0xf0) !== ControlPacketType.connect
    ? scanOpaque(bytes, version, options, packetIdBytes)
    : decodeConnect(bytes, version, options)
}

/** Decodes exactly one packet that must be a CONNECT. */
export function decodeConnect(bytes: Buffer, version: ProtocolVersion, options: ScanOptions): ConnectPacket {
  const read = new Reader(bytes, version, options)
  const asV5 =
    version === ProtocolVersion.undetermined ? levelOf(bytes) === 5 : version === ProtocolVersion.v5
  return asV5
    ? new v5.ConnectPacket(v5.scan(bytes, read))
    : new v3_1_1.ConnectPacket(v3_1_1.scan(bytes, read))
}

/** The byte that is the protocol level if this is a CONNECT; the scan that it chooses checks all of it again. */
function levelOf(bytes: Buffer): number | undefined {
  const start = variableByteIntegerEnd(bytes, 1, bytes.length)
  return bytes[start + PROTOCOL_HEADER_LENGTH - 1]
}
