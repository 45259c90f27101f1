import type { ConnectReasonCode, ConnectReturnCode } from '../protocol/codes.ts'
import type { Clause } from '../protocol/version.ts'
import { copyOwn } from './misuse.ts'

/** The facts about an error code. */
export interface ErrorRow {
  /** The problem with the field, for the message. It never quotes the packet. */
  readonly problem: string
  /** The MQTT 5.0 reason code. Default `malformedPacket`. */
  readonly reason?: keyof typeof ConnectReasonCode
  /** The MQTT 3.1.1 return code, if that standard lets a server send one. */
  readonly return?: ConnectReturnCode
  /** The broken clause, unless the packet type has one of its own. Default: the section that defines the field. */
  readonly clause?: Clause
  /** Set if `allow` may relax the rule: devices in the field break it, and their packets still have a single clear meaning. */
  readonly relaxable?: true
}

/** All error codes, roughly in the order in which a packet can cause them. */
export const errorTable = {
  // The connection and the fixed header.
  'connect-timeout': {
    problem: 'the packet was not complete in time',
    reason: 'unspecifiedError',
    clause: '3.1.4',
  },
  'packet-incomplete': { problem: 'the packet is not complete', clause: 'MQTT-3.1.4-1' },
  'reserved-packet-type': {
    problem: 'has a reserved packet type',
    clause: { v3_1: '2.1', v3_1_1: '2.2.1', v5: '2.1.2' },
  },
  'not-connect': { problem: 'must begin a CONNECT', reason: 'protocolError', clause: 'MQTT-3.1.0-1' },
  'second-connect': {
    problem: 'begins a second CONNECT on the same connection',
    reason: 'protocolError',
    clause: 'MQTT-3.1.0-2',
  },
  'not-connack': { problem: 'must begin a CONNACK', reason: 'protocolError', clause: 'MQTT-3.2.0-1' },
  'second-connack': {
    problem: 'begins a second CONNACK on the same connection',
    reason: 'protocolError',
    clause: { v3_1: '3.2', v3_1_1: '3.2', v5: 'MQTT-3.2.0-2' },
  },
  'wrong-sender': {
    problem: 'begins a packet that only a client sends',
    reason: 'protocolError',
    clause: '3.14',
  },
  'fixed-header-flags': {
    problem: 'has flags that are invalid for its packet type',
    clause: { v3_1: '2.1', v3_1_1: 'MQTT-2.2.2-1', v5: 'MQTT-2.1.3-1' },
  },
  'variable-byte-integer-too-long': {
    problem: 'must not take more than 4 bytes',
    clause: { v3_1: '2.1', v3_1_1: '2.2.3', v5: '1.5.5' },
  },
  'variable-byte-integer-not-shortest': {
    problem: 'must be encoded in as few bytes as possible',
    clause: 'MQTT-1.5.5-1',
    relaxable: true,
  },
  'publish-qos': {
    problem: 'must not have QoS 3',
    clause: { v3_1: '2.1', v3_1_1: 'MQTT-3.3.1-4', v5: 'MQTT-3.3.1-4' },
  },
  'publish-dup': {
    problem: 'must not have the DUP flag with QoS 0',
    clause: { v3_1: '2.1', v3_1_1: 'MQTT-3.3.1-2', v5: 'MQTT-3.3.1-2' },
  },
  'packet-id-zero': {
    problem: 'must not be 0',
    reason: 'protocolError',
    clause: { v3_1: '2.4', v3_1_1: 'MQTT-2.3.1-1', v5: 'MQTT-2.2.1-3' },
  },
  'body-not-allowed': { problem: 'must be 0, because this packet type has no body' },
  'packet-too-large': {
    problem: 'makes the packet larger than the maximum',
    reason: 'packetTooLarge',
    clause: { v3_1: '2.1', v3_1_1: '4.8', v5: '3.2.2.2' },
  },

  // Remaining Length and the fields.
  'field-past-end': { problem: 'runs past the end of the packet', clause: 'MQTT-3.1.4-1' },
  'bytes-left-over': {
    problem: "there are bytes after the packet's last field",
    clause: 'MQTT-3.1.4-1',
    relaxable: true,
  },
  'more-than-one-packet': { problem: 'there are bytes after the packet', clause: 'MQTT-3.1.4-1' },

  // The variable header.
  'protocol-name': { problem: 'must be MQTT', reason: 'unsupportedProtocolVersion', clause: 'MQTT-3.1.2-1' },
  'protocol-mqtt-3-1': {
    problem: 'is MQIsdp, the name of MQTT 3.1, which is not accepted here',
    reason: 'unsupportedProtocolVersion',
    return: 1,
    clause: 'MQTT-3.1.2-1',
    relaxable: true,
  },
  'protocol-bridge-level': {
    problem: 'marks a bridge, which is not accepted here',
    reason: 'unsupportedProtocolVersion',
    return: 1,
    clause: 'MQTT-3.1.2-2',
    relaxable: true,
  },
  'protocol-level': {
    problem: 'is not accepted here',
    reason: 'unsupportedProtocolVersion',
    return: 1,
    clause: 'MQTT-3.1.2-2',
  },
  'connect-flags-reserved': {
    problem: 'bit 0 is reserved and must be 0',
    clause: 'MQTT-3.1.2-3',
    relaxable: true,
  },
  'will-qos-without-will': {
    problem: 'will QoS must be 0 without the will flag',
    clause: { v3_1_1: 'MQTT-3.1.2-13', v5: 'MQTT-3.1.2-11' },
    relaxable: true,
  },
  'will-qos': { problem: 'will QoS must not be 3', clause: { v3_1_1: 'MQTT-3.1.2-14', v5: 'MQTT-3.1.2-12' } },
  'will-retain-without-will': {
    problem: 'will retain must be 0 without the will flag',
    clause: { v3_1_1: 'MQTT-3.1.2-15', v5: 'MQTT-3.1.2-13' },
    relaxable: true,
  },
  'password-without-user-name': {
    problem: 'the password flag must not be set without the user name flag',
    clause: 'MQTT-3.1.2-22',
    relaxable: true,
  },

  // Properties.
  'property-unknown': {
    problem: 'must not contain a property identifier that MQTT does not define',
    clause: '2.2.2.2',
  },
  'property-not-allowed-here': { problem: 'is not allowed in this packet', clause: '2.2.2.2' },
  'property-past-end': { problem: 'runs past the end of the properties', clause: '2.2.2.2' },
  'property-twice': { problem: 'must not occur twice', reason: 'protocolError', clause: '3.1.2.11' },
  'will-property-twice': { problem: 'must not occur twice', reason: 'protocolError', clause: '3.1.3.2' },
  'receive-maximum-zero': { problem: 'must not be 0', reason: 'protocolError' },
  'maximum-packet-size-zero': { problem: 'must not be 0', reason: 'protocolError' },
  'request-response-information': { problem: 'must be 0 or 1', reason: 'protocolError', relaxable: true },
  'request-problem-information': { problem: 'must be 0 or 1', reason: 'protocolError', relaxable: true },
  'authentication-data-without-method': {
    problem: 'must not occur without an authentication method',
    reason: 'protocolError',
    clause: '3.1.2.11.10',
    relaxable: true,
  },
  'authentication-method-missing': {
    problem: 'must contain an authentication method',
    reason: 'protocolError',
    clause: 'MQTT-4.12.0-5',
    relaxable: true,
  },
  'payload-format-indicator': { problem: 'must be 0 or 1', relaxable: true },
  'response-topic-empty': {
    problem: 'must not be empty, because it is a topic name',
    reason: 'protocolError',
    clause: 'MQTT-3.3.2-14',
    relaxable: true,
  },
  'response-topic-wildcard': {
    problem: 'must not contain a wildcard, because it is a topic name',
    reason: 'protocolError',
    clause: 'MQTT-3.3.2-14',
    relaxable: true,
  },
  'property-not-utf8': { problem: 'must be well-formed UTF-8', clause: 'MQTT-1.5.4-1' },
  'property-nul': { problem: 'must not contain U+0000', clause: 'MQTT-1.5.4-2' },
  'user-property-not-utf8': { problem: 'must be well-formed UTF-8', clause: 'MQTT-1.5.7-1' },
  'user-property-nul': { problem: 'must not contain U+0000', clause: 'MQTT-1.5.7-1' },

  // CONNACK, DISCONNECT, AUTH.
  'acknowledge-flags-reserved': {
    problem: 'bits 7 to 1 are reserved and must be 0',
    clause: { v3_1_1: '3.2.2.1', v5: 'MQTT-3.2.2-1' },
  },
  'connack-code': {
    problem: 'is not defined for CONNACK',
    reason: 'protocolError',
    clause: { v3_1_1: '3.2.2.3', v5: 'MQTT-3.2.2-8' },
  },
  'session-present-with-error': {
    problem: 'session present must be 0 unless the code is success',
    reason: 'protocolError',
    clause: { v3_1_1: 'MQTT-3.2.2-4', v5: 'MQTT-3.2.2-6' },
    relaxable: true,
  },
  'maximum-qos': { problem: 'must be 0 or 1', reason: 'protocolError' },
  'retain-available': { problem: 'must be 0 or 1', reason: 'protocolError' },
  'wildcard-subscription-available': { problem: 'must be 0 or 1', reason: 'protocolError' },
  'subscription-identifier-available': { problem: 'must be 0 or 1', reason: 'protocolError' },
  'shared-subscription-available': { problem: 'must be 0 or 1', reason: 'protocolError' },
  'disconnect-code': {
    problem: 'is not defined for DISCONNECT',
    reason: 'protocolError',
    clause: 'MQTT-3.14.2-1',
  },
  'disconnect-bad-authentication-method': {
    problem: 'is 0x8C, which is not defined for DISCONNECT',
    reason: 'protocolError',
    clause: 'MQTT-3.14.2-1',
    relaxable: true,
  },
  'auth-code': { problem: 'is not defined for AUTH', reason: 'protocolError', clause: 'MQTT-3.15.2-1' },

  // The payload.
  'client-id-not-utf8': {
    problem: 'must be well-formed UTF-8',
    reason: 'clientIdentifierNotValid',
    clause: { v3_1_1: 'MQTT-1.5.3-1', v5: 'MQTT-1.5.4-1' },
  },
  'client-id-nul': {
    problem: 'must not contain U+0000',
    reason: 'clientIdentifierNotValid',
    clause: { v3_1_1: 'MQTT-1.5.3-2', v5: 'MQTT-1.5.4-2' },
  },
  'client-id-empty': {
    problem: 'must not be empty',
    reason: 'clientIdentifierNotValid',
    return: 2,
    clause: 'MQTT-3.1.3-8',
    relaxable: true,
  },
  'client-id-too-long': {
    problem: 'must not be longer than 23 characters',
    reason: 'clientIdentifierNotValid',
    return: 2,
    clause: 'MQTT-3.1.3-5',
    relaxable: true,
  },
  'will-topic-not-utf8': {
    problem: 'must be well-formed UTF-8',
    reason: 'topicNameInvalid',
    clause: { v3_1_1: 'MQTT-3.1.3-10', v5: 'MQTT-3.1.3-11' },
  },
  'will-topic-nul': {
    problem: 'must not contain U+0000',
    reason: 'topicNameInvalid',
    clause: { v3_1_1: 'MQTT-3.1.3-10', v5: 'MQTT-3.1.3-11' },
  },
  'will-topic-empty': {
    problem: 'must not be empty, because it is a topic name',
    reason: 'topicNameInvalid',
    clause: 'MQTT-4.7.3-1',
    relaxable: true,
  },
  'will-topic-wildcard': {
    problem: 'must not contain a wildcard, because it is a topic name',
    reason: 'topicNameInvalid',
    clause: { v3_1_1: 'MQTT-4.7.1-1', v5: 'MQTT-4.7.0-1' },
    relaxable: true,
  },
  'user-name-not-utf8': {
    problem: 'must be well-formed UTF-8',
    reason: 'badUserNameOrPassword',
    clause: { v3_1_1: 'MQTT-3.1.3-11', v5: 'MQTT-3.1.3-12' },
  },
  'user-name-nul': {
    problem: 'must not contain U+0000',
    reason: 'badUserNameOrPassword',
    clause: { v3_1_1: 'MQTT-3.1.3-11', v5: 'MQTT-3.1.3-12' },
  },
} as const

/**
 * The codes of `MqttError`. They are part of the API. `diagnose` explains each of them.
 *
 * @example
 * const code: ErrorCode = 'client-id-nul'
 */
export type ErrorCode = keyof typeof errorTable

/**
 * The codes that `allow` accepts: the rules that can be relaxed.
 *
 * @example
 * const allow: RelaxableCode[] = ['client-id-empty']
 * decode(bytes, { allow })
 */
export type RelaxableCode = {
  [Code in ErrorCode]: (typeof errorTable)[Code] extends { relaxable: true } ? Code : never
}[ErrorCode]

/** A code's row, without members that somebody has added to `Object.prototype`. */
export function errorRow(code: ErrorCode): ErrorRow {
  return copyOwn<ErrorRow>(errorTable[code])
}

/** The name of the reason code of an error with this row. */
export function reasonOf({ reason = 'malformedPacket' }: ErrorRow): keyof typeof ConnectReasonCode {
  return reason
}

/** All codes that `allow` accepts. */
export const relaxableCodes: ReadonlySet<RelaxableCode> = new Set(
  (Object.keys(errorTable) as RelaxableCode[]).filter((code) => errorRow(code).relaxable === true),
)
