import type { ExplanationRow } from './rows.ts'

/** True if a row contains a secret, or several fields that may, as opposed to bytes that are hidden because a length may be wrong. */
export function isSecret({ field }: ExplanationRow): boolean {
  return /^(password|props|bytesLeftOver|.*authenticationData)$/.test(field)
}

/**
 * Says for each byte of a row whether it's hidden. The hex of a long row has only its first and last bytes; the bytes between
 * them are hidden if any other is.
 *
 * @example
 * const isHidden = hiddenBytes(row)
 * const text = isHidden(0) ? '**' : bytes[row.offset]
 */
export function hiddenBytes({ hex }: ExplanationRow): (index: number) => boolean {
  const tokens = hex.split(' …')[0]!.split(' ')
  // Some of the bytes at the end may be unknown, so a single hidden one is enough, and so is none that is shown.
  const others = hex.includes('**') || !/[\da-f]/.test(hex) ? '**' : ''
  return (index) => (tokens[index] ?? others) === '**'
}
