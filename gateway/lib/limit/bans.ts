import { LRUCache } from 'lru-cache'
import type { LimitsConfig } from './options.ts'

type BanConfig = NonNullable<LimitsConfig['ban']>

/** The number of addresses that are remembered. A forgotten address starts again at zero. */
const REMEMBERED = 100_000

/** Keeps addresses out for a while after so many failures. Each process has its own. */
export class Bans {
  readonly #config: BanConfig
  /** The failures of each address since the first one that counts. */
  readonly #failures: LRUCache<string, number>
  readonly #banned: LRUCache<string, true>

  /** @param previous whose bans and failures go on, so that a reload pardons nobody */
  constructor(config: BanConfig, previous?: Bans | null) {
    this.#config = config
    this.#failures = previous ? previous.#failures : new LRUCache({ max: REMEMBERED })
    this.#banned = previous ? previous.#banned : new LRUCache({ max: REMEMBERED })
  }

  has(network: string): boolean {
    return this.#banned.has(network)
  }

  /** Counts a failure. True if it is the one that leads to a ban. */
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
