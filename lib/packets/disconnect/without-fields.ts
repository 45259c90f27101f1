import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { FieldPacket } from '../field-packet.ts'

/** What DISCONNECT has before MQTT 5.0: nothing after the fixed header. */
export abstract class DisconnectWithoutFields extends FieldPacket {
  /** `ControlPacketType.disconnect` */
  static readonly type: typeof ControlPacketType.disconnect = ControlPacketType.disconnect

  override get type(): typeof ControlPacketType.disconnect {
    return ControlPacketType.disconnect
  }

  /** The text form: `v3_1_1::disconnect{}`. */
  override toString(): string {
    return `${this.format.version.name}::disconnect{}`
  }

  /** The protocol version: there are no fields. */
  override toJSON(): object {
    return { protocolVersion: this.protocolVersion }
  }
}
