import type { Socket } from 'node:net'

/** How long the peer has to close its side, in milliseconds. */
const LINGER = 1000

/**
 * Sends the last bytes and closes the connection. It goes on reading until the peer closes too: a socket that is
 * closed with unread bytes is reset, and the peer loses what is still on its way.
 */
export function closeGently(socket: Socket, lastBytes?: Uint8Array): void {
  if (socket.destroyed) return
  if (lastBytes === undefined) socket.end()
  else socket.end(lastBytes)
  socket.resume()
  // Not the socket's own timeout: each byte that arrives would restart it.
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
