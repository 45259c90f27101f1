import { Buffer } from 'buffer'
import { looksLikePacket } from './looks-like-packet.ts'
import { unreadable } from './unreadable.ts'
import { mayBeSwapped } from './words.ts'

/** What may be between two bytes. One line has one kind of it. */
const separators: readonly RegExp[] = [/[^\s]\s+[^\s]/, /:/, /-/, /;/]

/** Bytes from `<Buffer 10 0c>`, as Node prints a Buffer. */
export function bytesFromNode(text: string): Buffer | undefined {
  if (!/^<Buffer[\s>]/.test(text) || !text.endsWith('>')) return undefined
  const inside = text.slice('<Buffer'.length, -1)
  const [hex = '', cut] = inside.split(/(\.\.\. \d+ more bytes?)/, 2)
  const tokens = hex.split(/\s+/).filter((token) => token !== '')
  if (!tokens.every((token) => /^[\da-f]{2}$/i.test(token))) return undefined
  if (cut !== undefined) {
    throw unreadable(
      "it is a Buffer that console.log has cut after 50 bytes: print buffer.toString('hex') instead",
    )
  }
  if (tokens.length === 0) throw unreadable('it is empty')
  return Buffer.from(tokens.join(''), 'hex')
}

/**
 * Bytes from digits with or without separators, as long as no digit can belong to two bytes.
 *
 * @param lines the text with the spaces around it, which tell columns of decimal numbers from hex
 */
export function bytesFromHex(lines: string): Buffer | undefined {
  const text = lines.trim()
  if (/[^\da-fx\s,:;-]/i.test(text) || !/^[\da-f]/i.test(text)) return undefined
  const tokens = text.split(/[\s,:;-]+/).filter((token) => token !== '')
  const digits = tokens.map((token) => token.replace(/^0x(?=[\da-f]$)/i, '0').replace(/^0x/i, ''))
  if (digits.some((token) => !/^[\da-f]+$/i.test(token))) return undefined
  if (tokens.length > 1 && /,/.test(text) && tokens.every((token) => /^\d{1,3}$/.test(token))) {
    throw unreadable('it is a list of numbers that may be decimal or hex: write [16, 12] or 0x10, 0x0c')
  }
  if (digits.length > 1 && !digits.every((token) => token.length % 2 === 0)) {
    throw unreadable('it is hex in which a group has an odd number of digits')
  }
  const all = digits.join('')
  if (all.length % 2 !== 0) throw unreadable('it is hex with an odd number of digits')
  const bytes = Buffer.from(all, 'hex')
  const other = otherReading(lines, tokens, bytes)
  if (other !== undefined) throw unreadable(other)
  return bytes
}

/** What digits may be instead of hex in the order of the bytes. */
function otherReading(lines: string, tokens: readonly string[], bytes: Buffer): string | undefined {
  if (tokens.every((token) => /^(?:0b[01]{8}|(?:[01]{4}){2,})$/.test(token)) || areNibbles(tokens)) {
    return 'it may be binary digits: write it in hex'
  }
  const prefixed = tokens.filter((token) => /^0x/i.test(token)).length
  if (prefixed > 0 && prefixed < tokens.length) return 'some of its numbers have 0x, and some do not'
  if (prefixed > 1 && tokens.some((token) => token.length > 4)) return 'it has numbers of more than one byte'
  if (isMixed(lines)) return 'a time, a date or something else may be before the bytes'
  // od -A n and others write decimal numbers in columns, and pad them with spaces.
  if (tokens.every((token) => /^[1-9]\d$/.test(token)) && !/\S \S/.test(lines) && / {2}/.test(lines)) {
    return 'it may be decimal numbers in columns: use od -t x1'
  }
  if (mayBeSwapped(tokens, bytes, /^ \S/.test(lines))) {
    return 'it may be words, whose bytes are swapped: use od -t x1, hexdump -C or xxd'
  }
  return mayHaveAddress(lines) && !looksLikePacket(bytes)
    ? 'an address may be before the bytes: write a colon after it'
    : undefined
}

/** `0001 0000 0000 1100` */
function areNibbles(tokens: readonly string[]): boolean {
  return tokens.length > 1 && tokens.every((token) => /^[01]{4}$/.test(token))
}

/** Whether a line has more than one kind of separator, as `12:34:56 10 0c` has. */
function isMixed(lines: string): boolean {
  return lines
    .split('\n')
    .some(
      (line) =>
        separators.filter((separator) => separator.test(line.replace(/[,:;-]\s*$|,/g, ' ').trim())).length >
        1,
    )
}

/** Whether each line begins with more digits than any address has at least, and goes on with single bytes. */
function mayHaveAddress(lines: string): boolean {
  return lines
    .trim()
    .split('\n')
    .every((line) => /^\s*[\da-f]{6,16}\s+[\da-f]{2}\s+[\da-f]{2}(?:\s|$)/i.test(line))
}
