import type { Buffer } from 'buffer'
import { type Field, leftOverField } from '../codec/fields.ts'
import { protocolNameField } from '../codec/layout.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { willMessageField } from '../packets/connect/layouts.ts'
import type { PacketVariant } from '../packets/decode.ts'
import { versions } from '../protocol/version.ts'
import { isSecretField, type ObservedField } from './observed-fields.ts'

/** Inputs to the redaction decision. */
interface ReadBytes {
  readonly bytes: Buffer
  readonly outcome: PacketVariant | MqttError
  readonly fields: readonly ObservedField[]
  /** True if all lengths agree with each other and with the end of the packet. Otherwise, any of them may be wrong. */
  readonly lengthsFit: boolean
  /** The fields whose position does not depend on a length. */
  readonly fixed: ReadonlySet<Field>
  /** True if the bytes may belong to the packet before: they begin like no packet, or that one ends with a secret. */
  readonly isDoubtful: boolean
  /** True if the packet is correct as far as it goes, but ends too early. In that case, only the last field is incomplete. */
  readonly isCut: boolean
}

/**
 * Decides which bytes of a packet may be shown. If a length is wrong, any field after it may actually be the password.
 */
export class Secrets {
  readonly #bytes: Buffer
  readonly #error: MqttError | undefined
  readonly #showsAll: boolean
  readonly #isCut: boolean
  /** The index of the first length if any length may be wrong, because nothing is certain after it. */
  readonly #firstLength: number
  /** The index of the first property, if the first length is a property length. */
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

  /** The number of bytes that may be shown, out of `length` bytes that aren't read as a field. */
  ofUnread(length: number): number {
    return this.#showsAll ? length : 0
  }

  /** True if a length prefix, or a field without one, may be shown. */
  mayShow({ field, start, property }: ObservedField): boolean {
    if (this.#showsAll) return true
    if (field === leftOverField) return false
    // In an invalid packet, any of these properties may be authentication data with a wrong identifier.
    if (property?.part === 'more' && (property.hasSecret || (this.#error !== undefined && !this.#isCut)))
      return false
    return start <= this.#firstLength || (property?.part === 'id' && start === this.#firstProperty)
  }

  /**
   * The number of bytes of a string or of binary data that may be shown. A packet that is cut short shows its complete fields. A
   * packet with any other error shows only well-formed text, up to the error.
   *
   * @param declared the number of bytes that the length prefix states
   */
  ofContent(observed: ObservedField, declared: number): number {
    const { field, content, end, property } = observed
    const length = end - content
    if (this.#showsAll) return length
    const rule = property?.part === 'value' ? property.rule : undefined
    if (isSecretField(observed)) return 0
    if (field === protocolNameField) return this.#mayShowName(content, end) ? length : 0
    if (content > this.#firstLength) return 0
    if (this.#error === undefined) return length
    if (declared > length) return 0
    if (this.#isCut) return length
    if (field === willMessageField || rule?.type === 'binaryData') return 0
    const { offset } = this.#error
    // If a property occurs twice, one of the two identifiers may be wrong, and the property may be authentication data.
    if (field.name === this.#error.field && offset >= end) return 0
    return offset >= content && offset < end ? offset + 1 - content : length
  }

  /** True if the protocol name may be shown: if the error contains it, which is so if it's short and text. */
  #mayShowName(start: number, end: number): boolean {
    const name = this.#bytes.toString('latin1', start, end)
    const isInError = this.#error !== undefined && Object.hasOwn(this.#error, 'protocolName')
    return isInError || versions.some(({ protocolName }) => protocolName === name)
  }
}
