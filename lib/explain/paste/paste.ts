import { Buffer } from 'buffer'

/** The sender of bytes: the side whose log it is or, in a dump of a connection, the first side shown, or the other one. */
export type Direction = 'sent' | 'received'

/** One way to read a text. */
export interface Reading {
  /** The form of the text in words: `hex`, `lines of strace`. */
  readonly form: string
  readonly bytes: Buffer
  /** The rest of a text after a wrong character: each byte as two digits, or `??` if it can't be read. */
  readonly rest?: readonly string[]
  /** The direction, if the text reveals it. */
  readonly direction?: Direction
  /** The connection, in a text that shows several. One file number may stand for several connections, one after the other. */
  readonly connection?: string
  /** The omissions, in words: `the beginnings of 3 lines`. Empty if there are none. */
  readonly ignored: readonly string[]
  /** True if the whole text is digits and signs between them. */
  readonly isOfDigits?: boolean
  /** True if there is more than a declaration in front of an array. */
  readonly hasOtherText?: boolean
  /** True if several strings were joined. */
  readonly isJoined?: boolean
  /** True if the text is of one connection, and counts its bytes by lengths or sequence numbers, so that none can be missing. */
  readonly isCounted?: boolean
}

/** Bytes that were sent in one direction before any in the other. */
export interface Part {
  readonly direction: Direction
  readonly bytes: Buffer
}

/**
 * The contents of a text, with one reading for each way to read it. If there are several, a person has to choose, unless the text
 * shows both directions of a connection. In that case, there is one reading for each direction, and `parts` has the bytes of both
 * in their order. If the text shows several connections, each direction is a reading.
 */
export interface Readings {
  readonly readings: readonly Reading[]
  readonly parts?: readonly Part[]
  readonly problem?: undefined
}

/** The reason why a text can't be read. */
export interface Problem {
  /** A description of the text. It never quotes the text. */
  readonly problem: string
  /** The index of the mistake in the text, if it has a place. */
  readonly position?: number
  /** True if the character there should be a digit of a byte. */
  readonly isDigit?: boolean
  readonly readings?: undefined
}

/** The result of `readPaste`. */
export type Paste = Readings | Problem

/** The result of a form's reader: bytes, or everything that a reading has. */
export type Found = Buffer | Readings

/** A form in which people paste bytes. */
export interface Form {
  readonly name: string
  /** True if the text may be in this form. It must be quick, because each text is shown to each form. */
  readonly recognises: (text: string) => boolean
  /**
   * @returns `undefined` if the text turns out not to be in this form
   * @throws Unreadable if the text is in this form, and can't be read with certainty
   */
  readonly read: (text: string) => Found | undefined
}

/** The readings of bytes from one or two sides, in order. */
export function readingsOfParts(
  form: string,
  parts: readonly Part[],
  ignored: readonly string[],
  isCounted = false,
): Readings {
  const merged: { direction: Direction; chunks: Buffer[] }[] = []
  for (const { direction, bytes } of parts) {
    const last = merged.at(-1)
    if (last?.direction === direction) last.chunks.push(bytes)
    else merged.push({ direction, chunks: [bytes] })
  }
  const joined = merged.map(({ direction, chunks }) => ({ direction, bytes: Buffer.concat(chunks) }))
  const directions = [...new Set(joined.map(({ direction }) => direction))].sort().reverse()
  const readings = directions.map((direction) => {
    const bytes = Buffer.concat(
      joined.filter((part) => part.direction === direction).map((part) => part.bytes),
    )
    return { form, bytes, direction, ignored, isCounted }
  })
  return { readings, parts: joined }
}

/** What was ignored, in words, if lines without bytes were among those with bytes. */
export function otherLines(count: number): string[] {
  return count > 0 ? [`${count} other ${count === 1 ? 'line' : 'lines'}`] : []
}
