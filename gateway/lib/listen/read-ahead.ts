import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The part of Node's stream that has no public setter. `createServer` has an option, but it would also limit writing, and TLS ignores it. */
interface Internals {
  readonly _readableState?: { highWaterMark: number }
}

/**
 * While nobody reads from the socket, keeps Node from reading more than one chunk ahead, however small it is. Node's own limit (16 KiB, and
 * 64 KiB from Node 22 on) counts bytes and not chunks, but each chunk takes some 350 bytes of memory. A client that sends single bytes
 * while it waits for its password check would therefore take 6 MB.
 */
export function limitReadAhead(socket: Socket): void {
  const { _readableState: state } = socket as Internals
  if (state) state.highWaterMark = 1
}

/**
 * The same for TLS. A single chunk from the network may hold thousands of records, and each of them would take those 350 bytes, so they're joined
 * while nobody reads. Only an own `push` sees all of them, because a paused stream has no event for data.
 */
export function limitRecordsAhead(socket: TLSSocket): void {
  limitReadAhead(socket)
  const push = socket.push.bind(socket)
  let joined: Buffer | undefined
  let length = 0
  const release = () => {
    if (joined !== undefined) push(joined.subarray(0, length))
    joined = undefined
    length = 0
  }
  socket.on('resume', () => {
    if (!socket.isPaused()) release()
  })
  socket.push = (record: Buffer | null) => {
    if (record === null) release()
    if (record === null || (joined === undefined && !socket.isPaused())) return push(record)
    const end = length + record.length
    if (joined === undefined) joined = record
    else {
      if (end > joined.length) joined = larger(joined, 2 * end)
      joined.set(record, length)
    }
    length = end
    return false
  }
}

function larger(bytes: Buffer, size: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(size)
  copy.set(bytes)
  return copy
}
