/** Where an item stands in its crowd. Used only by `Crowds`. */
export interface Place<T> {
  older: T | undefined
  newer: T | undefined
}

interface Crowd<T> {
  size: number
  newest: T
}

/** Connections by network. A linked list for each, because connections leave in any order, and `Bag` says why it's no `Set`. */
export class Crowds<T extends { readonly network: string }> {
  readonly #placeOf: (item: T) => Place<T>
  /** No crowd is empty. */
  readonly #crowds = new Map<string, Crowd<T>>()
  /** No crowd is larger than this. */
  #most = 0

  /** @param placeOf has an object of its own for each item */
  constructor(placeOf: (item: T) => Place<T>) {
    this.#placeOf = placeOf
  }

  add(item: T): void {
    const crowd = this.#crowds.get(item.network)
    if (crowd === undefined) {
      this.#crowds.set(item.network, { size: 1, newest: item })
    } else {
      this.#placeOf(item).older = crowd.newest
      this.#placeOf(crowd.newest).newer = item
      crowd.newest = item
      crowd.size++
    }
    this.#most = Math.max(this.#most, crowd?.size ?? 1)
  }

  /** Does nothing if the item isn't there. */
  remove(item: T): void {
    const crowd = this.#crowds.get(item.network)
    const place = this.#placeOf(item)
    const { older, newer } = place
    if (crowd === undefined || (newer === undefined && crowd.newest !== item)) return
    if (--crowd.size === 0) {
      this.#crowds.delete(item.network)
      return
    }
    if (older) this.#placeOf(older).newer = newer
    if (newer) this.#placeOf(newer).older = older
    else crowd.newest = older!
    place.older = undefined
    place.newer = undefined
  }

  /**
   * The connection that makes room for one from another network: the newest of the network with the most, so that older ones come to an end.
   * `undefined` if the other network would then have as many.
   *
   * @param least the number that the other network counts with, even if it has fewer
   */
  surplus(network: string, least: number): T | undefined {
    const own = Math.max(least, this.#crowds.get(network)?.size ?? 0)
    if (this.#most <= own + 1) return undefined
    let largest: Crowd<T> | undefined
    for (const crowd of this.#crowds.values()) {
      if (crowd.size > (largest?.size ?? 0)) largest = crowd
      if (crowd.size === this.#most) break
    }
    this.#most = largest?.size ?? 0
    return this.#most > own + 1 ? largest!.newest : undefined
  }
}
