import {
  type ConnectPacket,
  connack,
  type MqttError,
  type Property,
  PropertyId,
  property,
  v5,
} from 'mqtt-connect-packet'
import type { Switch } from '../switches.ts'
import { withByte } from './bytes.ts'

/* The broker's CONNACK, and its reasons to refuse a client. */

export type Is = (broken: Switch) => boolean

export function methodOf(packet: ConnectPacket): string | undefined {
  return packet instanceof v5.ConnectPacket ? packet.property(PropertyId.authenticationMethod) : undefined
}

/** The reason to refuse a valid packet, as a reason code of 5.0. */
export function objection(is: Is, packet: ConnectPacket): number | undefined {
  const acceptsMethods = is('ignores-authentication-method') || is('changes-authentication-method')
  if (methodOf(packet) !== undefined && !acceptsMethods) return 0x8c
  if (is('knows-its-clients') && (packet.userName !== 'u' || `${packet.password}` !== 'p')) return 0x87
  if (is('refuses-5.0') && packet.protocolVersion === 5) return 0x84
  if (is('refuses-long-client-ids') && packet.clientId.length > 22) return 0x85
  // The client id is one that a server must allow. With another reason, a server may refuse users and wills.
  if (is('refuses-empty-user-names') && packet.userName === '') return 0x85
  if (is('refuses-wills-of-qos-2') && packet.will?.qos === 2) return 0x85
  if (is('refuses-keep-alive-0') && packet.keepAlive === 0) return 0x80
  const props = packet.protocolVersion === 5 ? packet.props : []
  if (is('refuses-user-properties') && props.some(({ id }) => id === PropertyId.userProperty)) return 0x80
  if (hasLimits(is) && packet.protocolVersion === 5 && packet.will !== undefined) {
    if (packet.will.qos > 0 && !is('accepts-will-above-maximum-qos')) return 0x9b
    if (packet.will.retain && !is('accepts-will-retain-unavailable')) return 0x9a
  }
  return undefined
}

/** True for a broker without QoS 1 and retained messages, which 5.0 clients are told. */
export function hasLimits(is: Is): boolean {
  return (
    is('limited') ||
    is('accepts-will-above-maximum-qos') ||
    is('accepts-will-retain-unavailable') ||
    is('refuses-subscription-above-maximum-qos')
  )
}

const LONG = 'a reason that is longer than most clients want to read'

function fits(packet: ConnectPacket, bytes: Buffer): boolean {
  const maximum = packet instanceof v5.ConnectPacket && packet.property(PropertyId.maximumPacketSize)
  return !maximum || bytes.length <= maximum
}

/** The CONNACK that refuses a valid packet, or `undefined` if there's no code for it. */
export function refusal(is: Is, packet: ConnectPacket, code: number): Buffer | undefined {
  const short = connack(packet, code as 0x80)?.bytes
  if (short === undefined || packet.protocolVersion !== 5) return short
  const long = connack(packet, code as 0x80, { reasonString: LONG })!.bytes
  return fits(packet, long) || is('long-refusal') ? long : short
}

/** The CONNACK that refuses an invalid packet, changed by the switches. */
export function errorAnswer(
  is: Is,
  error: MqttError | undefined,
  level: number | undefined,
): Buffer | undefined {
  let answer = error?.connack
  if (is('answers-malformed-connects') && level === 4) answer ??= Buffer.from('20020003', 'hex')
  if (answer === undefined || answer[3] === 0) return answer
  answer = Buffer.from(answer)
  if (is('session-present-with-error') && level !== 3) answer[2] = 1
  if (is('unknown-code') && error?.protocolName === 'MQTT') answer[3] = answer.length === 4 ? 6 : 0x91
  if (is('disconnects-before-connack') && level === 5) return Buffer.of(0xe0, 1, 0x81)
  if (is('disconnects-after-refusal') && level === 5) return Buffer.concat([answer, Buffer.of(0xe0, 1, 0x81)])
  return answer
}

/** The DISCONNECT of a 5.0 broker. */
export function farewell(is: Is, packet: ConnectPacket, code: number): Buffer {
  if (is('disconnect-code')) return Buffer.of(0xe0, 1, 0x91)
  if (is('disconnect-with-will-code')) return Buffer.of(0xe0, 1, 0x04)
  if (is('disconnect-with-session-expiry')) return Buffer.from(`e007${hex(code)}051100000001`, 'hex')
  if (is('disconnect-flags')) return Buffer.of(0xe2, 1, code)
  if (is('disconnect-with-more-bytes')) return Buffer.of(0xe0, 3, code, 0, 0)
  const props = [property.reasonString(LONG)]
  const long = new v5.DisconnectPacket({ reasonCode: code as 0x80, props }).bytes
  return fits(packet, long) || is('long-disconnect') ? long : Buffer.of(0xe0, 1, code)
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

export interface Greeting {
  readonly packet: ConnectPacket
  /** True if there's a session to report. */
  readonly isPresent: boolean
  /** The client id chosen by the broker. */
  readonly assigned: string | undefined
}

/** The CONNACK that accepts a client, changed by the switches. */
export function greeting(is: Is, { packet, isPresent, assigned }: Greeting): Buffer {
  const is5 = packet.protocolVersion === 5
  const props: Property[] = []
  if (assigned !== undefined && !is('does-not-assign-client-id'))
    props.push(property.assignedClientIdentifier(assigned))
  if (is('response-information-unasked')) props.push(property.responseInformation('r'))
  if (is('authentication-method-unasked')) props.push(property.authenticationMethod('m'))
  if (is('changes-authentication-method') && methodOf(packet) !== undefined)
    props.push(property.authenticationMethod('m'))
  if (hasLimits(is)) props.push(property.maximumQos(0), property.retainAvailable(0))
  if (is('long-connack')) props.push(property.userProperty('greeting', LONG))
  const sessionPresent = isPresent && packet.protocolVersion !== 3
  const bytes = connack(packet, 0, { sessionPresent, ...(is5 && { props }) })!.bytes
  return changed(is, bytes, packet, !isPresent && assigned === undefined)
}

function changed(is: Is, bytes: Buffer, packet: ConnectPacket, isPlain: boolean): Buffer {
  // These are written by hand, so only for clients without a session and with a client id.
  if (packet.protocolVersion === 5 && isPlain) {
    if (is('connack-property-twice')) return Buffer.from('2009000006210001210001', 'hex')
    if (is('connack-property-of-connect')) return Buffer.from('20050000021701', 'hex')
    if (is('connack-receive-maximum-0')) return Buffer.from('2006000003210000', 'hex')
  }
  if (is('acknowledge-flags') && packet.protocolVersion !== 3) return withByte(bytes, 2, bytes[2]! | 0x80)
  if (is('connack-flags')) return withByte(bytes, 0, 0x21)
  if (is('connack-with-more-bytes'))
    return Buffer.concat([Buffer.of(0x20, bytes.length - 1), bytes.subarray(2), Buffer.of(0)])
  return bytes
}
