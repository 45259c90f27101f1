import type { Buffer } from 'buffer'
import { packetTypeOf } from '../../codec/fixed-header.ts'
import { controlPacketName } from '../../protocol/control-packet-type.ts'
import { readVariableByteInteger, variableByteIntegerEnd } from '../../wire/integers.ts'
import { holdsBytes } from './held-bytes.ts'
import { beginningsIn, directionOf, labelOf } from './log-line.ts'
import { beginsConnect } from './looks-like-packet.ts'
import { DAMAGED_HEX } from './whole-text.ts'

/** Logs are full of numbers, so bytes in a log must be packets, or hex that can't mean anything else. */
export function evidenceOf(bytes: Buffer, bodies: readonly string[], hasDirection: boolean): boolean {
  if (bytes.length < 2) return false
  // Ports, sizes and serial numbers are digits without spaces, too.
  if (bodies.every((body) => /^\s*[\da-f]+\s*$/i.test(body))) {
    return (
      bytes.length >= 4 && arePackets(bytes) && (hasDirection || bodies.some((body) => /[a-f]/i.test(body)))
    )
  }
  if (arePackets(bytes)) return true
  const tokens = bodies.join(' ').match(/[^\s,:]+/g) ?? []
  const isHex = tokens.some((token) => /[a-f]/i.test(token.replace(/^0x/, '')) || token.startsWith('0x'))
  const isPadded = tokens.some((token) => /^0\d$/.test(token))
  return (tokens.length >= 4 && isHex) || (hasDirection && (isHex || isPadded)) || bodies.some(isNotation)
}

/** True if a body is a string or an array, as opposed to mere digits. */
function isNotation(body: string): boolean {
  return /^\s*(?:<Buffer|b?["']|\\x)/.test(body)
}

/** True if the bytes are consecutive packets, of which the last may be cut off, or if they begin with a CONNECT. */
function arePackets(bytes: Buffer): boolean {
  if (beginsConnect(bytes)) return true
  let packets = 0
  for (let at = 0; at < bytes.length; packets++) {
    const end = variableByteIntegerEnd(bytes, at + 1, bytes.length)
    if (controlPacketName(packetTypeOf(bytes[at]!)) === undefined) return false
    if (end < 0) return packets > 0
    at = end + readVariableByteInteger(bytes, at + 1, end)
    if (at > bytes.length) return packets > 0
  }
  return packets > 0
}

/** A run of hex digits that is too long to be a number, maybe with wrong characters around it. */
const LONG_HEX = /[\da-f]{20}/i

/** True if a line of a log without readable bytes may stand for bytes, whatever the other lines have. */
export function mayStandForBytes(line: string): boolean {
  return LONG_HEX.test(line) || DAMAGED_HEX.test(line) || holdsBytes(line)
}

const OMITTED =
  /(?:(?:\d+|some|more|other|the|rest|of|lines?|rows?|bytes?|packets?|messages?)\W+)*(?:truncated|snip\w*|cut|clipped|omitted|skipped|elided|removed|left out)\b\W*$/
    .source

/** `…`, `[...]`, `... (3 more lines)`, `00 [truncated]`, `<2 lines omitted>`, `-- snip --`, `--8<--`, `--More--(50%)` */
export const OMISSION: RegExp = new RegExp(
  `^[\\da-f]{0,9}(?:[^\\w.…]*(?:\\.{3,}|…)[^\\w.]*(?:\\d+ (?:more|lines)\\b.*)?$|\\W*${OMITTED})|^-+ ?(?:more\\b|8<|✂)`,
  'i',
)

/** A body that is a string. */
export const STRING: RegExp = /^\s*(?:bytearray\()?b?["'`]/

/** Digits after a sign that are too many for a number. */
const LONG_NUMBER = /^\W*(?=\w*\d)[\da-fol]{8}/i
/** The beginning of a list of numbers. */
const LIST = /[[{<]\s*(?:0x|-)?[\da-f]{1,3}[\s,]+[\da-z]/i

/** True if a line names a sender, and has something like bytes after that. */
export function mayBeSide(line: string): boolean {
  const list = line.search(LIST)
  if (list >= 0 && directionOf(line.slice(0, list)) !== undefined) return true
  return beginningsIn(line).some(
    (at) => directionOf(line.slice(0, at)) !== undefined && LONG_NUMBER.test(line.slice(at)),
  )
}

/** The start of a string, which may be Python's `b'MQTT'`. */
const QUOTE = /(?<!\w)b?["'`]/g

/** The maximum number of strings in a line to try. */
const MOST_STRINGS = 12

/** True if a line has a string of bytes, or any string after the text that other lines have in front of theirs. */
export function mayBeString(line: string, labels: ReadonlySet<string>): boolean {
  const quotes = [...line.matchAll(QUOTE)]
  if (quotes.some(([quote]) => quote.startsWith('b'))) return true
  return quotes.slice(0, MOST_STRINGS).some(({ index }) => {
    const before = line.slice(0, index)
    return labels.has(labelOf(before)) || directionOf(before) !== undefined
  })
}

/** A byte with a wrong, a lost or an additional digit. */
export const DAMAGED: RegExp = /^(?=\D*\d)(?:0x)?[\da-z]{1,3}$/i

/** Fewer bytes may be a time or a version. */
const FEWEST_BYTES = 4

/** `4d M`. Beside other characters, such as `63 c`, the character passes for a byte. */
const BYTE_AND_CHARACTER = /^(?:0x)?[\da-f]{2}\s+(?:\S|\|.\|)[,;]?$/i

/** The bracket before the first number of an array. */
const BRACKET = /[[{<](?=\s*(?:0x|-)?[\da-f]{1,3}\s*[,\]}>\s])/i

/** The text up to the bracket of an array, without its numbers and spaces. */
export function openingOf(text: string): string | undefined {
  const at = text.search(BRACKET)
  return at < 0 ? undefined : labelOf(text.slice(0, at + 1)).replaceAll(' ', '')
}

/**
 * True if a line begins like one with bytes, but continues with damaged bytes, a character or an unreadable array.
 *
 * @param labels the beginnings of lines with bytes
 * @param brackets the beginnings of lines with an array, each with its bracket
 * @param haveDirections true if lines with bytes name their sender
 */
export function isDamaged(
  line: string,
  labels: ReadonlySet<string>,
  brackets: ReadonlySet<string | undefined>,
  haveDirections: boolean,
): boolean {
  const opening = openingOf(line)
  if (opening !== undefined && brackets.has(opening)) return true
  return beginningsIn(line).some((at) => {
    const label = labelOf(line.slice(0, at))
    const body = line.slice(at).trim().replace(/[,;]$/, '')
    if (body === '' || !(labels.has(label) || (haveDirections && directionOf(label) !== undefined)))
      return false
    const tokens = body.split(/[\s,;:_-]+/).filter((token) => token !== '')
    return (
      BYTE_AND_CHARACTER.test(body) ||
      (tokens.length > 0 && tokens.every((token) => DAMAGED.test(token))) ||
      tokens.filter((token) => /^(?:0x)?[\da-f]{2}$/i.test(token)).length >= FEWEST_BYTES
    )
  })
}
