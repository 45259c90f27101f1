import { Buffer } from 'buffer'

/** The possible separators between two bytes. A line has only one kind. */
const separators: readonly RegExp[] = [/[^\s]\s+[^\s]/, /:/, /-/, /;/]

export function tokensIn(text: string): string[] {
  return text.split(/[\s,:;-]+/).filter((token) => token !== '')
}

/** The tokens of each line that has any. */
export function rowsOf(lines: string): string[][] {
  return lines
    .split('\n')
    .map(tokensIn)
    .filter((row) => row.length > 0)
}

export function hexOf(tokens: readonly string[]): Buffer {
  return Buffer.from(tokens.join('').replaceAll('0x', ''), 'hex')
}

/**
 * True if the numbers of a line have the same sign between them or, without signs, the same spaces, or stand in columns. A number that has lost a digit
 * to a space or to a comma is still a number.
 */
export function areEven(line: string): boolean {
  const tokens = line.match(/\w+/g) ?? []
  const gaps = line.trim().split(/\w+/).slice(1, -1)
  const [first = ''] = gaps
  // Lists with commas are often formatted by hand, or in columns of different widths.
  if (first.trim() !== '' || gaps.every((gap) => gap === first))
    return gaps.every((gap) => gap.trim() === first.trim())
  const [left, right] = [0, 1].map((side) => gaps.map((gap, i) => gap.length + tokens[i + side]!.length))
  return (
    gaps.every((gap) => gap.trim() === '') &&
    [left!, right!].some((widths) => widths.every((width) => width === widths[0]))
  )
}

/** True if groups have different sizes, apart from shorter ones at the ends of rows: one may be an offset, or the text beside a row. */
export function haveSizes(rows: readonly (readonly string[])[]): boolean {
  const size = rows.reduce((most, [first]) => Math.max(most, first!.length), 0)
  const isOther = ({ length }: string, i: number, { length: count }: readonly string[]) =>
    length > size || (length < size && (count === 2 || (i > 0 && i < count - 1)))
  return !rows.flat().some(({ length }) => length % 2 === 1) && rows.some((row) => row.some(isOther))
}

/** True if a line ends in the text of its bytes, or in something else behind another sign. */
export function endsInOther(line: string): boolean {
  if (/[,:;-]/.test(line) && !areEven(line)) return true
  const [, hex, text] = /^(.*\S) {2,}(\S.*)$/.exec(line) ?? []
  return hex !== undefined && hexOf(tokensIn(hex)).toString('latin1') === text
}

/** True if a line has more than one kind of separator, as in `12:34:56 10 0c`. */
export function isMixed(lines: string): boolean {
  return lines.split('\n').some((line) => {
    const inner = line.replace(/[,:;-]\s*$|,/g, ' ').trim()
    return separators.filter((separator) => separator.test(inner)).length > 1
  })
}

/** True if each line begins with as many digits as an address, or more, and continues with single bytes. */
export function mayHaveAddress(lines: string): boolean {
  return lines
    .trim()
    .split('\n')
    .every((line) => /^\s*[\da-f]{6,16}\s+[\da-f]{2}(?:\s|$)/i.test(line))
}
