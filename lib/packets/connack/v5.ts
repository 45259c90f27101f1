import type { ConnectReasonCode } from '../../protocol/codes.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import type { Property } from '../properties.ts'
import { ConnackPacketBase, connackFacts } from './connack-packet.ts'

/**
 * The fields that an MQTT 5.0 CONNACK is built from.
 *
 * @example
 * const fields: v5.ConnackPacketFields = { sessionPresent: false, reasonCode: ConnectReasonCode.success }
 * new v5.ConnackPacket(fields).size // 5
 */
export interface ConnackPacketFields {
  /** True if the server has a session for this client. Only with reason code 0. Section 3.2.2.1.1. */
  readonly sessionPresent: boolean
  /** 0, or 0x80 to 0x9F: see `ConnectReasonCode`. Section 3.2.2.2. */
  readonly reasonCode: ConnectReasonCode
  /** The CONNACK properties, in order. Default none. Section 3.2.2.3. */
  readonly props?: readonly Property[] | undefined
}

/**
 * An MQTT 5.0 CONNACK. Backed by its encoded bytes; immutable unless you write to `bytes`.
 *
 * @example
 * socket.write(new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0 }).bytes)
 */
export class ConnackPacket extends ConnackPacketBase<
  ConnackPacketFields,
  'returnCode',
  typeof ProtocolVersion.v5
> {
  /** 0, or 0x80 to 0x9F: see `ConnectReasonCode`. Section 3.2.2.2. */
  get reasonCode(): ConnectReasonCode {
    return this.code as ConnectReasonCode
  }

  /** The CONNACK properties, in order, decoded on each call. They may contain authentication data, so don't log them. Section 3.2.2.3. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`. It may contain authentication data, so don't log it. */
  override toFields(): ConnackPacketFields {
    const { sessionPresent, reasonCode, props } = this
    return { sessionPresent, reasonCode, props }
  }
}

setFormat(ConnackPacket, (bytes) => new ConnackPacket(bytes, checked), connackFacts(v5))
