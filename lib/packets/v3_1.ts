export { ConnackPacket, type ConnackPacketFields } from './connack/v3_1.ts'
export { ConnectPacket, type ConnectPacketFields } from './connect/v3_1.ts'
export { DisconnectPacket, type DisconnectPacketFields } from './disconnect/v3_1.ts'
