import { Buffer } from 'node:buffer'
import {
  decode,
  OpaquePacket,
  type Property,
  v3_1,
  v3_1_1,
  v5,
  type WillFields,
} from '../../lib/packets/index.ts'

/** Builds a 3.1 packet from the least that it needs, and the changes. */
export function buildV3_1(changes: Partial<v3_1.ConnectPacketFields> = {}): v3_1.ConnectPacket {
  return new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c', ...changes })
}

/** Builds a 3.1.1 packet from the least that it needs, and the changes. */
export function buildV3(changes: Partial<v3_1_1.ConnectPacketFields> = {}): v3_1_1.ConnectPacket {
  return new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c', ...changes })
}

/** Builds a 5.0 packet from the least that it needs, and the changes. */
export function buildV5(changes: Partial<v5.ConnectPacketFields> = {}): v5.ConnectPacket {
  return new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', ...changes })
}

/** Decodes what must be a 3.1 CONNECT. */
export function decodeV3_1(bytes: Uint8Array): v3_1.ConnectPacket {
  const packet = decode(bytes, { protocolVersion: 3 })
  if (packet instanceof v3_1.ConnectPacket) return packet
  throw new Error(`expected a 3.1 CONNECT, got ${packet}`)
}

/** Decodes what must be a 3.1.1 CONNECT. */
export function decodeV3(bytes: Uint8Array): v3_1_1.ConnectPacket {
  const packet = decode(bytes)
  if (packet instanceof v3_1_1.ConnectPacket) return packet
  throw new Error(`expected a 3.1.1 CONNECT, got ${packet}`)
}

/** Decodes what must be a 5.0 CONNECT. */
export function decodeV5(bytes: Uint8Array): v5.ConnectPacket {
  const packet = decode(bytes)
  if (packet instanceof v5.ConnectPacket) return packet
  throw new Error(`expected a 5.0 CONNECT, got ${packet}`)
}

/** Decodes what must be a packet other than CONNECT. */
export function decodeOpaque(bytes: Uint8Array, protocolVersion: 0 | 3 | 4 | 5 = 0): OpaquePacket {
  const packet = decode(bytes, { protocolVersion })
  if (packet instanceof OpaquePacket) return packet
  throw new Error(`expected another packet than CONNECT, got ${packet}`)
}

/** All fields of a 3.1.1 packet by its accessors, as plain values. */
export function fieldsOfV3(packet: v3_1_1.ConnectPacket): object {
  const { cleanSession, keepAlive, clientId, will, userName, password } = packet
  return { cleanSession, keepAlive, clientId, will: will && plainWill(will), userName, password }
}

/** All fields of a 5.0 packet by its accessors, as plain values. */
export function fieldsOfV5(packet: v5.ConnectPacket): object {
  const { cleanStart, keepAlive, clientId, will, userName, password, props } = packet
  return { cleanStart, keepAlive, clientId, will: will && plainWill(will), userName, password, props }
}

function plainWill(will: WillFields): object {
  const { topic, message, qos = 0, retain = false, props } = will
  return { topic, message: binary(message), qos, retain, props: plainProps(props) }
}

function plainProps(props: readonly Property[] = []): object[] {
  return props.map((item) =>
    item.value instanceof Uint8Array ? { id: item.id, value: binary(item.value) } : { ...item },
  )
}

/** Binary data as the accessors give it. */
function binary(value: Uint8Array | string): Buffer {
  return Buffer.from(value as Uint8Array)
}
