/**
 * Packets after which the server must close the connection, but leaves it open. A connection that stays open counts only if it's seen twice,
 * in one case or in two, because a loaded server may be late once.
 */
export class Endings {
  readonly #closed = new Set<string>()
  readonly #open = new Map<string, Set<string>>()
  readonly #certain = new Set<string>()

  /**
   * @param key the packet: its version and type
   * @param id the id of the case
   */
  note(key: string, id: string, isClosed: boolean): void {
    if (isClosed) {
      this.#closed.add(key)
      this.#open.get(key)?.delete(id)
      return
    }
    const cases = this.#open.get(key) ?? new Set()
    this.#open.set(key, cases)
    if (cases.has(id) || (cases.size > 0 && !this.#closed.has(key))) this.#certain.add(key)
    cases.add(id)
  }

  /** True if it's certain that the server doesn't close the connection after this packet, so waiting again is pointless. */
  isOpenAfter(key: string): boolean {
    return this.#certain.has(key)
  }

  /** True if a case must run again, because it's the first one in which a connection stayed open. */
  isDoubtful(id: string): boolean {
    return [...this.#open].some(([key, cases]) => cases.has(id) && !this.#certain.has(key))
  }
}
