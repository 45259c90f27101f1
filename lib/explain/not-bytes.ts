import { wrongValue } from '../errors/misuse.ts'

/** The error of a text that contains no bytes. It says what the text looks like, and contains nothing of it. */
export function notBytes(what: string): TypeError {
  return wrongValue('text', `bytes in hex, as an array, a dump or base64, but ${what}`)
}
