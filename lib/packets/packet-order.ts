import { fault, type Policy } from '../codec/context.ts'
import { fixedHeaderField } from '../codec/fields.ts'
import {
  connectTypeFault,
  packetTypeFault,
  packetTypeOf,
  secondConnect,
  senderFault,
} from '../codec/fixed-header.ts'
import type { Fault } from '../errors/fault.ts'
import { ControlPacketType, controlPacketName } from '../protocol/control-packet-type.ts'
import { foreignProtocol } from '../wire/looks-like.ts'

/**
 * The packets to expect: a sequence of CONNECT packets, what a client or a server sends on a connection, only a CONNACK, or any
 * packet.
 */
export type Expected = 'connects' | 'from client' | 'from server' | 'connack' | 'any'

/**
 * The fault of a packet that isn't allowed at this point.
 *
 * @param isOpen true once the connection is open, that is after the CONNECT or the CONNACK, and always if any packet is expected
 */
export function orderFault(
  expected: Expected,
  isOpen: boolean,
  policy: Policy,
  bytes: Uint8Array,
  at: number,
): Fault | undefined {
  const { connect, connack } = ControlPacketType
  const end = bytes.length
  const type = packetTypeOf(bytes[at]!)
  if (!isOpen) {
    const isOfServer = expected === 'from server' || expected === 'connack'
    if (isOfServer) return firstFromServer(expected, policy, bytes, at)
    return bytes[at] === connect ? undefined : connectTypeFault(policy, bytes, at, end)
  }
  if (bytes[at] === connect && expected === 'from client') return secondConnect(policy)
  if (bytes[at] === connect || (type === connect && expected === 'from server')) {
    return senderFault(policy.unknown, connect, 'client')
  }
  if (type === connack && expected === 'from server') {
    return fault(policy.byType[type >> 4]!, 'second-connack', fixedHeaderField, 0)
  }
  const wrong = packetTypeFault(policy, bytes, at, end)
  return expected === 'any' ? wrong : wrong?.ofMqtt()
}

/** The fault of a server's first packet, unless it's a CONNACK, or in 5.0 an AUTH before the CONNACK [MQTT-3.2.0-1]. */
function firstFromServer(
  expected: Expected,
  policy: Policy,
  bytes: Uint8Array,
  at: number,
): Fault | undefined {
  const { auth, connack } = ControlPacketType
  const type = packetTypeOf(bytes[at]!)
  const wrong = packetTypeFault(policy, bytes, at, bytes.length)
  if ((wrong !== undefined && wrong.code !== 'wrong-sender') || type === connack) return wrong
  if (type === auth && expected === 'from server') return undefined
  return fault(policy.unknown, 'not-connack', fixedHeaderField, 0, {
    looksLike: foreignProtocol(bytes, at, bytes.length),
    problem: `must begin a CONNACK, but begins a ${controlPacketName(type)}`,
  })
}
