import { type ConnectPacket, PropertyId } from 'mqtt-connect-packet'
import type { DrainConfig } from './options.ts'
import { PacketBoundary } from './packet-boundary.ts'

/** The state needed to end a session between two packets. */
export class Tracked {
  readonly fromClient: PacketBoundary = new PacketBoundary()
  readonly fromBroker: PacketBoundary = new PacketBoundary()
  readonly protocolVersion: ConnectPacket['protocolVersion']
  /** The client's limit in bytes; `undefined` if it has none. */
  readonly maximumPacketSize: number | undefined

  private constructor(packet: ConnectPacket) {
    this.protocolVersion = packet.protocolVersion
    this.maximumPacketSize = packet.property(PropertyId.maximumPacketSize)
  }

  /** @returns `undefined` if neither option is on, so sessions that don't need this state don't pay for it */
  static of(drain: DrainConfig, packet: ConnectPacket): Tracked | undefined {
    return drain.notify || drain.discardWills ? new Tracked(packet) : undefined
  }
}
