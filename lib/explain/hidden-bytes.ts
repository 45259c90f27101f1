import type { ExplanationRow } from './rows.ts'

/** Whether a row has a secret, and not only what may be one because a length is wrong. */
export function isSecret({ field }: ExplanationRow): boolean {
  return /^password$|authenticationData$/.test(field)
}

/**
 * Which bytes of a row are hidden, by their index in the row. The hex of a long row has only its first and its last bytes: those
 * between them are hidden if the last ones are.
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
