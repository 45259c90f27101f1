import { DisconnectReasonCode, disconnect, type ProtocolVersion, v3_1_1 } from 'mqtt-connect-packet'
import type { DrainConfig } from './options.ts'

interface EndingFacts {
  /** The reason code for a 5.0 client. MQTT 5.0 section 3.14.2.1. */
  readonly reasonCode: DisconnectReasonCode
  /** True if the client is alive and can come back, so that its will would be a false alarm. */
  readonly isAlive: boolean
}

/** The gateway's reasons for ending a session. */
export const endings = {
  drained: { reasonCode: DisconnectReasonCode.serverShuttingDown, isAlive: true },
  moved: { reasonCode: DisconnectReasonCode.administrativeAction, isAlive: true },
  expired: { reasonCode: DisconnectReasonCode.maximumConnectTime, isAlive: true },
  idle: { reasonCode: DisconnectReasonCode.keepAliveTimeout, isAlive: false },
  /** The broker doesn't read, so it wouldn't read a DISCONNECT either. */
  stalled: { reasonCode: DisconnectReasonCode.serverBusy, isAlive: false },
} as const satisfies Record<string, EndingFacts>

export type Ending = keyof typeof endings

/** The last packet for each side. */
export interface LastPackets {
  /** `undefined` to close the client's connection without a packet. */
  readonly toClient: Uint8Array | undefined
  /** `undefined` to close the broker's connection without a packet, so that the broker publishes the will. */
  readonly toBroker: Uint8Array | undefined
}

/** The end of a session: between two packets in both directions, or in the middle of one. */
export type Outcome = 'between-packets' | 'cut'

/** The facts that the last packet for a client depends on. */
export interface Recipient {
  readonly protocolVersion: ProtocolVersion
  /** The client's limit in bytes; `undefined` if it has none. */
  readonly maximumPacketSize: number | undefined
}

/** The packets that client and broker get at the end of a session. */
export function lastPackets(drain: DrainConfig, ending: Ending, recipient: Recipient): LastPackets {
  return {
    toClient: drain.notify ? disconnectFor(drain, ending, recipient) : undefined,
    toBroker: drain.discardWills && endings[ending].isAlive ? NORMAL_DISCONNECTION : undefined,
  }
}

function disconnectFor(
  { serverReference, serverMoved }: DrainConfig,
  ending: Ending,
  { protocolVersion, maximumPacketSize = Number.POSITIVE_INFINITY }: Recipient,
): Uint8Array | undefined {
  const { serverMoved: moved, useAnotherServer } = DisconnectReasonCode
  const packets = [disconnect(protocolVersion, endings[ending].reasonCode)]
  if (ending === 'drained' && serverReference !== undefined)
    packets.unshift(disconnect(protocolVersion, serverMoved ? moved : useAnotherServer, { serverReference }))
  return packets.find((packet) => packet !== undefined && packet.size <= maximumPacketSize)?.bytes
}

/** These bytes are the same in all versions: in 5.0 they mean reason code 0x00. */
const NORMAL_DISCONNECTION = new v3_1_1.DisconnectPacket().bytes
