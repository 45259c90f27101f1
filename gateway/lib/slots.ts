/** Too many wait already. The client may try again later. */
export class BusyError extends Error {}

/** Runs a limited number of slow operations at a time. Others wait in a queue of limited length. */
export class Slots {
  readonly #most: number
  readonly #mostWaiting: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  /** @throws BusyError (as the rejection) if the queue is full; what `act` throws */
  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) {
      this.#running++
    } else {
      if (this.#waiting.length >= this.#mostWaiting) throw new BusyError('too many wait to be authenticated')
      // The one that ends hands its slot over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await act()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
