import type { Buffer } from 'buffer'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { Fault } from '../errors/fault.ts'
import { wrongType, wrongValue } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { type Observer, Scan } from '../wire/scan.ts'
import { protocolLevel, scanProtocol } from './connect-scan.ts'
import { packetSize, packetTypeFault } from './fixed-header.ts'
import { type OpaquePacket, type PacketIdBytes, scanOpaque } from './opaque-packet.ts'
import { scanned } from './scanned.ts'
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
  const outcome =
    options === undefined
      ? decodePacket(asBuffer('bytes', bytes), scanOf(protocolVersion, undefined), 2)
      : decode<2>(bytes, protocolVersion, options)
  if (outcome instanceof Fault) throw new MqttError(outcome.code, outcome, FRAMES)
  return outcome
}

/** `bufferToPacketVariant` for packet identifiers of 2 or of 4 bytes, which matter to `OpaquePacket.packetId`. */
export function bufferToBasicPacketVariant<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  protocolVersion: ProtocolVersion = ProtocolVersion.undetermined,
  options: BasicDecodeOptions<IdBytes> = {},
): PacketVariant<IdBytes> {
  const outcome = decode(bytes, protocolVersion, options)
  if (outcome instanceof Fault) throw new MqttError(outcome.code, outcome, FRAMES)
  return outcome
}

/** How much of the stack to keep: this function and who calls it. What is wrong with the bytes is in no frame. */
const FRAMES = 2

function decode<IdBytes extends PacketIdBytes>(
  bytes: Uint8Array,
  protocolVersion: ProtocolVersion,
  options: BasicDecodeOptions<IdBytes>,
): PacketVariant<IdBytes> | Fault {
  const buffer = asBuffer('bytes', bytes)
  const scan = scanOf(protocolVersion, options)
  const { packetIdBytes = 2 as IdBytes } = options
  if (packetIdBytes !== 2 && packetIdBytes !== 4) throw wrongValue('packetIdBytes', '2 or 4')
  const maximum = checkLimit('maximumPacketSize', options.maximumPacketSize, Number.POSITIVE_INFINITY)
  if (maximum !== Number.POSITIVE_INFINITY) {
    const size =
      packetTypeFault(buffer, 0, buffer.length, protocolVersion) ??
      packetSize(buffer, 0, buffer.length, maximum, protocolVersion)
    if (size instanceof Fault) return size
  }
  return decodePacket(buffer, scan, packetIdBytes)
}

const strictScan = new Scan(ProtocolVersion.undetermined)
const strictScan3 = new Scan(ProtocolVersion.v3_1_1)
const strictScan5 = new Scan(ProtocolVersion.v5)

/**
 * What a scan is to be told for a version to accept and these options.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if the version is not one of `ProtocolVersion`, or `allow` holds what is
 *   not a code that can be relaxed, `ERR_INVALID_ARG_TYPE` if it, or `options`, is of the wrong type.
 */
export function scanOf(
  version: ProtocolVersion,
  options: DecodeOptions | undefined,
  observer?: Observer,
): Scan {
  const allow = options === undefined ? undefined : allowedBy(options)
  if (allow !== undefined || observer !== undefined) {
    return new Scan(checkedVersion(version), allow, observer)
  }
  if (version === ProtocolVersion.undetermined) return strictScan
  return checkedVersion(version) === ProtocolVersion.v5 ? strictScan5 : strictScan3
}

function checkedVersion(version: ProtocolVersion): ProtocolVersion {
  if (
    version !== ProtocolVersion.undetermined &&
    version !== ProtocolVersion.v3_1_1 &&
    version !== ProtocolVersion.v5
  ) {
    throw wrongValue('protocolVersion', 'one of ProtocolVersion: 0, 4, 5')
  }
  return version
}

function allowedBy(options: DecodeOptions): ReadonlySet<RelaxableCode> | undefined {
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options)
  const { allow } = options
  if (allow === undefined) return undefined
  if (typeof allow === 'string' || typeof allow?.[Symbol.iterator] !== 'function') {
    throw wrongType('allow', 'an array of error codes', allow)
  }
  const allowed = new Set(allow)
  for (const code of allowed) {
    if (!relaxableCodes.has(code)) {
      throw wrongValue(`allow: ${String(code)}`, `one of ${[...relaxableCodes].join(', ')}`)
    }
  }
  return allowed
}

/** What exactly one packet of any type is, or what is wrong with it. */
export function decodePacket<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  scan: Scan,
  packetIdBytes: IdBytes,
): PacketVariant<IdBytes> | Fault {
  if (bytes.length > 0 && (bytes[0]! & 0xf0) !== ControlPacketType.connect) {
    return scanOpaque(bytes, scan, packetIdBytes)
  }
  const start = scanProtocol(scan, bytes)
  if (typeof start !== 'number') return start
  if (protocolLevel(bytes, start) === ProtocolVersion.v5) {
    return v5.scan(scan.v5, bytes, start) ?? new v5.ConnectPacket(bytes, start, scanned)
  }
  return v3_1_1.scan(scan.v3_1_1, bytes, start) ?? new v3_1_1.ConnectPacket(bytes, start, scanned)
}
