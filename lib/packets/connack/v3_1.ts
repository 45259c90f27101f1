import type { ConnectReturnCode } from '../../protocol/codes.ts'
import { type ProtocolVersion, v3_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import { ConnackWithReturnCode, connackFacts } from './connack-packet.ts'

/**
 * The fields that an MQTT 3.1 CONNACK is built from.
 *
 * @example
 * const fields: v3_1.ConnackPacketFields = { returnCode: ConnectReturnCode.accepted }
 * new v3_1.ConnackPacket(fields).size // 4
 */
export interface ConnackPacketFields {
  /** Always false, because MQTT 3.1 has a reserved byte here. Default false. */
  readonly sessionPresent?: false | undefined
  /** 0 to 5: see `ConnectReturnCode`. Section 3.2. */
  readonly returnCode: ConnectReturnCode
}

/**
 * An MQTT 3.1 CONNACK. Backed by its encoded bytes; immutable unless you write to `bytes`.
 *
 * @example
 * socket.write(new v3_1.ConnackPacket({ returnCode: 0 }).bytes)
 */
export class ConnackPacket extends ConnackWithReturnCode<ConnackPacketFields, typeof ProtocolVersion.v3_1> {
  /** Always false, because MQTT 3.1 has no such flag. */
  override get sessionPresent(): false {
    return false
  }
}

setFormat(ConnackPacket, (bytes) => new ConnackPacket(bytes, checked), connackFacts(v3_1))
