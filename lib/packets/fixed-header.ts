import type { ErrorCode } from '../errors/error-table.ts'
import { Fault, type ForeignProtocol } from '../errors/fault.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { type Field, fixedHeaderField, remainingLengthField } from '../wire/fields.ts'
import { INCOMPLETE, readVariableByteInteger, TOO_LONG, variableByteIntegerEnd } from '../wire/integers.ts'
import { looksLike } from '../wire/looks-like.ts'
import { fault, type Scan } from '../wire/scan.ts'

/** The types whose flags are 0010. MQTT 3.1.1 section 2.2.2, MQTT 5.0 section 2.1.3. */
const withFlag2: ReadonlySet<number> = new Set([
  ControlPacketType.pubrel,
  ControlPacketType.subscribe,
  ControlPacketType.unsubscribe,
])

/** The error of a first byte, if there is one, that is not a CONNECT's. */
export function connectTypeFault(
  bytes: Uint8Array,
  at: number,
  end: number,
  version: ProtocolVersion,
): Fault {
  const type = bytes[at]! & 0xf0
  if (at < end && type !== ControlPacketType.connect && !isReserved(type, version)) {
    return typeFault('not-connect', bytes, at, end, version, 'CONNECT', `${controlPacketName(type)}`)
  }
  return packetTypeFault(bytes, at, end, version)!
}

/** The error of a first byte that no packet begins with; `undefined` if one does. */
export function packetTypeFault(
  bytes: Uint8Array,
  at: number,
  end: number,
  version: ProtocolVersion,
): Fault | undefined {
  if (at >= end) return incomplete(0, version)
  const type = bytes[at]! & 0xf0
  const flags = bytes[at]! & 0x0f
  if (isReserved(type, version)) {
    return typeFault('reserved-packet-type', bytes, at, end, version, 'a packet type', `type ${type >> 4}`)
  }
  const expected = withFlag2.has(type) ? 2 : 0
  if (flags === expected || type === ControlPacketType.publish) return undefined
  return typeFault('fixed-header-flags', bytes, at, end, version, `flags ${bits(expected)}`, bits(flags))
}

function typeFault(
  code: ErrorCode,
  bytes: Uint8Array,
  at: number,
  end: number,
  version: ProtocolVersion,
  expected: string,
  got: string,
): Fault {
  return headerFault(code, fixedHeaderField, 0, version, expected, got, looksLike(bytes, at, end))
}

/** The error of a CONNECT behind the first on one connection. */
export function secondConnect(version: ProtocolVersion): Fault {
  return headerFault('second-connect', fixedHeaderField, 0, version, 'CONNECT once', 'a second')
}

function bits(flags: number): string {
  return flags.toString(2).padStart(4, '0')
}

/** Type 0 is reserved in both versions, 15 (AUTH) in MQTT 3.1.1. */
function isReserved(type: number, version: ProtocolVersion): boolean {
  return type === 0 || (type === ControlPacketType.auth && version === ProtocolVersion.v3_1_1)
}

/**
 * The size in bytes of the packet whose fixed header stands at `at`, `INCOMPLETE` if the bytes end before its
 * Remaining Length does, or the error of a size that is none or over `maximum`.
 */
export function packetSize(
  bytes: Uint8Array,
  at: number,
  end: number,
  maximum: number,
  version: ProtocolVersion,
): number | Fault {
  const start = variableByteIntegerEnd(bytes, at + 1, end)
  if (start === INCOMPLETE) return INCOMPLETE
  if (start === TOO_LONG) {
    const code = 'variable-byte-integer-too-long'
    return headerFault(code, remainingLengthField, 1, version, 'at most 4 bytes', 'more')
  }
  const size = start - at + readVariableByteInteger(bytes, at + 1, start)
  if (size <= maximum) return size
  const expected = `a packet of at most ${maximum} bytes`
  return headerFault('packet-too-large', remainingLengthField, 1, version, expected, `${size}`)
}

/** The error of a packet of which only `length` bytes are there. */
export function incomplete(
  length: number,
  version: ProtocolVersion,
  size?: number,
  foreign?: ForeignProtocol,
): Fault {
  const expected = size === undefined ? 'a whole packet' : `${size} bytes`
  return headerFault(
    'packet-incomplete',
    remainingLengthField,
    length,
    version,
    expected,
    `${length}`,
    foreign,
  )
}

/** The error of bytes that are not exactly as long as the one packet that they should be. */
export function lengthFault(scan: Scan, bytes: Uint8Array, size: number): Fault {
  const { length } = bytes
  if (size > length) return incomplete(length, scan.version, size, looksLike(bytes, 0, length))
  scan.observer?.(leftOver, size, size, length)
  return fault(scan, 'more-than-one-packet', leftOver, size, `one packet of ${size} bytes`, `${length}`)
}

const leftOver: Field = { name: 'bytesLeftOver', section: '2.2' }

function headerFault(
  code: ErrorCode,
  field: Field,
  offset: number,
  protocolVersion: ProtocolVersion,
  expected: string,
  got: string,
  foreign?: ForeignProtocol,
): Fault {
  return new Fault(code, {
    field: field.name,
    offset,
    protocolVersion,
    expected,
    got,
    looksLike: foreign,
  })
}
