import { Buffer } from 'buffer'
import { looksLikePacket } from './looks-like-packet.ts'

/**
 * True if groups of digits may be words of 16 bits or more, as `hexdump` and `od -t x2` print them. The bytes of each group are
 * then in the opposite order.
 *
 * @param inColumn true if the text has the space that `od -A n` writes first
 */
export function mayBeSwapped(groups: readonly string[], bytes: Buffer, inColumn = false): boolean {
  const [first = ''] = groups
  const width = first.length
  if (![4, 8, 16].includes(width) || (groups.length === 1 && !inColumn)) return false
  if (!groups.every((group, i) => group.length === width || i === groups.length - 1)) return false
  const isOther = isPaddedPacket(swapped(bytes, width / 2), width / 2)
  return inColumn ? !looksLikePacket(bytes) || isOther : isOther && !looksLikePacket(bytes)
}

/** True if the bytes are a packet, maybe with zeros after it that complete its last word. */
function isPaddedPacket(bytes: Buffer, size: number): boolean {
  for (let end = bytes.length; end > bytes.length - size; end--) {
    if (looksLikePacket(bytes.subarray(0, end))) return true
    if (bytes[end - 1] !== 0) return false
  }
  return false
}

/** The bytes, with the bytes of each word in reverse order. */
export function swapped(bytes: Buffer, size: number): Buffer {
  const other = Buffer.from(bytes)
  for (let at = 0; at < other.length; at += size) other.subarray(at, at + size).reverse()
  return other
}
