/** An item that may be in one `Bag` at a time. */
export interface Baggable {
  /** The index in the bag, or -1 if the item is in none. Used only by the bag. */
  index: number
}

/**
 * A set of connections. When a `Set` changes often, its old tables stay in memory with their contents until a major garbage collection,
 * so closed connections would take three times as long to collect.
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

  /** Does nothing if the item isn't in the bag. */
  remove(item: T): void {
    if (item.index < 0) return
    const last = this.#items.pop()!
    if (last !== item) {
      this.#items[item.index] = last
      last.index = item.index
    }
    item.index = -1
  }

  /** The current items. */
  all(): readonly T[] {
    return [...this.#items]
  }
}
