import { type ErrorCode, type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { Fault } from '../errors/fault.ts'
import { MAX_VARIABLE_BYTE_INTEGER_LENGTH } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import type { Field, TopicField, Utf8Field } from './fields.ts'
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
 * The steps of a scan. Each checks the field that stands from `at` on, within `end`, and returns the index after it,
 * or the error of what is at fault there: nothing is thrown before the caller is known to want that, for a peer may
 * send faults as fast as packets. They keep no state and allocate nothing, and what is rare stands in functions of
 * its own, so that the engine can inline the rest: that is most of the speed of decoding.
 */

/** The index after what has been checked, or the error of what is at fault. */
export type Step = number | Fault

/**
 * Told of each field that a scan has read, in wire order: it stands from `start` to `end`, and its content
 * from `content` on, which is behind the length prefix where it has one, else `start`. A field at fault is told
 * before its error is returned; one that runs past the end, as far as it goes.
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
export function scanFixed(scan: Scan, at: number, end: number, field: Field, length: number): Step {
  const next = at + length
  if (next > end) return pastEnd(scan, at, end, field, length, 0)
  if (scan.observer !== undefined) scan.observer(field, at, at, next)
  return next
}

/** A variable byte integer, of which only the shortest form will do [MQTT-1.5.5-1]. */
export function scanVariableByteInteger(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  if (at < end && bytes[at]! < 0x80) {
    if (scan.observer !== undefined) scan.observer(field, at, at, at + 1)
    return at + 1
  }
  const next = scanVariableByteIntegerOfAnyForm(scan, bytes, at, end, field)
  return typeof next === 'number' ? (notShortest(scan, bytes, at, next, field) ?? next) : next
}

/** A variable byte integer, in whatever form. */
export function scanVariableByteIntegerOfAnyForm(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  const next = variableByteIntegerEnd(bytes, at, end)
  if (next === INCOMPLETE) return pastEnd(scan, at, end, field, end - at + 1, 0)
  if (next === TOO_LONG) {
    scan.observer?.(field, at, at, at + MAX_VARIABLE_BYTE_INTEGER_LENGTH)
    return fault(scan, 'variable-byte-integer-too-long', field, at, 'at most 4 bytes', 'more')
  }
  if (scan.observer !== undefined) scan.observer(field, at, at, next)
  return next
}

/** The error of a variable byte integer that is not in its shortest form: a rule of MQTT 5.0 alone [MQTT-1.5.5-1]. */
export function notShortest(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  next: number,
  field: Field,
): Fault | undefined {
  // A last byte of 0 adds nothing to the value.
  if (bytes[next - 1] !== 0 || next - at === 1) return undefined
  const shortest = variableByteIntegerLength(readVariableByteInteger(bytes, at, next))
  const expected = `${shortest} byte(s)`
  return faultUnlessAllowed(scan, 'variable-byte-integer-not-shortest', field, at, expected, `${next - at}`)
}

/** Binary data with its length prefix. MQTT 5.0 section 1.5.6. */
export function scanBinaryData(scan: Scan, bytes: Uint8Array, at: number, end: number, field: Field): Step {
  const content = at + 2
  const next = content > end ? content : content + readTwoByteInteger(bytes, at)
  if (next > end) return pastEnd(scan, at, end, field, next - at, 2)
  if (scan.observer !== undefined) scan.observer(field, at, content, next)
  return next
}

/** A UTF-8 string with its length prefix. MQTT 5.0 section 1.5.4. */
export function scanUtf8String(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Utf8Field,
): Step {
  const content = at + 2
  const next = content > end ? content : content + readTwoByteInteger(bytes, at)
  if (next > end) return pastEnd(scan, at, end, field, next - at, 2)
  if (scan.observer !== undefined) scan.observer(field, at, content, next)
  // Most strings are ASCII: looked through here, not in a function that looks for all that UTF-8 can be.
  for (let i = content; i < next; i++) {
    if (((bytes[i]! - 1) & 0xff) >= 0x7f) return scanMultiByte(scan, bytes, i, next, field)
  }
  return next
}

/** `scanUtf8String` from the first byte on that is not plain. */
function scanMultiByte(scan: Scan, bytes: Uint8Array, at: number, end: number, field: Utf8Field): Step {
  const wrong = utf8Fault(bytes, at, end)
  return wrong < 0 ? end : notWellFormed(scan, bytes, wrong, field)
}

/** A UTF-8 string that is a topic name: not empty, no wildcard. */
export function scanTopicName(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: TopicField,
): Step {
  const next = scanBinaryData(scan, bytes, at, end, field)
  if (typeof next !== 'number' || isPlainTopic(bytes, at + 2, next)) return next
  return topicFault(scan, bytes, at, next, field) ?? next
}

const PLUS = 0x2b
const HASH = 0x23

/** Whether there is nothing but ASCII, some of it, and no wildcard: then there is nothing to look for either. */
function isPlainTopic(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (((byte - 1) & 0xff) >= 0x7f || byte === PLUS || byte === HASH) return false
  }
  return end > start
}

function topicFault(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: TopicField,
): Fault | undefined {
  const start = at + 2
  if (end === start) {
    return faultUnlessAllowed(scan, field.empty, field, at, 'a topic name', 'an empty string')
  }
  const wrong = utf8Fault(bytes, start, end)
  const wild = wildcardAt(bytes, start, wrong < 0 ? end : wrong)
  if (wild >= 0) {
    const got = `wildcard ${bytes[wild] === PLUS ? '+' : '#'}`
    const wildcard = faultUnlessAllowed(scan, field.wildcard, field, wild, 'a topic name', got)
    if (wildcard !== undefined) return wildcard
  }
  return wrong < 0 ? undefined : notWellFormed(scan, bytes, wrong, field)
}

/** The index of the first wildcard of a topic filter, or -1. */
export function wildcardAt(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === PLUS || byte === HASH) return at
  }
  return -1
}

/** The error of a field that takes `needed` bytes, `prefix` of them a length prefix, but has only those before `end`. */
export function pastEnd(
  scan: Scan,
  at: number,
  end: number,
  field: Field,
  needed: number,
  prefix: number,
): Fault {
  scan.observer?.(field, at, Math.min(at + prefix, end), end)
  const code = field.pastEnd ?? 'field-past-end'
  const offset = code === 'packet-incomplete' ? end : at
  return fault(scan, code, field, offset, `at least ${needed} byte(s)`, `${end - at}`)
}

function notWellFormed(scan: Scan, bytes: Uint8Array, at: number, field: Utf8Field): Fault {
  return bytes[at] === 0
    ? fault(scan, field.nul, field, at, 'no U+0000', 'U+0000')
    : fault(scan, field.notUtf8, field, at, 'well-formed UTF-8', 'a byte that is not')
}

/** `fault`, or `undefined` if the rule is relaxed. */
export function faultUnlessAllowed(
  scan: Scan,
  code: ErrorCode,
  field: Field,
  offset: number,
  expected: string,
  got: string,
): Fault | undefined {
  if (scan.allow.has(code as RelaxableCode)) return undefined
  return fault(scan, code, field, offset, expected, got)
}

/** An error. The name and the level need to be given only where they are not what the scan knows. */
export function fault(
  scan: Scan,
  code: ErrorCode,
  field: Field,
  offset: number,
  expected: string,
  got: string,
  protocolName: string | undefined = scan.known ? 'MQTT' : undefined,
  protocolLevel: number | undefined = scan.known ? scan.version : undefined,
): Fault {
  return new Fault(code, {
    field: field.name,
    offset,
    expected,
    got,
    protocolVersion: scan.version,
    protocolName,
    protocolLevel,
  })
}
