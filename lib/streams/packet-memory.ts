import { Buffer } from 'buffer'

/** How large a piece of memory is that small packets share, in bytes. */
export const SHARED_SIZE = 512

let shared = Buffer.alloc(0)
let used = 0

/** As Node does with the memory that its small buffers share: to transfer one's would take the others' along. */
const markAsUntransferable: ((object: object) => void) | undefined =
  typeof process === 'undefined'
    ? undefined
    : process.getBuiltinModule?.('node:worker_threads')?.markAsUntransferable

/**
 * Memory for the bytes of a packet, not cleared. A small one shares it with a few others, of this stream or another,
 * as a piece of memory takes longer to get than to fill: so a packet keeps alive its own bytes, or `SHARED_SIZE`.
 */
export function packetMemory(size: number): Buffer {
  if (size > SHARED_SIZE / 2) return Buffer.allocUnsafeSlow(size)
  if (used + size > shared.length) {
    shared = Buffer.allocUnsafeSlow(SHARED_SIZE)
    markAsUntransferable?.(shared.buffer)
    used = 0
  }
  const start = used
  used += size
  return shared.subarray(start, used)
}
