import type { Buffer } from 'buffer'
import { Context, type Observer, Policy } from '../codec/context.ts'
import type { Field } from '../codec/fields.ts'
import {
  checkFormAndRemainingLength,
  checkRemainingLength,
  connectTypeFault,
  formFault,
  incomplete,
  packetSize,
  packetTypeFault,
  senderFault,
} from '../codec/fixed-header.ts'
import { check, lengthsFit as lengthsFitIn } from '../codec/layout.ts'
import type { RelaxableCode } from '../errors/error-table.ts'
import { Fault } from '../errors/fault.ts'
import { checkLimit, copyOwn, membersToRead, namesOf, wrongValue } from '../errors/misuse.ts'
import { MqttErrorOf } from '../errors/mqtt-error.ts'
import type { Sender } from '../protocol/codes.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { ProtocolVersion, type Version, versionOf, versions } from '../protocol/version.ts'
import { variableByteIntegerEnd } from '../wire/integers.ts'
import { asBuffer } from '../wire/memory.ts'
import { checkProtocol } from './connect/protocol.ts'
import { type FieldPackets, formats } from './formats.ts'
import { checkOpaque, type OpaquePacket, type PacketIdBytes } from './opaque-packet.ts'
import { codesOf } from './options.ts'

/**
 * The packets that `decode` can return. `packet.type === ControlPacketType.connect` narrows it to a ConnectPacket. For the other types,
 * use `packet instanceof v5.DisconnectPacket`, because CONNACK, AUTH and DISCONNECT are an `OpaquePacket` of the same type unless
 * their version is known.
 *
 * @example
 * const one: PacketVariant = decode(bytes)
 * if (one.type === ControlPacketType.connect) console.log(one.clientId)
 */
export type PacketVariant<IdBytes extends PacketIdBytes = 2> = FieldPackets | OpaquePacket<IdBytes>

/**
 * Options shared by everything that reads packets.
 *
 * @example
 * const options: ReadOptions = { allow: ['will-topic-empty', 'protocol-mqtt-3-1'] }
 * const parser = new PacketParser(options)
 */
export interface ReadOptions {
  /** The version to accept. Default `ProtocolVersion.undetermined`: the packet decides between 3.1.1 and 5.0. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The rules to relax, as codes of their errors. Iterated once. Default none. */
  readonly allow?: Iterable<RelaxableCode> | undefined
  /** The largest packet accepted, in bytes: 1 or more, or `Infinity`. Each function and class has its own default. */
  readonly maximumPacketSize?: number | undefined
  /**
   * The side that sends the packets. An AUTH or a DISCONNECT with a reason code or a property that only the other side may send is
   * then refused. Each function and class has its own default.
   */
  readonly from?: 'client' | 'server' | undefined
}

/**
 * The options of `decode`.
 *
 * @example
 * const options: DecodeOptions = { protocolVersion: ProtocolVersion.v5, maximumPacketSize: 4096 }
 * decode(bytes, options)
 */
export interface DecodeOptions<IdBytes extends PacketIdBytes = PacketIdBytes> extends ReadOptions {
  /**
   * The largest packet accepted, in bytes: 1 or more, or `Infinity`. Default `Infinity`, because the bytes are in memory already.
   */
  readonly maximumPacketSize?: number | undefined
  /** The size of a packet identifier in bytes, 2 or 4. Default 2. */
  readonly packetIdBytes?: IdBytes | undefined
  /** The side that sent the packet. Default: unknown, so both sides' packets are accepted. */
  readonly from?: 'client' | 'server' | undefined
}

const optionNames: readonly string[] = namesOf<DecodeOptions>({
  protocolVersion: true,
  allow: true,
  maximumPacketSize: true,
  packetIdBytes: true,
  from: true,
})

/**
 * Decodes exactly one packet. The packet shares memory with `bytes`, so don't write to them afterwards.
 *
 * @param bytes the whole packet, with nothing before or after it
 * @throws MqttError if the bytes are not exactly one packet, or break a rule
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is invalid
 * @throws RangeError `ERR_OUT_OF_RANGE` if `maximumPacketSize` is neither a positive integer nor `Infinity`
 * @example
 * const packet = decode(bytes, { protocolVersion: ProtocolVersion.v5 })
 * if (packet.type === ControlPacketType.connect) console.log(packet.clientId)
 */
export function decode(bytes: Uint8Array): PacketVariant
export function decode<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  options: DecodeOptions<IdBytes> | undefined,
): PacketVariant<IdBytes>
export function decode<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  options?: DecodeOptions<IdBytes>,
): PacketVariant<IdBytes> {
  const buffer = asBuffer('bytes', bytes)
  const found =
    options === undefined
      ? decodePacket(buffer, anyVersion, 2 as IdBytes)
      : decodeWith(buffer, membersToRead('options', options, optionNames))
  if (found instanceof Fault) throw new MqttErrorOf(found, FRAMES)
  return found
}

/**
 * The same as `decode`, with async_mqtt's name and parameters. Throws the same errors.
 *
 * @param protocolVersion default: the one in the options
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
 * The same as `bufferToPacketVariant`, but you can choose packet identifiers of 4 bytes instead of 2 for `OpaquePacket.packetId`.
 * Throws the same errors.
 *
 * @example
 * bufferToBasicPacketVariant(bytes, ProtocolVersion.v5, { packetIdBytes: 4 })
 */
export function bufferToBasicPacketVariant<IdBytes extends PacketIdBytes = 2>(
  bytes: Uint8Array,
  protocolVersion?: ProtocolVersion,
  options?: DecodeOptions<IdBytes>,
): PacketVariant<IdBytes> {
  const buffer = asBuffer('bytes', bytes)
  const found =
    options === undefined
      ? decodePacket(buffer, strictPolicy(protocolVersion), 2 as IdBytes)
      : decodeWith(buffer, optionsFor(protocolVersion, membersToRead('options', options, optionNames)))
  if (found instanceof Fault) throw new MqttErrorOf(found, FRAMES)
  return found
}

function optionsFor<Options extends ReadOptions>(
  protocolVersion: ProtocolVersion | undefined,
  options: Options,
): Options {
  return protocolVersion === undefined ? options : copyOwn({ ...options, protocolVersion })
}

/** The number of stack frames to keep: the functions above and their caller. No frame shows the bytes. */
const FRAMES = 3

function decodeWith<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  options: DecodeOptions<IdBytes>,
): PacketVariant<IdBytes> | Fault {
  const { packetIdBytes = 2 as IdBytes } = options
  if (packetIdBytes !== 2 && packetIdBytes !== 4) throw wrongValue('packetIdBytes', '2 or 4')
  const policy = policyOf(options)
  const maximum = checkLimit('maximumPacketSize', options.maximumPacketSize, Number.POSITIVE_INFINITY)
  const found = decodePacket(bytes, policy, packetIdBytes)
  // A valid packet is as long as its bytes. An invalid one may state a larger size, and then that is the first fault unless the
  // first byte is at fault.
  const isFirst = found instanceof Fault ? found.offset === 0 : bytes.length <= maximum
  if (maximum === Number.POSITIVE_INFINITY || isFirst) return found
  const size = packetSize(policy.byType[bytes[0]! >> 4]!, bytes, 0, bytes.length, maximum)
  return size instanceof Fault ? size : found
}

const connect = ControlPacketType.connect
/** The policies that relax nothing, by sender and version. Most callers share them. */
const strictPolicies: Readonly<Record<Sender | 'both', ReadonlyMap<number, Policy>>> = {
  both: policiesOf(undefined),
  client: policiesOf('client'),
  server: policiesOf('server'),
}

const anyVersion = strictPolicies.both.get(ProtocolVersion.undetermined)!

function policiesOf(sender: Sender | undefined): ReadonlyMap<number, Policy> {
  return new Map([
    [ProtocolVersion.undetermined, new Policy(formats, connect, undefined, undefined, sender)],
    ...versions.map(
      (version) => [version.level, new Policy(formats, connect, version, undefined, sender)] as const,
    ),
  ])
}

function strictPolicy(
  protocolVersion: ProtocolVersion = ProtocolVersion.undetermined,
  sender: Sender | 'both' = 'both',
): Policy {
  const policy = strictPolicies[sender].get(protocolVersion)
  if (policy === undefined) throw wrongValue('protocolVersion', 'one of ProtocolVersion: 0, 3, 4 or 5')
  return policy
}

/**
 * The policy for these options, which must be own properties.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if `protocolVersion` is not one of `ProtocolVersion`, `from` is invalid, or `allow`
 *   contains anything but codes that can be relaxed, `ERR_INVALID_ARG_TYPE` if `allow` is not iterable
 */
export function policyOf(options: ReadOptions, observer?: Observer): Policy {
  const { protocolVersion = ProtocolVersion.undetermined, allow, from } = options
  if (from !== undefined && from !== 'client' && from !== 'server') {
    throw wrongValue('from', "'client' or 'server'")
  }
  const strict = strictPolicy(protocolVersion, from)
  if (allow === undefined && observer === undefined) return strict
  return new Policy(
    formats,
    connect,
    versionOf(protocolVersion),
    allow === undefined ? undefined : codesOf(allow),
    from,
    observer,
  )
}

/** The same policy, restricted to one version. */
export function policyForVersion(
  { allow, sender, observer }: Policy,
  protocolVersion: ProtocolVersion,
): Policy {
  if (allow.size === 0 && observer === undefined) return strictPolicy(protocolVersion, sender)
  return new Policy(formats, connect, versionOf(protocolVersion), allow, sender, observer)
}

/** Decodes bytes that must be exactly one packet. */
export function decodePacket<IdBytes extends PacketIdBytes>(
  bytes: Buffer,
  policy: Policy,
  packetIdBytes: IdBytes,
): PacketVariant<IdBytes> | Fault {
  const first = bytes[0]!
  if (first >> 4 === connect >> 4) {
    if (first !== connect) return connectTypeFault(policy, bytes, 0, bytes.length)
    if (policy.sender === 'server') return senderFault(policy.unknown, connect, 'client')!
    const start = checkRemainingLength(policy.unknown, bytes)
    return typeof start === 'number' ? decodeConnect(bytes, policy, start) : start
  }
  const context = policy.byType[first >> 4]
  if (context?.format === undefined) return checkOpaque(policy, bytes, packetIdBytes)
  const wrong = packetTypeFault(policy, bytes, 0, bytes.length)
  if (wrong !== undefined) return wrong
  const start = checkFormAndRemainingLength(context, bytes)
  return typeof start === 'number' ? decodeFields(bytes, context, start) : start
}

/** Decodes a CONNECT, which names its own version. `start` is the index of its variable header. */
function decodeConnect(bytes: Buffer, policy: Policy, start: number): FieldPackets | Fault {
  const context = checkProtocol(policy, bytes, start)
  return context instanceof Context
    ? (formFault(context, bytes, start) ?? decodeFields(bytes, context, start))
    : context
}

function decodeFields(bytes: Buffer, context: Context, start: number): FieldPackets | Fault {
  const format = context.format!
  return check(context, bytes, start, format) ?? (format.create(bytes) as FieldPackets)
}

/** Shows an observer the fields of an incomplete packet, as far as they go. */
export function readTruncated(bytes: Buffer, policy: Policy): FieldPackets | Fault {
  const start = variableByteIntegerEnd(bytes, 1, bytes.length)
  if (start >= 0) {
    if (bytes[0] === connect) return decodeConnect(bytes, policy, start)
    const context = policy.byType[bytes[0]! >> 4]!
    if (context.format !== undefined) return decodeFields(bytes, context, start)
  }
  return incomplete(policy.unknown, bytes.length)
}

/** True if the lengths in a packet agree with each other. The packet may be invalid otherwise. */
export function lengthsFit(bytes: Buffer, version: Version): boolean {
  const format = formats[bytes[0]! >> 4]?.[version.name]
  return format === undefined || lengthsFitIn(bytes, format)
}

/** The fields whose position doesn't depend on a length. */
export function fixedFields(bytes: Buffer, version: Version): ReadonlySet<Field> {
  const places = formats[bytes[0]! >> 4]?.[version.name]?.layout ?? []
  const other = places.findIndex(({ width }) => width === 0)
  return new Set(places.slice(0, other < 0 ? places.length : other).map(({ field }) => field))
}
