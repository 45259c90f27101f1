/* Clients that do what they should not, and never close by themselves, not even when the server has. */
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { R5 } from '../packets.ts'
import { paced } from './paced.ts'

const DRIP_INTERVAL = 1000
const MOST_RANDOM_BYTES = 512

const sockets = new Set<Socket>()

function badClient(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
  socket.resume()
  return socket
}

/** Half a packet, and nothing more. */
function stall(port: number): Socket {
  const socket = badClient(port)
  socket.write(R5.subarray(0, R5.length / 2))
  return socket
}

/** One byte a second. */
function drip(port: number): Socket {
  const socket = badClient(port)
  let at = 0
  const send = (): unknown => socket.write(R5.subarray(at, ++at))
  const timer = setInterval(send, DRIP_INTERVAL)
  socket.on('close', () => clearInterval(timer))
  send()
  return socket
}

/** Bytes that mean nothing, and nothing more. */
function babble(port: number): Socket {
  const socket = badClient(port)
  socket.write(randomBytes(randomInt(1, MOST_RANDOM_BYTES)))
  return socket
}

async function begin(
  kinds: ((port: number) => Socket)[],
  port: number,
  count: number,
  milliseconds: number,
): Promise<void> {
  const connected: Promise<unknown>[] = []
  await paced(count, milliseconds, () => {
    for (const kind of kinds) connected.push(once(kind(port), 'connect'))
  })
  await Promise.all(connected)
}

/** `count` that stall and `count` that drip; done when all are connected. */
export const beginSlow = (port: number, count: number, milliseconds: number): Promise<void> =>
  begin([stall, drip], port, count, milliseconds)

/** `count` that send random bytes; done when all are connected. */
export const beginRandom = (port: number, count: number, milliseconds: number): Promise<void> =>
  begin([babble], port, count, milliseconds)

export function endAll(): void {
  for (const socket of sockets) socket.destroy()
}
