import type { Buffer } from 'buffer'

/** The reason why a text of a known form can't be read. It says what the text looks like, but never quotes it. */
export class Unreadable extends Error {
  /** The index of the wrong character in the text, if there is one. */
  readonly position: number | undefined
  /** The bytes before that character. */
  readonly before: Buffer | undefined
  /** True if the text may still be a log that contains bytes. */
  readonly isMaybeLog: boolean

  constructor(problem: string, position?: number, before?: Buffer, isMaybeLog = false) {
    super(problem)
    this.position = position
    this.before = before
    this.isMaybeLog = isMaybeLog
  }
}

/** Thrown by the reader of a form. */
export function unreadable(problem: string, position?: number, before?: Buffer): Unreadable {
  return new Unreadable(problem, position, before)
}

/** Thrown if the text as a whole doesn't have the form, but some of its lines may have it. */
export function maybeLog(problem: string): Unreadable {
  return new Unreadable(problem, undefined, undefined, true)
}
