import type { Buffer } from 'buffer'
import { type Field, leftOverField } from '../codec/fields.ts'
import { protocolNameField } from '../codec/layout.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { willMessageField } from '../packets/connect/layouts.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { versions } from '../protocol/version.ts'
import type { ObservedField } from './observed-fields.ts'

/** Inputs to the redaction decision. */
interface ReadBytes {
  readonly bytes: Buffer
  readonly outcome: PacketVariant | MqttError
  readonly fields: readonly ObservedField[]
  /** Whether all lengths fit together and end with the packet. Otherwise any of them may be wrong. */
  readonly lengthsFit: boolean
  /** The fields whose position does not depend on a length. */
  readonly fixed: ReadonlySet<Field>
  /** Whether the bytes may belong to the packet before them: they follow one, and no packet begins as they do. */
  readonly isDoubtful: boolean
  /** Whether the packet is right as far as it goes, but ends too early. Only the last field is incomplete then. */
  readonly isCut: boolean
}

/**
 * Decides which bytes of a packet may be shown. If one length is wrong, every field after it may be another one than it seems to
 * be, and so the password.
 */
export class Secrets {
  readonly #bytes: Buffer
  readonly #error: MqttError | undefined
  readonly #showsAll: boolean
  readonly #isCut: boolean
  /** Where the first length is, if any length may be wrong: there is nothing certain after it. */
  readonly #firstLength: number
  /** Where the first property is, if the first length is that of properties. */
  readonly #firstProperty: number

  constructor(read: ReadBytes, showsAll: boolean) {
    const { bytes, outcome, fields, lengthsFit, fixed, isDoubtful, isCut } = read
    this.#bytes = bytes
    this.#error = outcome instanceof MqttError ? outcome : undefined
    this.#showsAll = showsAll
    this.#isCut = isCut
    const lastFixed = lengthsFit ? -1 : fields.findLastIndex(({ field }) => fixed.has(field))
    this.#firstLength = isDoubtful ? -1 : (fields[lastFixed]?.end ?? Number.POSITIVE_INFINITY)
    this.#firstProperty = fields[lastFixed + 1]?.end ?? -1
  }

  /** How many of `length` bytes that are not read as a field may be shown. */
  ofUnread(length: number): number {
    return this.#showsAll ? length : 0
  }

  /** Whether a length prefix, or a field without one, may be shown. */
  mayShow({ field, start, property }: ObservedField): boolean {
    if (this.#showsAll) return true
    if (field === leftOverField) return false
    return start <= this.#firstLength || (property?.part === 'id' && start === this.#firstProperty)
  }

  /**
   * How many bytes of a string or of binary data may be shown. A packet that is cut short shows its complete fields; one with
   * another error only well-formed text, up to the error.
   *
   * @param declared how many bytes its length prefix says
   */
  ofContent({ field, content, end, property }: ObservedField, declared: number): number {
    const length = end - content
    if (this.#showsAll) return length
    const rule = property?.part === 'value' ? property.rule : undefined
    if (Object.hasOwn(field, 'secret') || rule?.secret) return 0
    if (field === protocolNameField) return this.#mayShowName(content, end) ? length : 0
    if (content > this.#firstLength) return 0
    if (this.#error === undefined) return length
    if (declared > length) return 0
    if (this.#isCut) return length
    if (field === willMessageField || rule?.type === 'binaryData') return 0
    const { offset } = this.#error
    // A property is there twice: one of two identifiers is wrong, and may be that of authentication data.
    if (field.name === this.#error.field && offset >= end) return 0
    return offset >= content && offset < end ? offset + 1 - content : length
  }

  /** The name of another protocol is shown if the error has it: if it is short and text. */
  #mayShowName(start: number, end: number): boolean {
    const name = this.#bytes.toString('latin1', start, end)
    const isInError = this.#error !== undefined && Object.hasOwn(this.#error, 'protocolName')
    return isInError || versions.some(({ protocolName }) => protocolName === name)
  }
}
