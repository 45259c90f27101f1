import type { Buffer } from 'buffer'
import type { ErrorCode } from '../errors/error-table.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/packet-variant.ts'
import { connectPlace, type PropertyRule, willPlace } from '../packets/property-places.ts'
import { REDACTED } from '../packets/text.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import {
  type Field,
  leftOverField,
  passwordField,
  protocolNameField,
  topicNameField,
  willMessageField,
} from '../wire/fields.ts'
import { readTwoByteInteger, readVariableByteInteger } from '../wire/integers.ts'
import { bitsOf } from './bits.ts'
import { CUT_SHORT, contentText, count, fieldText, hexText, identifierText, propertyText } from './values.ts'

/** One field of a packet, or one part of it. */
export interface ExplanationRow {
  /** Where it begins, in bytes from the start of the packet. */
  readonly offset: number
  /** How many bytes it takes; 0 for the content of an empty string, or for what is missing. */
  readonly length: number
  /** The field, named as in `MqttError.field`; also `notRead`, and `body` of a packet that is no CONNECT. */
  readonly field: string
  /** Which part of the field, if it has several rows: that of a length prefix has `length`. */
  readonly part?: RowPart
  /** The bytes in hex; `**` for one that is not shown, and of many only the first 24 and the last 7. */
  readonly hex: string
  /** What they mean, for a person: with unit and name, control characters escaped, long ones cut. */
  readonly value: string
  /** The section that defines the field; empty for what is not read. */
  readonly clause: string
  /** The bits, of a field that is made of bits: from the left, each bit once. */
  readonly bits?: readonly ExplanationBits[]
  /** Present on the one row where the fault is. */
  readonly fault?: true
}

/** A part of a field: of a property its identifier, its value, and the length, key or value of a user property. */
export type RowPart = 'length' | 'id' | 'value' | 'key length' | 'key' | 'value length'

/** One or more bits of a field that is made of bits. */
export interface ExplanationBits {
  /** `7` for the most significant bit, `4-3` for two of them. */
  readonly bits: string
  /** In the words of the standard: `user name flag`. */
  readonly name: string
  readonly value: string
  /** The section that defines them. */
  readonly clause: string
}

/** What an observer of a scan is told: see `Observer`. */
export interface ObservedField {
  readonly field: Field
  readonly start: number
  readonly content: number
  readonly end: number
}

/** What all rows of one packet depend on. */
export interface Subject {
  readonly bytes: Buffer
  /** The version whose sections to name. */
  readonly version: ProtocolVersion
  readonly outcome: PacketVariant | MqttError
  readonly secrets: boolean
}

/** The packets that can hold authentication data, in a body that is not decoded. */
const withAuthenticationData: ReadonlySet<number> = new Set([
  ControlPacketType.connack,
  ControlPacketType.auth,
])

/** The faults of packets whose lengths do not add up. */
const lengthFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'field-past-end',
  'property-past-end',
  'bytes-left-over',
])

/** The strings that come first. */
const inPlace: ReadonlySet<Field> = new Set([protocolNameField, topicNameField])

/** The rows of the fields that a scan has observed, and of the bytes that it has not read. */
export function rowsOf(subject: Subject, fields: readonly ObservedField[]): readonly ExplanationRow[] {
  const rows = new Rows(subject)
  for (const observed of fields) {
    rows.skipTo(observed.start)
    if (/^(will\.)?props\b/.test(observed.field.name)) rows.addProperty(observed)
    else rows.add(observed)
  }
  rows.skipTo(subject.bytes.length)
  return rows.withFault()
}

/** Collects the rows of one packet. */
class Rows {
  readonly #subject: Subject
  readonly #error: MqttError | undefined
  readonly #rows: ExplanationRow[] = []
  /** The end of the last row. */
  #at = 0
  /** The property that is being read. */
  #property: PropertyRule | undefined = undefined
  /** How many of its values have been read. */
  #values = 0

  constructor(subject: Subject) {
    this.#subject = subject
    this.#error = subject.outcome instanceof MqttError ? subject.outcome : undefined
  }

  /** A row for the bytes before `start`, if there are any that the scan has not read. */
  skipTo(start: number): void {
    const length = start - this.#at
    if (length === 0) return
    const { bytes, secrets, outcome } = this.#subject
    if (outcome instanceof MqttError) {
      this.#push('notRead', undefined, start, count(length), '', secrets ? length : 0)
      return
    }
    const type = bytes[0]! & 0xf0
    const shown = secrets || !withAuthenticationData.has(type) ? length : 0
    // Section 3.1 is CONNECT's, 3.2 CONNACK's, and so on.
    this.#push('body', undefined, start, `${count(length)}, not decoded`, `3.${outcome.type >> 4}`, shown)
  }

  /** The row, or the rows, of a field that is no property. */
  add(observed: ObservedField): void {
    const { field, start, content, end } = observed
    if (content !== start) {
      this.#addPrefixed(observed, 'length', undefined)
      return
    }
    const { bytes, version, secrets } = this.#subject
    const clause = this.#clause(field)
    if (field.name === leftOverField.name) {
      this.#push(field.name, undefined, end, count(end - start), clause, secrets ? end - start : 0)
      return
    }
    const slice = bytes.subarray(start, end)
    const bits = slice.length === 0 ? undefined : bitsOf(field, slice[0]!, version)
    this.#push(field.name, undefined, end, fieldText(field, slice), clause, end - start, bits)
  }

  /** The rows of a property's identifier, or of a value of the property whose identifier came before. */
  addProperty(observed: ObservedField): void {
    const { field, start, content, end } = observed
    const { bytes } = this.#subject
    const rule = this.#property
    if (rule === undefined) {
      const place = field.name.startsWith('will.') ? willPlace : connectPlace
      const id = readVariableByteInteger(bytes, start, end)
      this.#property = place.rules[id]
      this.#values = 0
      const text = bytes[end - 1]! < 0x80 ? identifierText(id) : CUT_SHORT
      this.#push(field.name, 'id', end, text, this.#clause(field), end - start)
      return
    }
    const pair = rule.type === 'utf8StringPair'
    this.#values++
    if (content !== start) {
      if (!pair) this.#addPrefixed(observed, 'length', 'value')
      else if (this.#values === 1) this.#addPrefixed(observed, 'key length', 'key')
      else this.#addPrefixed(observed, 'value length', 'value')
    } else {
      const text = propertyText(rule, bytes.subarray(start, end))
      this.#push(field.name, 'value', end, text, this.#clause(field), end - start)
    }
    if (!pair || this.#values === 2) this.#property = undefined
  }

  /** The rows of a length prefix and of what stands behind it. */
  #addPrefixed(observed: ObservedField, prefixPart: RowPart, contentPart: RowPart | undefined): void {
    const { field, start, content, end } = observed
    const { bytes } = this.#subject
    const clause = this.#clause(field)
    if (content - start < 2) {
      this.#push(field.name, prefixPart, end, CUT_SHORT, clause, content - start)
      return
    }
    const declared = readTwoByteInteger(bytes, start)
    this.#push(field.name, prefixPart, content, count(declared), clause, 2)
    const fault = this.#error === undefined ? -1 : this.#error.offset - content
    const shown = this.#shown(field, declared, end - content, fault)
    const text =
      shown === 0 && end > content
        ? declared > end - content
          ? `${REDACTED} (${end - content} of ${count(declared)})`
          : REDACTED
        : contentText(bytes.subarray(content, end), declared, fault, shown)
    this.#push(field.name, contentPart, end, text, clause, shown)
  }

  /**
   * How many bytes of a string or of binary data may be shown. In a packet with a fault a length or a flag may be
   * wrong, and then what is read as one field is another, maybe the password. So of such a packet nothing is shown
   * that need not be well-formed text, or that stands behind the fault; and if the lengths do not add up, only what
   * no length before it could have moved.
   */
  #shown(field: Field, declared: number, length: number, fault: number): number {
    if (this.#subject.secrets) return length
    const property = this.#property
    if (field === passwordField || property?.secret) return 0
    if (this.#error === undefined) return length
    if (declared > length || field === willMessageField || property?.type === 'binaryData') return 0
    if (lengthFaults.has(this.#error.code) && !inPlace.has(field)) return 0
    // The error has the name if it is short and text.
    if (field === protocolNameField && this.#error.protocolName === undefined) return 0
    return fault >= 0 && fault < length ? fault + 1 : length
  }

  #clause({ section }: Field): string {
    if (typeof section === 'string') return section
    return this.#subject.version === ProtocolVersion.v3_1_1 ? section.v3_1_1 : section.v5
  }

  /** Adds the row from the end of the last one to `end`, of which the first `shown` bytes may be shown. */
  #push(
    field: string,
    part: RowPart | undefined,
    end: number,
    value: string,
    clause: string,
    shown: number,
    bits?: readonly ExplanationBits[],
  ): void {
    const offset = this.#at
    this.#rows.push({
      offset,
      length: end - offset,
      field,
      ...(part !== undefined && { part }),
      hex: hexText(this.#subject.bytes.subarray(offset, end), shown),
      value,
      clause,
      ...(bits !== undefined && { bits }),
    })
    this.#at = end
  }

  /** The rows, the faulty one marked: the last row of the error's field that does not begin behind its offset. */
  withFault(): readonly ExplanationRow[] {
    const error = this.#error
    if (error === undefined) return this.#rows
    const at = this.#rows.findLastIndex(
      ({ field, offset }) => field === error.field && offset <= error.offset,
    )
    return this.#rows.map((row, i) => (i === at ? { ...row, fault: true } : row))
  }
}
