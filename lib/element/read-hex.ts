import { UNREADABLE } from '../explain/value-text.ts'

/** The bytes in hex digits. From a wrong digit on, the pairs of digits, with `??` for the wrong pair. */
export interface ReadHex {
  readonly bytes: Uint8Array
  readonly rest: readonly string[]
}

/** Reads hex digits. Returns `undefined` if a digit is missing: in `10 c 00 4`, two are, but their bytes must not become one. */
export function readHex(hex: string): ReadHex | undefined {
  const groups = hex.split(/0x|[\s:,]+/i)
  if (groups.some(({ length }) => length % 2 > 0)) return undefined
  const pairs = (groups.join('').match(/../g) ?? []).map((pair) =>
    /^[\da-f]{2}$/i.test(pair) ? pair : UNREADABLE,
  )
  const rest = pairs.includes(UNREADABLE) ? pairs.splice(pairs.indexOf(UNREADABLE)) : []
  return { bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)), rest }
}
