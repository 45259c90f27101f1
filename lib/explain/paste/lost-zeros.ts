import { Buffer } from 'buffer'
import { beginsPacket } from '../further-packets.ts'

export const LOST_ZEROS = 'its bytes may have lost leading zeros'

/** True if digits contain the name of the protocol behind its length, of which the first 0 is missing. */
export function lacksZerosBeforeName(digits: string): boolean {
  return /44d515454|64d5149736470/i.test(digits)
}

/** The maximum number of digits in which several packets are sought. In more digits, there often are some by chance. */
const MOST_DIGITS = 20

/**
 * True if digits may be packets in which bytes have lost their leading zero. The Remaining Length may have lost its own, or be right although there are
 * too few digits behind it. A packet that is cut has too few as well, but then the length of its first string begins with 00.
 */
export function mayLackZeros(digits: string): boolean {
  const byte = (at: number, count: number = 2) => Number.parseInt(digits.slice(at, at + count), 16)
  const beforeString = /^[13]/.test(digits) ? 0 : /^[8a]/i.test(digits) ? 4 : Number.NaN
  const isLong = byte(2) >= 128
  // A packet of up to 15 bytes whose length has lost its zero may also look like the beginning of a long one.
  if (byte((isLong ? 6 : 4) + beforeString) === 0 && !(isLong && digits.length <= 3 + 2 * 15)) return false
  const starts = new Set([0])
  for (const start of starts) {
    if (!beginsPacket(Buffer.of(byte(start)))) continue
    const at = start + 3
    const low = byte(start + 2)
    const long = (high: number) => low + 128 * (high - 1)
    const short = byte(start + 2, 1)
    const sizes =
      low < 128 ? [short, low] : [short, Number.NaN, long(byte(start + 4, 1)), long(byte(start + 4))]
    for (const [i, size] of sizes.entries()) {
      const least = at + i + size
      const most = least + size
      if (least <= digits.length && (digits.length < most || (start > 0 && digits.length === most)))
        return true
      if (digits.length > MOST_DIGITS) continue
      for (let end = least; end <= Math.min(most, digits.length); end++) starts.add(end)
    }
  }
  return false
}
