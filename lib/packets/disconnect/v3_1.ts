import { type ProtocolVersion, v3_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import { DisconnectWithoutFields, factsWithoutFields } from './without-fields.ts'

/**
 * The fields that an MQTT 3.1 DISCONNECT is built from: none.
 *
 * @example
 * const fields: v3_1.DisconnectPacketFields = {}
 * new v3_1.DisconnectPacket(fields).size // 2
 */
export type DisconnectPacketFields = Readonly<Record<never, never>>

/**
 * An MQTT 3.1 DISCONNECT, the last packet of a client. Backed by its encoded bytes; immutable unless you write to `bytes`.
 *
 * @example
 * socket.end(new v3_1.DisconnectPacket().bytes)
 */
export class DisconnectPacket extends DisconnectWithoutFields<
  DisconnectPacketFields,
  typeof ProtocolVersion.v3_1
> {}

setFormat(DisconnectPacket, (bytes) => new DisconnectPacket(bytes, checked), factsWithoutFields(v3_1))
