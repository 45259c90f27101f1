import type { Version } from './version.ts'

/** The sender of a packet: a client, a server, or both. */
export type Sender = 'client' | 'server'

/** A packet that has a reason code. */
export type CodePacket = 'connack' | 'disconnect' | 'auth'

/** One reason code: its number, and its sender in each packet that may carry it. */
export type CodeRow = { readonly code: number } & {
  readonly [Packet in CodePacket]?: Sender | 'both'
} & {
  /** The level of the first version that defines it. Default 5. */
  readonly since?: number
}

/** The reason codes of CONNACK, DISCONNECT and AUTH, by name. MQTT 5.0 sections 2.4, 3.2.2.2, 3.14.2.1 and 3.15.2.1. */
export const reasonCodeTable = {
  success: { code: 0x00, connack: 'server', auth: 'server' },
  normalDisconnection: { code: 0x00, disconnect: 'both' },
  disconnectWithWillMessage: { code: 0x04, disconnect: 'client' },
  continueAuthentication: { code: 0x18, auth: 'both' },
  reAuthenticate: { code: 0x19, auth: 'client' },
  unspecifiedError: { code: 0x80, connack: 'server', disconnect: 'both' },
  malformedPacket: { code: 0x81, connack: 'server', disconnect: 'both' },
  protocolError: { code: 0x82, connack: 'server', disconnect: 'both' },
  implementationSpecificError: { code: 0x83, connack: 'server', disconnect: 'both' },
  unsupportedProtocolVersion: { code: 0x84, connack: 'server' },
  clientIdentifierNotValid: { code: 0x85, connack: 'server' },
  badUserNameOrPassword: { code: 0x86, connack: 'server' },
  notAuthorized: { code: 0x87, connack: 'server', disconnect: 'server' },
  serverUnavailable: { code: 0x88, connack: 'server' },
  serverBusy: { code: 0x89, connack: 'server', disconnect: 'server' },
  banned: { code: 0x8a, connack: 'server' },
  serverShuttingDown: { code: 0x8b, disconnect: 'server' },
  badAuthenticationMethod: { code: 0x8c, connack: 'server' },
  keepAliveTimeout: { code: 0x8d, disconnect: 'server' },
  sessionTakenOver: { code: 0x8e, disconnect: 'server' },
  topicFilterInvalid: { code: 0x8f, disconnect: 'server' },
  topicNameInvalid: { code: 0x90, connack: 'server', disconnect: 'both' },
  receiveMaximumExceeded: { code: 0x93, disconnect: 'both' },
  topicAliasInvalid: { code: 0x94, disconnect: 'both' },
  packetTooLarge: { code: 0x95, connack: 'server', disconnect: 'both' },
  messageRateTooHigh: { code: 0x96, disconnect: 'both' },
  quotaExceeded: { code: 0x97, connack: 'server', disconnect: 'both' },
  administrativeAction: { code: 0x98, disconnect: 'both' },
  payloadFormatInvalid: { code: 0x99, connack: 'server', disconnect: 'both' },
  retainNotSupported: { code: 0x9a, connack: 'server', disconnect: 'server' },
  qosNotSupported: { code: 0x9b, connack: 'server', disconnect: 'server' },
  useAnotherServer: { code: 0x9c, connack: 'server', disconnect: 'server' },
  serverMoved: { code: 0x9d, connack: 'server', disconnect: 'server' },
  sharedSubscriptionsNotSupported: { code: 0x9e, disconnect: 'server' },
  connectionRateExceeded: { code: 0x9f, connack: 'server', disconnect: 'server' },
  maximumConnectTime: { code: 0xa0, disconnect: 'server' },
  subscriptionIdentifiersNotSupported: { code: 0xa1, disconnect: 'server' },
  wildcardSubscriptionsNotSupported: { code: 0xa2, disconnect: 'server' },
} as const

type Table = typeof reasonCodeTable
type CodesOf<Packet extends CodePacket> = {
  readonly [Name in keyof Table as Packet extends keyof Table[Name] ? Name : never]: Table[Name]['code']
}

/**
 * The reason codes of an MQTT 5.0 CONNACK. Section 3.2.2.2.
 *
 * @example
 * ConnectReasonCode.notAuthorized // 135
 */
export const ConnectReasonCode: CodesOf<'connack'> = codesOf('connack')
export type ConnectReasonCode = (typeof ConnectReasonCode)[keyof typeof ConnectReasonCode]

/**
 * The reason codes of an MQTT 5.0 DISCONNECT. Section 3.14.2.1.
 *
 * @example
 * DisconnectReasonCode.serverShuttingDown // 139
 */
export const DisconnectReasonCode: CodesOf<'disconnect'> = codesOf('disconnect')
export type DisconnectReasonCode = (typeof DisconnectReasonCode)[keyof typeof DisconnectReasonCode]

/**
 * The reason codes of an MQTT 5.0 AUTH. Section 3.15.2.1.
 *
 * @example
 * AuthReasonCode.continueAuthentication // 24
 */
export const AuthReasonCode: CodesOf<'auth'> = codesOf('auth')
export type AuthReasonCode = (typeof AuthReasonCode)[keyof typeof AuthReasonCode]

function codesOf(packet: CodePacket): never {
  return Object.fromEntries(rowsOf(packet).map(([name, { code }]) => [name, code])) as never
}

function rowsOf(packet: CodePacket, rows: Readonly<Record<string, CodeRow>> = reasonCodeTable) {
  return Object.entries(rows).filter(([, row]) => row[packet] !== undefined)
}

/** The codes of one packet type in one version. */
export interface Codes {
  /** The names by code, 0 to 255. */
  readonly names: readonly (string | undefined)[]
  /** The senders by code. */
  readonly senders: readonly (Sender | 'both' | undefined)[]
}

/** The reason codes that a packet type has in a version. */
export function reasonCodesIn(
  packet: CodePacket,
  version: Version,
  rows: Readonly<Record<string, CodeRow>> = reasonCodeTable,
): Codes {
  const names: Mutable<Codes['names']> = new Array(0x100).fill(undefined)
  const senders: Mutable<Codes['senders']> = new Array(0x100).fill(undefined)
  for (const [name, { code, since = 5, [packet]: sender }] of rowsOf(packet, rows)) {
    if (since > version.level) continue
    names[code] = name
    senders[code] = sender
  }
  return { names, senders }
}

type Mutable<List> = List extends readonly (infer Item)[] ? Item[] : never

/**
 * The name of an MQTT 5.0 reason code, as in `ConnectReasonCode`, `DisconnectReasonCode` and `AuthReasonCode`; `undefined` if
 * none of them has the code. The name of 0 is `'success'`, even though `codeName` of a DISCONNECT calls it
 * `'normalDisconnection'`.
 *
 * @example
 * reasonCodeName(0x8e) // 'sessionTakenOver'
 */
export function reasonCodeName(code: number): string | undefined {
  return Object.entries(reasonCodeTable).find(([, row]) => row.code === code)?.[0]
}

/**
 * The return codes of a CONNACK before MQTT 5.0. MQTT 3.1.1 section 3.2.2.3.
 *
 * @example
 * ConnectReturnCode.notAuthorized // 5
 */
export const ConnectReturnCode = {
  accepted: 0,
  unacceptableProtocolVersion: 1,
  identifierRejected: 2,
  serverUnavailable: 3,
  badUserNameOrPassword: 4,
  notAuthorized: 5,
} as const
export type ConnectReturnCode = (typeof ConnectReturnCode)[keyof typeof ConnectReturnCode]

/** The return codes. Only a server sends them. */
export const returnCodesIn: Codes = {
  names: Object.keys(ConnectReturnCode),
  senders: Object.keys(ConnectReturnCode).map(() => 'server'),
}

/**
 * The return code that stands for a 5.0 reason code in MQTT 3.1 and 3.1.1. Reason codes that are missing here have none: the
 * server just closes the connection.
 */
export const returnCodes: ReadonlyMap<number, ConnectReturnCode> = new Map<number, ConnectReturnCode>([
  [ConnectReasonCode.success, ConnectReturnCode.accepted],
  [ConnectReasonCode.unsupportedProtocolVersion, ConnectReturnCode.unacceptableProtocolVersion],
  [ConnectReasonCode.clientIdentifierNotValid, ConnectReturnCode.identifierRejected],
  [ConnectReasonCode.serverUnavailable, ConnectReturnCode.serverUnavailable],
  [ConnectReasonCode.serverBusy, ConnectReturnCode.serverUnavailable],
  [ConnectReasonCode.quotaExceeded, ConnectReturnCode.serverUnavailable],
  [ConnectReasonCode.useAnotherServer, ConnectReturnCode.serverUnavailable],
  [ConnectReasonCode.serverMoved, ConnectReturnCode.serverUnavailable],
  [ConnectReasonCode.connectionRateExceeded, ConnectReturnCode.serverUnavailable],
  [ConnectReasonCode.badUserNameOrPassword, ConnectReturnCode.badUserNameOrPassword],
  [ConnectReasonCode.notAuthorized, ConnectReturnCode.notAuthorized],
  [ConnectReasonCode.banned, ConnectReturnCode.notAuthorized],
  [ConnectReasonCode.badAuthenticationMethod, ConnectReturnCode.notAuthorized],
])
