import type { Buffer } from 'buffer'
import type { Format } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { type ProtocolVersion, v3_1_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { DisconnectWithoutFields, formatWithoutFields } from './without-fields.ts'

/**
 * The fields that an MQTT 3.1.1 DISCONNECT is built from: none.
 *
 * @example
 * const fields: v3_1_1.DisconnectPacketFields = {}
 * new v3_1_1.DisconnectPacket(fields).size // 2
 */
export type DisconnectPacketFields = Readonly<Record<never, never>>

/** An MQTT 3.1.1 DISCONNECT, the last packet of a client. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class DisconnectPacket extends DisconnectWithoutFields<
  DisconnectPacketFields,
  typeof ProtocolVersion.v3_1_1
> {
  /**
   * @throws TypeError `ERR_INVALID_ARG_VALUE` if there is a field: this packet has none
   * @example
   * socket.end(new v3_1_1.DisconnectPacket().bytes)
   */
  constructor(fields?: DisconnectPacketFields)
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: DisconnectPacketFields | Buffer = {}, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(disconnectFormat, from))
  }

  /** @internal */
  override get format(): Format {
    return disconnectFormat
  }
}

export const disconnectFormat: Format<DisconnectPacket> = formatWithoutFields(
  v3_1_1,
  (bytes) => new DisconnectPacket(bytes, checked),
)
