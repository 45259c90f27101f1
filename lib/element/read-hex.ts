/** The bytes in hex digits, and the pairs from a wrong one on, which is `??`. */
export interface ReadHex {
  readonly bytes: Uint8Array
  readonly rest: readonly string[]
}

/** `undefined` if a digit is missing. */
export function readHex(hex: string): ReadHex | undefined {
  const digits = hex.replace(/0x|[\s:,]/gi, '')
  if (digits.length % 2 > 0) return undefined
  const pairs = (digits.match(/../g) ?? []).map((pair) => (/^[\da-f]{2}$/i.test(pair) ? pair : '??'))
  const rest = pairs.includes('??') ? pairs.splice(pairs.indexOf('??')) : []
  return { bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)), rest }
}
