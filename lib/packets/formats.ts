import type { Format, FormatTable } from '../codec/context.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import type { Version } from '../protocol/version.ts'
import { type AuthPacket, authFormat } from './auth/v5.ts'
import { type ConnackPacket, connackFormats } from './connack/formats.ts'
import { type ConnectPacket, connectFormats } from './connect/formats.ts'
import { type DisconnectPacket, disconnectFormats } from './disconnect/formats.ts'

/** The packets whose fields are decoded. */
export type FieldPackets = ConnectPacket | ConnackPacket | AuthPacket | DisconnectPacket

/** `undefined` for versions without AUTH. A version that isn't listed doesn't compile. */
const authFormats: { readonly [Name in Version['name']]: Format<AuthPacket> | undefined } = {
  v3_1: undefined,
  v3_1_1: undefined,
  v5: authFormat,
}

/** The packet types that are decoded, by the high half of the first byte. All others become an `OpaquePacket`. */
export const formats: FormatTable<FieldPackets> = Object.assign(new Array(16).fill(undefined), {
  [ControlPacketType.connect >> 4]: connectFormats,
  [ControlPacketType.connack >> 4]: connackFormats,
  [ControlPacketType.disconnect >> 4]: disconnectFormats,
  [ControlPacketType.auth >> 4]: authFormats,
})
