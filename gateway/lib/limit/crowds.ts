/** An item that may be in one `Crowds` at a time. */
export interface Member<T> {
  readonly network: string
  /** The neighbours in the crowd. Used only by `Crowds`. */
  older: T | undefined
  newer: T | undefined
}

interface Crowd<T> {
  size: number
  oldest: T
  newest: T
}

/** Connections by network. A linked list for each, because connections leave in any order, and `Bag` says why it's no `Set`. */
export class Crowds<T extends Member<T>> {
  /** No crowd is empty. */
  readonly #crowds = new Map<string, Crowd<T>>()
  /** No crowd is larger than this. */
  #most = 0

  add(member: T): void {
    const crowd = this.#crowds.get(member.network)
    if (crowd === undefined) {
      this.#crowds.set(member.network, { size: 1, oldest: member, newest: member })
    } else {
      member.older = crowd.newest
      crowd.newest.newer = member
      crowd.newest = member
      crowd.size++
    }
    this.#most = Math.max(this.#most, crowd?.size ?? 1)
  }

  remove(member: T): void {
    const { network, older, newer } = member
    const crowd = this.#crowds.get(network)!
    if (--crowd.size === 0) {
      this.#crowds.delete(network)
      return
    }
    if (older) older.newer = newer
    else crowd.oldest = newer!
    if (newer) newer.older = older
    else crowd.newest = older!
    member.older = undefined
    member.newer = undefined
  }

  /**
   * The connection that makes room for one from another network: the oldest of the network with the most. `undefined` if the other network
   * would then have as many.
   *
   * @param network `undefined` if it isn't known yet
   */
  surplus(network: string | undefined): T | undefined {
    const own = (network !== undefined && this.#crowds.get(network)?.size) || 0
    if (this.#most <= own + 1) return undefined
    let largest: Crowd<T> | undefined
    for (const crowd of this.#crowds.values()) {
      if (crowd.size > (largest?.size ?? 0)) largest = crowd
      if (crowd.size === this.#most) break
    }
    this.#most = largest?.size ?? 0
    return this.#most > own + 1 ? largest!.oldest : undefined
  }
}
