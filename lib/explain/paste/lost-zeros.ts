import { Buffer } from 'buffer'
import { beginsPacket } from '../further-packets.ts'

export const LOST_ZEROS = 'its bytes may have lost leading zeros'

/** True if digits contain the name of the protocol behind its length, of which the first 0 is missing. */
export function lacksZerosBeforeName(digits: string): boolean {
  return /44d515454|64d5149736470/i.test(digits)
}

/**
 * True if digits may be a packet in which bytes have lost their leading zero. The Remaining Length may have lost its own, or be right although there are
 * too few digits behind it. A packet that is cut has too few as well, but then the length of its first string begins with 00.
 */
export function mayLackZeros(digits: string): boolean {
  const byte = (at: number, count: number = 2) => Number.parseInt(digits.slice(at, at + count), 16)
  const low = byte(2)
  const long = (high: number) => low + 128 * (high - 1)
  const beforeString = /^[13]/.test(digits) ? 0 : /^[8a]/i.test(digits) ? 4 : Number.NaN
  const sizes = low < 128 ? [byte(2, 1), low] : [byte(2, 1), 0, long(byte(4, 1)), long(byte(4))]
  return (
    beginsPacket(Buffer.from(digits.slice(0, 2), 'hex')) &&
    sizes.some((size, i) => {
      const at = 3 + i
      const rest = digits.length - at
      const isCut = i % 2 === 1 && byte(at + beforeString) === 0
      return size > 0 && size <= rest && rest < 2 * size && !isCut
    })
  )
}
