import { type ErrorCode, type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { MAX_VARIABLE_BYTE_INTEGER_LENGTH } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import type { Field, Utf8Field } from './fields.ts'
import {
  INCOMPLETE,
  readTwoByteInteger,
  readVariableByteInteger,
  TOO_LONG,
  variableByteIntegerEnd,
  variableByteIntegerLength,
} from './integers.ts'
import { utf8Fault } from './utf8.ts'

/*
 * The steps of a scan. Each checks the field that stands from `at` on, within `end`, and returns the index after it;
 * what is at fault becomes an `MqttError` with the field and the offset. They keep no state and allocate nothing:
 * that is most of the speed of decoding.
 */

/**
 * Told of each field that a scan has read, in wire order: it stands from `start` to `end`, and its content
 * from `content` on, which is behind the length prefix where it has one, else `start`. A field at fault is told
 * before its error is thrown; one that runs past the end, as far as it goes.
 */
export type Observer = (field: Field, start: number, content: number, end: number) => void

/** What a scan is told besides the bytes. It does not change, so one serves any number of packets. */
export class Scan {
  /** The version asked for; once the protocol level has been read, the packet's. */
  readonly version: ProtocolVersion
  /** Whether the protocol name and level have been read, and are MQTT and `version`. */
  readonly known: boolean
  /** The rules not to enforce. */
  readonly allow: ReadonlySet<RelaxableCode>
  readonly observer: Observer | undefined
  /** The same, for what stands behind the protocol level. */
  readonly v3_1_1: Scan
  readonly v5: Scan

  constructor(
    version: ProtocolVersion,
    allow: ReadonlySet<RelaxableCode> = strict,
    observer?: Observer,
    known = false,
  ) {
    this.version = version
    this.allow = allow
    this.observer = observer
    this.known = known
    this.v3_1_1 = known ? this : new Scan(ProtocolVersion.v3_1_1, allow, observer, true)
    this.v5 = known ? this : new Scan(ProtocolVersion.v5, allow, observer, true)
  }
}

const strict: ReadonlySet<RelaxableCode> = new Set()

/** For bytes that have been accepted before, by whatever rules. */
export function lenientScan(version: ProtocolVersion, observer: Observer): Scan {
  return new Scan(version, relaxableCodes, observer)
}

/** A field of `length` bytes. */
export function scanFixed(scan: Scan, at: number, end: number, field: Field, length: number): number {
  const next = at + length
  if (next > end) runsPastEnd(scan, at, end, field, length)
  if (scan.observer !== undefined) scan.observer(field, at, at, next)
  return next
}

/** A variable byte integer; `shortest` says whether only its shortest form will do [MQTT-1.5.5-1]. */
export function scanVariableByteInteger(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
  shortest: boolean,
): number {
  if (at < end && bytes[at]! < 0x80) {
    if (scan.observer !== undefined) scan.observer(field, at, at, at + 1)
    return at + 1
  }
  return scanLongVariableByteInteger(scan, bytes, at, end, field, shortest)
}

/** `scanVariableByteInteger` for what takes more than one byte. */
function scanLongVariableByteInteger(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
  shortest: boolean,
): number {
  const next = variableByteIntegerEnd(bytes, at, end)
  if (next === INCOMPLETE) runsPastEnd(scan, at, end, field, end - at + 1)
  if (next === TOO_LONG) {
    scan.observer?.(field, at, at, at + MAX_VARIABLE_BYTE_INTEGER_LENGTH)
    fail(scan, 'variable-byte-integer-too-long', field, at, 'at most 4 bytes', 'more')
  }
  if (scan.observer !== undefined) scan.observer(field, at, at, next)
  if (shortest) requireShortest(scan, bytes, at, next, field)
  return next
}

/** Refuses a variable byte integer that is not in its shortest form: a rule of MQTT 5.0 alone [MQTT-1.5.5-1]. */
export function requireShortest(scan: Scan, bytes: Uint8Array, at: number, next: number, field: Field): void {
  if (next - at === 1) return
  const shortest = variableByteIntegerLength(readVariableByteInteger(bytes, at, next))
  if (next - at === shortest) return
  fault(scan, 'variable-byte-integer-not-shortest', field, at, `${shortest} byte(s)`, `${next - at}`)
}

/** Binary data with its length prefix. MQTT 5.0 section 1.5.6. */
export function scanBinaryData(scan: Scan, bytes: Uint8Array, at: number, end: number, field: Field): number {
  const next = prefixedEnd(scan, bytes, at, end, field)
  if (scan.observer !== undefined) scan.observer(field, at, at + 2, next)
  return next
}

/** A UTF-8 string with its length prefix. MQTT 5.0 section 1.5.4. */
export function scanUtf8String(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Utf8Field,
): number {
  const next = prefixedEnd(scan, bytes, at, end, field)
  if (scan.observer !== undefined) scan.observer(field, at, at + 2, next)
  const wrong = utf8Fault(bytes, at + 2, next)
  if (wrong >= 0) notWellFormed(scan, bytes, wrong, field)
  return next
}

/** A UTF-8 string that is a topic name: not empty, no wildcard. */
export function scanTopicName(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Utf8Field,
  empty: ErrorCode,
  wildcard: ErrorCode,
): number {
  const next = prefixedEnd(scan, bytes, at, end, field)
  const start = at + 2
  if (scan.observer !== undefined) scan.observer(field, at, start, next)
  if (next === start) fault(scan, empty, field, at, 'a topic name', 'an empty string')
  if (!isPlainTopic(bytes, start, next)) {
    const wrong = utf8Fault(bytes, start, next)
    const wild = wildcardAt(bytes, start, wrong < 0 ? next : wrong)
    if (wild >= 0) {
      fault(scan, wildcard, field, wild, 'a topic name', `wildcard ${bytes[wild] === PLUS ? '+' : '#'}`)
    }
    if (wrong >= 0) notWellFormed(scan, bytes, wrong, field)
  }
  return next
}

const PLUS = 0x2b
const HASH = 0x23

/** Whether there is nothing but ASCII, and no wildcard: then there is nothing to look for either. */
function isPlainTopic(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (((byte - 1) & 0xff) >= 0x7f || byte === PLUS || byte === HASH) return false
  }
  return true
}

function wildcardAt(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === PLUS || byte === HASH) return at
  }
  return -1
}

/** The index after a field with a length prefix. */
function prefixedEnd(scan: Scan, bytes: Uint8Array, at: number, end: number, field: Field): number {
  const content = at + 2
  if (content > end) runsPastEnd(scan, at, end, field, 2, 2)
  const next = content + readTwoByteInteger(bytes, at)
  if (next > end) runsPastEnd(scan, at, end, field, next - at, 2)
  return next
}

/** `prefix` is how many of the bytes needed are a length prefix. */
function runsPastEnd(scan: Scan, at: number, end: number, field: Field, needed: number, prefix = 0): never {
  scan.observer?.(field, at, Math.min(at + prefix, end), end)
  const code = field.pastEnd ?? 'field-past-end'
  const offset = code === 'packet-incomplete' ? end : at
  fail(scan, code, field, offset, `at least ${needed} byte(s)`, `${end - at}`)
}

function notWellFormed(scan: Scan, bytes: Uint8Array, at: number, field: Utf8Field): never {
  if (bytes[at] === 0) fail(scan, field.nul, field, at, 'no U+0000', 'U+0000')
  fail(scan, field.notUtf8, field, at, 'well-formed UTF-8', 'a byte that is not')
}

/** Raises an error, unless its rule is relaxed. */
export function fault(
  scan: Scan,
  code: ErrorCode,
  field: Field,
  offset: number,
  expected: string,
  got: string,
): void {
  if (!scan.allow.has(code as RelaxableCode)) fail(scan, code, field, offset, expected, got)
}

/** Raises an error. The name and the level need to be given only where they are not what the scan knows. */
export function fail(
  scan: Scan,
  code: ErrorCode,
  field: Field,
  offset: number,
  expected: string,
  got: string,
  protocolName: string | undefined = scan.known ? 'MQTT' : undefined,
  protocolLevel: number | undefined = scan.known ? scan.version : undefined,
): never {
  throw new MqttError(code, {
    field: field.name,
    offset,
    expected,
    got,
    protocolVersion: scan.version,
    protocolName,
    protocolLevel,
  })
}
