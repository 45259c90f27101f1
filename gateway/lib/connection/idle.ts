/** 1.5 times the keep alive, and from seconds to milliseconds. A client that is silent for longer is gone. MQTT 5.0 section 3.1.2.10. */
const KEEP_ALIVE_FACTOR = 1500

/**
 * Once the client has ended its side, the broker may make no progress for this many milliseconds before it closes; and then the client with reading
 * the rest.
 */
export const LINGER = 30_000

/**
 * The longest uninterrupted time in milliseconds to stop reading from a client, because a reset goes undetected meanwhile. Nobody can see
 * the broker read as long as the operating system still has bytes for it, which may be megabytes.
 */
const STALLED = 300_000

/** The reason why a client can't send: none, a broker that doesn't read, or its own end. */
export type Sending = 'open' | 'held-back' | 'ended'

/** Detects forwarded connections that make no progress. Times are in milliseconds, on the clock of `performance.now()`. */
export class Idle {
  readonly #patience: number
  #progress: number
  #seenAt: number

  /** @param keepAlive in seconds; 0 for none */
  constructor(keepAlive: number, progress: number, now: number) {
    this.#patience = keepAlive === 0 ? Number.POSITIVE_INFINITY : keepAlive * KEEP_ALIVE_FACTOR
    this.#progress = progress
    this.#seenAt = now
  }

  /** Call this when the broker reads again, because the client couldn't send until now. */
  restart(now: number): void {
    this.#seenAt = now
  }

  /** @param progress a number that changes with each byte that counts as a sign of life */
  isOver(now: number, progress: number, sending: Sending): boolean {
    if (progress !== this.#progress) {
      this.#progress = progress
      this.#seenAt = now
    }
    const patience = { open: this.#patience, 'held-back': STALLED, ended: LINGER }[sending]
    return now - this.#seenAt >= patience
  }
}
