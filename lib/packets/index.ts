/*
 * The packets without the streams: no `node:` import, so that a browser bundle needs nothing but `buffer`.
 */

export type { ErrorCode, RelaxableCode } from '../errors/error-table.ts'
export type { ForeignProtocol } from '../errors/fault.ts'
export { MqttError } from '../errors/mqtt-error.ts'
export { ConnectReasonCode, ConnectReturnCode } from '../protocol/connect-codes.ts'
export { ControlPacketType } from '../protocol/control-packet-type.ts'
export { PropertyId } from '../protocol/property-table.ts'
export { ProtocolVersion } from '../protocol/protocol-version.ts'
export { OpaquePacket, type PacketIdBytes } from './opaque-packet.ts'
export {
  type BasicDecodeOptions,
  bufferToBasicPacketVariant,
  bufferToPacketVariant,
  type ConnectPacket,
  type DecodeOptions,
  type PacketVariant,
} from './packet-variant.ts'
export { type Property, property } from './properties.ts'
export * as v3_1_1 from './v3_1_1/index.ts'
export * as v5 from './v5/index.ts'
export { type QoS, Will, type WillFields } from './will.ts'
