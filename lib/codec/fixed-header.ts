import type { Fault } from '../errors/fault.ts'
import type { Sender } from '../protocol/codes.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { sectionOf, type Version } from '../protocol/version.ts'
import { INCOMPLETE, readVariableByteInteger, TOO_LONG, variableByteIntegerEnd } from '../wire/integers.ts'
import { foreignProtocol } from '../wire/looks-like.ts'
import { type Context, fault, type Policy, type Step } from './context.ts'
import { fixedHeaderField, leftOverField, nextPacketField, remainingLengthField } from './fields.ts'
import { checkVariableByteIntegerOfAnyForm, notShortest } from './steps.ts'

/** The control packet type, from a packet's first byte. */
export function packetTypeOf(first: number): number {
  return first & 0xf0
}

/** The packet types whose flags must be 0010, in MQTT 3.1 maybe with DUP. MQTT 3.1.1 section 2.2.2, MQTT 5.0 section 2.1.3. */
const withFlags0010: ReadonlySet<number> = new Set([
  ControlPacketType.pubrel,
  ControlPacketType.subscribe,
  ControlPacketType.unsubscribe,
])

/** The flag of packets that are sent again: a PUBLISH, and in MQTT 3.1 others. MQTT 3.1 section 2.1, the others section 3.3.1. */
const DUP = 0x08

/** The fault of a first byte that isn't a CONNECT's where only a CONNECT may come. */
export function connectTypeFault(policy: Policy, bytes: Uint8Array, at: number, end: number): Fault {
  const type = packetTypeOf(bytes[at]!)
  if (at < end && type !== ControlPacketType.connect && !isReserved(type, policy.version)) {
    return fault(policy.unknown, 'not-connect', fixedHeaderField, 0, {
      looksLike: foreignProtocol(bytes, at, end),
      problem: `must begin a CONNECT, but begins a ${controlPacketName(type)}`,
    })
  }
  return packetTypeFault(policy, bytes, at, end)!
}

/** The fault of a first byte that can't begin a packet. */
export function packetTypeFault(
  policy: Policy,
  bytes: Uint8Array,
  at: number,
  end: number,
): Fault | undefined {
  if (at >= end) return incomplete(policy.unknown, 0)
  const type = packetTypeOf(bytes[at]!)
  const flags = bytes[at]! & 0x0f
  const context = policy.byType[type >> 4]!
  if (isReserved(type, policy.version)) {
    const looksLike = foreignProtocol(bytes, at, end)
    return fault(context, 'reserved-packet-type', fixedHeaderField, 0, { looksLike })
  }
  if (type === ControlPacketType.publish) return publishFault(context, flags)
  const must0010 = withFlags0010.has(type)
  const sent = must0010 && policy.version?.hasDup ? flags & ~DUP : flags
  if (sent === (must0010 ? 0b0010 : 0)) return senderFault(context, type, context.format?.only)
  return fault(context, 'fixed-header-flags', fixedHeaderField, 0, {
    looksLike: foreignProtocol(bytes, at, end),
    problem: `must have flags ${must0010 ? '0010' : '0000'}`,
  })
}

/** The fault of a packet that only the other side may send. */
export function senderFault(context: Context, type: number, only: Sender | undefined): Fault | undefined {
  const { sender } = context.policy
  if (sender === undefined || only === undefined || only === sender) return undefined
  const problem = `begins a ${controlPacketName(type)}, which only a ${only} sends`
  return fault(context, 'wrong-sender', fixedHeaderField, 0, { clause: sectionOf(type), problem })
}

/** The QoS bits in the flags of a PUBLISH. MQTT 3.1.1 and MQTT 5.0, section 3.3.1. */
export const PUBLISH_QOS = 0x06

/** The fault of a PUBLISH's flags. */
function publishFault(context: Context, flags: number): Fault | undefined {
  const qos = flags & PUBLISH_QOS
  if (qos === PUBLISH_QOS) return fault(context, 'publish-qos', fixedHeaderField, 0)
  if (qos === 0 && (flags & DUP) !== 0) return fault(context, 'publish-dup', fixedHeaderField, 0)
  return undefined
}

/** The fault of a second CONNECT on one connection. */
export function secondConnect(policy: Policy): Fault {
  return fault(policy.unknown, 'second-connect', fixedHeaderField, 0)
}

/** Type 0 is reserved in all versions; type 15 is reserved in versions without AUTH. */
function isReserved(type: number, version: Version | undefined): boolean {
  return type === 0 || (type === ControlPacketType.auth && version?.hasAuth === false)
}

/**
 * The size in bytes of the packet whose fixed header is at `at`. Returns `INCOMPLETE` if the bytes end inside its Remaining
 * Length, and a fault if the Remaining Length is invalid.
 */
export function packetSize(
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  maximum: number,
): number | Fault {
  const start = variableByteIntegerEnd(bytes, at + 1, end)
  if (start === INCOMPLETE) return INCOMPLETE
  if (start === TOO_LONG) return fault(context, 'variable-byte-integer-too-long', remainingLengthField, 1)
  const size = start - at + readVariableByteInteger(bytes, at + 1, start)
  if (size <= maximum) return size
  const problem = `makes the packet larger than the maximum of ${maximum} bytes`
  return fault(context, 'packet-too-large', remainingLengthField, 1, { problem })
}

/**
 * Checks the Remaining Length of bytes that must be exactly one packet, and returns the index after it. The form of the number
 * isn't checked here, because it matters only in some versions and a CONNECT names its version later.
 */
export function checkRemainingLength(context: Context, bytes: Uint8Array): Step {
  // Fast path: most packets are valid, and their length takes one byte or two. This saves a tenth of the decoding time, also because
  // the engine then doesn't inline the rest, and inlines the creation of the packet instead.
  const start = bytes[1]! < 0x80 ? 2 : 3
  const isSimple = bytes[start - 1]! < 0x80 && context.observer === undefined
  if (isSimple && start + readVariableByteInteger(bytes, 1, start) === bytes.length) return start
  return checkAnyRemainingLength(context, bytes)
}

/** The same as `checkRemainingLength`, without the fast path. */
function checkAnyRemainingLength(context: Context, bytes: Uint8Array): Step {
  context.observer?.(fixedHeaderField, 0, 0, 1)
  const start = checkVariableByteIntegerOfAnyForm(context, bytes, 1, bytes.length, remainingLengthField)
  if (typeof start !== 'number') return start
  const size = start + readVariableByteInteger(bytes, 1, start)
  return size === bytes.length ? start : lengthFault(context, bytes, size)
}

/**
 * The same as `checkRemainingLength` for packets that don't name their version. If the version is known, the form of the number
 * is checked as well.
 */
export function checkFormAndRemainingLength(context: Context, bytes: Uint8Array): Step {
  const start = checkRemainingLength(context, bytes)
  return typeof start === 'number' ? (formFault(context, bytes, start) ?? start) : start
}

/** The fault of a Remaining Length that isn't in its shortest form, in versions that demand it. */
export function formFault(context: Context, bytes: Uint8Array, start: number): Fault | undefined {
  if (start === 2 || !context.version?.shortestForm) return undefined
  return notShortest(context, bytes, 1, start, remainingLengthField)
}

/** The fault of bytes that are shorter or longer than one packet. */
function lengthFault(context: Context, bytes: Uint8Array, size: number): Fault {
  const { length } = bytes
  if (size > length) return incomplete(context, length, bytes)
  // To an observer, bytes behind the packet are left over like those behind its last field.
  context.observer?.(leftOverField, size, size, length)
  const looksLike = foreignProtocol(bytes, 0, length)
  return fault(context, 'more-than-one-packet', nextPacketField, size, { looksLike })
}

/** True if the Remaining Length announces more bytes than there are. */
export function isTruncated(bytes: Uint8Array): boolean {
  const start = variableByteIntegerEnd(bytes, 1, bytes.length)
  return start > 0 && start + readVariableByteInteger(bytes, 1, start) > bytes.length
}

/** The fault of a packet of which only `length` bytes have arrived. Pass the bytes as well if they are at hand. */
export function incomplete(context: Context, length: number, bytes?: Uint8Array): Fault {
  return fault(context, 'packet-incomplete', remainingLengthField, length, {
    looksLike: bytes && foreignProtocol(bytes, 0, length),
    problem: length === 0 ? 'there are no bytes' : undefined,
  })
}
