export { ConnectPacket, type ConnectPacketFields } from './connect-packet.ts'
