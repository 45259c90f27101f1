import { decode, OpaquePacket, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'

/** Builds a 3.1 packet from minimal fields and these changes. */
export function buildV3_1(changes: Partial<v3_1.ConnectPacketFields> = {}): v3_1.ConnectPacket {
  return new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c', ...changes })
}

/** Builds a 3.1.1 packet from minimal fields and these changes. */
export function buildV3(changes: Partial<v3_1_1.ConnectPacketFields> = {}): v3_1_1.ConnectPacket {
  return new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c', ...changes })
}

/** Builds a 5.0 packet from minimal fields and these changes. */
export function buildV5(changes: Partial<v5.ConnectPacketFields> = {}): v5.ConnectPacket {
  return new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', ...changes })
}

/** Decodes bytes that must be a 3.1 CONNECT. */
export function decodeV3_1(bytes: Uint8Array): v3_1.ConnectPacket {
  const packet = decode(bytes, { protocolVersion: 3 })
  if (packet instanceof v3_1.ConnectPacket) return packet
  throw new Error(`expected a 3.1 CONNECT, got ${packet}`)
}

/** Decodes bytes that must be a 3.1.1 CONNECT. */
export function decodeV3(bytes: Uint8Array): v3_1_1.ConnectPacket {
  const packet = decode(bytes)
  if (packet instanceof v3_1_1.ConnectPacket) return packet
  throw new Error(`expected a 3.1.1 CONNECT, got ${packet}`)
}

/** Decodes bytes that must be a 5.0 CONNECT. */
export function decodeV5(bytes: Uint8Array): v5.ConnectPacket {
  const packet = decode(bytes)
  if (packet instanceof v5.ConnectPacket) return packet
  throw new Error(`expected a 5.0 CONNECT, got ${packet}`)
}

/** Decodes bytes that must be a packet other than CONNECT. */
export function decodeOpaque(bytes: Uint8Array, protocolVersion: 0 | 3 | 4 | 5 = 0): OpaquePacket {
  const packet = decode(bytes, { protocolVersion })
  if (packet instanceof OpaquePacket) return packet
  throw new Error(`expected another packet than CONNECT, got ${packet}`)
}
