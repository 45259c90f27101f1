import type { Duplex } from 'node:stream'

/** How often the connections are looked at, in milliseconds. */
const INTERVAL = 1000

interface Watched {
  readonly received: () => number
  readonly isHeldBack: () => boolean
  readonly limit: number
  readonly onIdle: () => void
  seen: number
  since: number
}

/** Ends the connections of clients that are silent for too long. One timer for all of them. */
export class IdleWatch {
  readonly #all = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  /**
   * @param client paused by back-pressure it is not idle
   * @param received how many bytes have come from the client
   * @param limit milliseconds
   * @returns ends the watching
   */
  watch(client: Duplex, received: () => number, limit: number, onIdle: () => void): () => void {
    const watched: Watched = {
      received,
      isHeldBack: () => client.isPaused(),
      limit,
      onIdle,
      seen: received(),
      since: performance.now(),
    }
    this.#all.add(watched)
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref()
    return () => {
      this.#all.delete(watched)
      if (this.#all.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #look(): void {
    const now = performance.now()
    for (const watched of this.#all) {
      const seen = watched.received()
      if (seen !== watched.seen || watched.isHeldBack()) {
        watched.seen = seen
        watched.since = now
      } else if (now - watched.since >= watched.limit) {
        watched.onIdle()
      }
    }
  }
}
