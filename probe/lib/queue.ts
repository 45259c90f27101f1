/** Items that are pushed at any time and consumed one by one. */
export class Queue<Item> {
  readonly #items: Item[] = []
  #isEnded = false
  #error: unknown
  #wake: () => void = () => undefined

  push(item: Item): void {
    this.#items.push(item)
    this.#wake()
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#error = error
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()!
      if (this.#error !== undefined) throw this.#error
      if (this.#isEnded) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
