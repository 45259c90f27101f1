import type { Version } from './version.ts'

/** The sender of a packet: a client, a server, or both. */
export type Sender = 'client' | 'server'

/** A packet that has a reason code. */
export type CodePacket = 'connack' | 'disconnect' | 'auth'

/** One reason code: its number, and its sender in each packet that may carry it. */
export type CodeRow = { readonly code: number } & {
  readonly [Packet in CodePacket]?: Sender | 'both'
} & {
  /** The return code with the same meaning before MQTT 5.0, if there is one. */
  readonly return?: ConnectReturnCode
  /** The level of the first version that defines it. Default 5. */
  readonly since?: number
}

/** The reason codes of CONNACK, DISCONNECT and AUTH, by name. MQTT 5.0 sections 2.4, 3.2.2.2, 3.14.2.1 and 3.15.2.1. */
export const reasonCodeTable = {
  /** 0x00, in CONNACK and AUTH of a server. The server accepts the connection, or the authentication is complete. MQTT 5.0 section 2.4. */
  success: { code: 0x00, connack: 'server', auth: 'server', return: 0 },
  /** 0x00, in DISCONNECT. The connection ends, and the server doesn't publish the will. MQTT 5.0 section 2.4. */
  normalDisconnection: { code: 0x00, disconnect: 'both' },
  /** 0x04, in DISCONNECT of a client. The connection ends, but the server publishes the will. MQTT 5.0 section 2.4. */
  disconnectWithWillMessage: { code: 0x04, disconnect: 'client' },
  /** 0x18, in AUTH. The authentication continues with another step. MQTT 5.0 section 2.4. */
  continueAuthentication: { code: 0x18, auth: 'both' },
  /** 0x19, in AUTH of a client. The client starts to authenticate again. MQTT 5.0 section 2.4. */
  reAuthenticate: { code: 0x19, auth: 'client' },
  /** 0x80, in CONNACK and DISCONNECT. An error without a code of its own, or one that is kept secret. MQTT 5.0 section 2.4. */
  unspecifiedError: { code: 0x80, connack: 'server', disconnect: 'both' },
  /** 0x81, in CONNACK and DISCONNECT. A packet can't be decoded. MQTT 5.0 section 2.4. */
  malformedPacket: { code: 0x81, connack: 'server', disconnect: 'both' },
  /** 0x82, in CONNACK and DISCONNECT. A packet breaks a rule of the protocol, or wasn't expected. MQTT 5.0 section 2.4. */
  protocolError: { code: 0x82, connack: 'server', disconnect: 'both' },
  /** 0x83, in CONNACK and DISCONNECT. A packet is valid, but the receiver doesn't accept it. MQTT 5.0 section 2.4. */
  implementationSpecificError: { code: 0x83, connack: 'server', disconnect: 'both' },
  /** 0x84, in CONNACK. The server doesn't support this version of MQTT. MQTT 5.0 section 2.4. */
  unsupportedProtocolVersion: { code: 0x84, connack: 'server', return: 1 },
  /** 0x85, in CONNACK. The server doesn't allow this client identifier. MQTT 5.0 section 2.4. */
  clientIdentifierNotValid: { code: 0x85, connack: 'server', return: 2 },
  /** 0x86, in CONNACK. The server doesn't accept the user name or the password. MQTT 5.0 section 2.4. */
  badUserNameOrPassword: { code: 0x86, connack: 'server', return: 4 },
  /** 0x87, in CONNACK and DISCONNECT of a server. The client isn't authorised to do this. MQTT 5.0 section 2.4. */
  notAuthorized: { code: 0x87, connack: 'server', disconnect: 'server', return: 5 },
  /** 0x88, in CONNACK. The server isn't available. MQTT 5.0 section 2.4. */
  serverUnavailable: { code: 0x88, connack: 'server', return: 3 },
  /** 0x89, in CONNACK and DISCONNECT of a server. The server is busy. The client may try again later. MQTT 5.0 section 2.4. */
  serverBusy: { code: 0x89, connack: 'server', disconnect: 'server', return: 3 },
  /** 0x8A, in CONNACK. An administrator has banned the client. MQTT 5.0 section 2.4. */
  banned: { code: 0x8a, connack: 'server', return: 5 },
  /** 0x8B, in DISCONNECT of a server. The server is shutting down. MQTT 5.0 section 2.4. */
  serverShuttingDown: { code: 0x8b, disconnect: 'server' },
  /** 0x8C, in CONNACK. The server doesn't support the authentication method, or the method has changed. MQTT 5.0 section 2.4. */
  badAuthenticationMethod: { code: 0x8c, connack: 'server', return: 5 },
  /** 0x8D, in DISCONNECT of a server. No packet has arrived for one and a half times the keep alive. MQTT 5.0 section 2.4. */
  keepAliveTimeout: { code: 0x8d, disconnect: 'server' },
  /** 0x8E, in DISCONNECT of a server. Another connection has the same client identifier. MQTT 5.0 section 2.4. */
  sessionTakenOver: { code: 0x8e, disconnect: 'server' },
  /** 0x8F, in DISCONNECT of a server. A topic filter is well-formed, but the server doesn't accept it. MQTT 5.0 section 2.4. */
  topicFilterInvalid: { code: 0x8f, disconnect: 'server' },
  /** 0x90, in CONNACK and DISCONNECT. A topic name is well-formed, but the receiver doesn't accept it. MQTT 5.0 section 2.4. */
  topicNameInvalid: { code: 0x90, connack: 'server', disconnect: 'both' },
  /** 0x93, in DISCONNECT. More publications are unacknowledged than the receive maximum allows. MQTT 5.0 section 2.4. */
  receiveMaximumExceeded: { code: 0x93, disconnect: 'both' },
  /** 0x94, in DISCONNECT. A topic alias is 0, or larger than the topic alias maximum. MQTT 5.0 section 2.4. */
  topicAliasInvalid: { code: 0x94, disconnect: 'both' },
  /** 0x95, in CONNACK and DISCONNECT. A packet is larger than the receiver's maximum packet size. MQTT 5.0 section 2.4. */
  packetTooLarge: { code: 0x95, connack: 'server', disconnect: 'both' },
  /** 0x96, in DISCONNECT. Messages arrive too fast. MQTT 5.0 section 2.4. */
  messageRateTooHigh: { code: 0x96, disconnect: 'both' },
  /** 0x97, in CONNACK and DISCONNECT. An administrative limit is exceeded. MQTT 5.0 section 2.4. */
  quotaExceeded: { code: 0x97, connack: 'server', disconnect: 'both', return: 3 },
  /** 0x98, in DISCONNECT. An administrator has closed the connection. MQTT 5.0 section 2.4. */
  administrativeAction: { code: 0x98, disconnect: 'both' },
  /** 0x99, in CONNACK and DISCONNECT. A payload doesn't match its payload format indicator. MQTT 5.0 section 2.4. */
  payloadFormatInvalid: { code: 0x99, connack: 'server', disconnect: 'both' },
  /** 0x9A, in CONNACK and DISCONNECT of a server. The server doesn't support retained messages. MQTT 5.0 section 2.4. */
  retainNotSupported: { code: 0x9a, connack: 'server', disconnect: 'server' },
  /** 0x9B, in CONNACK and DISCONNECT of a server. The server doesn't support this QoS. MQTT 5.0 section 2.4. */
  qosNotSupported: { code: 0x9b, connack: 'server', disconnect: 'server' },
  /** 0x9C, in CONNACK and DISCONNECT of a server. For now, the client should use another server: see the property `serverReference`. MQTT 5.0 section 2.4. */
  useAnotherServer: { code: 0x9c, connack: 'server', disconnect: 'server', return: 3 },
  /** 0x9D, in CONNACK and DISCONNECT of a server. From now on, the client should use another server: see the property `serverReference`. MQTT 5.0 section 2.4. */
  serverMoved: { code: 0x9d, connack: 'server', disconnect: 'server', return: 3 },
  /** 0x9E, in DISCONNECT of a server. The server doesn't support shared subscriptions. MQTT 5.0 section 2.4. */
  sharedSubscriptionsNotSupported: { code: 0x9e, disconnect: 'server' },
  /** 0x9F, in CONNACK and DISCONNECT of a server. There are too many connections in a short time. MQTT 5.0 section 2.4. */
  connectionRateExceeded: { code: 0x9f, connack: 'server', disconnect: 'server', return: 3 },
  /** 0xA0, in DISCONNECT of a server. The connection has reached its maximum duration. MQTT 5.0 section 2.4. */
  maximumConnectTime: { code: 0xa0, disconnect: 'server' },
  /** 0xA1, in DISCONNECT of a server. The server doesn't support subscription identifiers. MQTT 5.0 section 2.4. */
  subscriptionIdentifiersNotSupported: { code: 0xa1, disconnect: 'server' },
  /** 0xA2, in DISCONNECT of a server. The server doesn't support wildcard subscriptions. MQTT 5.0 section 2.4. */
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
  const known = rowsOf(packet, rows).filter(([, { since = 5 }]) => since <= version.level)
  return byCode(known.map(([name, { code, [packet]: sender }]) => [name, code, sender]))
}

/** All 256 codes have an entry, because a missing one would be looked up in `Object.prototype`. */
function byCode(
  rows: readonly (readonly [name: string, code: number, sender: Sender | 'both' | undefined])[],
): Codes {
  const found = new Array<(typeof rows)[number] | undefined>(0x100).fill(undefined)
  for (const row of rows) found[row[1]] = row
  return { names: found.map((row) => row?.[0]), senders: found.map((row) => row?.[2]) }
}

/**
 * The name of any MQTT 5.0 reason code, as in `ConnectReasonCode`, `DisconnectReasonCode` and `AuthReasonCode`, or of one that only
 * other packets have; `undefined` if there's no such code. The name of 0 is `'success'`, even though `codeName` of a DISCONNECT calls
 * it `'normalDisconnection'`.
 *
 * @example
 * reasonCodeName(0x8e) // 'sessionTakenOver'
 */
export function reasonCodeName(code: number): string | undefined {
  return Object.entries(reasonCodeTable).find(([, row]) => row.code === code)?.[0] ?? otherNames.get(code)
}

/** The reason codes that only packets other than CONNACK, DISCONNECT and AUTH have. MQTT 5.0 section 2.4. */
const otherNames: ReadonlyMap<number, string> = new Map([
  [0x01, 'grantedQos1'],
  [0x02, 'grantedQos2'],
  [0x10, 'noMatchingSubscribers'],
  [0x11, 'noSubscriptionExisted'],
  [0x91, 'packetIdentifierInUse'],
  [0x92, 'packetIdentifierNotFound'],
])

/**
 * The return codes of a CONNACK before MQTT 5.0. MQTT 3.1.1 section 3.2.2.3.
 *
 * @example
 * ConnectReturnCode.notAuthorized // 5
 */
export const ConnectReturnCode = {
  /** 0: The connection is accepted. MQTT 3.1.1 section 3.2.2.3. */
  accepted: 0,
  /** 1: The server doesn't support this version of MQTT. MQTT 3.1.1 section 3.2.2.3. */
  unacceptableProtocolVersion: 1,
  /** 2: The server doesn't allow this client identifier. MQTT 3.1.1 section 3.2.2.3. */
  identifierRejected: 2,
  /** 3: The server isn't available. MQTT 3.1.1 section 3.2.2.3. */
  serverUnavailable: 3,
  /** 4: The user name or the password is malformed. MQTT 3.1.1 section 3.2.2.3. */
  badUserNameOrPassword: 4,
  /** 5: The client isn't authorised to connect. MQTT 3.1.1 section 3.2.2.3. */
  notAuthorized: 5,
} as const
export type ConnectReturnCode = (typeof ConnectReturnCode)[keyof typeof ConnectReturnCode]

/** The return codes. Only a server sends them. */
export const returnCodesIn: Codes = byCode(
  Object.entries(ConnectReturnCode).map(([name, code]) => [name, code, 'server']),
)

/**
 * The return code that stands for a 5.0 reason code in MQTT 3.1 and 3.1.1. Reason codes that are missing here have none: the
 * server just closes the connection.
 */
export const returnCodes: ReadonlyMap<number, ConnectReturnCode> = new Map(
  Object.values<CodeRow>(reasonCodeTable).flatMap(({ code, return: returnCode }) =>
    returnCode === undefined ? [] : [[code, returnCode]],
  ),
)
