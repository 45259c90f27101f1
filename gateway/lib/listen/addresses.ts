import { BlockList, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Writes an IPv4 address that was mapped to IPv6, by our socket or the proxy's, as IPv4. */
export function plainAddress(address: string = ''): string {
  return address.startsWith('::ffff:') ? ipaddr.process(address).toString() : address
}

/** The unit that counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which a single host may own. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  // Without the name of an interface, in which Node allows more characters than ipaddr.js.
  const parsed = ipaddr.process(address.replace(/%.*/, ''))
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** @param networks addresses, or networks such as `10.0.0.0/8` */
export function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}
