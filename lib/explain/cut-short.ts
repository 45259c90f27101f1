import type { Buffer } from 'buffer'
import type { ErrorCode } from '../errors/error-table.ts'
import { Fault } from '../errors/fault.ts'
import { connectFlagsField, has, passwordField } from '../packets/connect/layouts.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { readTwoByteInteger, readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import type { ObservedField } from './observed-fields.ts'

/** The errors of a field that has arrived only partly. */
const pastEnd: ReadonlySet<ErrorCode> = new Set(['packet-incomplete', 'field-past-end', 'property-past-end'])

/**
 * True if an incomplete packet is valid as far as it goes: the bytes end within or before a field that fits in the rest of the
 * packet. Otherwise a length is wrong, so no field may be what it seems. If the bytes end exactly between two fields, the sender may
 * have left out an earlier field, so the last one could be the password.
 *
 * @param more the result of continuing after the fixed header
 */
export function isOnlyCutShort(bytes: Buffer, fields: readonly ObservedField[], more: unknown): boolean {
  if (!(more instanceof Fault) || !pastEnd.has(more.code)) return false
  const bodyAt = variableByteIntegerEnd(bytes, 1, bytes.length)
  if (bodyAt < 0) return true
  const packetEnd = bodyAt + readVariableByteInteger(bytes, 1, bodyAt)
  let listEnd = packetEnd
  for (const { field, start, content, end, property } of fields) {
    if (Object.hasOwn(field, 'rules') && variableByteIntegerEnd(bytes, start, end) > 0) {
      listEnd = end + readVariableByteInteger(bytes, start, end)
      if (listEnd > packetEnd) return false
    }
    const limit = property === undefined ? packetEnd : listEnd
    if (content - start !== 2) continue
    const fieldEnd = content + readTwoByteInteger(bytes, start)
    // The password is the last field, so it ends with the packet.
    if (fieldEnd > limit || (field === passwordField && fieldEnd < packetEnd)) return false
  }
  // A list whose end has arrived can't be cut short.
  if (more.code === 'property-past-end' && listEnd <= bytes.length) return false
  const last = fields.at(-1)
  const isBetween = last?.start === bytes.length || last?.field === passwordField
  return !isBetween || !lacksPassword(bytes, fields)
}

/** True if the connect flags announce a password, but the bytes end before its content. An earlier field may then contain it. */
export function lacksPassword(bytes: Buffer, fields: readonly ObservedField[]): boolean {
  const flags = fields.find(({ field }) => field === connectFlagsField)
  if (flags === undefined || !has(bytes[flags.start] ?? 0, ConnectFlag.password)) return false
  return !fields.some(({ field, start, content }) => field === passwordField && content - start === 2)
}
