import { shortText } from '../settings/short-text.ts'
import type { LimitName } from './limits.ts'

/** The time that one line covers, in milliseconds. */
export const INTERVAL = 10_000

/** The number of addresses that get a line of their own per interval. All others share one line. */
const MOST = 1000

/** Limits that others can use up. No password has been checked yet, so anybody could use a client id or a user name to get its owner banned. */
const shared: ReadonlySet<LimitName> = new Set([
  ...(['listener-open', 'pending', 'open', 'descriptors', 'total-rate'] as const),
  ...(['address-share', 'client-id-rate', 'user-rate'] as const),
])

/** The connections of an address that were over a limit, in one interval. */
export interface LimitSummary {
  /** `undefined` for the addresses that have no line of their own. */
  readonly address: string | undefined
  readonly connections: number
  /** The time from the first of these connections to the line. */
  readonly seconds: number
  /** The number of connections over each limit. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>
  /** A client id whose CONNECT packets exceeded the limit. */
  readonly clientId: string | undefined
  /** False if the address exceeded only limits that others can use up. */
  readonly isOwnFault: boolean
}

interface Count {
  readonly address: string | undefined
  readonly limits: Partial<Record<LimitName, number>>
  clientId: string | undefined
}

/**
 * Reports connections over the limits, in one line per address and interval. If every connection had a line, somebody who opens
 * many would also fill the log, and a refusal would cost more than the connection it prevents.
 */
export class LimitLog {
  readonly #print: (summary: LimitSummary) => void
  /** The counts by network, as for the limits. */
  #counts = new Map<string, Count>()
  #others: Count | undefined
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(print: (summary: LimitSummary) => void) {
    this.#print = print
  }

  /** @param clientId of a connection whose CONNECT has been read */
  report(
    limit: LimitName,
    { address, network }: { readonly address: string; readonly network: string },
    clientId?: string,
  ): void {
    if (this.#timer === undefined) {
      this.#startedAt = performance.now()
      this.#timer = setTimeout(() => this.flush(), INTERVAL).unref()
    }
    const count = this.#counts.get(network) ?? this.#add(network, address)
    count.limits[limit] = (count.limits[limit] ?? 0) + 1
    if (clientId !== undefined) count.clientId ??= shortText(clientId)
  }

  #add(network: string, address: string): Count {
    if (this.#counts.size >= MOST) {
      this.#others ??= { address: undefined, limits: {}, clientId: undefined }
      return this.#others
    }
    const count: Count = { address, limits: {}, clientId: undefined }
    this.#counts.set(network, count)
    return count
  }

  /** Prints the pending lines. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = [...this.#counts.values(), ...(this.#others ? [this.#others] : [])]
    this.#counts = new Map()
    this.#others = undefined
    const seconds = Math.max(1, Math.round((performance.now() - this.#startedAt) / 1000))
    for (const { address, limits, clientId } of counts) {
      const connections = Object.values(limits).reduce((sum, count) => sum + count, 0)
      const isOwnFault = (Object.keys(limits) as LimitName[]).some((limit) => !shared.has(limit))
      this.#print({ address, connections, seconds, limits, clientId, isOwnFault })
    }
  }
}
