import type { ErrorCode, RelaxableCode } from '../lib/errors/error-table.ts'

const firstInvalid = 'The offset is that of the first invalid byte.'

/**
 * Notes for programmers on some codes. They add to the diagnosis, which is written for everybody, and don't repeat the error
 * table.
 */
export const notes: { readonly [Code in ErrorCode]?: string } = {
  'connect-timeout': 'The limit is the `timeout` of `readConnect`, `readConnack` or `readPacket`.',
  'packet-incomplete':
    'A decoder waits for more bytes until its input ends. An offset of 0 means that there were no bytes at all.',
  'reserved-packet-type':
    'The type is 0 or, before 5.0, 15. `looksLike` names the protocol if it is a known one.',
  'not-connect':
    'With `connection: false`, `PacketDecoder` and `PacketParser` accept only CONNECT packets. `readConnect` always does.',
  'second-connect': 'The offset counts from the start of the second CONNECT.',
  'fixed-header-flags':
    'MQTT 3.1 calls these bits "not used". The library checks them anyway, because the first byte arrives before the version is known. `looksLike` names the protocol if it is a known one.',
  'packet-too-large':
    'The limit is `maximumPacketSize`. The fixed header contains the size, so the rest of the packet is never stored.',
  'more-than-one-packet':
    '`decode` decodes exactly one packet. Use `PacketDecoder` or `PacketParser` for a sequence of packets.',
  'protocol-mqtt-3-1':
    'Its protocol name is MQIsdp. It is accepted only with `allow` or with `protocolVersion: ProtocolVersion.v3_1`.',
  'protocol-level':
    "If `protocolVersion` excludes the client's version, `connack` is the one listed below for an unknown level: below 4 for 3.1.1 clients, above 5 for 5.0 clients.",
  'property-not-allowed-here': 'The field names the property.',
  'authentication-data-without-method':
    'The method may come before or after the data, so this is checked at the end of the property list.',
  'property-not-utf8': firstInvalid,
  'user-property-not-utf8': firstInvalid,
  'client-id-not-utf8': firstInvalid,
  'will-topic-not-utf8': firstInvalid,
  'user-name-not-utf8': firstInvalid,
}

const onlyEncoding = 'A packet built from the fields is valid.'
const inFields = 'The fields contain the invalid value, which constructors refuse.'

/** The packet that you get if `allow` relaxes the rule. */
export const relaxations: Readonly<Record<RelaxableCode, string>> = {
  'variable-byte-integer-not-shortest': onlyEncoding,
  'bytes-left-over': `The additional bytes are in \`bytes\`, but not in any field. ${onlyEncoding}`,
  'protocol-mqtt-3-1': 'The packet is a `v3_1.ConnectPacket`.',
  'protocol-bridge-level': 'It is an ordinary packet of its version, and its `bridge` is true.',
  'connect-flags-reserved': onlyEncoding,
  'will-qos-without-will': `\`will\` is \`undefined\`. ${onlyEncoding}`,
  'will-retain-without-will': `\`will\` is \`undefined\`. ${onlyEncoding}`,
  'password-without-user-name': inFields,
  'authentication-data-without-method': inFields,
  'authentication-method-missing': `${inFields} If the packet has no body, the reason code is 0.`,
  'disconnect-bad-authentication-method': inFields,
  'request-response-information': inFields,
  'request-problem-information': inFields,
  'payload-format-indicator': inFields,
  'response-topic-empty': inFields,
  'response-topic-wildcard': inFields,
  'session-present-with-error': inFields,
  'client-id-empty': `${inFields} The server must assign an identifier.`,
  'client-id-too-long': inFields,
  'will-topic-empty': `${inFields} Do not publish such a will.`,
  'will-topic-wildcard': `${inFields} Do not publish such a will.`,
}
