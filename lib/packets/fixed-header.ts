import type { ErrorCode } from '../errors/error-table.ts'
import type { Fault } from '../errors/fault.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import type { Version } from '../protocol/version.ts'
import {
  checkVariableByteIntegerOfAnyForm,
  fault,
  notShortest,
  type Rules,
  type Step,
  tooLong,
} from '../wire/check.ts'
import { type Field, fixedHeaderField, remainingLengthField } from '../wire/fields.ts'
import { INCOMPLETE, readVariableByteInteger, TOO_LONG, variableByteIntegerEnd } from '../wire/integers.ts'
import { foreignProtocol } from '../wire/looks-like.ts'

/** The control packet type in the first byte of a packet. */
export function packetTypeOf(first: number): number {
  return first & 0xf0
}

/** The types whose flags are 0010. MQTT 3.1.1 section 2.2.2, MQTT 5.0 section 2.1.3. */
const withFlags0010: ReadonlySet<number> = new Set([
  ControlPacketType.pubrel,
  ControlPacketType.subscribe,
  ControlPacketType.unsubscribe,
])

/** What is wrong with a first byte that is not a CONNECT's, where there must be a CONNECT. */
export function connectTypeFault(rules: Rules, bytes: Uint8Array, at: number, end: number): Fault {
  const type = packetTypeOf(bytes[at]!)
  if (at < end && type !== ControlPacketType.connect && !isReserved(type, rules.version)) {
    return typeFault('not-connect', rules, bytes, at, end, 'CONNECT', `${controlPacketName(type)}`)
  }
  return packetTypeFault(rules, bytes, at, end)!
}

/** What is wrong with a first byte that no packet begins with. */
export function packetTypeFault(rules: Rules, bytes: Uint8Array, at: number, end: number): Fault | undefined {
  if (at >= end) return incomplete(rules, 0)
  const type = packetTypeOf(bytes[at]!)
  const flags = bytes[at]! & 0x0f
  if (isReserved(type, rules.version)) {
    return typeFault('reserved-packet-type', rules, bytes, at, end, 'a packet type', 'a reserved one')
  }
  if (type === ControlPacketType.publish) return publishFault(rules, flags)
  const must0010 = withFlags0010.has(type)
  if (flags === (must0010 ? 0b0010 : 0)) return undefined
  const expected = must0010 ? 'flags 0010' : 'flags 0000'
  return typeFault('fixed-header-flags', rules, bytes, at, end, expected, 'other flags')
}

function typeFault(
  code: ErrorCode,
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  expected: string,
  got: string,
): Fault {
  const inConnack = packetTypeOf(bytes[at]!) === ControlPacketType.connack
  const context = { looksLike: foreignProtocol(bytes, at, end), inConnack }
  return fault(rules, code, fixedHeaderField, 0, expected, got, context)
}

/** The DUP and QoS bits among the flags of a PUBLISH. MQTT 3.1.1 and MQTT 5.0, section 3.3.1. */
const PUBLISH_DUP = 0x08
export const PUBLISH_QOS = 0x06

/** What is wrong with the flags of a PUBLISH. */
function publishFault(rules: Rules, flags: number): Fault | undefined {
  const qos = flags & PUBLISH_QOS
  if (qos === PUBLISH_QOS) return fault(rules, 'publish-qos', fixedHeaderField, 0, 'QoS 0, 1 or 2', '3')
  if (qos === 0 && (flags & PUBLISH_DUP) !== 0) {
    return fault(rules, 'publish-dup', fixedHeaderField, 0, 'DUP 0 with QoS 0', '1')
  }
  return undefined
}

/** What is wrong with a CONNECT after the first of a connection. */
export function secondConnect(rules: Rules): Fault {
  return fault(rules, 'second-connect', fixedHeaderField, 0, 'CONNECT once', 'a second')
}

/** Type 0 is reserved in all versions, 15 in those without AUTH. */
function isReserved(type: number, version: Version | undefined): boolean {
  return type === 0 || (type === ControlPacketType.auth && version?.hasAuth === false)
}

/**
 * The size in bytes of the packet whose fixed header is at `at`, `INCOMPLETE` if the bytes end before its Remaining Length
 * does, or what is wrong with that.
 */
export function packetSize(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  maximum: number,
): number | Fault {
  const start = variableByteIntegerEnd(bytes, at + 1, end)
  if (start === INCOMPLETE) return INCOMPLETE
  if (start === TOO_LONG) return tooLong(rules, remainingLengthField, 1)
  const size = start - at + readVariableByteInteger(bytes, at + 1, start)
  if (size <= maximum) return size
  const expected = `a packet of at most ${maximum} bytes`
  return fault(rules, 'packet-too-large', remainingLengthField, 1, expected, 'a larger one')
}

/**
 * Checks the Remaining Length of bytes that must be exactly one packet, after their first byte; returns the index after it.
 * Whether its form matters depends on the version, which a CONNECT tells only later.
 */
export function checkRemainingLength(rules: Rules, bytes: Uint8Array): Step {
  // Most packets are right and small. To recognise them here is a tenth of decoding one.
  if (bytes[1]! < 0x80 && bytes[1]! + 2 === bytes.length && rules.observer === undefined) return 2
  rules.observer?.(fixedHeaderField, 0, 0, 1)
  const start = checkVariableByteIntegerOfAnyForm(rules, bytes, 1, bytes.length, remainingLengthField)
  if (typeof start !== 'number') return start
  const size = start + readVariableByteInteger(bytes, 1, start)
  return size === bytes.length ? start : lengthFault(rules, bytes, size)
}

/** `checkRemainingLength` for packets that do not tell their version: its form too, if the version is known. */
export function checkFormAndRemainingLength(rules: Rules, bytes: Uint8Array): Step {
  const start = checkRemainingLength(rules, bytes)
  if (typeof start !== 'number' || !rules.version?.shortestForm) return start
  return notShortest(rules, bytes, 1, start, remainingLengthField) ?? start
}

/** What is wrong with bytes that are not exactly as long as the one packet that they should be. */
function lengthFault(rules: Rules, bytes: Uint8Array, size: number): Fault {
  const { length } = bytes
  if (size > length) return incomplete(rules, length, bytes)
  rules.observer?.(nextPacketField, size, size, length)
  return fault(rules, 'more-than-one-packet', nextPacketField, size, 'one packet', 'more bytes')
}

/** Whether the Remaining Length of a packet says that more bytes follow than there are. */
export function isTruncated(bytes: Uint8Array): boolean {
  const start = variableByteIntegerEnd(bytes, 1, bytes.length)
  return start > 0 && start + readVariableByteInteger(bytes, 1, start) > bytes.length
}

/** What follows the one packet. */
export const nextPacketField: Field = { name: 'bytesLeftOver', section: '2.2' }

/** What is wrong with a packet of which only `length` bytes have arrived, possibly these. */
export function incomplete(rules: Rules, length: number, bytes?: Uint8Array): Fault {
  const context = { looksLike: bytes && foreignProtocol(bytes, 0, length) }
  const got = length === 0 ? 'no bytes' : 'a part of one'
  return fault(rules, 'packet-incomplete', remainingLengthField, length, 'a whole packet', got, context)
}
