import {
  type ConnectPacket,
  ConnectReasonCode,
  connack,
  MqttError,
  ProtocolVersion,
  refuse,
} from 'mqtt-connect-packet'
import type { LimitName } from '../limit/limits.ts'
import type { ClientStream } from '../listen/peer.ts'
import { causeOf, LeftError } from '../settings/causes.ts'
import { fit } from './fit.ts'
import type { Refusal } from './reports.ts'
import { ended, type Link } from './steps.ts'

/** Ends a connection whose CONNECT is incomplete or invalid, with the error's CONNACK if it has one. */
export function refuseBytes(link: Link, error: Error, by: 'connect' | 'websocket' = 'connect'): void {
  link.become(ended)
  link.reports.refused(link.peer, { by, error })
  const isBridge = error instanceof MqttError && error.code === 'protocol-bridge-level'
  refuse(link.client, isBridge ? NO_BRIDGE : error)
}

/** After this answer, a bridge of mosquitto tries again without the bridge bit. It doesn't understand the one for other unknown levels. */
const NO_BRIDGE = connack(ProtocolVersion.v3_1_1, ConnectReasonCode.unsupportedProtocolVersion)

/** Ends a connection with a CONNACK, unless even the smallest one exceeds the client's Maximum Packet Size. */
export function refuseClient(
  link: Link,
  packet: ConnectPacket,
  refusal: Refusal,
  reasonCode: ConnectReasonCode = ConnectReasonCode.serverUnavailable,
): void {
  link.become(ended)
  link.reports.refused(link.peer, { ...refusal, answered: { clientId: packet.clientId, reasonCode } })
  const answer = connack(packet, reasonCode)
  refuse(link.client, answer && fit(answer, packet))
}

/** Ends a connection whose CONNECT exceeds a limit, or whose address is banned. */
export function refuseOverLimit(link: Link, packet: ConnectPacket, limit: LimitName): void {
  const { banned, connectionRateExceeded } = ConnectReasonCode
  refuseClient(link, packet, overLimit(limit), limit === 'banned' ? banned : connectionRateExceeded)
}

/** A single line has all refusals of an address, because a refusal must cost less than the connection it prevents. */
export function overLimit(limit: LimitName): Refusal {
  return { by: 'limit', error: new Error(`over the limit ${limit}`), limit }
}

/** The reason why a client has left before it had an answer. */
export function departureOf({ errored, fault }: ClientStream): Pick<Refusal, 'by' | 'error'> {
  if (fault) return { by: 'websocket', error: fault }
  const cause = errored ? causeOf(errored) : 'closed the connection'
  return { by: 'client', error: new LeftError(`the client ${cause} before it had an answer`) }
}
