import type { Buffer } from 'buffer'
import { packetTypeOf } from '../packets/fixed-header.ts'
import { LONGEST_LIST } from '../packets/text.ts'
import { controlPacketName } from '../protocol/control-packet-type.ts'
import { leftOverField } from '../wire/fields.ts'
import { readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import type { ExplanationRow } from './rows.ts'
import { count, hexText } from './values.ts'

/** The packets after the first: a row for each of the first hundred, and one sentence that names and counts all. */
export function furtherPackets(
  bytes: Buffer,
  start: number,
  secrets: boolean,
): { rows: ExplanationRow[]; text: string } {
  const rows: ExplanationRow[] = []
  const names = new Map<string, number>()
  let packets = 0
  let at = start
  let moreAt = start
  while (at < bytes.length) {
    const name = controlPacketName(packetTypeOf(bytes[at]!))
    const end = name === undefined ? bytes.length : packetEnd(bytes, at)
    const length = count(end - at)
    const value = name === undefined ? `${length}, not a packet` : `${name}, ${length}`
    if (rows.length < LONGEST_LIST) {
      rows.push(row(bytes, at, end, value, secrets))
      moreAt = end
    }
    const known = name ?? 'bytes that are not a packet'
    names.set(known, (names.get(known) ?? 0) + 1)
    if (name !== undefined) packets++
    at = end
  }
  if (moreAt < bytes.length) {
    rows.push(row(bytes, moreAt, bytes.length, `${packets - rows.length} more packets`, secrets))
  }
  const list = Array.from(names, ([name, times]) => (times === 1 ? name : `${times} ${name}`)).join(', ')
  return { rows, text: `${packets} more ${packets === 1 ? 'packet' : 'packets'}: ${list}` }
}

/** Where the packet at `at` ends, or the bytes do. */
function packetEnd(bytes: Buffer, at: number): number {
  const start = variableByteIntegerEnd(bytes, at + 1, bytes.length)
  if (start < 0) return bytes.length
  return Math.min(start + readVariableByteInteger(bytes, at + 1, start), bytes.length)
}

function row(bytes: Buffer, start: number, end: number, value: string, secrets: boolean): ExplanationRow {
  const length = end - start
  const hex = hexText(bytes.subarray(start, end), secrets ? length : 0)
  return { offset: start, length, field: leftOverField.name, hex, value, clause: '' }
}
