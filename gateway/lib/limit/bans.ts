import { LRUCache } from 'lru-cache'
import type { LimitsConfig } from './options.ts'

type BanConfig = NonNullable<LimitsConfig['ban']>

/** The maximum number of addresses. An evicted address starts again at zero. */
const REMEMBERED = 100_000

/** Keeps out addresses for a while after repeated failures. Each process has bans of its own. */
export class Bans {
  readonly #config: BanConfig
  /** The number of failures of each address since the first one that counts. */
  readonly #failures: LRUCache<string, number>
  readonly #banned: LRUCache<string, true>

  /** @param previous the bans before a reload, which stay, as do the failures */
  constructor(config: BanConfig, previous?: Bans | null) {
    this.#config = config
    this.#failures = previous ? previous.#failures : new LRUCache({ max: REMEMBERED })
    this.#banned = previous ? previous.#banned : new LRUCache({ max: REMEMBERED })
  }

  has(network: string): boolean {
    return this.#banned.has(network)
  }

  /** Counts a failure. Returns true if it leads to a ban. */
  fail(network: string): boolean {
    const { failures, within, seconds } = this.#config
    const count = (this.#failures.get(network) ?? 0) + 1
    if (count < failures) {
      this.#failures.set(network, count, { ttl: Math.ceil(within * 1000), noUpdateTTL: true })
      return false
    }
    this.#failures.delete(network)
    const isNew = !this.#banned.has(network)
    this.#banned.set(network, true, { ttl: Math.ceil(seconds * 1000) })
    return isNew
  }
}
