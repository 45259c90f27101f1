import type { Buffer } from 'buffer'
import { utf8Fault } from '../wire/utf8.ts'

/** What stands for a password or authentication data wherever a person or a log could read it. */
export const REDACTED = '*****'

const shortEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escaped(character: string): string {
  return shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A string for one line of text: as it is, but with control characters escaped, so that it cannot forge a line. */
export function stringText(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about.
  return value.replace(/[\u0000-\u001f\u007f-\u009f]/g, escaped)
}

/** Bytes as text: printable ASCII as it is, everything else escaped byte by byte as in JSON. */
export function bytesText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    text += /[^ -~]|["\\/]/.test(character) ? escaped(character) : character
  }
  return text
}

/** Bytes for JSON: a string if they are well-formed UTF-8, else base64. */
export function bytesJson(bytes: Buffer): string | { base64: string } {
  return utf8Fault(bytes, 0, bytes.length) < 0 ? bytes.toString() : { base64: bytes.toString('base64') }
}
