import type { Buffer } from 'buffer'

/** Why a text of a known form can't be read. Says what the text looks like, and quotes nothing of it. */
export class Unreadable extends Error {
  /** The index in the text of the character that is wrong, if there is such a character. */
  readonly position: number | undefined
  /** The bytes before that character. */
  readonly before: Buffer | undefined
  /** Whether the text may still be a log with bytes in it. */
  readonly isMaybeLog: boolean

  constructor(problem: string, position?: number, before?: Buffer, isMaybeLog = false) {
    super(problem)
    this.position = position
    this.before = before
    this.isMaybeLog = isMaybeLog
  }
}

/** To be thrown by the reader of a form. */
export function unreadable(problem: string, position?: number, before?: Buffer): Unreadable {
  return new Unreadable(problem, position, before)
}

/** To be thrown if the text is not in the form as a whole, but lines of it may be. */
export function maybeLog(problem: string): Unreadable {
  return new Unreadable(problem, undefined, undefined, true)
}
