/** Where an item stands in its chain. Used only by `Chain`. */
export interface Place<T> {
  older: T | undefined
  newer: T | undefined
}

/** Connections in the order of their arrival. A linked list, because they leave in any order, and `Bag` says why it's no `Set`. */
export class Chain<T> {
  size = 0
  oldest: T | undefined = undefined
  newest: T | undefined = undefined
  readonly #placeOf: (item: T) => Place<T>

  /** @param placeOf has an object for each item, which no other chain uses while the item is in this one */
  constructor(placeOf: (item: T) => Place<T>) {
    this.#placeOf = placeOf
  }

  add(item: T): void {
    if (this.newest === undefined) {
      this.oldest = item
    } else {
      this.#placeOf(item).older = this.newest
      this.#placeOf(this.newest).newer = item
    }
    this.newest = item
    this.size++
  }

  /** Does nothing if the item isn't there. */
  remove(item: T): void {
    const place = this.#placeOf(item)
    const { older, newer } = place
    if (newer === undefined && this.newest !== item) return
    if (older === undefined) this.oldest = newer
    else this.#placeOf(older).newer = newer
    if (newer === undefined) this.newest = older
    else this.#placeOf(newer).older = older
    place.older = undefined
    place.newer = undefined
    this.size--
  }
}
