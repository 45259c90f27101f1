import { Buffer } from 'buffer'
import { unreadable } from './unreadable.ts'

export const NODE_BUFFER = 'a Buffer as Node prints it'

/** less -S and nano write > where they cut a line. */
export const CHOPPED = 'its line may have been cut at >'

/** Bytes from `<Buffer 10 0c>`, as Node prints a Buffer. */
export function bytesFromNode(text: string): Buffer | undefined {
  if (!text.endsWith('>')) return undefined
  if (/[\da-f]\s>$/i.test(text)) throw unreadable(CHOPPED)
  const inside = text.slice('<Buffer'.length, -1)
  const [hex = '', cut] = inside.split(/(\.\.\. \d+ more bytes?)/, 2)
  const tokens = hex.split(/\s+/).filter((token) => token !== '')
  if (!tokens.every((token) => /^[\da-f]{2}$/i.test(token))) return undefined
  if (cut !== undefined) {
    throw unreadable(
      "it is a Buffer that console.log has cut after 50 bytes: print buffer.toString('hex') instead",
    )
  }
  if (tokens.length === 0) throw unreadable('it is empty')
  return Buffer.from(tokens.join(''), 'hex')
}
