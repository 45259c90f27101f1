/*
 * The packets without the streams: no `node:` import, so a browser bundle needs nothing but `buffer`.
 */

export type { ErrorCode, RelaxableCode } from '../errors/error-table.ts'
export type { ForeignProtocol } from '../errors/fault.ts'
export { MqttError } from '../errors/mqtt-error.ts'
export { ConnectReasonCode, ConnectReturnCode } from '../protocol/connect-codes.ts'
export { ControlPacketType } from '../protocol/control-packet-type.ts'
export { PropertyId, propertyName } from '../protocol/property-table.ts'
export { ProtocolVersion } from '../protocol/version.ts'
export { type ConnackOptions, connack } from './connack/answer.ts'
export type { ConnackPacket } from './connack/decode-connack.ts'
export type { ConnectPacket } from './connect/decode-connect.ts'
export {
  bufferToBasicPacketVariant,
  bufferToPacketVariant,
  type DecodeOptions,
  decode,
  type PacketVariant,
  type ReadOptions,
} from './decode.ts'
export type { EncodedPacket } from './encoded-packet.ts'
export type { Changes, FieldPacket } from './field-packet.ts'
export { OpaquePacket, type PacketIdBytes } from './opaque-packet.ts'
export { type NoOptions, PacketParser, type PacketParserOptions, type ParsedPacket } from './packet-parser.ts'
export {
  type Property,
  type PropertyFactories,
  type PropertyValue,
  property,
  type SinglePropertyId,
} from './properties/properties.ts'
export * as v3_1 from './v3_1.ts'
export * as v3_1_1 from './v3_1_1.ts'
export * as v5 from './v5.ts'
export { type QoS, Will, type WillFields } from './will.ts'
