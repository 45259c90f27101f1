export { ConnackPacket, type ConnackPacketFields } from './connack/v5.ts'
export { ConnectPacket, type ConnectPacketFields } from './connect/v5.ts'
