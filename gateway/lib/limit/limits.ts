import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { ConnectPacket } from 'mqtt-connect-packet'
import type { Accepted } from '../listen/listener.ts'
import type { Config } from '../operate/config.ts'
import { Bag } from './bag.ts'
import { shareOf } from './shares.ts'

/** How many addresses, client ids or users are remembered. One that is forgotten starts with a full bucket. */
const REMEMBERED = 100_000

type Rate = Config['limits']['total']

interface Bucket {
  tokens: number
  /** When `tokens` was right, in milliseconds. */
  at: number
}

/** The longest name that is remembered as it is, in characters. */
const LONGEST_KEY = 64

/** What a name is remembered as. A client may send 64 KB, and nobody has checked its password. No name contains U+0000. */
function keyOf(name: string): string {
  return name.length <= LONGEST_KEY ? name : `\0${createHash('sha256').update(name).digest('base64')}`
}

/** Token buckets by name. */
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

  /** Whether there was a token for the name. Now there is one less. */
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
  readonly #config: Config['limits']
  /** Those of a reload begin with their levels. */
  readonly rates: Readonly<Record<'perAddress' | 'total' | 'perClientId' | 'perUser', Buckets | null>>

  /** @param previous those before a reload, whose rates go on */
  constructor({ limits, workers }: Pick<Config, 'limits' | 'workers'>, previous?: Limits) {
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
  arrival(open: OpenConnections): string | undefined {
    const { open: most, pending } = this.#config
    if (open.pending >= pending) return 'pending'
    return most !== null && open.total >= most ? 'open' : undefined
  }

  /** Once the address is known, of which `networkOf` makes the network: at once, or after the PROXY header. */
  address(network: string, open: OpenConnections): string | undefined {
    const { openPerAddress } = this.#config
    const { perAddress, total } = this.rates
    if (openPerAddress !== null && open.of(network) >= openPerAddress) return 'address-open'
    if (perAddress?.take(network) === false) return 'address-rate'
    return total?.take('') === false ? 'total-rate' : undefined
  }

  /** After the CONNECT, before the credentials are checked, which costs more. */
  client(packet: ConnectPacket): string | undefined {
    const { perClientId, perUser } = this.rates
    // A field is decoded only if it is needed.
    const clientId = perClientId && packet.clientId
    if (clientId && perClientId?.take(clientId) === false) return 'client-id-rate'
    const userName = perUser && packet.userName
    return userName != null && perUser?.take(userName) === false ? 'user-rate' : undefined
  }
}

/** The open connections of one process. They outlive a reload. */
export class OpenConnections {
  /** Those whose CONNECT is not complete. */
  pending = 0
  readonly #all = new Bag<Accepted>()
  readonly #byNetwork = new Map<string, number>()

  get total(): number {
    return this.#all.size
  }

  of(network: string): number {
    return this.#byNetwork.get(network) ?? 0
  }

  all(): readonly Accepted[] {
    return this.#all.all()
  }

  add(connection: Accepted): void {
    this.#all.add(connection)
    connection.isPending = true
    this.pending++
  }

  /** The address of the connection is known. */
  locate(connection: Accepted): void {
    const { network } = connection
    connection.isLocated = true
    this.#byNetwork.set(network, this.of(network) + 1)
  }

  /** The CONNECT of the connection is complete. */
  complete(connection: Accepted): void {
    if (connection.isPending) this.pending--
    connection.isPending = false
  }

  /** Does nothing if it is not there. */
  remove(connection: Accepted): void {
    if (connection.index < 0) return
    this.#all.remove(connection)
    this.complete(connection)
    if (!connection.isLocated) return
    const { network } = connection
    const left = this.of(network) - 1
    if (left > 0) this.#byNetwork.set(network, left)
    else this.#byNetwork.delete(network)
  }
}

/** What is counted as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which one host has for itself. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  // Node allows more characters in the name of an interface.
  const parsed = ipaddr.process(address.replace(/%.*/, ''))
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
