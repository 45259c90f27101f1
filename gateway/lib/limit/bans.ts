import type { LRUCache } from 'lru-cache'
import { newCache } from '../settings/cache.ts'
import type { LimitsConfig } from './options.ts'

type BanConfig = NonNullable<LimitsConfig['ban']>

/** Keeps out addresses for a while after repeated failures. Each process has bans of its own. An address that's evicted starts again at zero. */
export class Bans {
  readonly #config: BanConfig
  /** The times of each address's last failures, fewer than lead to a ban. On the clock of `performance.now()`. */
  readonly #failures: LRUCache<string, number[]>
  readonly #banned: LRUCache<string, true>

  /** @param previous the bans before a reload, which stay, as do the failures */
  constructor(config: BanConfig, previous?: Bans | null) {
    this.#config = config
    this.#failures = previous ? previous.#failures : newCache()
    this.#banned = previous ? previous.#banned : newCache()
  }

  has(network: string): boolean {
    return this.#banned.has(network)
  }

  /** Counts a failure. Returns true if it leads to a ban. */
  fail(network: string, now: number = performance.now()): boolean {
    const { failures, within, seconds } = this.#config
    const recent = (this.#failures.get(network) ?? []).filter((at) => now - at < within * 1000)
    recent.push(now)
    if (recent.length < failures) {
      this.#failures.set(network, recent, { ttl: Math.ceil(within * 1000) })
      return false
    }
    this.#failures.delete(network)
    const isNew = !this.#banned.has(network)
    this.#banned.set(network, true, { ttl: Math.ceil(seconds * 1000) })
    return isNew
  }
}
