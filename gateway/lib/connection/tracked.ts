import { type ConnectPacket, PropertyId } from 'mqtt-connect-packet'
import type { DrainConfig } from './options.ts'
import { PacketBoundary } from './packet-boundary.ts'

/** The state that allows a session to end between two packets. */
export class Tracked {
  readonly fromClient: PacketBoundary = new PacketBoundary()
  readonly fromBroker: PacketBoundary = new PacketBoundary()
  readonly protocolVersion: ConnectPacket['protocolVersion']
  /** The client's, in bytes; `undefined` for any size. */
  readonly maximumPacketSize: number | undefined

  private constructor(packet: ConnectPacket) {
    this.protocolVersion = packet.protocolVersion
    this.maximumPacketSize = packet.property(PropertyId.maximumPacketSize)
  }

  /** @returns `undefined` if no option needs it, so that it costs nothing then */
  static of({ notify, discardWills }: DrainConfig, packet: ConnectPacket): Tracked | undefined {
    return notify || discardWills ? new Tracked(packet) : undefined
  }
}
