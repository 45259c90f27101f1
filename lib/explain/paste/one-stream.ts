import type { Buffer } from 'buffer'
import { packetTypeOf } from '../../codec/fixed-header.ts'
import { ControlPacketType as Type } from '../../protocol/control-packet-type.ts'
import { chains, frameEnd } from '../further-packets.ts'
import type { Direction, Part } from './paste.ts'
import { unreadable } from './unreadable.ts'

/*
 * The lines of a log are joined only if one side of a connection can have sent their packets: each side has types of its own, and a
 * connection has one CONNECT.
 */

const ofClient: ReadonlySet<number> = new Set([Type.connect, Type.subscribe, Type.unsubscribe, Type.pingreq])
const ofServer: ReadonlySet<number> = new Set([Type.connack, Type.suback, Type.unsuback, Type.pingresp])

/** The packets at the beginning of the bytes, without an incomplete or invalid one and what follows it. */
function packetsIn(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const packet = bytes.subarray(at, frameEnd(bytes, at))
    if (!chains(packet, 0)) break
    packets.push(packet)
    at += packet.length
  }
  return packets
}

/** @throws Unreadable if the bytes have packets of both sides, or of several connections */
export function checkOneStream(bytes: Buffer): void {
  const types = packetsIn(bytes).map((packet) => packetTypeOf(packet[0]!))
  if (types.indexOf(Type.connect, 1) > 0) throw unreadable('it has the packets of several connections')
  if (types.some((type) => ofClient.has(type)) && types.some((type) => ofServer.has(type)))
    throw unreadable('it has the packets of both sides, and does not say which are whose')
}

/**
 * The bytes of both sides, if packets of both are among them, and the type of each packet tells its side. The side that is shown first
 * is `sent`.
 */
export function sidesOf(bytes: Buffer): readonly Part[] | undefined {
  if (!chains(bytes, 0)) return undefined
  const packets = packetsIn(bytes)
  const areClients = packets.map(([first = 0]) => {
    const type = packetTypeOf(first)
    return ofClient.has(type) || (ofServer.has(type) ? false : undefined)
  })
  if (areClients.includes(undefined) || new Set(areClients).size < 2) return undefined
  return packets.map((packet, i) => {
    const direction: Direction = areClients[i] === areClients[0] ? 'sent' : 'received'
    return { direction, bytes: packet }
  })
}
