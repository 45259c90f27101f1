import type { Buffer } from 'buffer'
import { type Field, leftOverField } from '../codec/fields.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { REDACTED } from '../packets/text.ts'
import { clauseOf, type Version } from '../protocol/version.ts'
import { readTwoByteInteger } from '../wire/integers.ts'
import { bitsOf, type ExplanationBits } from './bits.ts'
import type { ObservedField, ObservedProperty } from './observed-fields.ts'
import { Secrets } from './secrets.ts'
import {
  CUT_SHORT,
  contentText,
  count,
  fieldText,
  hexText,
  identifierText,
  propertyText,
} from './value-text.ts'

/**
 * One field of a packet, or one part of it.
 *
 * @example
 * const row: ExplanationRow | undefined = explain(bytes).rows.find(({ field }) => field === 'keepAlive')
 * row?.value // '60 s'
 */
export interface ExplanationRow {
  /** The offset from the start of the bytes. */
  readonly offset: number
  /** The number of bytes. 0 for the content of an empty string, or for something missing. */
  readonly length: number
  /**
   * The field, named as in `MqttError.field`. Also `notRead` for the bytes after an error, `body` for a body that isn't decoded,
   * and `bytesLeftOver` for packets after the first 1,000.
   */
  readonly field: string
  /** The part of the field, if it has several rows: the row of a length prefix has `length`. */
  readonly part?: RowPart
  /** The bytes in hex, with `**` for a hidden byte. Long rows have only the first 24 bytes and the last 7. */
  readonly hex: string
  /** Their meaning for a person, with units and names. Control characters are escaped, and long values are cut off. */
  readonly value: string
  /** The section that defines the field. Empty for bytes that aren't read. */
  readonly clause: string
  /** The bits from the left, if the field consists of bits. */
  readonly bits?: readonly ExplanationBits[]
  /** Present in the one row that has the error. If there are no bytes, there's no row either. */
  readonly fault?: true
}

/**
 * A part of a field. A property has an identifier and a value, and a user property also has a key.
 */
export type RowPart = 'length' | 'id' | 'value' | 'key length' | 'key' | 'value length'

/** One packet, or bytes that should be one, and the fields that a check has seen. */
export interface ReadPacket {
  readonly bytes: Buffer
  /** The version whose sections are named. */
  readonly version: Version
  readonly outcome: PacketVariant | MqttError
  readonly fields: readonly ObservedField[]
  /** True if all lengths agree with each other and with the end of the packet. Otherwise, any of them may be wrong. */
  readonly lengthsFit: boolean
  /** The fields whose position doesn't depend on a length. */
  readonly fixed: ReadonlySet<Field>
  /** True if the bytes may belong to the packet before: they begin like no packet, or that one ends with a secret. */
  readonly isDoubtful: boolean
  /** True if the packet is correct as far as it goes, but ends too early. */
  readonly isCut: boolean
}

/**
 * The rows of the fields that a check has observed, and of the bytes that it hasn't read.
 *
 * @param origin the offset of the packet's first byte
 */
export function rowsOf(packet: ReadPacket, origin: number, showsAll: boolean): ExplanationRow[] {
  const rows = new Rows(packet, origin, new Secrets(packet, showsAll))
  for (const observed of packet.fields) {
    rows.skipTo(observed.start)
    rows.add(observed)
  }
  rows.skipTo(packet.bytes.length)
  return rows.all
}

/** Collects the rows of one packet. */
class Rows {
  readonly all: ExplanationRow[] = []
  readonly #packet: ReadPacket
  readonly #origin: number
  readonly #secrets: Secrets
  /** The end of the last row, from the start of the packet. */
  #at = 0

  constructor(packet: ReadPacket, origin: number, secrets: Secrets) {
    this.#packet = packet
    this.#origin = origin
    this.#secrets = secrets
  }

  /** Adds a row for the bytes before `start` that the check hasn't read, if any. */
  skipTo(start: number): void {
    const length = start - this.#at
    if (length <= 0) return
    const { outcome, isDoubtful } = this.#packet
    const shown = this.#secrets.ofUnread(length)
    if (outcome instanceof MqttError) this.#push('notRead', undefined, start, count(length), '', shown)
    // Section 3.1 is CONNECT's, 3.2 CONNACK's, and so on.
    else {
      const value = `${isDoubtful ? '' : `${count(length)}, `}not decoded`
      this.#push('body', undefined, start, value, `3.${outcome.type >> 4}`, shown)
    }
  }

  /** The row, or the rows, of a field. */
  add(observed: ObservedField): void {
    const { field, start, content, end, property } = observed
    if (property?.part === 'more') {
      const value = `${property.count} more properties`
      this.#push(field.name, undefined, end, value, '', this.#secrets.mayShow(observed) ? end - start : 0)
    } else if (content !== start) {
      const part = property === undefined ? undefined : property.part === 'key' ? 'key' : 'value'
      const isPair = property !== undefined && property.rule?.type === 'utf8StringPair'
      this.#addPrefixed(observed, isPair ? `${part as 'key'} length` : 'length', part)
    } else {
      this.#addFixed(observed)
    }
  }

  /** The row of a field without a length prefix. */
  #addFixed(observed: ObservedField): void {
    const { field, start, end, property } = observed
    const { bytes, version } = this.#packet
    const slice = bytes.subarray(start, end)
    const clause = clauseOf(field.section, version)
    const text = property === undefined ? fieldText(field, slice) : propertyValueText(property, slice)
    if (this.#secrets.mayShow(observed)) {
      const bits = slice.length === 0 ? undefined : bitsOf(field, slice[0]!, version)
      this.#push(field.name, partOf(property), end, text, clause, end - start, bits)
    } else {
      const hidden = text === CUT_SHORT ? text : REDACTED
      const value = field === leftOverField ? count(end - start) : hidden
      this.#push(field.name, partOf(property), end, value, clause, 0)
    }
  }

  /** The rows of a length prefix and of the content after it. */
  #addPrefixed(observed: ObservedField, prefixPart: RowPart, contentPart: RowPart | undefined): void {
    const { field, start, content, end } = observed
    const { bytes, version, outcome } = this.#packet
    const clause = clauseOf(field.section, version)
    const mayShowLength = this.#secrets.mayShow(observed)
    const lengthShown = mayShowLength ? content - start : 0
    if (content - start < 2) {
      this.#push(field.name, prefixPart, end, CUT_SHORT, clause, lengthShown)
      return
    }
    const declared = readTwoByteInteger(bytes, start)
    const lengthText = mayShowLength ? count(declared) : REDACTED
    this.#push(field.name, prefixPart, content, lengthText, clause, lengthShown)
    const shown = this.#secrets.ofContent(observed, declared)
    const hidden = declared > end - content ? `${REDACTED} (${CUT_SHORT})` : REDACTED
    const errorAt = outcome instanceof MqttError ? outcome.offset - content : -1
    const text =
      shown === 0 && (end > content || !mayShowLength)
        ? hidden
        : contentText(bytes.subarray(content, end), declared, errorAt, shown)
    this.#push(field.name, contentPart, end, text, clause, shown)
  }

  /** Adds a row from the end of the last one to `end`. Only its first `shown` bytes may be shown. */
  #push(
    field: string,
    part: RowPart | undefined,
    end: number,
    value: string,
    clause: string,
    shown: number,
    bits?: readonly ExplanationBits[],
  ): void {
    const start = this.#at
    this.all.push({
      offset: this.#origin + start,
      length: end - start,
      field,
      ...(part !== undefined && { part }),
      hex: hexText(this.#packet.bytes.subarray(start, end), shown),
      value,
      clause,
      ...(bits !== undefined && { bits }),
    })
    this.#at = end
  }
}

function partOf(property: ObservedProperty | undefined): RowPart | undefined {
  return property === undefined || property.part === 'more' ? undefined : property.part
}

function propertyValueText(property: ObservedProperty, bytes: Buffer): string {
  if (property.part === 'id') return identifierText(bytes)
  return property.part === 'more' ? '' : propertyText(property.rule, bytes)
}

/**
 * Marks the row that has the error: the last row of its field that doesn't begin after its offset.
 *
 * @param origin the offset of the packet's first byte
 */
export function withFault(
  rows: readonly ExplanationRow[],
  error: MqttError,
  origin: number,
): readonly ExplanationRow[] {
  const errorAt = origin + error.offset
  const own = rows.findLastIndex(({ field, offset }) => field === error.field && offset <= errorAt)
  // A property may be among the many that share a row.
  const at = own < 0 ? rows.findLastIndex(({ offset }) => offset <= errorAt) : own
  return rows.map((row, i) => (i === at ? { ...row, fault: true } : row))
}
