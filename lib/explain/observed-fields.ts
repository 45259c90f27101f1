import type { Observer } from '../codec/context.ts'
import type { Field } from '../codec/fields.ts'
import type { PropertyRule } from '../codec/property-list.ts'
import { LONGEST_LIST } from '../packets/text.ts'

/** One call of an observer. */
export interface ObservedField {
  readonly field: Field
  readonly start: number
  readonly content: number
  readonly end: number
  /** The part, if it's a part of a property; the number of properties, if it stands for several that aren't listed. */
  readonly property: ObservedProperty | undefined
}

export type ObservedProperty =
  | { readonly part: 'id'; readonly rule: PropertyRule | undefined }
  | { readonly part: 'value' | 'key'; readonly rule: PropertyRule }
  | { readonly part: 'more'; readonly count: number; readonly hasSecret: boolean }

/** True for a password, and for authentication data, also if it's among properties that aren't listed. */
export function isSecretField({ field, property }: ObservedField): boolean {
  if (property === undefined || property.part === 'id') return Object.hasOwn(field, 'secret')
  return property.part === 'more' ? property.hasSecret : property.rule.secret === true
}

/**
 * The fields that an observer has seen, in wire order. A packet can have millions of properties, so only the first hundred of
 * each list are kept, and the last one, because that is the faulty one if the check fails there.
 */
export class ObservedFields {
  readonly #fields: ObservedField[] = []
  /** The last property of a list, unless it's among the first hundred. */
  #last: ObservedField[] = []
  /** The number of properties in the current list so far. */
  #count = 0
  /** The start of the properties that aren't kept, and the name of their list. */
  #moreAt = 0
  #path = ''
  #hasSecret = false

  readonly observer: Observer = (field, start, content, end, part, property) => {
    if (part === undefined) {
      this.#endList(start, false)
      this.#fields.push({ field, start, content, end, property: undefined })
      return
    }
    if (part === 'id') this.#nextProperty(field, start)
    if (this.#count > LONGEST_LIST) this.#hasSecret ||= property?.secret === true
    const kept = this.#count > LONGEST_LIST ? this.#last : this.#fields
    kept.push({ field, start, content, end, property: { part, rule: property } as ObservedProperty })
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0
  }

  /** All fields. In an invalid packet, the last property may be the faulty one. */
  end(invalid: boolean): readonly ObservedField[] {
    this.#endList(this.#last.at(-1)?.end ?? 0, invalid)
    return this.#fields
  }

  #nextProperty(field: Field, start: number): void {
    this.#count++
    if (this.#count <= LONGEST_LIST) return
    if (this.#count === LONGEST_LIST + 1) this.#moreAt = start
    this.#path = field.path ?? field.name
    this.#last = []
  }

  #endList(end: number, keepLast: boolean): void {
    const more = this.#count - LONGEST_LIST - (keepLast ? 1 : 0)
    const first = this.#last[0]
    if (more > 0 && first !== undefined) {
      const field = { name: this.#path, section: '' }
      const moreEnd = keepLast ? first.start : end
      const start = this.#moreAt
      this.#fields.push({
        field,
        start,
        content: start,
        end: moreEnd,
        property: { part: 'more', count: more, hasSecret: this.#hasSecret },
      })
    }
    if (keepLast) this.#fields.push(...this.#last)
    this.#last = []
    this.#count = 0
    this.#hasSecret = false
  }
}
