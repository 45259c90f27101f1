/** The codes for wrong usage, named like Node's. `ERR_PUBLIC_ADDRESS` means that the server may not be your own. */
export type UsageCode =
  | 'ERR_INVALID_ARG_TYPE'
  | 'ERR_INVALID_ARG_VALUE'
  | 'ERR_OUT_OF_RANGE'
  | 'ERR_PUBLIC_ADDRESS'

/** The probe was called with invalid arguments. */
export class UsageError extends TypeError {
  readonly code: UsageCode

  constructor(message: string, code: UsageCode = 'ERR_INVALID_ARG_VALUE') {
    super(message)
    this.code = code
  }
}

/** The server can't be reached, or accepts no valid CONNECT. */
export class Unreachable extends Error {
  readonly code = 'ERR_UNREACHABLE'
  /** True if nothing happened in time. */
  readonly isTimeout: boolean

  constructor(message: string, isTimeout = false) {
    super(message)
    this.isTimeout = isTimeout
  }
}

/** The end of a message that suggests the most similar valid name, if there is one. */
export function suggestion(name: string, names: Iterable<string>): string {
  const nearest = nearestOf(name, new Set(names))
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}

/** The shortest name that contains the given one, or else the most similar one, if fewer than half of its letters differ. */
function nearestOf(name: string, names: ReadonlySet<string>): string | undefined {
  const given = name.slice(0, 60).toLowerCase()
  const containing = [...names].filter((one) => given.length > 2 && one.toLowerCase().includes(given))
  if (containing.length > 0) return containing.reduce((a, b) => (b.length < a.length ? b : a))
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of names) {
    const distance = editDistance(given, candidate.toLowerCase())
    if (distance >= least || distance * 2 >= candidate.length) continue
    least = distance
    nearest = candidate
  }
  return nearest
}

/** The number of letters to add, remove or replace to turn one word into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}
