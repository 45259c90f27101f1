import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { ConnectPacket } from 'mqtt-connect-packet'
import { Bag, type Baggable } from './bag.ts'
import type { Config } from './config.ts'

/** How many addresses, client ids or users are remembered. One that is forgotten starts with a full bucket. */
const REMEMBERED = 100_000

type Rate = Config['limits']['total']

interface Bucket {
  tokens: number
  /** When `tokens` was right, in milliseconds. */
  at: number
}

/** Token buckets by key. */
export class Buckets {
  readonly #perMillisecond: number
  readonly #burst: number
  readonly #buckets = new LRUCache<string, Bucket>({ max: REMEMBERED })

  /** @param share how many processes share the rate */
  constructor({ perSecond, burst }: NonNullable<Rate>, share: number = 1) {
    this.#perMillisecond = perSecond / 1000 / share
    this.#burst = Math.max(1, burst / share)
  }

  /** Whether there was a token for the key. Now there is one less. */
  take(key: string, now: number = performance.now()): boolean {
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

/** Which limit a connection exceeds: the label of a metric. */
export type Exceeded =
  | 'address-open'
  | 'open'
  | 'pending'
  | 'address-rate'
  | 'total-rate'
  | 'client-id-rate'
  | 'user-rate'

/** The limits of one process, cheapest first. */
export class Limits {
  readonly #config: Config['limits']
  readonly #perAddress: Buckets | undefined
  readonly #total: Buckets | undefined
  readonly #perClientId: Buckets | undefined
  readonly #perUser: Buckets | undefined

  constructor({ limits, workers }: Pick<Config, 'limits' | 'workers'>) {
    const buckets = (rate: Rate) => rate && new Buckets(rate, workers)
    this.#config = {
      ...limits,
      open: share(limits.open, workers),
      openPerAddress: share(limits.openPerAddress, workers),
    }
    this.#perAddress = buckets(limits.perAddress) ?? undefined
    this.#total = buckets(limits.total) ?? undefined
    this.#perClientId = buckets(limits.perClientId) ?? undefined
    this.#perUser = buckets(limits.perUser) ?? undefined
  }

  /** Before anything is read, once the address is known. */
  connection(
    address: string,
    open: Pick<OpenConnections<Counted>, 'total' | 'pending' | 'of'>,
  ): Exceeded | undefined {
    const { openPerAddress, open: most, pending } = this.#config
    if (open.pending >= pending) return 'pending'
    if (most !== null && open.total >= most) return 'open'
    const network = networkOf(address)
    if (openPerAddress !== null && open.of(network) >= openPerAddress) return 'address-open'
    if (this.#perAddress?.take(network) === false) return 'address-rate'
    return this.#total?.take('') === false ? 'total-rate' : undefined
  }

  /** After the CONNECT, before the credentials are checked, which costs more. */
  client(packet: ConnectPacket): Exceeded | undefined {
    if (this.#perClientId !== undefined) {
      const { clientId } = packet
      if (clientId !== '' && !this.#perClientId.take(clientId)) return 'client-id-rate'
    }
    if (this.#perUser === undefined) return undefined
    const { userName } = packet
    return userName !== undefined && !this.#perUser.take(userName) ? 'user-rate' : undefined
  }
}

function share(limit: number | null, workers: number): number | null {
  return limit === null ? null : Math.ceil(limit / workers)
}

/** What a connection remembers of how it was counted. */
export interface Counted extends Baggable {
  readonly address: string
  isPending: boolean
}

/** The open connections of one process. They outlive a reload. */
export class OpenConnections<T extends Counted> {
  /** Those whose CONNECT is not complete. */
  pending = 0
  readonly #all = new Bag<T>()
  readonly #byNetwork = new Map<string, number>()

  get total(): number {
    return this.#all.size
  }

  of(network: string): number {
    return this.#byNetwork.get(network) ?? 0
  }

  all(): readonly T[] {
    return this.#all.all()
  }

  add(connection: T): void {
    const network = networkOf(connection.address)
    this.#all.add(connection)
    connection.isPending = true
    this.pending++
    this.#byNetwork.set(network, this.of(network) + 1)
  }

  /** The CONNECT of the connection is complete. */
  complete(connection: T): void {
    if (connection.isPending) this.pending--
    connection.isPending = false
  }

  /** Does nothing if it is not there. */
  remove(connection: T): void {
    if (connection.index < 0) return
    this.#all.remove(connection)
    this.complete(connection)
    const network = networkOf(connection.address)
    const left = this.of(network) - 1
    if (left > 0) this.#byNetwork.set(network, left)
    else this.#byNetwork.delete(network)
  }
}

/** What is counted as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which one host has for itself. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
