import cluster from 'node:cluster'
import { addressOf, nameOf } from '../settings/names.ts'
import { ConfigError } from './config.ts'

/** The first file descriptor that systemd passes on. */
const FIRST = 3

interface Address {
  readonly name?: string | undefined
  readonly host: string
  readonly port: number
}

/** True if systemd has opened sockets for this process. */
export function hasInheritedSockets({ LISTEN_PID }: NodeJS.ProcessEnv = process.env): boolean {
  return Number(LISTEN_PID) === process.pid
}

/**
 * Assigns the sockets that systemd has opened to the listeners: see sd_listen_fds(3). Sockets are matched by name (`FileDescriptorName`), or in order
 * if no listener has the name of a socket.
 *
 * In a worker, the file descriptors are those of the primary process, from which Node gets the sockets.
 *
 * @returns the file descriptor of each listener; `undefined` for those that open their own socket
 * @throws ConfigError if there's no listener for a socket
 */
export function inheritedSockets(
  listeners: readonly Address[],
  { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' }: NodeJS.ProcessEnv = process.env,
  pid: number = cluster.isWorker ? process.ppid : process.pid,
): readonly (number | undefined)[] {
  const count = Number(LISTEN_PID) === pid ? Number(LISTEN_FDS) : 0
  const given = LISTEN_FDNAMES.split(':').slice(0, count)
  const names = listeners.map(nameOf)
  const isNamed = given.some((name) => names.includes(name))
  const fds: (number | undefined)[] = listeners.map(() => undefined)
  for (let i = 0; i < count; i++) {
    // All sockets of one unit have the same name, and so may several listeners.
    const isOwner = (name: string, at: number) => fds[at] === undefined && (!isNamed || name === given[i])
    const owner = names.findIndex(isOwner)
    if (owner < 0) {
      const socket = given[i] || i + 1
      throw new ConfigError([`listeners: none is left for the socket ${socket} that systemd has opened`])
    }
    fds[owner] = FIRST + i
  }
  return fds
}

/**
 * The sockets of the listeners after a reload, in which each listener has kept its own and the others open their own. The order of the sockets no
 * longer says anything then.
 */
export function keptSockets(
  fds: readonly (number | null | undefined)[],
  before: readonly Address[],
  after: readonly Address[],
): readonly (number | null | undefined)[] {
  const left = before.map((listener, i) => ({ address: addressOf(listener), fd: fds[i] }))
  return after.map((listener) => {
    const at = left.findIndex(({ address }) => address === addressOf(listener))
    return at < 0 ? undefined : left.splice(at, 1)[0]!.fd
  })
}
