import { Chain, type Place } from './chain.ts'

/** Connections by network. */
export class Crowds<T extends { readonly network: string }> {
  readonly #placeOf: (item: T) => Place<T>
  /** No crowd is empty. */
  readonly #crowds = new Map<string, Chain<T>>()
  /** No crowd is larger than this. */
  #most = 0

  /** @param placeOf has an object for each item, which nothing else uses while the item is here */
  constructor(placeOf: (item: T) => Place<T>) {
    this.#placeOf = placeOf
  }

  add(item: T): void {
    let crowd = this.#crowds.get(item.network)
    if (crowd === undefined) {
      crowd = new Chain(this.#placeOf)
      this.#crowds.set(item.network, crowd)
    }
    crowd.add(item)
    this.#most = Math.max(this.#most, crowd.size)
  }

  /** Does nothing if the item isn't there. */
  remove(item: T): void {
    const crowd = this.#crowds.get(item.network)
    crowd?.remove(item)
    if (crowd?.size === 0) this.#crowds.delete(item.network)
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
    let largest: Chain<T> | undefined
    for (const crowd of this.#crowds.values()) {
      if (crowd.size > (largest?.size ?? 0)) largest = crowd
      if (crowd.size === this.#most) break
    }
    this.#most = largest?.size ?? 0
    return this.#most > own + 1 ? largest!.newest : undefined
  }
}
