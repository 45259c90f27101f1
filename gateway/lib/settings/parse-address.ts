import ipaddr from 'ipaddr.js'

/**
 * An address without the name of an interface, in which Node allows more characters than its own checks, and ipaddr.js. Unlike ipaddr.js, takes
 * `::10.1.2.3` for the IPv6 address `::a01:203`, as do Node, the operating system and proxies.
 */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return ipaddr.parse(address.replace(/%.*/, '').replace(/^::(?=\d+\.)/, '::0:'))
}
