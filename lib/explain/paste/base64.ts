import { Buffer } from 'buffer'
import { chains, packetEnds } from '../further-packets.ts'
import { looksLikePacket } from './looks-like-packet.ts'

/** Words of prose are shorter. `base64 -w` has any width, but nobody chooses one of a few characters. */
const SHORTEST_LINE = 16

/** Base64, standard or URL-safe. Many words are valid base64, so the bytes must look like a packet. */
export function bytesFromBase64(text: string): Buffer | undefined {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const width = lines[0]!.length
  // One text is cut into equal lines of whole groups. Other lines are several texts without padding.
  const areEqual = lines.every(
    ({ length }, i) => length === width || (i === lines.length - 1 && length < width),
  )
  if (lines.length > 1 && !(areEqual && width >= SHORTEST_LINE && width % 4 === 0)) return undefined
  const compact = lines.join('')
  const standard = standardDigits(compact)
  if (standard === undefined) return undefined
  const bytes = Buffer.from(standard, 'base64')
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === standard
  if (!isCanonical || !looksLikePacket(bytes)) return undefined
  // The last line is shorter, so it may be a word, unless it has what the packet lacks.
  if (lines.length > 1 && !chains(bytes, 0)) return undefined
  // If a packet ends with its line, the next line may be another text.
  const size = (width / 4) * 3
  for (const end of packetEnds(bytes, 0)) if (end < bytes.length && end % size === 0) return undefined
  return bytes
}

/** The digits of base64, standard or URL-safe, in the standard's alphabet; `undefined` if it's neither. */
export function standardDigits(word: string): string | undefined {
  const digits = word.replace(/={1,2}$/, '')
  if (/[^\w+/-]/.test(digits) || digits.length % 4 === 1) return undefined
  return digits.replaceAll('-', '+').replaceAll('_', '/')
}
