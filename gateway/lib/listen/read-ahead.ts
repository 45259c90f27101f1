import type { Socket } from 'node:net'

/** The part of Node's stream that has no public setter. `createServer` has an option, but it would also limit writing, and TLS ignores it. */
interface Internals {
  readonly _readableState?: { highWaterMark: number }
}

/**
 * While nobody reads from the socket, keeps Node from reading more than one chunk ahead, however small it is. Node's own limit (16 KiB, and
 * 64 KiB from Node 22 on) counts bytes and not chunks, but each chunk takes some 350 bytes of memory. A client that sends single bytes,
 * each in a TLS record, while it waits for its password check would therefore take 6 MB.
 */
export function limitReadAhead(socket: Socket): void {
  const { _readableState: state } = socket as Internals
  if (state) state.highWaterMark = 1
}
