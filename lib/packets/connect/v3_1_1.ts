import { type ProtocolVersion, v3_1_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import { connectFacts, type SessionFields } from './connect-fields.ts'
import { ConnectPacketWithSession } from './connect-packet.ts'

/**
 * The fields that an MQTT 3.1.1 CONNECT is built from.
 *
 * @example
 * const fields: v3_1_1.ConnectPacketFields = { cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v3_1_1.ConnectPacket(fields).size // 25
 */
export interface ConnectPacketFields extends SessionFields {
  /** The client identifier, 0 to 65,535 bytes of UTF-8; empty only with `cleanSession`. Section 3.1.3.1. */
  readonly clientId: string
}

/**
 * An MQTT 3.1.1 CONNECT. Backed by its encoded bytes; immutable unless you write to `bytes`.
 *
 * @example
 * const packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' })
 * socket.write(packet.bytes)
 */
export class ConnectPacket extends ConnectPacketWithSession<
  ConnectPacketFields,
  typeof ProtocolVersion.v3_1_1
> {}

setFormat(ConnectPacket, (bytes) => new ConnectPacket(bytes, checked), connectFacts(v3_1_1))
