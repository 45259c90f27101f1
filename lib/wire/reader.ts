import { type ErrorCode, type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
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

/**
 * Told of each field that a scan has read, in wire order: it stands from `start` to `end`, and its content
 * from `content` on, which is behind the length prefix where it has one, else `start`.
 */
export type Observer = (field: Field, start: number, content: number, end: number) => void

/** What a scan is told besides the bytes. */
export interface ScanOptions {
  /** The rules not to enforce. */
  readonly allow: ReadonlySet<RelaxableCode>
  readonly observer: Observer | undefined
}

export const strictScan: ScanOptions = { allow: new Set<RelaxableCode>(), observer: undefined }

/** For bytes that have been accepted before, by whatever rules. */
export function lenientScan(observer: Observer): ScanOptions {
  return { allow: relaxableCodes, observer }
}

/**
 * Reads the fields of one packet in wire order. Each method reads one field at `at`, checks it and steps over
 * it; what is at fault becomes an `MqttError` with the field and the offset.
 */
export class Reader {
  readonly bytes: Uint8Array
  readonly #allow: ReadonlySet<RelaxableCode>
  readonly #observer: Observer | undefined
  /** The next byte to read. */
  at = 0
  /** The end of what may be read: of the packet, or of the properties while they are read. */
  end: number
  /** The error of a field that runs past `end`; until the Remaining Length is read, there are just too few bytes. */
  pastEnd: ErrorCode = 'packet-incomplete'
  /** The version asked for; once the protocol level is read, the packet's. */
  version: ProtocolVersion
  protocolName: string | undefined = undefined
  protocolLevel: number | undefined = undefined

  constructor(bytes: Uint8Array, version: ProtocolVersion, options: ScanOptions) {
    this.bytes = bytes
    this.end = bytes.length
    this.version = version
    this.#allow = options.allow
    this.#observer = options.observer
  }

  /** Steps over a field of `length` bytes and returns the index of its first. */
  fixed(field: Field, length: number): number {
    const start = this.at
    const next = start + length
    if (next > this.end) this.#runsPastEnd(field, length)
    this.at = next
    this.#observer?.(field, start, start, next)
    return start
  }

  byte(field: Field): number {
    return this.bytes[this.fixed(field, 1)]!
  }

  twoByteInteger(field: Field): number {
    return readTwoByteInteger(this.bytes, this.fixed(field, 2))
  }

  /** A variable byte integer; `shortest` says whether only its shortest form will do [MQTT-1.5.5-1]. */
  variableByteInteger(field: Field, shortest: boolean): number {
    const start = this.at
    const next = variableByteIntegerEnd(this.bytes, start, this.end)
    if (next === INCOMPLETE) this.#runsPastEnd(field, this.end - start + 1)
    if (next === TOO_LONG) this.#tooLong(field)
    const value = readVariableByteInteger(this.bytes, start, next)
    if (shortest && next - start !== variableByteIntegerLength(value)) {
      this.fault(
        'variable-byte-integer-not-shortest',
        field,
        start,
        `${variableByteIntegerLength(value)} byte(s)`,
        `${next - start}`,
      )
    }
    this.at = next
    this.#observer?.(field, start, start, next)
    return value
  }

  /** Binary data with its length prefix; returns the index of the prefix. MQTT 5.0 section 1.5.6. */
  binaryData(field: Field): number {
    const start = this.at
    const next = this.#lengthPrefixed(field)
    this.at = next
    this.#observer?.(field, start, start + 2, next)
    return start
  }

  /** A UTF-8 string with its length prefix; returns the index of the prefix. MQTT 5.0 section 1.5.4. */
  utf8String(field: Utf8Field): number {
    const start = this.at
    const next = this.#lengthPrefixed(field)
    const fault = utf8Fault(this.bytes, start + 2, next)
    if (fault >= 0) this.#notWellFormed(field, fault)
    this.at = next
    this.#observer?.(field, start, start + 2, next)
    return start
  }

  /** A UTF-8 string that is a topic name: not empty, no wildcard. Returns the index of the length prefix. */
  topicName(field: Utf8Field, empty: ErrorCode, wildcard: ErrorCode): number {
    const start = this.at
    const next = this.#lengthPrefixed(field)
    if (next === start + 2) this.fault(empty, field, start, 'a topic name', 'an empty string')
    const fault = utf8Fault(this.bytes, start + 2, next)
    const end = fault < 0 ? next : fault
    for (let at = start + 2; at < end; at++) {
      const byte = this.bytes[at]!
      if (byte === 0x2b || byte === 0x23) {
        this.fault(wildcard, field, at, 'a topic name', byte === 0x2b ? 'wildcard +' : 'wildcard #')
        break
      }
    }
    if (fault >= 0) this.#notWellFormed(field, fault)
    this.at = next
    this.#observer?.(field, start, start + 2, next)
    return start
  }

  /** Raises an error, unless its rule is relaxed. */
  fault(code: ErrorCode, field: Field, offset: number, expected: string, got: string): void {
    if (this.#allow.has(code as RelaxableCode)) return
    this.fail(code, field, offset, expected, got)
  }

  /** Raises an error. */
  fail(code: ErrorCode, field: Field, offset: number, expected: string, got: string): never {
    throw new MqttError(code, {
      field: field.name,
      offset,
      expected,
      got,
      protocolVersion: this.version,
      protocolName: this.protocolName,
      protocolLevel: this.protocolLevel,
    })
  }

  /** The index after a field with a length prefix. */
  #lengthPrefixed(field: Field): number {
    const content = this.at + 2
    if (content > this.end) this.#runsPastEnd(field, 2)
    const next = content + readTwoByteInteger(this.bytes, this.at)
    if (next > this.end) this.#runsPastEnd(field, next - this.at)
    return next
  }

  #runsPastEnd(field: Field, needed: number): never {
    this.fail(this.pastEnd, field, this.at, `at least ${needed} byte(s)`, `${this.end - this.at}`)
  }

  #tooLong(field: Field): never {
    this.fail('variable-byte-integer-too-long', field, this.at, 'at most 4 bytes', 'more')
  }

  #notWellFormed(field: Utf8Field, at: number): never {
    if (this.bytes[at] === 0) this.fail(field.nul, field, at, 'no U+0000', 'U+0000')
    this.fail(field.notUtf8, field, at, 'well-formed UTF-8', 'a byte that is not')
  }
}
