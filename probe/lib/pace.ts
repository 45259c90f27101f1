/** The number of latest answers that count. */
const LATEST = 20

/** The response times of the server's latest answers, on all connections of the run. */
export class Pace {
  readonly #latest: number[] = []

  /** Adds a response time, in milliseconds. */
  note(milliseconds: number): void {
    this.#latest.push(milliseconds)
    if (this.#latest.length > LATEST) this.#latest.shift()
  }

  /** The longest response time of the latest answers, in milliseconds. */
  get longest(): number {
    return Math.max(0, ...this.#latest)
  }
}
