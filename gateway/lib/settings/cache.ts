import { LRUCache } from 'lru-cache'

/** The maximum number of entries. Those that haven't been used for the longest time make room for others. */
const ENTRIES = 100_000

/**
 * A cache for entries of clients, who can make up as many as they like.
 *
 * @param ttl the time in milliseconds after which an entry is forgotten. Default: none, but each entry may have its own.
 */
export function newCache<Value extends object | boolean>(ttl = 0): LRUCache<string, Value> {
  // With `max` instead, the cache would reserve memory for all of its entries at once, which takes 10 ms.
  return new LRUCache({ maxSize: ENTRIES, sizeCalculation: () => 1, ttl: Math.ceil(ttl) })
}
