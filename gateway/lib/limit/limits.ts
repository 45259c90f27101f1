import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ConnectPacket } from 'mqtt-connect-packet'
import type { Occupancy } from '../listen/accepted.ts'
import { Bans } from './bans.ts'
import type { OpenConnections } from './open-connections.ts'
import type { LimitsConfig } from './options.ts'
import { shareOf } from './shares.ts'

/** The number of addresses, client ids or users that are remembered. A forgotten one starts with a full bucket. */
const REMEMBERED = 100_000

type Rate = LimitsConfig['total']

interface Bucket {
  tokens: number
  /** When `tokens` was right, in milliseconds. */
  at: number
}

/** Why a connection is refused before anybody has looked at its credentials. The listener says the first two. */
export const limitNames = [
  'address-denied',
  'untrusted-proxy',
  'banned',
  'listener-open',
  'pending',
  'open',
  'address-open',
  'address-rate',
  'total-rate',
  'client-id-rate',
  'user-rate',
] as const
export type LimitName = (typeof limitNames)[number]

/** The longest name that is remembered as it is, in characters. */
const LONGEST_KEY = 64

/** The key of a name. A client may send 64 KB before anybody has checked its password. No name contains U+0000. */
function keyOf(name: string): string {
  return name.length <= LONGEST_KEY ? name : `\0${createHash('sha256').update(name).digest('base64')}`
}

/**
 * Token buckets by name. (rate-limiter-flexible counts in fixed windows on the wall clock, and in memory keeps every name with a timer of its
 * own: whoever makes up names would fill the memory.)
 */
export class Buckets {
  readonly #perMillisecond: number
  readonly #burst: number
  readonly #buckets: LRUCache<string, Bucket>

  /** @param previous whose levels stay, so that a reload of the configuration gives nobody a full bucket */
  constructor({ perSecond, burst }: NonNullable<Rate>, previous?: Buckets | null) {
    this.#buckets = previous ? previous.#buckets : new LRUCache({ max: REMEMBERED })
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

/** The limits of one process, cheapest first. The results are labels of a metric: which limit is exceeded. */
export class Limits {
  readonly #config: LimitsConfig
  readonly #workers: number
  readonly #bans: Bans | null
  /** Those of a reload begin with their levels. */
  readonly rates: Readonly<Record<'perAddress' | 'total' | 'perClientId' | 'perUser', Buckets | null>>

  /** @param previous those before a reload, whose rates go on */
  constructor(
    { limits, workers }: { readonly limits: LimitsConfig; readonly workers: number },
    previous?: Limits,
  ) {
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

  /** Before anything is read. */
  arrival(open: OpenConnections, listener: Occupancy): LimitName | undefined {
    const { open: most, pending } = this.#config
    const { connections } = listener
    if (connections !== null && listener.open >= Math.floor(connections / this.#workers))
      return 'listener-open'
    if (open.pending >= pending) return 'pending'
    return most !== null && open.total >= most ? 'open' : undefined
  }

  /** Called once the address is known, at once or after the PROXY header. `networkOf` turns it into the network. */
  address(network: string, open: OpenConnections): LimitName | undefined {
    if (this.#bans?.has(network)) return 'banned'
    const { openPerAddress } = this.#config
    const { perAddress, total } = this.rates
    if (openPerAddress !== null && open.of(network) >= openPerAddress) return 'address-open'
    if (perAddress?.take(network) === false) return 'address-rate'
    return total?.take('') === false ? 'total-rate' : undefined
  }

  /** To be called when a client has failed. For how many seconds its address is banned, if it is now. */
  fail(network: string): number | undefined {
    return this.#bans?.fail(network) ? this.#config.ban?.seconds : undefined
  }

  /** After the CONNECT, before the credentials are checked, which costs more. */
  client(packet: ConnectPacket): LimitName | undefined {
    const { perClientId, perUser } = this.rates
    // A field is decoded only if it is needed.
    const clientId = perClientId && packet.clientId
    if (clientId && perClientId?.take(clientId) === false) return 'client-id-rate'
    const userName = perUser && packet.userName
    return userName != null && perUser?.take(userName) === false ? 'user-rate' : undefined
  }
}
