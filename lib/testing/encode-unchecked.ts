import type { Buffer } from 'buffer'
import { hasMembers, isRevoked, wrongType } from '../errors/misuse.ts'
import type { FieldPacket } from '../packets/field-packet.ts'

/** A class of packets that are built from these fields. */
export interface PacketClass<Fields extends object> {
  readonly prototype: FieldPacket & { toFields(): Fields }
}

/** The same fields, with any number where only some are valid, such as a QoS of 3. */
export type Unchecked<Value> = Value extends number
  ? number
  : Value extends string | boolean | Uint8Array | undefined
    ? Value
    : { readonly [Key in keyof Value]: Unchecked<Value[Key]> }

/**
 * Encodes fields without the check that the class's constructor would run, for tests that send invalid packets on purpose. A lone
 * surrogate is written as its three bytes, and a property with an unknown identifier is written as the identifier only.
 *
 * @throws TypeError, RangeError the same errors as the constructor for fields that can't be written: a wrong type, an unknown
 *   name, or a number or a length that doesn't fit its place in the packet
 * @example
 * encodeUnchecked(v5.ConnectPacket, { cleanStart: true, keepAlive: 60, clientId: 'a\0' }).length // 17
 */
export function encodeUnchecked<Fields extends object>(
  Packet: PacketClass<Fields>,
  fields: Unchecked<Fields>,
): Buffer {
  // In browsers, `./packets` has its own copy of the classes, so a class is recognised by its format.
  const prototype = isRevoked(Packet) ? undefined : (Packet as Partial<typeof Packet> | null)?.prototype
  const format = isRevoked(prototype) ? undefined : prototype?.format
  if (!hasMembers(format, ['read'])) throw wrongType('Packet', 'a class of packets', Packet)
  return prototype!.encode(fields)
}
