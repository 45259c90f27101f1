import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { beginsConnect, looksLikePacket } from './looks-like-packet.ts'

/**
 * True if groups of digits may be words of 16 bits or more, as `hexdump` and `od -t x2` print them. The bytes of each group are
 * then in the opposite order, or zeros complete the last group.
 *
 * @param rows the groups of each line
 * @param inColumn true if the text has the space that `od -A n` writes first
 * @param hasColons true if colons are between the groups, which no tool writes between words
 */
export function mayBeWords(
  rows: readonly (readonly string[])[],
  bytes: Buffer,
  inColumn = false,
  hasColons = false,
): boolean {
  const groups = rows.flat()
  const width = rows.reduce((most, [first]) => Math.max(most, first!.length), 0)
  // Without spaces, only a CONNECT shows that its words are swapped.
  if (groups.length === 1 && !inColumn) return [2, 4, 8].some((size) => beginsConnect(swapped(bytes, size)))
  if (![4, 8, 16].includes(width)) return false
  if (!groups.every((group, i) => group.length === width || i === groups.length - 1))
    return !hasColons && areCutWords(rows, width) && !chains(bytes, 0)
  if (
    groups.at(-1)!.length === width &&
    !chains(bytes, 0) &&
    isPadded(bytes, width / 2, (packet) => chains(packet, 0))
  )
    return true
  const other = swapped(bytes, width / 2)
  const isOther = isPadded(other, width / 2, isWhole)
  if (inColumn && bytes.at(-1) === 0 && !chains(bytes, 0)) return true
  if (looksLikePacket(bytes)) return isOther && (inColumn || beginsConnect(other))
  return isOther || inColumn || (!hasColons && !chains(bytes, 0))
}

/** True if only the groups at the ends of lines are shorter, where the lines may have been cut off or broken. */
function areCutWords(rows: readonly (readonly string[])[], width: number): boolean {
  return (
    rows.some((row) => row.length > 1) &&
    rows.every((row) =>
      row.every(
        (group, i) => group.length === width || (group.length < width && (i === 0 || i === row.length - 1)),
      ),
    )
  )
}

function isWhole(bytes: Buffer): boolean {
  return looksLikePacket(bytes) || chains(bytes, 0)
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
