import type { Buffer } from 'buffer'
import { MqttError } from '../errors/mqtt-error.ts'
import { connackCodeFields } from '../packets/connack/check-connack.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { REDACTED } from '../packets/text.ts'
import { clauseOf, type Version, versions } from '../protocol/version.ts'
import {
  type Field,
  keepAliveField,
  leftOverField,
  passwordField,
  protocolNameField,
  topicNameField,
  willMessageField,
} from '../wire/fields.ts'
import { readTwoByteInteger } from '../wire/integers.ts'
import { bitsOf, type ExplanationBits } from './bits.ts'
import type { ObservedField, ObservedProperty } from './observed-fields.ts'
import { CUT_SHORT, contentText, count, fieldText, hexText, identifierText, propertyText } from './values.ts'

/**
 * One field of a packet, or one part of it.
 *
 * @example
 * const row: ExplanationRow | undefined = explain(bytes).rows.find(({ field }) => field === 'keepAlive')
 * row?.value // '60 s'
 */
export interface ExplanationRow {
  /** Where it begins, in bytes from the start of the bytes. */
  readonly offset: number
  /** How many bytes it takes; 0 for the content of an empty string, or for what is missing. */
  readonly length: number
  /**
   * The field, named as in `MqttError.field`. Also `notRead` for what follows an error, `body` for the body of a packet that is
   * not decoded, and `bytesLeftOver` for each packet after the first.
   */
  readonly field: string
  /** Which part of the field, if it has several rows: the row of a length prefix has `length`. */
  readonly part?: RowPart
  /** The bytes in hex: `**` for one that is hidden. Of many only the first 24 and the last 7. */
  readonly hex: string
  /** What they mean, for a person: with unit and name, control characters escaped, long values cut. */
  readonly value: string
  /** The section that defines the field; empty for bytes that are not read. */
  readonly clause: string
  /** The bits, if the field is made of bits: from the left, each bit once. */
  readonly bits?: readonly ExplanationBits[]
  /** Present on the one row with the error. */
  readonly fault?: true
}

/**
 * A part of a field. A property has an identifier and a value; a user property also a key.
 *
 * @example
 * const part: RowPart = 'length'
 * explain(bytes).rows.filter((row) => row.part === part).length // 10
 */
export type RowPart = 'length' | 'id' | 'value' | 'key length' | 'key' | 'value length'

/** One packet, or what should be one, and what a check has seen of it. */
export interface ReadPacket {
  readonly bytes: Buffer
  /** The version whose sections to name. */
  readonly version: Version
  readonly outcome: PacketVariant | MqttError
  readonly fields: readonly ObservedField[]
  /** Whether all lengths fit together and end with the packet. Otherwise any of them may be wrong. */
  readonly lengthsFit: boolean
}

/** The rows of the fields that a check has observed, and of the bytes that it has not read. */
export function rowsOf(packet: ReadPacket, secrets: boolean): ExplanationRow[] {
  const rows = new Rows(packet, secrets)
  for (const observed of packet.fields) {
    rows.skipTo(observed.start)
    rows.add(observed)
  }
  rows.skipTo(packet.bytes.length)
  return rows.all
}

/** The last field of each packet type whose position does not depend on a length. */
const lastFixedFields: ReadonlySet<Field> = new Set([keepAliveField, connackCodeFields.reasonCode])
const lastFixedNames: ReadonlySet<string> = new Set(Array.from(lastFixedFields, ({ name }) => name))

/** Collects the rows of one packet. */
class Rows {
  readonly all: ExplanationRow[] = []
  readonly #packet: ReadPacket
  readonly #secrets: boolean
  readonly #error: MqttError | undefined
  /** The end of the last row. */
  #at = 0
  /** Whether everything that comes now may be another field than it seems to be. */
  #uncertain = false

  constructor(packet: ReadPacket, secrets: boolean) {
    this.#packet = packet
    this.#secrets = secrets
    this.#error = packet.outcome instanceof MqttError ? packet.outcome : undefined
  }

  get #isFirstLength(): boolean {
    return lastFixedNames.has(this.all.at(-1)?.field ?? '')
  }

  /** A row for the bytes before `start`, if there are any that the check has not read. */
  skipTo(start: number): void {
    const length = start - this.#at
    if (length <= 0) return
    const { outcome } = this.#packet
    const shown = this.#secrets ? length : 0
    if (outcome instanceof MqttError) this.#push('notRead', undefined, start, count(length), '', shown)
    // Section 3.1 is CONNECT's, 3.2 CONNACK's, and so on.
    else
      this.#push('body', undefined, start, `${count(length)}, not decoded`, `3.${outcome.type >> 4}`, shown)
  }

  /** The row, or the rows, of a field. */
  add(observed: ObservedField): void {
    const { field, start, content, end, property } = observed
    if (property?.part === 'more') {
      const value = `${property.count} more properties`
      this.#push(field.name, undefined, end, value, '', this.#mayShow(field) ? end - start : 0)
    } else if (content !== start) {
      const part = property === undefined ? undefined : property.part === 'key' ? 'key' : 'value'
      const isPair = property !== undefined && property.rule?.type === 'utf8StringPair'
      this.#addPrefixed(observed, isPair ? `${part as 'key'} length` : 'length', part)
    } else {
      this.#addFixed(observed)
    }
    if (lastFixedFields.has(field) && !this.#packet.lengthsFit) this.#uncertain = true
  }

  /** The row of a field without a length prefix. */
  #addFixed({ field, start, end, property }: ObservedField): void {
    const { bytes, version } = this.#packet
    const slice = bytes.subarray(start, end)
    const isShown = this.#mayShow(field) || this.#isFirstProperty(property)
    const clause = clauseOf(field.section, version)
    const text = property === undefined ? fieldText(field, slice) : propertyValueText(property, slice)
    if (!isShown && text !== CUT_SHORT) {
      const value = field === leftOverField ? count(end - start) : REDACTED
      this.#push(field.name, partOf(property), end, value, clause, 0)
      return
    }
    const shown = isShown ? end - start : 0
    const bits = slice.length === 0 ? undefined : bitsOf(field, slice[0]!, version)
    this.#push(field.name, partOf(property), end, text, clause, shown, bits)
  }

  /** The rows of a length prefix and of the content after it. */
  #addPrefixed(observed: ObservedField, prefixPart: RowPart, contentPart: RowPart | undefined): void {
    const { field, start, content, end } = observed
    const { bytes, version } = this.#packet
    const clause = clauseOf(field.section, version)
    const lengthShown = this.#mayShow(field) ? content - start : 0
    if (content - start < 2) {
      this.#push(field.name, prefixPart, end, CUT_SHORT, clause, lengthShown)
      return
    }
    const declared = readTwoByteInteger(bytes, start)
    const isCut = declared > end - content
    this.#push(
      field.name,
      prefixPart,
      content,
      lengthShown > 0 ? count(declared) : REDACTED,
      clause,
      lengthShown,
    )
    const fault = this.#error === undefined ? -1 : this.#error.offset - content
    const shown = this.#shown(observed, declared, fault)
    const hidden = isCut ? `${REDACTED} (${CUT_SHORT})` : REDACTED
    const text =
      shown === 0 && end > content
        ? hidden
        : contentText(bytes.subarray(content, end), declared, fault, shown)
    this.#push(field.name, contentPart, end, text, clause, shown)
  }

  /** Whether this is the identifier of the first property after the first length. */
  #isFirstProperty(property: ObservedProperty | undefined): boolean {
    const before = this.all.at(-2)
    return property?.part === 'id' && before !== undefined && lastFixedNames.has(before.field)
  }

  /** Whether a length, or a field without one, may be shown. */
  #mayShow(field: Field): boolean {
    if (this.#secrets) return true
    // The first length is where it must be. A later one is there only if those before it are right.
    return field !== leftOverField && (!this.#uncertain || this.#isFirstLength)
  }

  /**
   * How many bytes of a string or of binary data may be shown. If the lengths do not fit together, what is read as one field may
   * be another, maybe the password. Then nothing is shown. Otherwise a packet with an error shows only well-formed text, up to
   * the error.
   */
  #shown({ field, content, end, property }: ObservedField, declared: number, fault: number): number {
    const length = end - content
    if (this.#secrets) return length
    const rule = property?.part === 'value' ? property.rule : undefined
    if (field === passwordField || field === topicNameField || rule?.secret) return 0
    if (field === protocolNameField) return this.#mayShowName(content, end) ? length : 0
    if (this.#uncertain) return 0
    if (this.#error === undefined) return length
    if (declared > length || field === willMessageField || rule?.type === 'binaryData') return 0
    // One of two identifiers is wrong. The first may be that of authentication data.
    if (field.name === this.#error.field && this.#error.offset >= end) return 0
    return fault >= 0 && fault < length ? fault + 1 : length
  }

  /** The name of another protocol is shown if the error has it: if it is short and text. */
  #mayShowName(start: number, end: number): boolean {
    const name = this.#packet.bytes.toString('latin1', start, end)
    return (
      this.#error?.protocolName !== undefined || versions.some(({ protocolName }) => protocolName === name)
    )
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
    this.all.push({
      offset,
      length: end - offset,
      field,
      ...(part !== undefined && { part }),
      hex: hexText(this.#packet.bytes.subarray(offset, end), shown),
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

/** The rows with the one marked where the error is: the last row of its field that does not begin after its offset. */
export function withFault(rows: readonly ExplanationRow[], error: MqttError): readonly ExplanationRow[] {
  const at = rows.findLastIndex(({ field, offset }) => field === error.field && offset <= error.offset)
  return rows.map((row, i) => (i === at ? { ...row, fault: true } : row))
}
