/**
 * The reason codes of a CONNACK of MQTT 5.0. Section 3.2.2.2.
 *
 * @example
 * ConnectReasonCode.notAuthorized // 135
 */
export const ConnectReasonCode = {
  success: 0x00,
  unspecifiedError: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  implementationSpecificError: 0x83,
  unsupportedProtocolVersion: 0x84,
  clientIdentifierNotValid: 0x85,
  badUserNameOrPassword: 0x86,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  serverBusy: 0x89,
  banned: 0x8a,
  badAuthenticationMethod: 0x8c,
  topicNameInvalid: 0x90,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  payloadFormatInvalid: 0x99,
  retainNotSupported: 0x9a,
  qosNotSupported: 0x9b,
  useAnotherServer: 0x9c,
  serverMoved: 0x9d,
  connectionRateExceeded: 0x9f,
} as const

export type ConnectReasonCode = (typeof ConnectReasonCode)[keyof typeof ConnectReasonCode]

/**
 * The return codes of a CONNACK of MQTT 3.1 and 3.1.1. MQTT 3.1.1 section 3.2.2.3.
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

/**
 * The return code with which a client of MQTT 3.1 or 3.1.1 learns of a reason code of 5.0. For all other reason codes those
 * versions have none: the server just closes the connection.
 */
export const returnCodes: ReadonlyMap<ConnectReasonCode, ConnectReturnCode> = new Map<
  ConnectReasonCode,
  ConnectReturnCode
>([
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

export type ConnectReturnCode = (typeof ConnectReturnCode)[keyof typeof ConnectReturnCode]
