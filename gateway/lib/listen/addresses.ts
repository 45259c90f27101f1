import { BlockList, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseUnmapped } from '../settings/parse-address.ts'

/**
 * The canonical form of an address, so that logs, limits and templates have only one spelling of it. An IPv4 address that was mapped to IPv6, by our
 * socket or the proxy's, becomes IPv4. The name of an interface is left out, because fail2ban, for example, reads no address with one.
 */
export function plainAddress(address: string = ''): string {
  return address.includes(':') ? parseUnmapped(address).toString() : address
}

/** The unit that counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which a single host may own. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const parsed = parseUnmapped(address)
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

  /** @param address as from `plainAddress` */
  includes(address: string): boolean {
    return isIPv6(address) ? this.#ipv6.check(address, 'ipv6') : this.#ipv4.check(address)
  }
}
