import { Buffer } from 'buffer'
import { unreadable } from './unreadable.ts'

/** A line of gdb's or lldb's `x/50xb`: an address, maybe a symbol, and values with tabs or spaces before them. */
const LINE = /^\s*0x([\da-f]{4,16})(?: <[^<>\n]*>)?:((?:\s+0x[\da-f]+)+)\s*$/i
const ANY_LINE = /^\s*0x[\da-f]{4,16}(?: <[^<>\n]*>)?:\s/i

/** True if a text begins with an address, and continues with numbers that begin with 0x, or with a tab. */
export function isOfMemory(text: string): boolean {
  return ANY_LINE.test(text) && /^\s*0x[\da-f]+(?: <|:\t|: *0x)/i.test(text)
}

/** The maximum length of a line. */
const LONGEST_LINE = 2000

/**
 * Bytes of the memory that a debugger shows. The addresses must match the numbers of bytes, so no line can be missing.
 *
 * @returns `undefined` if the text is anything else
 */
export function bytesFromMemory(text: string): Buffer | undefined {
  const lines = text.split('\n')
  if (!lines.every((line) => ANY_LINE.test(line))) return undefined
  const parts: string[] = []
  let next: bigint | undefined
  for (const [i, line] of lines.entries()) {
    const [, address, values = ''] = (line.length > LONGEST_LINE ? null : LINE.exec(line)) ?? []
    const tokens = values.split(/\s+0x/i).slice(1)
    if (address === undefined || !tokens.every((token) => token.length === 2)) {
      throw unreadable(`line ${i + 1} of the memory is not bytes in hex: use x/50xb in gdb`)
    }
    const at = BigInt(`0x${address}`)
    if (next !== undefined && at !== next) {
      throw unreadable(`line ${i + 1} of the memory does not have the next address: a line may be missing`)
    }
    next = at + BigInt(tokens.length)
    parts.push(tokens.join(''))
  }
  return Buffer.from(parts.join(''), 'hex')
}
