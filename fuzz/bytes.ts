import { Buffer } from 'node:buffer'
import type { Random } from './random.ts'

/** Changes bytes blindly. `other` supplies bytes to copy. */
export function mutateBytes(random: Random, bytes: Buffer, other: Buffer): Buffer {
  const at = random.int(0, bytes.length)
  const end = random.int(at, Math.min(bytes.length, at + random.pick([1, 2, 8, bytes.length])))
  const before = bytes.subarray(0, at)
  const piece = bytes.subarray(at, end)
  const behind = bytes.subarray(end)
  switch (random.int(0, 7)) {
    case 0: {
      if (at === bytes.length) return bytes
      const flipped = Buffer.from(bytes)
      flipped[at] = (bytes[at] as number) ^ (1 << random.int(0, 7))
      return flipped
    }
    case 1: {
      if (at === bytes.length) return bytes
      const changed = Buffer.from(bytes)
      changed[at] = random.pick([0, 1, 0x10, 0x7f, 0x80, 0xff, random.int(0, 255)])
      return changed
    }
    case 2:
      return Buffer.concat([before, random.bytes(random.int(1, 4)), bytes.subarray(at)])
    case 3:
      return Buffer.concat([before, behind])
    case 4:
      return Buffer.concat([before, piece, piece, behind])
    case 5:
      return before
    case 6:
      return Buffer.concat([before, other.subarray(random.int(0, other.length))])
    default:
      return Buffer.concat([before, other.subarray(0, random.int(0, Math.min(20, other.length))), behind])
  }
}
