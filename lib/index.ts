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
  type ParsedPacket,
  type ReadOptions,
} from './packets/index.ts'

// Packets, and what they are built from.

export {
  type ChangeOptions,
  type Changes,
  type ConnackPacket,
  type ConnectPacket,
  type DisconnectPacket,
  type EncodedPacket,
  type FieldPacket,
  OpaquePacket,
  type PacketIdBytes,
  type Property,
  type PropertyFactories,
  type PropertyValue,
  property,
  type QoS,
  type SinglePropertyId,
  v3_1,
  v3_1_1,
  v5,
  Will,
  type WillFields,
} from './packets/index.ts'

// Node streams.

export {
  type AnyListener,
  type ByteSource,
  ConnectEncoder,
  type ConnectEncoderOptions,
  type DecodedPacket,
  type Forwarded,
  forward,
  type Listener,
  type NoIterator,
  type NoPromise,
  PacketDecoder,
  type PacketDecoderOptions,
  type ReadConnackOptions,
  type ReadPacketOptions,
  readConnack,
  readConnect,
  readPacket,
  type TransformEvents,
  type TypedTransform,
  type WriteCallback,
} from './streams/index.ts'

// Answering.

export { type ConnackOptions, connack, type DisconnectOptions, disconnect } from './packets/index.ts'
export { type Refusal, type RefuseOptions, refuse } from './streams/index.ts'

// Explaining.

export {
  bytesFromText,
  type Diagnosis,
  diagnose,
  type ExplainOptions,
  type Explanation,
  type ExplanationBits,
  type ExplanationRow,
  explain,
  type PacketExplanation,
  type RowPart,
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
