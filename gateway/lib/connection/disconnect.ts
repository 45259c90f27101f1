import { ControlPacketType, PropertyId, type ProtocolVersion } from 'mqtt-connect-packet'

/** The reason codes that a gateway ends a session with. MQTT 5.0 section 3.14.2.1. */
export const DisconnectReasonCode = {
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  keepAliveTimeout: 0x8d,
  administrativeAction: 0x98,
  useAnotherServer: 0x9c,
  serverMoved: 0x9d,
  maximumConnectTime: 0xa0,
} as const
export type DisconnectReasonCode = (typeof DisconnectReasonCode)[keyof typeof DisconnectReasonCode]

/** The longest server reference, in bytes, with which each length of the packet is one byte. */
export const LONGEST_REFERENCE = 120

/** The DISCONNECT with which a server ends a session; `undefined` before 5.0. */
export function disconnect(
  version: ProtocolVersion,
  reasonCode: DisconnectReasonCode,
  { serverReference }: { readonly serverReference?: string } = {},
): Buffer | undefined {
  if (version !== 5) return undefined
  const { disconnect: type } = ControlPacketType
  if (serverReference === undefined) return Buffer.of(type, 1, reasonCode)
  const text = Buffer.from(serverReference)
  const header = [
    type,
    text.length + 5,
    reasonCode,
    text.length + 3,
    PropertyId.serverReference,
    0,
    text.length,
  ]
  return Buffer.concat([Buffer.from(header), text])
}
