export { AuthPacket, type AuthPacketFields } from './auth/v5.ts'
export { ConnackPacket, type ConnackPacketFields } from './connack/v5.ts'
export { ConnectPacket, type ConnectPacketFields } from './connect/v5.ts'
export { DisconnectPacket, type DisconnectPacketFields } from './disconnect/v5.ts'
