import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { looksLikePacket } from './looks-like-packet.ts'

/**
 * True if groups of digits may be words of 16 bits or more, as `hexdump` and `od -t x2` print them. The bytes of each group are
 * then in the opposite order, or zeros complete the last group.
 *
 * @param inColumn true if the text has the space that `od -A n` writes first
 * @param hasColons true if colons are between the groups, which no tool writes between words
 */
export function mayBeWords(
  groups: readonly string[],
  bytes: Buffer,
  inColumn = false,
  hasColons = false,
): boolean {
  const [first = ''] = groups
  const width = first.length
  if (![4, 8, 16].includes(width) || (groups.length === 1 && !inColumn)) return false
  if (!groups.every((group, i) => group.length === width || i === groups.length - 1)) return false
  if (
    groups.at(-1)!.length === width &&
    !chains(bytes, 0) &&
    isPadded(bytes, width / 2, (packet) => chains(packet, 0))
  )
    return true
  const isOther = isPadded(swapped(bytes, width / 2), width / 2, looksLikePacket)
  if (looksLikePacket(bytes)) return inColumn && isOther
  // Only bytes in order have a shorter group at the end, because zeros complete the last word.
  return isOther || inColumn || (!hasColons && groups.at(-1)!.length === width && !chains(bytes, 0))
}

/** True if the bytes are a packet, maybe with zeros after it that complete its last word. */
function isPadded(bytes: Buffer, size: number, isPacket: (bytes: Buffer) => boolean): boolean {
  for (let end = bytes.length; end > bytes.length - size; end--) {
    if (isPacket(bytes.subarray(0, end))) return true
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
