/** The reason why a text in a known form can't be read. It describes the text, but never quotes it. */
export class Unreadable extends Error {
  /** The index of the mistake in the text, if it has a place. */
  readonly position: number | undefined
  /** True if the character there should be a digit of a byte. */
  readonly isDigit: boolean
  /** True if the text may still be a log that contains bytes. */
  readonly isMaybeLog: boolean

  constructor(problem: string, position?: number, isDigit = false, isMaybeLog = false) {
    super(problem)
    this.position = position
    this.isDigit = isDigit
    this.isMaybeLog = isMaybeLog
  }
}

/** Thrown by the reader of a form. */
export function unreadable(problem: string, position?: number, isDigit?: boolean): Unreadable {
  return new Unreadable(problem, position, isDigit)
}

/** Thrown if a wrong character is between bytes. */
export function noDigit(position: number): Unreadable {
  return unreadable('it has bytes in hex, and a character between them that is no hex digit', position, true)
}

/** Thrown if the text as a whole doesn't have the form, but some of its lines may have it. */
export function maybeLog(problem: string): Unreadable {
  return new Unreadable(problem, undefined, false, true)
}

/** The result of a reader, or `undefined` if it finds the text unreadable. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
