export { ConnectEncoder, type ConnectEncoderOptions } from './connect-encoder.ts'
export { type DecodedPacket, PacketDecoder, type PacketDecoderOptions } from './packet-decoder.ts'
export { type ReadConnectOptions, readConnect } from './read-connect.ts'
