/** A thing that may be in one `Bag` at a time. */
export interface Baggable {
  /** The index in the bag, or -1 if it's in none. For the bag only. */
  index: number
}

/**
 * A set of connections. Of a `Set` that changes often the old tables stay in memory until a major garbage collection, each with
 * what was in it: closed connections would take three times as much time to collect.
 */
export class Bag<T extends Baggable> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    item.index = this.#items.length
    this.#items.push(item)
  }

  /** Does nothing if it isn't in the bag. */
  remove(item: T): void {
    if (item.index < 0) return
    const last = this.#items.pop()!
    if (last !== item) {
      this.#items[item.index] = last
      last.index = item.index
    }
    item.index = -1
  }

  /** Those that are there now. */
  all(): readonly T[] {
    return [...this.#items]
  }
}
