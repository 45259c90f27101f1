/*
 * Characters that a person cannot see, or that a terminal or a log viewer acts on. Wherever text is printed they are escaped, so that
 * two different values never look the same.
 */

/** What `util.inspect` calls: a symbol of the global registry, so that no `node:` module is needed. */
export const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never

/**
 * Controls, C1 too; format characters such as the bidirectional controls; separators; and what fonts show as nothing: zero-width
 * characters, fillers, variation selectors, tags.
 */
const hidden = '\\p{Cc}\\p{Cf}\\p{Z}\\p{Default_Ignorable_Code_Point}'

const hiddenCharacter = new RegExp(`(?! )[${hidden}]`, 'u')
const hiddenCharacters = new RegExp(hiddenCharacter, 'gu')

/** In text that `JSON.stringify` or `util.inspect` has made, C0 controls are line breaks and colours. */
const leftByPrinters = new RegExp(`(?![\\0-\\x1f ])[${hidden}]`, 'gu')

/** One line of text with all such characters escaped. Not for values: a backslash stays as it is. */
export function escapeLine(text: string): string {
  return text.replace(hiddenCharacters, unicodeEscape)
}

/** Whether a string contains a character that is escaped wherever it is printed. */
export function hasHidden(text: string): boolean {
  return hiddenCharacter.test(text)
}

/** Escapes what `JSON.stringify` and `util.inspect` leave as it is. */
export function escapeHidden(printed: string): string {
  return printed.replace(leftByPrinters, unicodeEscape)
}

/** A string with all such characters escaped, and backslashes and quotes too, so that it is unambiguous. */
export function escapedText(text: string): string {
  return escapeHidden(JSON.stringify(text).slice(1, -1))
}

/** `\\u00ad`; two of them for a character above U+FFFF, as in JSON. */
export function unicodeEscape(character: string): string {
  // A loop: for a log of hostile packets `Array.from` took most of the time.
  let escaped = ''
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }
  return escaped
}
