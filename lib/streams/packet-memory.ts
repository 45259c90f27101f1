import { Buffer } from 'buffer'
import { sharedMemory } from '../wire/shared-memory.ts'
import { viewOf } from '../wire/view.ts'

/** How large a piece of memory is that small packets share, in bytes. */
export const SHARED_SIZE = 640

let shared: Buffer = Buffer.alloc(0)
let used = 0

/**
 * Memory for the bytes of a packet, not cleared. A small one shares it with a few others, of this stream or another:
 * so a packet keeps alive its own bytes, or `SHARED_SIZE`.
 */
export function packetMemory(size: number): Buffer {
  if (size > SHARED_SIZE / 2) return Buffer.allocUnsafeSlow(size)
  if (used + size > shared.length) {
    shared = sharedMemory(SHARED_SIZE)
    used = 0
  }
  const start = used
  used += size
  return viewOf(shared, start, used)
}
