/** Who has sent bytes. */
export type Side = 'client' | 'server'

/** The bytes of one direction of a connection, or bytes of which the direction is not known. */
export interface Stream {
  readonly from?: Side | undefined
  readonly bytes: Uint8Array
}

/** One way to read a text, or one connection of a capture. */
export interface Choice {
  /** What a person chooses by. */
  readonly label: string
  readonly streams: readonly Stream[]
  /** What was left out, in words. */
  readonly ignored: readonly string[]
}

/** Why a text has no bytes, or only some. */
export interface Problem {
  readonly problem: string
  /** The index of the wrong character. */
  readonly position?: number | undefined
  /** The bytes before it. */
  readonly before?: Uint8Array | undefined
}
