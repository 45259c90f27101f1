// Node streams.

export { ConnectEncoder, type ConnectEncoderOptions } from './connect-encoder.ts'
export { type Forwarded, forward } from './forward.ts'
export { type DecodedPacket, PacketDecoder, type PacketDecoderOptions } from './packet-decoder.ts'
export {
  type ReadConnackOptions,
  type ReadPacketOptions,
  readConnack,
  readConnect,
  readPacket,
} from './read-packet.ts'

// Answering.

export { type RefuseOptions, refuse } from './refuse.ts'
