import type { Buffer } from 'buffer'
import { encode } from '../codec/encode.ts'
import type { FieldPacket } from '../packets/field-packet.ts'

/** A class of packets that are built from these fields. */
export interface PacketClass<Fields extends object> {
  readonly prototype: FieldPacket & { toFields(): Fields }
}

/** The same fields with any number where only some are valid, such as a QoS of 3. */
export type Unchecked<Value> = Value extends number
  ? number
  : Value extends string | boolean | Uint8Array | undefined
    ? Value
    : { readonly [Key in keyof Value]: Unchecked<Value[Key]> }

/**
 * The bytes that the constructor of this class would check, unchecked: for tests that send invalid packets on purpose. A lone
 * surrogate is written as its three bytes, and of a property whose identifier is unknown only the identifier.
 *
 * @throws TypeError, RangeError as the constructor, for fields that cannot be written: a wrong type, an unknown name, or a
 *   number or a length that doesn't fit its place in the packet
 * @example
 * encodeUnchecked(v5.ConnectPacket, { cleanStart: true, keepAlive: 60, clientId: 'a\0' }).length // 17
 */
export function encodeUnchecked<Fields extends object>(
  Packet: PacketClass<Fields>,
  fields: Unchecked<Fields>,
): Buffer {
  return encode(Packet.prototype.format, fields)
}
