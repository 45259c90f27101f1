import { readFileSync } from 'node:fs'

/** The number of connections to the admin port that may be open. */
export const ADMIN_CONNECTIONS = 64

/** The file descriptors for the admin port, and for what needs the same number always: listeners, files, the log and lookups. */
const RESERVED = ADMIN_CONNECTIONS + 64

/** The client's connection and the one to its broker. */
export const PER_CONNECTION = 2

/** The connections whose PROXY header isn't complete that may be open although all places are taken, as a share of the places. */
export const UNLOCATED_SHARE = 1 / 4

interface Authentication {
  readonly http?: { readonly concurrency: number } | undefined
}

/** The parts of the configuration that need file descriptors of their own. */
export interface Consumers {
  readonly upstreams: readonly unknown[]
  readonly listeners: readonly {
    readonly authentication?: Authentication | undefined
    readonly proxyProtocol?: object | undefined
  }[]
  readonly authentication: Authentication
}

/**
 * The number of connections for which one process has file descriptors, as `ulimit -n` says. `undefined` if the system doesn't tell.
 *
 * Each process must refuse further connections itself. If a worker has no file descriptor left when the primary process hands it a
 * connection, Node's primary process waits for its answer for ever, so in the end no worker gets any connection.
 */
export function connectionsForDescriptors(consumers: Consumers): number | undefined {
  let text: string
  try {
    text = readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return undefined
  }
  const [, descriptors] = /^Max open files +(\d+)/m.exec(text) ?? []
  if (descriptors === undefined) return undefined
  const isProxied = consumers.listeners.some(({ proxyProtocol }) => proxyProtocol !== undefined)
  const each = PER_CONNECTION + (isProxied ? UNLOCATED_SHARE : 0)
  return Math.max(1, Math.floor((Number(descriptors) - reservedBy(consumers)) / each))
}

/**
 * Health checks need a connection to each broker, and connections to authentication services stay open after an answer. Either may be
 * replaced before it is closed.
 */
function reservedBy({ upstreams, listeners, authentication }: Consumers): number {
  const all = [authentication, ...listeners.map((listener) => listener.authentication)]
  const requests = all.reduce((sum, one) => sum + (one?.http?.concurrency ?? 0), 0)
  return RESERVED + 2 * (upstreams.length + requests)
}
