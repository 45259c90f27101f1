import type { ExplanationRow } from './rows.ts'

/** True if a row contains a secret, as opposed to bytes that are hidden because a length may be wrong. */
export function isSecret({ field }: ExplanationRow): boolean {
  return /^password$|authenticationData$/.test(field)
}

/**
 * Says for each byte of a row whether it's hidden. The hex of a long row has only its first and last bytes; the bytes between
 * them are hidden if the last ones are.
 *
 * @example
 * const isHidden = hiddenBytes(row)
 * const text = isHidden(0) ? '**' : bytes[row.offset]
 */
export function hiddenBytes({ hex }: ExplanationRow): (index: number) => boolean {
  const tokens = hex.split(' ')
  const cut = tokens.indexOf('…')
  return (index) => (cut < 0 || index < cut ? tokens[index] : tokens.at(-1)) === '**'
}
