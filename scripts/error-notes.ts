import type { ErrorCode, RelaxableCode } from '../lib/errors/error-table.ts'

const nul =
  'contains U+0000. MQTT forbids it in every string, because many programs take it for the end of the string.'
const notUtf8 = 'is not well-formed UTF-8. The offset is that of the first invalid byte.'
const topicIsNoFilter = 'contains `+` or `#`. It must be a topic name, not a topic filter.'
const zeroOrOne = 'must be 0 or 1.'

/** What each code means, in a sentence or two. Facts of the error table are not repeated here. */
export const meanings: Readonly<Record<ErrorCode, string>> = {
  'connect-timeout':
    'The packet was not complete within the `timeout` of `readConnect` or `readPacket`. The peer may have sent nothing, a part of the packet, or one byte at a time.',
  'packet-incomplete':
    'The bytes end before the packet does: the buffer was cut, or the stream ended early. A decoder that can still receive bytes waits for them instead. With offset 0 there were no bytes at all: a port scan, or the health check of a load balancer.',
  'reserved-packet-type':
    'The first byte has a control packet type that the version does not define: 0, and before 5.0 also 15. Usually the bytes are not MQTT; then `looksLike` may name the protocol.',
  'not-connect':
    'A connection must begin with a CONNECT, and this is another control packet. Often the peer did not notice that its connection is new. Or the packet is a later one of a connection: `PacketDecoder` and `PacketParser` accept those only with `connection: true`, and only after the CONNECT.',
  'second-connect':
    'A CONNECT arrived on a connection that already had one. The offset counts from the start of the second.',
  'fixed-header-flags':
    'The low half of the first byte is not what the packet type requires, which is 0000 for CONNECT and CONNACK. Text protocols on an MQTT port often cause this error; then `looksLike` may name the protocol. MQTT 3.1 calls these bits "not used". They are checked there too, because the version is not known when the first byte arrives.',
  'variable-byte-integer-too-long':
    'A variable byte integer (Remaining Length, property length or property identifier) continues after its fourth byte.',
  'variable-byte-integer-not-shortest':
    'A variable byte integer takes more bytes than its value needs. Only 5.0 forbids that.',
  'publish-qos': 'Both QoS bits of a PUBLISH are set. There is no QoS 3.',
  'publish-dup': 'A PUBLISH with QoS 0 has the DUP flag. A packet with QoS 0 is never sent again.',
  'packet-id-zero': 'The packet identifier is 0. It must be 1 or more.',
  'body-not-allowed':
    'The packet type is only a fixed header, but the Remaining Length is not 0: PINGREQ, PINGRESP, and before 5.0 also DISCONNECT.',
  'packet-too-large':
    'The packet would be larger than `maximumPacketSize`. The fixed header shows it, so nothing of the packet is stored.',
  'field-past-end':
    'A field, or its length prefix, continues after the end of the packet. Either a length is wrong, or the connect flags announce a field that was not sent.',
  'bytes-left-over':
    'Bytes follow the last field but belong to the packet. Some clients pad their packets or send a user name without its flag.',
  'more-than-one-packet':
    'More bytes follow the packet, and the function decodes exactly one. Use `PacketDecoder` or `PacketParser` for a sequence of packets.',
  'protocol-name':
    'The protocol name is neither MQTT nor MQIsdp: another protocol, or a broken client. Names are compared byte by byte, so `mqtt` is another name.',
  'protocol-mqtt-3-1':
    'The client uses MQTT 3.1, whose protocol name is MQIsdp. It is accepted only with `allow` or with `protocolVersion: ProtocolVersion.v3_1`.',
  'protocol-bridge-level':
    'The protocol level has bit 0x80: 0x83 or 0x84. Some brokers set it on connections between brokers. No standard has it. In mosquitto, `try_private false` turns it off.',
  'protocol-level':
    'The protocol level does not belong to the protocol name, or is not accepted here: `protocolVersion` may ask for another version. Then a client of 3.1.1 gets the answer to a level below 4, and a client of 5.0 the answer to a level above 5.',
  'connect-flags-reserved': 'Bit 0 of the connect flags is set. It is reserved and must be 0.',
  'will-qos-without-will': 'The will QoS in the connect flags is not 0, but the will flag is not set.',
  'will-qos': 'The will QoS is 3. It must be 0, 1 or 2.',
  'will-retain-without-will': 'The will retain flag is set, but the will flag is not.',
  'password-without-user-name':
    'The connect flags announce a password but no user name. 5.0 allows that; 3.1 and 3.1.1 do not.',
  'property-unknown':
    'MQTT 5.0 does not define this property identifier. The length of such a property is unknown, so decoding cannot continue.',
  'property-not-allowed-here':
    'The property exists, but not in this property list. It belongs to the CONNECT, to its will, to the CONNACK or to another packet. The field names it.',
  'property-past-end':
    'A property continues after the end of its property list, as given by the property length.',
  'property-twice':
    'The CONNECT or the CONNACK has a property twice that it may have once. Only user properties may be repeated.',
  'will-property-twice':
    'The will has a property twice that it may have once. Only user properties may be repeated.',
  'receive-maximum-zero': 'The receive maximum is 0. It must be 1 or more, or absent.',
  'maximum-packet-size-zero':
    'The maximum packet size is 0. It must be 1 or more. If it is absent there is no limit.',
  'request-response-information': `Request response information ${zeroOrOne}`,
  'request-problem-information': `Request problem information ${zeroOrOne}`,
  'authentication-data-without-method':
    'There is authentication data but no authentication method. The method may come before or after the data, so this is checked at the end of the property list.',
  'payload-format-indicator': `The payload format indicator of the will ${zeroOrOne}`,
  'response-topic-empty': 'The response topic of the will is empty. A topic name has at least one character.',
  'response-topic-wildcard': `The response topic of the will ${topicIsNoFilter}`,
  'property-not-utf8': `The string in a property ${notUtf8}`,
  'property-nul': `The string in a property ${nul}`,
  'user-property-not-utf8': `The key or the value of a user property ${notUtf8}`,
  'user-property-nul': `The key or the value of a user property ${nul}`,
  'acknowledge-flags-reserved':
    'One of the bits 7 to 1 of the acknowledge flags is set. They are reserved and must be 0.',
  'connack-code': 'The return code or the reason code is not one that CONNACK has.',
  'session-present-with-error':
    'The CONNACK refuses the connection and also says that there is a session. Session present must be 0 unless the code is 0.',
  'maximum-qos': `Maximum QoS ${zeroOrOne} Without this property the server supports QoS 2.`,
  'retain-available': `Retain available ${zeroOrOne}`,
  'wildcard-subscription-available': `Wildcard subscription available ${zeroOrOne}`,
  'subscription-identifier-available': `Subscription identifier available ${zeroOrOne}`,
  'shared-subscription-available': `Shared subscription available ${zeroOrOne}`,
  'client-id-not-utf8': `The client identifier ${notUtf8} Nothing is replaced, because then two clients could get the same identifier.`,
  'client-id-nul': `The client identifier ${nul}`,
  'client-id-empty':
    'The client identifier is empty. 3.1 forbids that. 3.1.1 forbids it without clean session, because a session needs an identifier. In 5.0 the server assigns one.',
  'client-id-too-long': 'The client identifier has more than 23 characters, which is the limit of MQTT 3.1.',
  'will-topic-not-utf8': `The will topic ${notUtf8}`,
  'will-topic-nul': `The will topic ${nul}`,
  'will-topic-empty': 'The will topic is empty. A topic name has at least one character.',
  'will-topic-wildcard': `The will topic ${topicIsNoFilter}`,
  'user-name-not-utf8': `The user name ${notUtf8}`,
  'user-name-nul': `The user name ${nul}`,
}

const onlyEncoding = 'A packet built from its fields is valid.'
const inFields = 'The fields contain it, and constructors refuse it.'

/** How a packet reads if `allow` relaxes the rule that it breaks. */
export const relaxations: Readonly<Record<RelaxableCode, string>> = {
  'variable-byte-integer-not-shortest': onlyEncoding,
  'bytes-left-over': `The additional bytes are in \`bytes\` but in no field. ${onlyEncoding}`,
  'protocol-mqtt-3-1': 'The packet is a `v3_1.ConnectPacket`.',
  'protocol-bridge-level': 'The packet is one of its version, and `bridge` is true.',
  'connect-flags-reserved': onlyEncoding,
  'will-qos-without-will': `\`will\` is \`undefined\`. ${onlyEncoding}`,
  'will-retain-without-will': `\`will\` is \`undefined\`. ${onlyEncoding}`,
  'password-without-user-name': inFields,
  'request-response-information': inFields,
  'request-problem-information': inFields,
  'payload-format-indicator': inFields,
  'response-topic-empty': inFields,
  'response-topic-wildcard': inFields,
  'session-present-with-error': inFields,
  'client-id-empty': `${inFields} The server must choose an identifier.`,
  'client-id-too-long': inFields,
  'will-topic-empty': `${inFields} Do not publish such a will.`,
  'will-topic-wildcard': `${inFields} Do not publish such a will.`,
}
