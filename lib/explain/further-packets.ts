import { Buffer } from 'buffer'
import { leftOverField } from '../codec/fields.ts'
import { packetTypeFault, packetTypeOf } from '../codec/fixed-header.ts'
import { policyOf } from '../packets/decode.ts'
import { controlPacketName } from '../protocol/control-packet-type.ts'
import { readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import type { ExplanationRow } from './rows.ts'
import { hexText, UNREADABLE } from './value-text.ts'

/** The maximum number of packets to explain, apart from the first invalid one after them. All others share one row. */
export const MOST_PACKETS = 1_000

const anyVersion = policyOf({})

/**
 * The index after the packet at `start`, according to its Remaining Length. A packet that is cut short or has no valid fixed
 * header takes all remaining bytes.
 */
export function frameEnd(bytes: Buffer, start: number): number {
  const { length } = bytes
  if (packetTypeFault(anyVersion, bytes, start, length) !== undefined) return length
  const bodyAt = variableByteIntegerEnd(bytes, start + 1, length)
  return bodyAt < 0 ? length : Math.min(bodyAt + readVariableByteInteger(bytes, start + 1, bodyAt), length)
}

/** True if the first byte can begin a packet. */
export function beginsPacket(bytes: Buffer): boolean {
  return packetTypeFault(anyVersion, bytes, 0, bytes.length) === undefined
}

/** The index after each packet from `start` on, up to the first one that is cut short or has no valid fixed header. */
export function* packetEnds(bytes: Buffer, start: number): Generator<number> {
  let at = start
  while (at < bytes.length) {
    if (packetTypeFault(anyVersion, bytes, at, bytes.length) !== undefined) return
    const bodyAt = variableByteIntegerEnd(bytes, at + 1, bytes.length)
    if (bodyAt < 0) return
    at = bodyAt + readVariableByteInteger(bytes, at + 1, bodyAt)
    if (at > bytes.length) return
    yield at
  }
}

/** The index after the last whole packet, or `start` if there is none. */
export function lastEnd(bytes: Buffer, start: number): number {
  let last = start
  for (const end of packetEnds(bytes, start)) last = end
  return last
}

/** True if the bytes from `start` on are packets with valid fixed headers, and the last one ends where the bytes end. */
export function chains(bytes: Buffer, start: number): boolean {
  return lastEnd(bytes, start) === bytes.length
}

/** True if the bytes are packets only with a space in front of them, which begins a CONNACK. Copying a text easily loses it. */
export function lackSpace(bytes: Buffer): boolean {
  return !chains(bytes, 0) && chains(Buffer.concat([Buffer.of(0x20), bytes]), 0)
}

/** True if the bytes are packets, of which the last one is cut short. */
export function areCut(bytes: Buffer): boolean {
  const last = lastEnd(bytes, 0)
  return last < bytes.length && beginsPacket(bytes.subarray(last))
}

/** The row for the packets from `start` to `end` that are not explained. */
export function restRow(bytes: Buffer, start: number, end: number, secrets: boolean): ExplanationRow {
  const length = end - start
  const hex = hexText(bytes.subarray(start, end), secrets ? length : 0)
  const value = countOf(bytes.subarray(start, end))
  return { offset: start, length, field: leftOverField.name, hex, value, clause: '' }
}

/** The row for bytes from one on that can't be read. */
export function unreadRow(tokens: readonly string[], offset: number, secrets: boolean): ExplanationRow {
  const { length } = tokens
  const shown = tokens.map((token) => (secrets || token === UNREADABLE ? token : '**'))
  const hex = length > 32 ? [...shown.slice(0, 24), '…', ...shown.slice(-7)] : shown
  const value = `not interpreted: ${UNREADABLE} is not readable`
  return { offset, length, field: 'notRead', hex: hex.join(' '), value, clause: '', fault: true }
}

/** `3 more packets: 2 PUBLISH, PINGREQ` */
function countOf(bytes: Buffer): string {
  const names = new Map<string, number>()
  let packets = 0
  for (let at = 0; at < bytes.length; at = frameEnd(bytes, at)) {
    const name = controlPacketName(packetTypeOf(bytes[at]!)) ?? 'not a packet'
    names.set(name, (names.get(name) ?? 0) + 1)
    packets++
  }
  const list = Array.from(names, ([name, times]) => (times === 1 ? name : `${times} ${name}`)).join(', ')
  return `${packets} more ${packets === 1 ? 'packet' : 'packets'}: ${list}`
}
