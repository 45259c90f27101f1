/** Milliseconds for which an event counts at least. It counts twice as long at most. */
const PERIOD = 10_000

/** The number of recent events by name. */
export class Recent {
  #startedAt = 0
  #now = new Map<string, number>()
  #before = new Map<string, number>()

  of(name: string): number {
    this.#turn()
    return (this.#now.get(name) ?? 0) + (this.#before.get(name) ?? 0)
  }

  count(name: string): void {
    this.#turn()
    this.#now.set(name, (this.#now.get(name) ?? 0) + 1)
  }

  #turn(): void {
    const now = performance.now()
    const age = now - this.#startedAt
    if (age < PERIOD) return
    this.#before = age < 2 * PERIOD ? this.#now : new Map()
    this.#now = new Map()
    this.#startedAt = now
  }
}
