import { Buffer } from 'buffer'
import { chains } from '../further-packets.ts'
import { arePlausible } from './any-notation.ts'
import { holdsConnect } from './looks-like-packet.ts'

/**
 * Percent-encoded bytes, as in a URL: `%10%0C%00%04MQTT`. A `+` may stand for a space, so there is none. RFC 3986 section 2.1. The bytes
 * must be whole packets, because most encoders turn a string into UTF-8 first, which changes every byte above 0x7f.
 */
export function bytesFromPercents(text: string): Buffer | undefined {
  // Three dots stand for what somebody has left out.
  if (text.includes('...') || !/^(?:[\w.~!*'()/-]|%[\da-f]{2})+$/i.test(text)) return undefined
  const characters = text.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const bytes = Buffer.from(characters, 'latin1')
  // A text that has lost its beginning may begin in the middle of an escape, and still be a packet.
  const mayBeCut = !text.startsWith('%') && (holdsConnect(bytes) || !arePlausible(bytes, 0))
  const isCut = mayBeCut || (/^[\da-f]%/i.test(text) && bytes.length < 5)
  return chains(bytes, 0) && !isCut ? bytes : undefined
}
