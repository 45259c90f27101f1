import type { ConnectReasonCode, ConnectReturnCode } from '../protocol/connect-codes.ts'
import type { Clause } from '../protocol/version.ts'

/** What the standards say about one kind of error. */
export interface ErrorRow {
  /** The MQTT 5.0 reason code. */
  readonly reason: keyof typeof ConnectReasonCode
  /** The MQTT 3.1.1 return code, where that standard lets a server send one. */
  readonly return?: ConnectReturnCode
  /** The clause that is broken. */
  readonly clause: Clause
  /** The clause that is broken if the packet is a CONNACK. Default `clause`. */
  readonly connack?: Clause
  /** Whether `allow` may name it: devices in the field break the rule, and their packets still have one clear meaning. */
  readonly relaxable?: true
}

/** All error codes, roughly in the order in which a packet can cause them. */
export const errorTable = {
  // The connection and the fixed header.
  'connect-timeout': { reason: 'unspecifiedError', clause: '3.1.4' },
  'packet-incomplete': { reason: 'malformedPacket', clause: 'MQTT-3.1.4-1' },
  'reserved-packet-type': {
    reason: 'malformedPacket',
    clause: { v3_1: '2.1', v3_1_1: '2.2.1', v5: '2.1.2' },
  },
  'not-connect': { reason: 'protocolError', clause: 'MQTT-3.1.0-1' },
  'second-connect': { reason: 'protocolError', clause: 'MQTT-3.1.0-2' },
  'fixed-header-flags': {
    reason: 'malformedPacket',
    clause: { v3_1: '2.1', v3_1_1: 'MQTT-2.2.2-1', v5: 'MQTT-2.1.3-1' },
    connack: { v3_1: '2.1', v3_1_1: 'MQTT-2.2.2-2', v5: 'MQTT-2.1.3-1' },
  },
  'variable-byte-integer-too-long': {
    reason: 'malformedPacket',
    clause: { v3_1: '2.1', v3_1_1: '2.2.3', v5: '1.5.5' },
  },
  'variable-byte-integer-not-shortest': {
    reason: 'malformedPacket',
    clause: 'MQTT-1.5.5-1',
    relaxable: true,
  },
  'publish-qos': {
    reason: 'malformedPacket',
    clause: { v3_1: '2.1', v3_1_1: 'MQTT-3.3.1-4', v5: 'MQTT-3.3.1-4' },
  },
  'publish-dup': {
    reason: 'malformedPacket',
    clause: { v3_1: '2.1', v3_1_1: 'MQTT-3.3.1-2', v5: 'MQTT-3.3.1-2' },
  },
  'packet-id-zero': {
    reason: 'protocolError',
    clause: { v3_1: '2.4', v3_1_1: 'MQTT-2.3.1-1', v5: 'MQTT-2.2.1-3' },
  },
  'body-not-allowed': { reason: 'malformedPacket', clause: { v3_1: '2.1', v3_1_1: '2.2.3', v5: '2.1.4' } },
  'packet-too-large': { reason: 'packetTooLarge', clause: { v3_1: '2.1', v3_1_1: '4.8', v5: '3.2.2.2' } },

  // Remaining Length and the fields.
  'field-past-end': {
    reason: 'malformedPacket',
    clause: 'MQTT-3.1.4-1',
    connack: { v3_1: '3.2', v3_1_1: '3.2.1', v5: '3.2.1' },
  },
  'bytes-left-over': {
    reason: 'malformedPacket',
    clause: 'MQTT-3.1.4-1',
    relaxable: true,
    connack: { v3_1: '3.2', v3_1_1: '3.2.1', v5: '3.2.1' },
  },
  'more-than-one-packet': { reason: 'malformedPacket', clause: 'MQTT-3.1.4-1' },

  // The variable header.
  'protocol-name': { reason: 'unsupportedProtocolVersion', clause: 'MQTT-3.1.2-1' },
  'protocol-mqtt-3-1': {
    reason: 'unsupportedProtocolVersion',
    return: 1,
    clause: 'MQTT-3.1.2-1',
    relaxable: true,
  },
  'protocol-bridge-level': {
    reason: 'unsupportedProtocolVersion',
    return: 1,
    clause: 'MQTT-3.1.2-2',
    relaxable: true,
  },
  'protocol-level': { reason: 'unsupportedProtocolVersion', return: 1, clause: 'MQTT-3.1.2-2' },
  'connect-flags-reserved': { reason: 'malformedPacket', clause: 'MQTT-3.1.2-3', relaxable: true },
  'will-qos-without-will': {
    reason: 'malformedPacket',
    clause: { v3_1_1: 'MQTT-3.1.2-13', v5: 'MQTT-3.1.2-11' },
    relaxable: true,
  },
  'will-qos': {
    reason: 'malformedPacket',
    clause: { v3_1_1: 'MQTT-3.1.2-14', v5: 'MQTT-3.1.2-12' },
  },
  'will-retain-without-will': {
    reason: 'malformedPacket',
    clause: { v3_1_1: 'MQTT-3.1.2-15', v5: 'MQTT-3.1.2-13' },
    relaxable: true,
  },
  'password-without-user-name': {
    reason: 'malformedPacket',
    clause: 'MQTT-3.1.2-22',
    relaxable: true,
  },

  // Properties.
  'property-unknown': { reason: 'malformedPacket', clause: '2.2.2.2', connack: '3.2.2.3' },
  'property-not-allowed-here': { reason: 'malformedPacket', clause: '2.2.2.2', connack: '3.2.2.3' },
  'property-past-end': { reason: 'malformedPacket', clause: '2.2.2.2', connack: '3.2.2.3' },
  'property-twice': { reason: 'protocolError', clause: '3.1.2.11', connack: '3.2.2.3' },
  'will-property-twice': { reason: 'protocolError', clause: '3.1.3.2' },
  'receive-maximum-zero': { reason: 'protocolError', clause: '3.1.2.11.3', connack: '3.2.2.3.3' },
  'maximum-packet-size-zero': { reason: 'protocolError', clause: '3.1.2.11.4', connack: '3.2.2.3.6' },
  'request-response-information': { reason: 'protocolError', clause: '3.1.2.11.6', relaxable: true },
  'request-problem-information': { reason: 'protocolError', clause: '3.1.2.11.7', relaxable: true },
  'authentication-data-without-method': {
    reason: 'protocolError',
    clause: '3.1.2.11.10',
    connack: '3.2.2.3.18',
  },
  'payload-format-indicator': { reason: 'malformedPacket', clause: '3.1.3.2.3', relaxable: true },
  'response-topic-empty': { reason: 'protocolError', clause: 'MQTT-3.3.2-14', relaxable: true },
  'response-topic-wildcard': { reason: 'protocolError', clause: 'MQTT-3.3.2-14', relaxable: true },
  'property-not-utf8': { reason: 'malformedPacket', clause: 'MQTT-1.5.4-1' },
  'property-nul': { reason: 'malformedPacket', clause: 'MQTT-1.5.4-2' },
  'user-property-not-utf8': { reason: 'malformedPacket', clause: 'MQTT-1.5.7-1' },
  'user-property-nul': { reason: 'malformedPacket', clause: 'MQTT-1.5.7-1' },

  // CONNACK.
  'acknowledge-flags-reserved': {
    reason: 'malformedPacket',
    clause: { v3_1: '3.2', v3_1_1: '3.2.2.1', v5: 'MQTT-3.2.2-1' },
  },
  'connack-code': {
    reason: 'protocolError',
    clause: { v3_1: '3.2', v3_1_1: '3.2.2.3', v5: 'MQTT-3.2.2-8' },
  },
  'session-present-with-error': {
    reason: 'protocolError',
    clause: { v3_1_1: 'MQTT-3.2.2-4', v5: 'MQTT-3.2.2-6' },
    relaxable: true,
  },
  'maximum-qos': { reason: 'protocolError', clause: '3.2.2.3.4' },
  'retain-available': { reason: 'protocolError', clause: '3.2.2.3.5' },
  'wildcard-subscription-available': { reason: 'protocolError', clause: '3.2.2.3.11' },
  'subscription-identifier-available': { reason: 'protocolError', clause: '3.2.2.3.12' },
  'shared-subscription-available': { reason: 'protocolError', clause: '3.2.2.3.13' },

  // The payload.
  'client-id-not-utf8': {
    reason: 'clientIdentifierNotValid',
    clause: { v3_1_1: 'MQTT-1.5.3-1', v5: 'MQTT-1.5.4-1' },
  },
  'client-id-nul': {
    reason: 'clientIdentifierNotValid',
    clause: { v3_1_1: 'MQTT-1.5.3-2', v5: 'MQTT-1.5.4-2' },
  },
  'client-id-empty': {
    reason: 'clientIdentifierNotValid',
    return: 2,
    clause: 'MQTT-3.1.3-8',
    relaxable: true,
  },
  'client-id-too-long': {
    reason: 'clientIdentifierNotValid',
    return: 2,
    clause: 'MQTT-3.1.3-5',
    relaxable: true,
  },
  'will-topic-not-utf8': {
    reason: 'topicNameInvalid',
    clause: { v3_1_1: 'MQTT-3.1.3-10', v5: 'MQTT-3.1.3-11' },
  },
  'will-topic-nul': {
    reason: 'topicNameInvalid',
    clause: { v3_1_1: 'MQTT-3.1.3-10', v5: 'MQTT-3.1.3-11' },
  },
  'will-topic-empty': { reason: 'topicNameInvalid', clause: 'MQTT-4.7.3-1', relaxable: true },
  'will-topic-wildcard': {
    reason: 'topicNameInvalid',
    clause: { v3_1_1: 'MQTT-4.7.1-1', v5: 'MQTT-4.7.0-1' },
    relaxable: true,
  },
  'user-name-not-utf8': {
    reason: 'badUserNameOrPassword',
    clause: { v3_1_1: 'MQTT-3.1.3-11', v5: 'MQTT-3.1.3-12' },
  },
  'user-name-nul': {
    reason: 'badUserNameOrPassword',
    clause: { v3_1_1: 'MQTT-3.1.3-11', v5: 'MQTT-3.1.3-12' },
  },
} as const

/**
 * The codes of `MqttError`. They are part of the API. docs/errors.md explains each of them.
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

/** The row of a code, in the shape that all rows share. */
export function errorRow(code: ErrorCode): ErrorRow {
  return errorTable[code]
}

/** All codes that `allow` takes. */
export const relaxableCodes: ReadonlySet<RelaxableCode> = new Set(
  (Object.keys(errorTable) as RelaxableCode[]).filter((code) => errorRow(code).relaxable === true),
)
