/*
 * Characters that are invisible, or that a terminal or a log viewer interprets. They're escaped wherever text is printed, so that
 * different values never look the same.
 */

/** The symbol that `util.inspect` looks for. It comes from the global registry, so no `node:` module is needed. */
export const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never

/**
 * Control characters, including C1; format characters such as the bidirectional controls; separators; and characters that fonts
 * render as nothing: zero-width characters, fillers, variation selectors, tags, the Braille pattern without dots.
 */
const hidden = '\\p{Cc}\\p{Cf}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800'

/** A character that is escaped wherever it's printed. */
export const hiddenCharacter: RegExp = new RegExp(`(?! )[${hidden}]`, 'u')

/** In the output of `JSON.stringify` and `util.inspect`, C0 control characters are line breaks and colours. */
const leftByPrinters = new RegExp(`(?![\\0-\\x1f ])[${hidden}]`, 'gu')

/** Escapes the characters that `JSON.stringify` and `util.inspect` don't escape. */
export function escapeHidden(printed: string): string {
  return printed.replace(leftByPrinters, unicodeEscape)
}

/** A string with all such characters escaped, and with backslashes and quotes escaped as well, so that it's unambiguous. */
export function escapedText(text: string): string {
  return escapeHidden(JSON.stringify(text).slice(1, -1))
}

/** `\\u00ad`, or two of them for a character above U+FFFF, as in JSON. */
export function unicodeEscape(character: string): string {
  // A loop, because `Array.from` took most of the time of logging hostile packets.
  let escaped = ''
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }
  return escaped
}
