import { cutString, LONGEST_VALUE } from '../settings/short-text.ts'

/*
 * Cuts the clients' values in a line of the log, because lines are written before anybody has been authenticated.
 */

/** The number of characters that all values of one line may have together. */
const LONGEST_VALUES = 2048
/** The number of list entries that are shown. */
const LONGEST_LIST = 20
/** The longest line of text, in characters. */
const LONGEST_LINE = 4096

/** A copy for JSON in which long strings and lists are cut, and say so: `…(63000 characters)`, `…(980 more)`. */
export function cutValues(value: unknown): unknown {
  let left = LONGEST_VALUES
  const cut = (given: unknown): unknown => {
    if (typeof given === 'string') {
      const shown = cutString(given, Math.min(LONGEST_VALUE, left))
      left -= Math.min(given.length, LONGEST_VALUE, left)
      return shown
    }
    if (typeof given !== 'object' || given === null) return given
    if (Array.isArray(given)) {
      const first = given.slice(0, LONGEST_LIST).map(cut)
      return given.length > LONGEST_LIST ? [...first, `…(${given.length - LONGEST_LIST} more)`] : first
    }
    return Object.fromEntries(Object.entries(given).map(([name, entry]) => [name, cut(entry)]))
  }
  return cut(value)
}

/** A message that ends after 4,096 characters. */
export function cutMessage(message: string): string {
  return cutString(message, LONGEST_LINE)
}

/** A line of visible characters that ends after 4,096 of them. Cut twice, because escapes take time and make the line longer. */
export function cutLine(line: string): string {
  return cutString(escapeInvisible(cutMessage(line)), LONGEST_LINE)
}

/**
 * Control characters, direction marks, separators, and what fonts render as nothing. JSON and text may contain them, but a terminal obeys some, and
 * with the others two client ids look the same. (`\p{Z}` without the space would need a lookahead, which takes four times as long.)
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu

export function escapeInvisible(line: string): string {
  return line.replace(invisible, escapeOf)
}

function escapeOf(character: string): string {
  let escaped = ''
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }
  return escaped
}
