import { anyProperty, type PropertyRule } from '../packets/properties/property-list.ts'
import { LONGEST_LIST } from '../packets/text.ts'
import type { Observer } from '../wire/check.ts'
import type { Field } from '../wire/fields.ts'
import { readVariableByteInteger } from '../wire/integers.ts'

/** One call of an observer. */
export interface ObservedField {
  readonly field: Field
  readonly start: number
  readonly content: number
  readonly end: number
  /** For a part of a property: which part. For properties that are not listed: how many. */
  readonly property?: ObservedProperty
}

export type ObservedProperty =
  | { readonly part: 'id'; readonly rule: PropertyRule | undefined }
  | { readonly part: 'value' | 'key'; readonly rule: PropertyRule }
  | { readonly part: 'more'; readonly count: number }

/** Whether a field belongs to a property. */
function isProperty({ name }: Field): boolean {
  return /^(will\.)?props\b/.test(name)
}

/**
 * What an observer has seen, in wire order. A packet can have millions of properties: of each list the first hundred are kept,
 * and the last one, which is the one with the error if there is one.
 */
export class ObservedFields {
  readonly #bytes: Uint8Array
  readonly #fields: ObservedField[] = []
  /** The last property of a list, if it is not among the first hundred. */
  #last: ObservedField[] = []
  /** How many properties the current list has so far. */
  #count = 0
  /** Where the properties that are not kept begin. */
  #moreAt = 0
  /** The property whose value comes next. */
  #rule: PropertyRule | undefined = undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  readonly observer: Observer = (field, start, content, end) => {
    if (!isProperty(field)) {
      this.#endList(start, false)
      this.#fields.push({ field, start, content, end })
      return
    }
    const property = this.#nextPart(start, end)
    if (property.part === 'id' && this.#count > LONGEST_LIST) {
      if (this.#count === LONGEST_LIST + 1) this.#moreAt = start
      this.#last = []
    }
    const kept = this.#count > LONGEST_LIST ? this.#last : this.#fields
    kept.push({ field, start, content, end, property })
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0
  }

  /** All fields. If the packet is invalid, the last property may be the one with the error. */
  end(invalid: boolean): readonly ObservedField[] {
    this.#endList(this.#last.at(-1)?.end ?? 0, invalid)
    return this.#fields
  }

  #nextPart(start: number, end: number): ObservedProperty {
    const rule = this.#rule
    if (rule === undefined) {
      this.#count++
      this.#rule = anyProperty[readVariableByteInteger(this.#bytes, start, end)]
      return { part: 'id', rule: this.#rule }
    }
    // A pair has two values. While its key is read, the rule stays.
    const isKey = rule.type === 'utf8StringPair' && this.#lastPart() === 'id'
    if (!isKey) this.#rule = undefined
    return { part: isKey ? 'key' : 'value', rule }
  }

  #lastPart(): ObservedProperty['part'] | undefined {
    const kept = this.#count > LONGEST_LIST ? this.#last : this.#fields
    return kept.at(-1)?.property?.part
  }

  #endList(end: number, keepLast: boolean): void {
    const more = this.#count - LONGEST_LIST - (keepLast ? 1 : 0)
    const first = this.#last[0]
    if (more > 0 && first !== undefined) {
      const field = { name: first.field.name.replace(/props.*/, 'props'), section: '' }
      const moreEnd = keepLast ? first.start : end
      const start = this.#moreAt
      this.#fields.push({
        field,
        start,
        content: start,
        end: moreEnd,
        property: { part: 'more', count: more },
      })
    }
    if (keepLast) this.#fields.push(...this.#last)
    this.#last = []
    this.#count = 0
    this.#rule = undefined
  }
}
