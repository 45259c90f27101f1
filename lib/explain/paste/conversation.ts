import { Buffer } from 'buffer'
import { beginsConnect } from './looks-like-packet.ts'
import { type Part, type Reading, type Readings, readingsOfParts } from './paste.ts'
import { unreadable } from './unreadable.ts'

/** Bytes in a text, and the place where the text has left out bytes, if any. */
export interface ShownPart extends Part {
  readonly cutAt?: number | undefined
  /** The reason why the bytes at `cutAt` aren't certain, if none are left out there. */
  readonly doubt?: string | undefined
}

/** All bytes of one connection in a text, in order. */
export interface Conversation {
  readonly name: string
  readonly parts: readonly ShownPart[]
}

/** The maximum number of bytes in a CONNECT up to its protocol name. */
const BYTES_TO_NAME = 16

/**
 * The readings of a text that shows several connections or files. If exactly one has a CONNECT, only its bytes from the CONNECT on are read,
 * because earlier the same file number may have belonged to a different file, unless the text proves that it's one connection.
 *
 * @param ignored the omissions so far, in words
 * @param cut what to do if bytes were cut
 * @param isCounted true if sequence numbers prove that no bytes are missing, and that those before a CONNECT are of its connection
 * @throws Unreadable if bytes of the connection were cut
 */
export function readingsOf(
  form: string,
  conversations: readonly Conversation[],
  ignored: readonly string[],
  cut: string,
  isCounted: boolean,
): Readings | undefined {
  const used = conversations.filter(({ parts }) => parts.length > 0)
  const begun = used.flatMap(({ name, parts }) => {
    const connect = startOf(parts)
    const start = isCounted ? Math.min(connect, 0) : connect
    return start < 0 ? [] : [{ name, parts: parts.slice(start), isAll: start === 0 }]
  })
  const [first] = begun
  if (first !== undefined && begun.length === 1) {
    checkWhole(first.parts, cut)
    const isAll = used.length === 1 && first.isAll
    const all = isAll ? ignored : [...ignored, 'what is not of the connection']
    return readingsOfParts(form, first.parts, all, isCounted && isAll)
  }
  const chosen = begun.length > 1 ? begun : used
  if (chosen.length === 0) return undefined
  const whole = chosen.filter(({ parts }) => parts.every(({ cutAt }) => cutAt === undefined))
  if (whole.length === 0) checkWhole(chosen[0]!.parts, cut)
  if (chosen.length === 1) return readingsOfParts(form, chosen[0]!.parts, ignored, isCounted)
  const all =
    whole.length < chosen.length ? [...ignored, 'other connections, whose bytes are not certain'] : ignored
  const readings = whole.flatMap(({ name, parts }, i): readonly Reading[] =>
    readingsOfParts(`${form}, ${name}`, parts, all).readings.map((reading) => ({
      ...reading,
      connection: `${i + 1}: ${name}`,
    })),
  )
  return { readings }
}

function checkWhole(parts: readonly ShownPart[], cut: string): void {
  for (const { cutAt, doubt = cut } of parts) if (cutAt !== undefined) throw unreadable(doubt, cutAt)
}

/** The index of the part that begins with a CONNECT, or -1. Its first bytes may have been read one by one. */
export function startOf(parts: readonly Part[]): number {
  return parts.findIndex(({ direction, bytes }, i) => {
    if (bytes[0] !== 0x10) return false
    const chunks = parts.slice(i, i + BYTES_TO_NAME).filter((part) => part.direction === direction)
    return beginsConnect(Buffer.concat(chunks.map((part) => part.bytes)))
  })
}
