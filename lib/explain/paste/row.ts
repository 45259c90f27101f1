import { Buffer } from 'buffer'
import { swapped } from './words.ts'

/** The bytes of one line of a dump. */
export interface Row {
  readonly bytes: Buffer
  /** The number of bytes per group of digits. */
  readonly width: number
  /** True if the text beside the bytes proves their order, so that they can't be swapped words. */
  readonly isProved: boolean
  readonly hasText: boolean
  /** True if two spaces are between all bytes, as in od of BSD and macOS, and between decimal numbers of others. */
  readonly isWide: boolean
}

/**
 * The bytes of a line, provided nothing but their text follows them. Tools separate the text by more spaces than the bytes: by
 * two after an offset with a colon, otherwise by two and a sign, or by three.
 *
 * @param rest the line without its offset
 * @param hasColon true if a colon follows the offset
 * @param most the largest number of bytes. If that many are there, digits after two spaces are their text.
 */
export function readRow(rest: string, hasColon: boolean, most?: number): Row | undefined {
  const more = most === undefined ? '*' : `{0,${most - 1}}`
  const groups = new RegExp(`^[\\da-f]{2}(?: {0,${hasColon ? 1 : 2}}[\\da-f]{2})${more}(?= |$)`, 'i')
  const [whole] = groups.exec(rest) ?? []
  if (whole === undefined) return undefined
  const isWide = WIDE.test(whole)
  const hex = isWide || hasColumnsOfHex(whole) ? whole : withoutText(whole)
  if (hex === undefined) return undefined
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  const text = rest.slice(hex.length)
  const width = hex.search(/ |$/) / 2
  if (text.trim() === '') return { bytes, width, isProved: false, hasText: false, isWide }
  if (!isTextOf(text, bytes)) return undefined
  return {
    bytes,
    width,
    isProved: width === 1 || !isTextOf(text, swapped(bytes, width)),
    hasText: true,
    isWide,
  }
}

const WIDE = /^[\da-f]{2}(?: {2}[\da-f]{2})+$/i

/** The columns up to a wider gap with a larger group behind it, which is the beginning of a text of hex digits, if these are all. */
function withoutText(hex: string): string | undefined {
  const [first = ''] = hex.split(' ', 1)
  for (const { index, 1: group = '' } of hex.matchAll(/ {2}([\da-f]+)/gi))
    if (group.length > first.length) {
      const columns = hex.slice(0, index)
      return hasColumnsOfHex(columns) ? columns : undefined
    }
  return undefined
}

/**
 * True if there is at most one wider gap, in the middle, and no group is larger than the first. Decimal numbers in padded columns have
 * wider gaps everywhere, and a larger group may be the offset of another line.
 */
function hasColumnsOfHex(hex: string): boolean {
  const [first = '', ...groups] = hex.split(/ +/)
  if (groups.some((group) => group.length > first.length)) return false
  const gap = hex.indexOf('  ')
  return gap < 0 || (gap >= '00 00 00 00'.length && !hex.includes('  ', gap + 1))
}

/** The text between signs. Zephyr and UltraEdit write none after it. */
const BETWEEN_SIGNS = [/^\s+\|(.*)\|\s*$/, /^\s+>(.*)<\s*$/, /^\s+\|(.*)$/, /^\s+; (.*)$/]

/** True if this is the text of the bytes: printable ASCII as it is, and a dot for anything else and, in tcpdump, for a space. */
function isTextOf(text: string, bytes: Buffer): boolean {
  for (const pattern of BETWEEN_SIGNS) {
    const shown = pattern.exec(text)?.[1]
    if (shown !== undefined && isShown(shown, bytes)) return true
  }
  // Some of the spaces between the bytes and the text may belong to the text.
  const gap = text.length - text.trimStart().length
  const own = bytes.findIndex((byte) => byte !== 0x20)
  return [0, own].some((spaces) => gap - spaces >= 2 && isShown(text.slice(gap - spaces), bytes))
}

/** Some tools have a wider gap after eight bytes, and the same gap in the text. */
function isShown(text: string, bytes: Buffer): boolean {
  if (sameText(text.trimEnd(), bytes)) return true
  return (
    text[8] === ' ' && bytes.length > 8 && sameText(`${text.slice(0, 8)}${text.slice(9)}`.trimEnd(), bytes)
  )
}

function sameText(text: string, bytes: Buffer): boolean {
  if (text.length > bytes.length) return false
  return bytes.every((byte, i) => {
    const character = text[i] ?? ' '
    const isPrintable = byte >= 0x20 && byte < 0x7f
    const isDot = character === '.' && (!isPrintable || byte === 0x20)
    // Windows PowerShell and HxD show a character of their code page.
    const isOfCodePage = byte > 0x7f && /[?\x80-\uffff]/.test(character)
    return isDot || isOfCodePage || (isPrintable && character === String.fromCharCode(byte))
  })
}
