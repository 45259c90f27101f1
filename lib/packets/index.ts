/*
 * Packets without streams. There is no `node:` import, so browsers can load a single bundle that needs nothing else.
 */

// Bytes to packets, without streams.

export { type DecodeOptions, decode, type PacketVariant, type ReadOptions } from './decode.ts'
export { PacketParser } from './packet-parser.ts'
export type { PacketParserOptions } from './parser-options.ts'

// Packets, and the types that they're built from.

export type { ConnackPacket } from './connack/any-version.ts'
export type { ConnectPacket } from './connect/any-version.ts'
export type { DisconnectPacket } from './disconnect/any-version.ts'
export type { EncodedPacket } from './encoded-packet.ts'
export { OpaquePacket } from './opaque-packet.ts'
export { type Property, type PropertyValue, property } from './properties.ts'
/**
 * The packets of MQTT 3.1.
 *
 * @example
 * const packet = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'one' })
 * `${packet}` // 'v3_1::connect{cid:one,ka:60,cs:1}'
 */
export * as v3_1 from './v3_1.ts'
/**
 * The packets of MQTT 3.1.1.
 *
 * @example
 * const packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'one' })
 * `${packet}` // 'v3_1_1::connect{cid:one,ka:60,cs:1}'
 */
export * as v3_1_1 from './v3_1_1.ts'
/**
 * The packets of MQTT 5.0.
 *
 * @example
 * const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'one' })
 * `${packet}` // 'v5::connect{cid:one,ka:60,cs:1}'
 */
export * as v5 from './v5.ts'
export { type QoS, Will, type WillFields } from './will.ts'

// Answering.

export { type ConnackOptions, connack } from './connack/answer.ts'
export { type DisconnectOptions, disconnect } from './disconnect/answer.ts'

// Errors, and the numbers of the standards.

export type { ErrorCode, RelaxableCode } from '../errors/error-table.ts'
export type { ForeignProtocol } from '../errors/fault.ts'
export { MqttError } from '../errors/mqtt-error.ts'
export {
  AuthReasonCode,
  ConnectReasonCode,
  ConnectReturnCode,
  DisconnectReasonCode,
  reasonCodeName,
} from '../protocol/codes.ts'
export { ControlPacketType } from '../protocol/control-packet-type.ts'
export { PropertyId, propertyName } from '../protocol/property-table.ts'
export { ProtocolVersion } from '../protocol/version.ts'

// async_mqtt's names for decode.

export { bufferToBasicPacketVariant, bufferToPacketVariant } from './decode.ts'
