/** The longest value in the log, in characters. The text form of a packet cuts there too. */
export const LONGEST_VALUE = 256

/** Cuts a long string, and says how long it was: `…(63000 characters)`. */
export function cutString(value: string, most: number): string {
  if (value.length <= most) return value
  // Don't cut a surrogate pair in half.
  const end = (value.charCodeAt(most - 1) & 0xfc00) === 0xd800 ? most - 1 : most
  return `${value.slice(0, end)}…(${value.length} characters)`
}

/** Cuts a value that is kept for the log. Returns a copy, because a slice would keep the whole string in memory. */
export function shortText(value: string): string {
  return value.length <= LONGEST_VALUE ? value : Buffer.from(cutString(value, LONGEST_VALUE)).toString()
}
