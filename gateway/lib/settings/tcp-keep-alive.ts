import type { Socket } from 'node:net'

/**
 * Makes TCP probe the other side after the given silence. Call this only once a session lasts, any number of times: until then, deadlines
 * apply, and these system calls would take a twentieth of the CPU time of a short connection.
 *
 * @param seconds `null` for never
 */
export function probeSilent(socket: Socket, seconds: number | null): void {
  if (seconds !== null) socket.setKeepAlive(true, seconds * 1000)
}
