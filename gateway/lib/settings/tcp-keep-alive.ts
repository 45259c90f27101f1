import type { Socket } from 'node:net'

/**
 * Makes TCP probe the other side after so many seconds of silence. To be called as often as you like once a session lasts, and not
 * earlier: until then a connection has deadlines, and the system calls take a twentieth of the CPU time of a short one.
 *
 * @param seconds `null` for never
 */
export function probeSilent(socket: Socket, seconds: number | null): void {
  if (seconds !== null) socket.setKeepAlive(true, seconds * 1000)
}
