import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * An address without the name of an interface, in which Node allows more characters than its own checks, and ipaddr.js. Unlike ipaddr.js, takes
 * `::10.1.2.3` for the IPv6 address `::a01:203`, as do Node, the operating system and proxies.
 */
export function parseAddress(address: string): Address {
  return ipaddr.parse(asIpaddrReads(address))
}

/** The same, but an IPv4 address that was mapped to IPv6 becomes IPv4. */
export function parseUnmapped(address: string): Address {
  return ipaddr.process(asIpaddrReads(address))
}

function asIpaddrReads(address: string): string {
  return address.replace(/%.*/, '').replace(/^::(?=\d+\.)/, '::0:')
}
