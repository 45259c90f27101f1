/** After so many keep alives without a byte, in milliseconds per second, the client is gone. MQTT 5.0 section 3.1.2.10. */
const KEEP_ALIVE_FACTOR = 1500

/** The time in milliseconds that the broker has to close after the client has ended, and then the client to read the rest. */
export const LINGER = 30_000

/**
 * The longest time in milliseconds to hold a client back without a pause, because its reset goes unnoticed meanwhile. Even a
 * broker that limits a client to 500 bytes a second takes the buffered bytes in this time.
 */
const STALLED = 300_000

/** The reason why a client can't send: none, a broker that doesn't read, or its own end. */
export type Sending = 'open' | 'held-back' | 'ended'

/** Notices that a forwarded connection makes no progress. Times are in milliseconds, on the clock of `performance.now()`. */
export class Idle {
  readonly #patience: number
  #bytesSeen: number
  #seenAt: number

  /** @param keepAlive in seconds; 0 for none */
  constructor(keepAlive: number, bytesRead: number, now: number) {
    this.#patience = keepAlive === 0 ? Number.POSITIVE_INFINITY : keepAlive * KEEP_ALIVE_FACTOR
    this.#bytesSeen = bytesRead
    this.#seenAt = now
  }

  /** To be called when the broker reads again: the client had no chance to send until now. */
  restart(now: number): void {
    this.#seenAt = now
  }

  /** @param bytesRead how many bytes have come from the client in all */
  isOver(now: number, bytesRead: number, sending: Sending): boolean {
    if (bytesRead !== this.#bytesSeen) {
      this.#bytesSeen = bytesRead
      this.#seenAt = now
    }
    const patience = { open: this.#patience, 'held-back': STALLED, ended: LINGER }[sending]
    return now - this.#seenAt >= patience
  }
}
