import type { Buffer } from 'buffer'
import { packetTypeOf } from '../packets/fixed-header.ts'
import { LONGEST_LIST } from '../packets/text.ts'
import { controlPacketName } from '../protocol/control-packet-type.ts'
import { leftOverField } from '../wire/fields.ts'
import { readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import type { ExplanationRow } from './rows.ts'
import { count, hexText } from './value-text.ts'

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
    const size = name === undefined ? bytes.length - at : packetSize(bytes, at)
    const end = Math.min(at + size, bytes.length)
    const length = `${count(end - at)}${at + size > end ? ', cut short' : ''}`
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
  if (packets === 0) return { rows, text: list }
  return { rows, text: `${packets} more ${packets === 1 ? 'packet' : 'packets'}: ${list}` }
}

/** The size of the packet at `at`, which may be more bytes than there are. */
function packetSize(bytes: Buffer, at: number): number {
  const start = variableByteIntegerEnd(bytes, at + 1, bytes.length)
  return start < 0 ? Number.POSITIVE_INFINITY : start - at + readVariableByteInteger(bytes, at + 1, start)
}

function row(bytes: Buffer, start: number, end: number, value: string, secrets: boolean): ExplanationRow {
  const length = end - start
  const hex = hexText(bytes.subarray(start, end), secrets ? length : 0)
  return { offset: start, length, field: leftOverField.name, hex, value, clause: '' }
}
