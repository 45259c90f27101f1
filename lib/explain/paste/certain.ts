import { copyOwn } from '../../errors/misuse.ts'
import { packetEnds } from '../further-packets.ts'
import type { Reading } from './paste.ts'

/*
 * Nobody knows all logs and all programs, so other text beside bytes may mean anything: that more bytes follow, that another side has sent
 * them, or that they come in another order. A person sees that text. A program only gets the bytes.
 */

const OTHER_TEXT = 'it has other text beside the bytes'

/** The reason why a program can't rely on a reading, although a person who sees its text may. */
export function doubtAbout(reading: Reading): string | undefined {
  const { bytes, ignored, isAlone = false, isJoined = false, isCounted = false } = copyOwn(reading)
  if (isCounted) return undefined
  if (!isAlone) return `${OTHER_TEXT}: paste only the bytes`
  if (ignored.length === 0) return undefined
  // What declares an array, or joins strings. What proves the bytes then is their own Remaining Length.
  const ends = Array.from(packetEnds(bytes, 0))
  if (ends.at(-1) === bytes.length && !(isJoined && ends.length > 1)) return undefined
  return `${OTHER_TEXT}, which are not whole packets: paste only the bytes`
}
