import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Answered = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** The time in milliseconds for which a new answer is waited for if there is an earlier one. */
const PATIENCE = 500
/** The time in milliseconds for which an answer may be used instead of a new one. */
const LONGEST_USE = 300_000

interface Lookup {
  readonly since: number
  /** The callbacks that wait for the answer. */
  readonly waiting: Set<Answered>
}

/** The pending lookup of each host name. */
const underWay = new Map<string, Lookup>()

/** The last answer for each host name. */
const known = new Map<string, { readonly addresses: LookupAddress[]; readonly at: number }>()

/**
 * Looks up a host name for `connect`. Node makes only two lookups at a time, and each takes many seconds if no name server answers. So that
 * other names don't wait behind such lookups, connections that look up the same name at the same time share one, and use the last answer
 * if the new one is late.
 */
export const sharedLookup: LookupFunction = (host, options, callback) => {
  const answered: Answered = (error, addresses) => {
    if (error) callback(error, [])
    else if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
  const { since, waiting } = underWay.get(host) ?? begin(host, options)
  waiting.add(answered)
  const now = performance.now()
  const last = known.get(host)
  if (last === undefined || now - last.at > LONGEST_USE) return
  const useLast = () => {
    if (waiting.delete(answered)) answered(null, last.addresses)
  }
  setTimeout(useLast, Math.max(0, since + PATIENCE - now)).unref()
}

function begin(host: string, options: LookupOptions): Lookup {
  const lookup: Lookup = { since: performance.now(), waiting: new Set() }
  underWay.set(host, lookup)
  dns.lookup(host, { ...options, all: true }, (error, addresses) => {
    underWay.delete(host)
    if (!error) known.set(host, { addresses, at: performance.now() })
    for (const each of lookup.waiting) each(error, addresses)
    lookup.waiting.clear()
  })
  return lookup
}
