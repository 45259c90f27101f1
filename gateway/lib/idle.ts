import type { Peer } from './peer.ts'

/** How often the connections are looked at, in milliseconds. */
const INTERVAL = 1000

interface Watched {
  readonly peer: Peer
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
   * @param limit milliseconds
   * @returns ends the watching
   */
  watch(peer: Peer, limit: number, onIdle: () => void): () => void {
    const watched: Watched = { peer, limit, onIdle, seen: peer.bytesRead, since: performance.now() }
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
      const seen = watched.peer.bytesRead
      // Held back because the broker does not read, the client is not idle.
      if (seen !== watched.seen || watched.peer.stream.isPaused()) {
        watched.seen = seen
        watched.since = now
      } else if (now - watched.since >= watched.limit) {
        watched.onIdle()
      }
    }
  }
}
