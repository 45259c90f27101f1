import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type ConnackPacket,
  type ConnectPacket,
  ControlPacketType,
  PropertyId,
  readPacket,
} from 'mqtt-connect-packet'
import type { Rewritten } from './rewrite.ts'

/** Passes the broker's packets to the client up to the CONNACK, which may be changed. In 5.0 AUTH packets come before it. */
export async function awaitConnack(
  stream: Duplex,
  broker: Socket,
  { packet, answer }: Rewritten,
  timeout: number,
): Promise<ConnackPacket> {
  const { protocolVersion } = packet
  for (;;) {
    const received = await readPacket(broker, { protocolVersion, timeout: timeout * 1000 })
    if (received.type === ControlPacketType.connack) {
      const connack = received as ConnackPacket
      const changed = answer === undefined ? connack : answer(connack)
      stream.write(changed.bytes)
      return changed
    }
    if (received.type !== ControlPacketType.auth) throw new Error('another packet came first')
    stream.write(received.bytes)
  }
}

/** The keep alive that holds, in seconds. */
export function keepAliveOf(packet: ConnectPacket, answer: ConnackPacket): number {
  return answer.property(PropertyId.serverKeepAlive) ?? packet.keepAlive
}
