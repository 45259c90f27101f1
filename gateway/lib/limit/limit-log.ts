/** The time that one line covers, in milliseconds. */
const PERIOD = 1000

/**
 * Reports connections over the limits: the first of a second with its address, and the number of the others. With a line for each, whoever opens
 * many connections would also fill the log, and a refusal would cost more than what it prevents.
 */
export class LimitLog {
  readonly #print: (line: string) => void
  /** How many have followed the one that was printed, by limit. */
  readonly #more = new Map<string, number>()

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  report(limit: string, address: string): void {
    const more = this.#more.get(limit)
    this.#more.set(limit, more === undefined ? 0 : more + 1)
    if (more !== undefined) return
    this.#print(`${address}: refused: over the limit ${limit}`)
    setTimeout(() => this.#sum(limit), PERIOD).unref()
  }

  #sum(limit: string): void {
    const more = this.#more.get(limit)!
    this.#more.delete(limit)
    if (more > 0) this.#print(`${more} more refused within a second: over the limit ${limit}`)
  }
}
