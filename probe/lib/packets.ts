import {
  type ConnectPacket,
  type DisconnectReasonCode,
  type Property,
  property,
  v3_1,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import mqttPacket, { type Packet } from 'mqtt-packet'
import { bodyStart } from './connection.ts'
import type { VersionLabel } from './result.ts'

/** The facts about a version of MQTT that the cases need. */
export interface Version {
  readonly label: VersionLabel
  readonly level: 3 | 4 | 5
  readonly is5: boolean
}

export const versions: readonly Version[] = [
  { label: '3.1', level: 3, is5: false },
  { label: '3.1.1', level: 4, is5: false },
  { label: '5.0', level: 5, is5: true },
]

/** The fields of a CONNECT, with the same names in all versions. */
export interface ConnectFields {
  readonly clean?: boolean
  readonly clientId: string
  readonly keepAlive?: number
  readonly will?: v5.ConnectPacketFields['will']
  readonly userName?: string | undefined
  readonly password?: string | Uint8Array | undefined
  readonly props?: readonly Property[]
}

export function connectPacket({ level }: Version, fields: ConnectFields): ConnectPacket {
  const { clean = true, keepAlive = 60, props = [], ...others } = fields
  if (level === 5) return new v5.ConnectPacket({ cleanStart: clean, keepAlive, props, ...others })
  const { ConnectPacket } = level === 4 ? v3_1_1 : v3_1
  return new ConnectPacket({ cleanSession: clean, keepAlive, ...others })
}

export const CONNACK = 2
export const PUBLISH = 3
export const SUBACK = 9
export const PINGRESP = 13
export const DISCONNECT = 14
export const AUTH = 15

export const pingreq: Buffer = Buffer.from('c000', 'hex')

/** A CONNACK, read leniently. */
export interface Answer {
  readonly sessionPresent: boolean
  readonly code: number
}

export function answerOf(frame: Buffer): Answer {
  const at = bodyStart(frame)!
  return { sessionPresent: (frame[at]! & 1) === 1, code: frame[at + 1] ?? 0xff }
}

/** The codes with which a server may turn away any client: it's busy, shutting down or moved, or has had enough of this client. */
export const unavailableCodes: Readonly<Record<4 | 5, readonly number[]>> = {
  4: [3],
  5: [0x88, 0x89, 0x8a, 0x8b, 0x97, 0x98, 0x9c, 0x9d, 0x9f, 0xa0],
}

/** True for a CONNACK or a DISCONNECT with which a server turns away a client whose packets may all be valid. */
export function isUnavailable({ is5 }: Version, frame: Buffer): boolean {
  const type = frame[0]! >> 4
  const isDisconnect = type === DISCONNECT && is5
  if (type !== CONNACK && !isDisconnect) return false
  const code = isDisconnect ? (frame[bodyStart(frame)!] ?? 0) : answerOf(frame).code
  return unavailableCodes[is5 ? 5 : 4].includes(code)
}

export function subscribe({ level }: Version, messageId: number, topic: string, qos: 0 | 1 | 2 = 0): Buffer {
  return generate(level, { cmd: 'subscribe', messageId, subscriptions: [{ topic, qos }] } as never)
}

export function unsubscribe({ level }: Version, messageId: number, topic: string): Buffer {
  return generate(level, { cmd: 'unsubscribe', messageId, unsubscriptions: [topic] } as never)
}

export interface Message {
  readonly topic: string
  readonly payload: string | Buffer
  readonly qos?: 0 | 1 | 2
  readonly retain?: boolean
  readonly messageId?: number
}

export function publish(
  { level }: Version,
  { qos = 0, retain = false, messageId, ...message }: Message,
): Buffer {
  const id = qos === 0 ? {} : { messageId: messageId ?? 1 }
  return generate(level, { cmd: 'publish', dup: false, qos, retain, ...id, ...message } as never)
}

export interface Leaving {
  /** Default 0. */
  readonly reasonCode?: DisconnectReasonCode
  /** The interval in seconds. Default: that of the CONNECT. */
  readonly sessionExpiryInterval?: number
}

/** A DISCONNECT, which has fields only in 5.0. */
export function disconnect(
  { is5 }: Version,
  { reasonCode = 0, sessionExpiryInterval }: Leaving = {},
): Buffer {
  if (!is5) return new v3_1_1.DisconnectPacket().bytes
  const props =
    sessionExpiryInterval === undefined ? [] : [property.sessionExpiryInterval(sessionExpiryInterval)]
  return new v5.DisconnectPacket({ reasonCode, props }).bytes
}

function generate(protocolVersion: number, packet: Packet): Buffer {
  return mqttPacket.generate(packet, { protocolVersion })
}

/** Parses a packet of the server with mqtt-packet; `undefined` if that fails. */
export function read({ level }: Version, frame: Buffer): Packet | undefined {
  const parser = mqttPacket.parser({ protocolVersion: level })
  let found: Packet | undefined
  parser.on('packet', (packet) => {
    found = packet
  })
  parser.on('error', () => undefined)
  try {
    parser.parse(frame)
  } catch {
    return undefined
  }
  return found
}
