import { Buffer } from 'buffer'
import { bytesFromArray } from './arrays.ts'
import { LACKS_TEXT, lacksText, rowsOfDump } from './dumps.ts'
import { type Part, type Readings, readingsOfParts } from './paste.ts'
import { unreadable } from './unreadable.ts'

const FORM = "Wireshark's Follow Stream"

/** A line of the hex dump. The second side's lines are indented. */
const DUMP_LINE = /^(\t| {4})?([\da-f]{8} {2}[\da-f]{2}(?: .*)?)$/i
const RAW_LINE = /^(\t?)((?:[\da-f]{2})+)\s*$/
const C_ARRAY = /char peer([01])_(\d+)\[\] = (\{[^{}]*\});?/g

/** The lines that tshark writes around the bytes. */
const AROUND = /^(?:=+|Follow: .*|Filter: .*|Node \d: .*:\d{1,5})\s*$/

/** True if the text is the output of *Follow Stream*, with two sides or with the lines around it. */
export function isFollowed(text: string): boolean {
  return (
    /^Follow: tcp,(?:hex|raw)/m.test(text) ||
    /\bchar peer[01]_\d+\[\] = \{/.test(text) ||
    (/^[\da-f]{8} {2}[\da-f]{2} /m.test(text) && /^(?:\t| {4})00000000 {2}[\da-f]{2} /m.test(text))
  )
}

/** The bytes of both sides of a connection, as Wireshark and tshark show them. */
export function readFollowed(text: string): Readings | undefined {
  if (/\bchar peer[01]_/.test(text)) return readArrays(text)
  const isRaw = /^Follow: tcp,raw/m.test(text)
  const lines = text.split('\n')
  const shown: { isSecond: boolean; line: string }[] = []
  let around = 0
  let start = 0
  for (const line of lines) {
    const [, indent, rest] = (isRaw ? RAW_LINE : DUMP_LINE).exec(line) ?? []
    if (rest !== undefined) shown.push({ isSecond: (indent ?? '') !== '', line: rest })
    else if (AROUND.test(line)) around++
    else if (line.trim() !== '') throw unreadable('a line is not one of Follow Stream', start)
    start += line.length + 1
  }
  const ignored = around > 0 ? ['the lines around the bytes'] : []
  if (shown.length === 0) return undefined
  if (lines.filter((line) => line.startsWith('Follow: ')).length > 1)
    throw unreadable('it has more than one connection')
  if (isRaw) {
    // Only tabs tell the sides apart, and many programs lose them.
    if (shown.length > 1 && !shown.some(({ isSecond }) => isSecond))
      throw unreadable('its lines have lost the tabs in front of the second side, or all are of one side')
    const parts = shown.map(({ isSecond, line }) => ({
      direction: directionOf(isSecond),
      bytes: Buffer.from(line, 'hex'),
    }))
    return readingsOfParts(FORM, parts, ignored)
  }
  // Each side's offsets count its own bytes.
  const rows = [false, true].map((side) => {
    const own = shown.filter(({ isSecond }) => isSecond === side).map(({ line }) => line)
    return own.length === 0 ? [] : (rowsOfDump(own.join('\n'), 16) ?? [])
  })
  const used = [0, 0]
  const parts = shown.map(({ isSecond }): Part => {
    const side = isSecond ? 1 : 0
    const row = rows[side]![used[side]!++]
    if (row === undefined) throw unreadable('it is not a dump of Follow Stream')
    return { direction: directionOf(isSecond), bytes: row.bytes }
  })
  // If the selection ended in a row, its bytes may have lost their end, too. tshark draws a line below the last row.
  const isCut = rows.flat().some(lacksText)
  if (isCut) ignored.push(LACKS_TEXT)
  return readingsOfParts(FORM, parts, ignored, !isCut && (around === 0 || /=\s*$/.test(text)))
}

/** The bytes as C arrays, which are numbered from 0 for each side. */
function readArrays(text: string): Readings {
  const next = [0, 0]
  const arrays = Array.from(text.matchAll(C_ARRAY), ({ 1: peer, 2: number, 3: list = '', index }) => {
    const side = Number(peer)
    const bytes = bytesFromArray(list)
    if (bytes === undefined) throw unreadable('an array of Follow Stream is not bytes', index)
    if (Number(number) !== next[side]!++) throw unreadable('an array of Follow Stream is missing', index)
    return { direction: directionOf(side === 1), bytes }
  })
  if (/\S/.test(text.replace(C_ARRAY, ''))) throw unreadable('it has a part of an array, or more than arrays')
  return readingsOfParts(FORM, arrays, [])
}

function directionOf(isSecond: boolean): Part['direction'] {
  return isSecond ? 'received' : 'sent'
}
