import cluster from 'node:cluster'
import { nameOf } from '../settings/names.ts'
import { ConfigError } from './config.ts'

/** The first file descriptor that systemd passes on. */
const FIRST = 3

/** Whether systemd has opened sockets for this process. */
export function hasInheritedSockets({ LISTEN_PID }: NodeJS.ProcessEnv = process.env): boolean {
  return Number(LISTEN_PID) === process.pid
}

/**
 * The sockets that systemd has opened for the gateway: see sd_listen_fds(3). A socket belongs to the listener whose name it has (`FileDescriptorName`),
 * or, if no listener has any of their names, they belong to the listeners in their order.
 *
 * In a worker the numbers are those of the primary process, which Node asks for the socket.
 *
 * @returns the file descriptor of each listener; `undefined` for those that open their own socket
 * @throws ConfigError if a socket belongs to no listener
 */
export function inheritedSockets(
  listeners: readonly { readonly name?: string | undefined; readonly host: string; readonly port: number }[],
  { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' }: NodeJS.ProcessEnv = process.env,
  pid: number = cluster.isWorker ? process.ppid : process.pid,
): readonly (number | undefined)[] {
  const count = Number(LISTEN_PID) === pid ? Number(LISTEN_FDS) : 0
  const given = LISTEN_FDNAMES.split(':')
  const names = listeners.map(nameOf)
  const isNamed = given.slice(0, count).some((name) => names.includes(name))
  const owners = Array.from({ length: count }, (_, i) => (isNamed ? names.indexOf(given[i] ?? '') : i))
  const orphan = owners.findIndex((owner) => owner < 0 || owner >= listeners.length)
  if (orphan >= 0) {
    const socket = given[orphan] || orphan + 1
    throw new ConfigError([`listeners: none belongs to the socket ${socket} that systemd has opened`])
  }
  return listeners.map((_, i) => (owners.includes(i) ? FIRST + owners.indexOf(i) : undefined))
}
