import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answered = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** The callbacks that wait for the pending lookup of each host name. */
const underWay = new Map<string, Answered[]>()

/**
 * Looks up a host name for `connect`. Connections that look up the same name at the same time share one lookup, because Node makes only
 * two at a time. Each takes many seconds if no name server answers, and every other name would wait behind thousands of them.
 */
export const sharedLookup: LookupFunction = (host, options, callback) => {
  const answered: Answered = (error, addresses) => {
    if (error) callback(error, [])
    else if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
  const others = underWay.get(host)
  if (others) {
    others.push(answered)
    return
  }
  const all = [answered]
  underWay.set(host, all)
  dns.lookup(host, { ...options, all: true }, (error, addresses) => {
    underWay.delete(host)
    for (const each of all) each(error, addresses)
  })
}
