/** So many of the latest answers say how slow the server is. */
const LATEST = 20

/** The server's pace: the times that it has taken for its latest answers, on all connections of the run. */
export class Pace {
  readonly #latest: number[] = []

  /** Notes the time that an answer has taken, in milliseconds. */
  note(milliseconds: number): void {
    this.#latest.push(milliseconds)
    if (this.#latest.length > LATEST) this.#latest.shift()
  }

  /** The longest of these times, in milliseconds. */
  get longest(): number {
    return Math.max(0, ...this.#latest)
  }
}
