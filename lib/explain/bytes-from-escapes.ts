import { Buffer } from 'buffer'
import { notBytes } from './not-bytes.ts'

const QUOTED = /^(?:bytearray\()?b?(["'`])(.*)\1\)?;?$/s
const ESCAPE = /\\(?:x([\da-f]{2})|u00([0-7][\da-f])|([0-3]?[0-7]{1,2})|(.?))/gis

/** What a letter after a backslash means in C, Python and JavaScript. */
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** Bytes from a string with escapes: `\x10\x0c`, and in quotes with text between them. */
export function bytesFromEscapes(text: string): Buffer | undefined {
  const quoted = QUOTED.exec(text)
  if (quoted === null && !/^(?:\\x[\da-f]{2}|\s)+$/i.test(text)) {
    if (/^\\x[\da-f]{2}/i.test(text)) throw notBytes('it is a string with escapes and text: put it in quotes')
    return undefined
  }
  const inside = quoted?.[2]
  if (inside !== undefined && !inside.includes('\\')) return undefined
  // Lines of a string, each in quotes: Wireshark breaks them.
  const joined = (inside ?? text.replace(/\s/g, '')).replace(/(["'])[^\S\n]*\\?\n\s*\1/g, '')
  if (/[^\t\n -~]/.test(joined)) throw notBytes('it is a string with characters that are not ASCII')
  const characters = joined.replace(ESCAPE, (_, hex, unicode, octal, letter) => {
    if (hex !== undefined || unicode !== undefined)
      return String.fromCharCode(Number.parseInt(hex ?? unicode, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    const character = letters[letter]
    if (character === undefined) throw notBytes('it is a string with an escape that is not known')
    return character
  })
  return Buffer.from(characters, 'latin1')
}
