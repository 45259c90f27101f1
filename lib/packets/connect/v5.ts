import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import type { Property } from '../properties.ts'
import { connectFacts, type SharedFields } from './connect-fields.ts'
import { ConnectPacketBase } from './connect-packet.ts'

/**
 * The fields that an MQTT 5.0 CONNECT is built from.
 *
 * @example
 * const fields: v5.ConnectPacketFields = { cleanStart: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v5.ConnectPacket(fields).size // 26
 */
export interface ConnectPacketFields extends SharedFields {
  /** True if the server should discard any earlier session. Section 3.1.2.4. */
  readonly cleanStart: boolean
  /** The client identifier, 0 to 65,535 bytes of UTF-8. If it's empty, the server assigns one. Section 3.1.3.1. */
  readonly clientId: string
  /** The CONNECT properties, in order. Default none. Section 3.1.2.11. */
  readonly props?: readonly Property[] | undefined
}

/**
 * An MQTT 5.0 CONNECT. Backed by its encoded bytes; immutable unless you write to `bytes`.
 *
 * @example
 * const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'sensor-0042' })
 * socket.write(packet.bytes)
 */
export class ConnectPacket extends ConnectPacketBase<
  ConnectPacketFields,
  'cleanSession' | 'bridge',
  typeof ProtocolVersion.v5
> {
  /** True if the server should discard any earlier session. Section 3.1.2.4. */
  get cleanStart(): boolean {
    return this.clean
  }

  /** The CONNECT properties, in order, decoded on each call. They may contain authentication data, so don't log them. Section 3.1.2.11. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`, without absent fields. It contains the password, so don't log it. */
  override toFields(): ConnectPacketFields {
    return { cleanStart: this.cleanStart, ...this.sharedFields(), props: this.props }
  }
}

setFormat(ConnectPacket, (bytes) => new ConnectPacket(bytes, checked), connectFacts(v5))
