import { copyOwn } from '../../errors/misuse.ts'
import { packetEnds } from '../further-packets.ts'
import type { Reading } from './paste.ts'

/*
 * Nobody knows all logs and all programs, so other text beside bytes may mean anything: that more bytes follow, that another side has sent
 * them, or that they come in another order. What proves bytes then is their own Remaining Length.
 */

/** The reason why a program can't rely on a reading, although a person who sees its text may. */
export function doubtAbout(reading: Reading): string | undefined {
  const { bytes, ignored, rows = [], isCounted = false, hasOthers = false } = copyOwn(reading)
  if (hasOthers) return 'it has the packets of several connections'
  if (ignored.length === 0 || isCounted) return undefined
  const ends = Array.from(packetEnds(bytes, 0))
  const isOne = ends.length === 1 && ends[0] === bytes.length
  if (rows.length > 1 && !(isOne && areEven(rows)))
    return 'it has other text beside the bytes, which are not one packet in rows of equal size: paste only the bytes'
  if (ends.at(-1) === bytes.length) return undefined
  return 'it has other text beside the bytes, which are not whole packets: paste only the bytes'
}

/** True if all rows but the last have the same size, as in a dump. A row in the place of another one mostly has a different size. */
function areEven(rows: readonly number[]): boolean {
  const [first = 0] = rows
  return rows.every((size, i) => size === first || (size < first && i === rows.length - 1))
}
