import type { Buffer } from 'buffer'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { Fault } from '../errors/fault.ts'
import { namesOf, ownMembers, wrongType, wrongValue } from '../errors/misuse.ts'
import { MqttErrorOf } from '../errors/mqtt-error.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { ProtocolVersion, type Version, versionOf, versions } from '../protocol/version.ts'
import { type Observer, Rules } from '../wire/check.ts'
import { variableByteIntegerEnd } from '../wire/integers.ts'
import { asBuffer } from '../wire/memory.ts'
import { checkLimit } from './arguments.ts'
import { type ConnackPacket, connackType } from './connack/decode-connack.ts'
import { type ConnectPacket, connectType } from './connect/decode-connect.ts'
import { incomplete, packetSize, packetTypeFault } from './fixed-header.ts'
import { checkOpaque, type OpaquePacket, type PacketIdBytes } from './opaque-packet.ts'
import type { PacketType } from './packet-type.ts'

/** The packets whose fields are decoded. */
type FieldPackets = ConnectPacket | ConnackPacket

/**
 * What the bytes of one packet can be. `packet.type === ControlPacketType.connect` narrows it to a ConnectPacket.
 *
 * @example
 * const one: PacketVariant = decode(bytes)
 * if (one.type === ControlPacketType.connect) console.log(one.clientId)
 */
export type PacketVariant<IdBytes extends PacketIdBytes = 2> = FieldPackets | OpaquePacket<IdBytes>

/**
 * What to accept: the options that all functions and classes have that read packets.
 *
 * @example
 * const options: ReadOptions = { allow: ['will-topic-empty', 'protocol-mqtt-3-1'] }
 * const parser = new PacketParser(options)
 */
export interface ReadOptions {
  /** The version to accept. Default `ProtocolVersion.undetermined`: 3.1.1 and 5.0, as the packet says. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The rules to relax, by the code of their error: see docs/errors.md. Read once. Default none. */
  readonly allow?: Iterable<RelaxableCode> | undefined
  /** The largest packet accepted, in bytes: 1 or more, or `Infinity`. Each function and class has its own default. */
  readonly maximumPacketSize?: number | undefined
}

/**
 * The options of `decode`.
 *
 * @example
 * const options: DecodeOptions = { protocolVersion: ProtocolVersion.v5, maximumPacketSize: 4096 }
 * decode(bytes, options)
 */
export interface DecodeOptions<IdBytes extends PacketIdBytes = PacketIdBytes> extends ReadOptions {
  /** The largest packet accepted, in bytes: 1 or more, or `Infinity`. Default `Infinity`, because the bytes are in memory already. */
  readonly maximumPacketSize?: number | undefined
  /** The size of a packet identifier in bytes, 2 or 4. Default 2. */
  readonly packetIdBytes?: IdBytes | undefined
}

const optionNames: readonly string[] = namesOf<DecodeOptions>({
  protocolVersion: true,
  allow: true,
  maximumPacketSize: true,
  packetIdBytes: true,
})

/**
 * Decodes exactly one packet. It shares memory with `bytes`, so do not write to them afterwards.
 *
 * @param bytes the whole packet, with nothing before or after it
 * @throws MqttError if the bytes are not exactly one packet or break a rule
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is not what it must be
 * @throws RangeError `ERR_OUT_OF_RANGE` if `maximumPacketSize` is neither a positive integer nor `Infinity`
 * @example
 * const packet = decode(bytes, { protocolVersion: ProtocolVersion.v5 })
 * if (packet.type === ControlPacketType.connect) console.log(packet.clientId)
 */
export function decode<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  options?: DecodeOptions<IdBytes>,
): PacketVariant<IdBytes> {
  const buffer = asBuffer('bytes', bytes)
  const found =
    options === undefined ? decodePacket(buffer, anyVersion, 2 as IdBytes) : decodeWith(buffer, options)
  if (found instanceof Fault) throw new MqttErrorOf(found, FRAMES)
  return found
}

/**
 * The same as `decode`, with the name and the parameters of async_mqtt. Throws the same errors.
 *
 * @example
 * bufferToPacketVariant(bytes, ProtocolVersion.v5)
 */
export function bufferToPacketVariant(
  bytes: Uint8Array,
  protocolVersion?: ProtocolVersion,
  options?: ReadOptions,
): PacketVariant {
  return bufferToBasicPacketVariant<2>(bytes, protocolVersion, options)
}

/**
 * `bufferToPacketVariant` for packet identifiers of 2 or 4 bytes, which matter to `OpaquePacket.packetId`. Throws the same errors.
 *
 * @example
 * bufferToBasicPacketVariant(bytes, ProtocolVersion.v5, { packetIdBytes: 4 })
 */
export function bufferToBasicPacketVariant<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  protocolVersion: ProtocolVersion = ProtocolVersion.undetermined,
  options?: Omit<DecodeOptions<IdBytes>, 'protocolVersion'>,
): PacketVariant<IdBytes> {
  const own = options && ownOptions(options, optionNames)
  return decode<IdBytes>(bytes, { ...own, protocolVersion })
}

/** How much of the stack to keep: this function and its caller. The bytes are in no frame. */
const FRAMES = 2

function decodeWith<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  given: DecodeOptions<IdBytes>,
): PacketVariant<IdBytes> | Fault {
  const options = ownOptions(given, optionNames)
  const { packetIdBytes = 2 as IdBytes } = options
  if (packetIdBytes !== 2 && packetIdBytes !== 4) throw wrongValue('packetIdBytes', '2 or 4')
  const rules = rulesOf(options)
  const maximum = checkLimit('maximumPacketSize', options.maximumPacketSize, Number.POSITIVE_INFINITY)
  if (maximum !== Number.POSITIVE_INFINITY) {
    const size =
      packetTypeFault(rules, bytes, 0, bytes.length) ?? packetSize(rules, bytes, 0, bytes.length, maximum)
    if (size instanceof Fault) return size
  }
  return decodePacket(bytes, rules, packetIdBytes)
}

/**
 * The options that are the object's own. A property that somebody has added to `Object.prototype` is not an option.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `options` is not an object, `ERR_INVALID_ARG_VALUE` if it has other names
 */
export function ownOptions<Options extends object>(options: Options, names: readonly string[]): Options {
  return ownMembers('options', options, names)
}

const anyVersion = new Rules(undefined)
const strictRules: ReadonlyMap<number, Rules> = new Map([
  [ProtocolVersion.undetermined, anyVersion],
  ...versions.map((version) => [version.level, new Rules(version)] as const),
])

/**
 * The rules for these options, which must be own properties.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if `protocolVersion` is not one of `ProtocolVersion`, or `allow` contains what is
 *   not a code that can be relaxed, `ERR_INVALID_ARG_TYPE` if `allow` is not iterable
 */
export function rulesOf(options: ReadOptions, observer?: Observer): Rules {
  const { protocolVersion = ProtocolVersion.undetermined, allow } = options
  const strict = strictRules.get(protocolVersion)
  if (strict === undefined) throw wrongValue('protocolVersion', 'one of ProtocolVersion: 0, 3, 4 or 5')
  if (allow === undefined && observer === undefined) return strict
  return new Rules(versionOf(protocolVersion), allow === undefined ? undefined : codesOf(allow), observer)
}

/** The rules for the packets after a CONNECT of this version. */
export function rulesAfterConnect(rules: Rules, protocolVersion: ProtocolVersion): Rules {
  if (rules.allow.size === 0) return strictRules.get(protocolVersion)!
  return new Rules(versionOf(protocolVersion), rules.allow)
}

function codesOf(allow: Iterable<RelaxableCode>): ReadonlySet<RelaxableCode> {
  if (typeof allow === 'string' || typeof allow?.[Symbol.iterator] !== 'function') {
    throw wrongType('allow', 'an array of error codes', allow)
  }
  const codes = new Set(allow)
  for (const code of codes) {
    if (!relaxableCodes.has(code)) {
      throw wrongValue(`allow: ${String(code)}`, `one of ${[...relaxableCodes].join(', ')}`)
    }
  }
  return codes
}

/** The packet types that are decoded, by the high half of the first byte. The others become an `OpaquePacket`. */
const types: readonly (PacketType<FieldPackets> | undefined)[] = Object.assign(
  new Array<PacketType<FieldPackets> | undefined>(16).fill(undefined),
  {
    [ControlPacketType.connect >> 4]: connectType,
    [ControlPacketType.connack >> 4]: connackType,
  },
)

/** What exactly one packet is, or what is wrong with it. */
export function decodePacket<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  rules: Rules,
  packetIdBytes: IdBytes,
): PacketVariant<IdBytes> | Fault {
  return types[bytes[0]! >> 4]?.decode(bytes, rules) ?? checkOpaque(rules, bytes, packetIdBytes)
}

/** For an observer: reads on after the fixed header of a packet that is not complete, as far as it goes. */
export function readTruncated(bytes: Buffer, rules: Rules): FieldPackets | Fault {
  const start = variableByteIntegerEnd(bytes, 1, bytes.length)
  const found = start < 0 ? undefined : types[bytes[0]! >> 4]?.decodeBody(bytes, rules, start)
  return found ?? incomplete(rules, bytes.length)
}

/** Whether the lengths in a packet that may be invalid fit together. */
export function lengthsFit(bytes: Buffer, version: Version): boolean {
  return types[bytes[0]! >> 4]?.lengthsFit(bytes, version) ?? true
}
