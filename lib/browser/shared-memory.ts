import { Buffer } from 'buffer'

/*
 * In place of `lib/wire/shared-memory.ts`: a browser builds and decodes few packets, so each has memory of its own.
 */
export class SharedMemory {
  readonly free = 0
  readonly block: Buffer

  constructor(blockSize: number) {
    this.block = Buffer.alloc(blockSize)
  }

  take(size: number): Buffer {
    return Buffer.alloc(size)
  }

  cut(start: number, end: number): Buffer {
    return Buffer.concat([this.block.subarray(start, end)])
  }
}
