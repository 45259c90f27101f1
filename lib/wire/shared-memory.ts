import { Buffer } from 'buffer'

/** As Node does with the memory that its small buffers share: to transfer one's would take the others' along. */
const markAsUntransferable: ((object: object) => void) | undefined =
  typeof process === 'undefined'
    ? undefined
    : process.getBuiltinModule?.('node:worker_threads')?.markAsUntransferable

/** Memory for more than one packet, not cleared: a piece of it takes longer to get than to fill. */
export function sharedMemory(size: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(size)
  markAsUntransferable?.(memory.buffer)
  return memory
}
