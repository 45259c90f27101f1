import { BlockList, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Writes an IPv4 address that was mapped to IPv6, by our socket or the proxy's, as IPv4. */
export function plainAddress(address: string = ''): string {
  return address.startsWith('::ffff:') ? ipaddr.process(address).toString() : address
}

/** Without the name of an interface, in which Node allows more characters than its own checks, and ipaddr.js. */
function withoutZone(address: string): string {
  return address.replace(/%.*/, '')
}

/** The unit that counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which a single host may own. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(withoutZone(address))
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/**
 * A list of addresses and networks. IPv4 and IPv6 have separate lists, because a `BlockList` also looks for IPv4 addresses in networks of
 * IPv6: `::/0` would include them all.
 */
export class Networks {
  readonly #ipv4 = new BlockList()
  readonly #ipv6 = new BlockList()

  /** @param networks addresses, or networks such as `10.0.0.0/8` */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/')
      if (isIPv6(address)) this.#ipv6.addSubnet(address, Number(bits ?? 128), 'ipv6')
      else this.#ipv4.addSubnet(address, Number(bits ?? 32))
    }
  }

  /** @param address without the prefix of a mapped address, as from `plainAddress` */
  includes(address: string): boolean {
    const plain = withoutZone(address)
    return isIPv6(plain) ? this.#ipv6.check(plain, 'ipv6') : this.#ipv4.check(plain)
  }
}
