/*
 * The public API.
 */

// Bytes to packets, without streams.

export {
  type DecodeOptions,
  decode,
  PacketParser,
  type PacketParserOptions,
  type PacketVariant,
  type ReadOptions,
} from './packets/index.ts'

// Packets, and the types that they're built from.

export {
  type ConnackPacket,
  type ConnectPacket,
  type DisconnectPacket,
  type EncodedPacket,
  OpaquePacket,
  type Property,
  type PropertyValue,
  property,
  type QoS,
  v3_1,
  v3_1_1,
  v5,
  Will,
  type WillFields,
} from './packets/index.ts'

// Node streams.

export {
  ConnectEncoder,
  type ConnectEncoderOptions,
  type DecodedPacket,
  type Forwarded,
  forward,
  PacketDecoder,
  type PacketDecoderOptions,
  type ReadConnackOptions,
  type ReadPacketOptions,
  readConnack,
  readConnect,
  readPacket,
} from './streams/index.ts'

// Answering.

export { type ConnackOptions, connack, type DisconnectOptions, disconnect } from './packets/index.ts'
export { type RefuseOptions, refuse } from './streams/index.ts'

// Explaining.

export {
  bytesFromText,
  type Diagnosis,
  diagnose,
  type ExplainOptions,
  type Explanation,
  type ExplanationRow,
  explain,
  type PacketExplanation,
} from './explain/index.ts'

// Errors, and the numbers of the standards.

export {
  AuthReasonCode,
  ConnectReasonCode,
  ConnectReturnCode,
  ControlPacketType,
  DisconnectReasonCode,
  type ErrorCode,
  type ForeignProtocol,
  MqttError,
  PropertyId,
  ProtocolVersion,
  propertyName,
  type RelaxableCode,
  reasonCodeName,
} from './packets/index.ts'

// async_mqtt's names for decode.

export { bufferToBasicPacketVariant, bufferToPacketVariant } from './packets/index.ts'
