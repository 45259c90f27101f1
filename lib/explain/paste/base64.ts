import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { looksLikePacket } from './looks-like-packet.ts'

/** Base64, standard or URL-safe. Many words are valid base64, so the bytes must look like a packet. */
export function bytesFromBase64(text: string): Buffer | undefined {
  const lines = text.trim().split(/\s+/)
  // One text is cut into lines of whole groups. Lines of another length are several texts without padding.
  if (lines.slice(0, -1).some((line) => line.length % 4 !== 0)) return undefined
  const compact = lines.join('')
  const digits = compact.replace(/={1,2}$/, '')
  if (/[^\w+/-]/.test(digits) || digits.length % 4 === 1) return undefined
  const standard = digits.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Buffer.from(standard, 'base64')
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === standard
  if (!isCanonical || !looksLikePacket(bytes)) return undefined
  // If a packet ends with its line, the next line may be another text.
  let end = 0
  for (const line of lines.slice(0, -1)) {
    end += (line.length / 4) * 3
    if (chains(bytes.subarray(0, end), 0)) return undefined
  }
  return bytes
}
