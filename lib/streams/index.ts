export { ConnectEncoder, type ConnectEncoderOptions } from './connect-encoder.ts'
export { type Forwarded, forward } from './forward.ts'
export { type DecodedPacket, PacketDecoder, type PacketDecoderOptions } from './packet-decoder.ts'
export {
  type ByteSource,
  type ReadConnackOptions,
  type ReadPacketOptions,
  readConnack,
  readConnect,
  readPacket,
} from './read-packet.ts'
export { type Refusal, type RefuseOptions, refuse } from './refuse.ts'
export type {
  AnyListener,
  Listener,
  NoIterator,
  NoPromise,
  TransformEvents,
  TypedTransform,
  WriteCallback,
} from './typed-transform.ts'
