import { createHash } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { ConnectPacket } from 'mqtt-connect-packet'
import type { Occupancy } from '../listen/accepted.ts'
import type { Peer } from '../listen/peer.ts'
import { newCache } from '../settings/cache.ts'
import { Bans } from './bans.ts'
import { type Consumers, connectionsForDescriptors, PER_CONNECTION, UNLOCATED_SHARE } from './descriptors.ts'
import type { OpenConnections } from './open-connections.ts'
import type { LimitsConfig } from './options.ts'
import { shareOf } from './shares.ts'

type Rate = LimitsConfig['total']

interface Bucket {
  tokens: number
  /** The time of the last update of `tokens`, in milliseconds. */
  at: number
}

/** The reasons for refusing a connection before its credentials are checked. The listener reports the first two. */
export const limitNames = [
  'address-denied',
  'untrusted-proxy',
  'banned',
  'listener-open',
  'pending',
  'open',
  'descriptors',
  'address-share',
  'address-open',
  'address-rate',
  'total-rate',
  'client-id-rate',
  'user-rate',
] as const
export type LimitName = (typeof limitNames)[number]
/** The limits of all connections together. */
export type Full = Extract<LimitName, 'pending' | 'open' | 'descriptors'>

/** The number of connections that may be open before their PROXY header even if there are few places. */
const LEAST_UNLOCATED = 32

/** The longest name that is used as a key unchanged, in characters. */
const LONGEST_KEY = 64

/** The key of a name. Long names are hashed, because a client may send 64 KB before its password is checked. No name contains U+0000. */
function keyOf(name: string): string {
  return name.length <= LONGEST_KEY ? name : `\0${createHash('sha256').update(name).digest('base64')}`
}

/**
 * Token buckets by name. (rate-limiter-flexible counts in fixed windows on the wall clock, and in memory keeps a timer for
 * every name, so made-up names could fill the memory.)
 */
export class Buckets {
  readonly #perMillisecond: number
  readonly #burst: number
  /** An evicted name starts again with a full bucket. */
  readonly #buckets: LRUCache<string, Bucket>

  /** @param previous the buckets before a reload, whose levels stay, so that a reload gives nobody a full bucket */
  constructor({ perSecond, burst }: NonNullable<Rate>, previous?: Buckets | null) {
    this.#buckets = previous ? previous.#buckets : newCache()
    this.#perMillisecond = perSecond / 1000
    this.#burst = burst
  }

  /** Takes a token for the name. Returns false if there is none. */
  take(name: string, now: number = performance.now()): boolean {
    const key = keyOf(name)
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = { tokens: this.#burst, at: now }
      this.#buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.at) * this.#perMillisecond)
    bucket.at = now
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }
}

/** Where a connection comes from: the result of `networkOf`, and whether that is a proxy whose header names no client. */
type Source = Pick<Peer, 'network' | 'isProxy'>

/** The limits of one process, cheapest first. Methods return the limit that is exceeded, which is also a label of a metric. */
export class Limits {
  readonly #config: LimitsConfig
  readonly #workers: number
  readonly #bans: Bans | null
  readonly #descriptors: number | undefined
  /** After a reload, they begin with the levels of the previous ones. */
  readonly rates: Readonly<Record<'perAddress' | 'total' | 'perClientId' | 'perUser', Buckets | null>>

  /** @param previous the limits before a reload, whose levels and bans stay */
  constructor(
    config: Consumers & { readonly limits: LimitsConfig; readonly workers: number },
    previous?: Limits,
  ) {
    const { limits, workers } = config
    this.#descriptors = connectionsForDescriptors(config)
    this.#workers = workers
    this.#bans = limits.ban && new Bans(limits.ban, previous === undefined ? null : previous.#bans)
    const share = shareOf(limits, workers)
    this.#config = share
    const buckets = (name: 'perAddress' | 'total' | 'perClientId' | 'perUser') => {
      const rate = share[name]
      return rate && new Buckets(rate, previous?.rates[name])
    }
    this.rates = {
      perAddress: buckets('perAddress'),
      total: buckets('total'),
      perClientId: buckets('perClientId'),
      perUser: buckets('perUser'),
    }
  }

  /** Checks the number of a listener's connections. */
  listener({ open, connections }: Occupancy): LimitName | undefined {
    const isFull = connections !== null && open >= Math.floor(connections / this.#workers)
    return isFull ? 'listener-open' : undefined
  }

  /** Checks the number of all connections, or of those whose address is known. */
  arrival({ total, pending, lingering }: OpenConnections['located']): Full | undefined {
    const { open: most, pending: mostPending } = this.#config
    if (pending >= mostPending) return 'pending'
    if (most !== null && total >= most) return 'open'
    if (this.#descriptors === undefined) return undefined
    return total + lingering / PER_CONNECTION >= this.#descriptors ? 'descriptors' : undefined
  }

  /** The number of connections without a complete PROXY header that may be open although this limit is reached. */
  unlocated(full: Full): number {
    const places = full === 'descriptors' ? this.#descriptors! : this.#config[full]!
    return Math.max(LEAST_UNLOCATED, Math.floor(places * UNLOCATED_SHARE))
  }

  /** Checks an address, at once or after the PROXY header. */
  address(source: Source, open: OpenConnections): LimitName | undefined {
    if (this.isBanned(source)) return 'banned'
    const { openPerAddress } = this.#config
    return openPerAddress !== null && open.of(source.network) >= openPerAddress ? 'address-open' : undefined
  }

  /** Counts a connection that is within all other limits. */
  rate({ network }: Source): LimitName | undefined {
    const { perAddress, total } = this.rates
    if (perAddress?.take(network) === false) return 'address-rate'
    return total?.take('') === false ? 'total-rate' : undefined
  }

  /** Counts a failure of a client. Returns the duration of the ban in seconds if this failure leads to one. */
  fail({ network, isProxy }: Source): number | undefined {
    return !isProxy && this.#bans?.fail(network) ? this.#config.ban?.seconds : undefined
  }

  /** A ban of the proxy itself would end its health checks, and it would send no more clients. */
  isBanned({ network, isProxy }: Source): boolean {
    return !isProxy && (this.#bans?.has(network) ?? false)
  }

  /** Checks a CONNECT, before its credentials are checked, which costs more. The connection may be older than a ban of its address. */
  client(packet: ConnectPacket, source: Source): LimitName | undefined {
    if (this.isBanned(source)) return 'banned'
    const { perClientId, perUser } = this.rates
    // Decode a field only if it's needed.
    const clientId = perClientId && packet.clientId
    if (clientId && perClientId?.take(clientId) === false) return 'client-id-rate'
    const userName = perUser && packet.userName
    return userName != null && perUser?.take(userName) === false ? 'user-rate' : undefined
  }
}
