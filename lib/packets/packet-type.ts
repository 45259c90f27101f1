import type { Buffer } from 'buffer'
import type { Fault } from '../errors/fault.ts'
import type { Version } from '../protocol/version.ts'
import type { Rules } from '../wire/check.ts'

/** What there is for one packet type that is decoded. */
export interface PacketType<Packet> {
  /**
   * What the bytes of exactly one packet are, or what is wrong with them. `undefined` if that takes more than the rules say: then
   * it is an `OpaquePacket`.
   */
  decode(bytes: Buffer, rules: Rules): Packet | Fault | undefined
  /** The same from the variable header on, whatever the Remaining Length says. */
  decodeBody(bytes: Buffer, rules: Rules, start: number): Packet | Fault | undefined
  /** Whether the lengths in a packet that may be invalid fit together. */
  lengthsFit(bytes: Buffer, version: Version): boolean
}
