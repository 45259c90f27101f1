import type { ErrorCode, RelaxableCode } from '../lib/errors/error-table.ts'

/** What each code means, in a sentence or two. Facts of the error table are not repeated here. */
export const meanings: Readonly<Record<ErrorCode, string>> = {
  'connect-timeout':
    'The peer connected, but its CONNECT was not complete within the `timeout` of `readConnect`. It may have sent nothing, a part of the packet, or one byte at a time.',
  'packet-incomplete':
    'The bytes end before the packet does: a buffer that was cut, or a stream that ended too early. Bytes that are merely not there yet are no error; a decoder waits for them.',
  'reserved-packet-type':
    'The first byte has a control packet type that the version does not define: 0, and in 3.1.1 also 15. Mostly the bytes are not MQTT at all; then `looksLike` may say what they are.',
  'not-connect':
    'Another control packet stands where only a CONNECT may stand: at the start of a connection, or anywhere in a run of CONNECT packets. Often the peer was not told that its connection is a new one.',
  'second-connect':
    'A CONNECT came in on a connection that has had one. The offset counts from the start of the second.',
  'fixed-header-flags':
    'The low half of the first byte is not what the packet type prescribes: 0000 for a CONNECT. Text protocols sent to an MQTT port often end here; then `looksLike` may say which.',
  'variable-byte-integer-too-long':
    'A variable byte integer (Remaining Length, property length or property identifier) goes on after its fourth byte. It is refused at once, without waiting for what it seems to announce.',
  'variable-byte-integer-not-shortest':
    'A variable byte integer takes more bytes than its value needs. Only 5.0 forbids that; in 3.1.1 a Remaining Length may be padded.',
  'packet-too-large':
    'By its Remaining Length the packet would be larger than `maximumPacketSize`. This is known from the fixed header, before anything of the packet is kept.',
  'field-past-end':
    'A field, or its length prefix, says that it goes on where the packet is over. The connect flags may promise a field that was not sent, or a length may be wrong.',
  'bytes-left-over':
    'Bytes follow the last field that the connect flags announce, but still belong to the packet. Some clients pad their packets, or send a user name without its flag.',
  'more-than-one-packet':
    'A function that decodes exactly one packet was given more bytes than that packet has. Use `PacketDecoder` for a run of packets.',
  'protocol-name':
    'The protocol name is neither MQTT nor MQIsdp: this is some other protocol, or a broken client. The name is compared byte by byte, so `mqtt` is another name.',
  'protocol-mqtt-3-1':
    'The protocol name is MQIsdp: an MQTT 3.1 client, of the time before 3.1.1. It understands the return code.',
  'protocol-bridge-level':
    'The level is 0x83 or 0x84: MQTT 3.1 or 3.1.1 with the bit by which the bridges of some brokers tell that they are bridges. Switch that off in the bridge (in mosquitto, `try_private false`).',
  'protocol-level':
    'The name is MQTT, but the level is not one that is accepted: not 4 or 5, or not the one in `protocolVersion`.',
  'connect-flags-reserved': 'Bit 0 of the connect flags is set; it is reserved and must be 0.',
  'will-qos-without-will':
    'The connect flags give a will QoS other than 0, but their will flag says that there is no will.',
  'will-qos': 'There is a will, and its QoS is 3. There are only 0, 1 and 2.',
  'will-retain-without-will':
    'The connect flags ask to retain the will message, but their will flag says that there is no will.',
  'password-without-user-name':
    'The connect flags announce a password, but no user name. 3.1.1 does not allow that; 5.0 does.',
  'property-unknown':
    'A property identifier is not one of those that MQTT 5.0 defines, so that not even its length can be told.',
  'property-not-allowed-here':
    'The property exists, but not in this place: it belongs to the will, to the CONNECT itself, or to another packet. The field names it.',
  'property-past-end':
    'A property is cut short: it would run past the end that the property length sets, even if more bytes follow there.',
  'property-twice':
    'A CONNECT property that may stand once stands twice, with the same value or another. Only user properties may be repeated.',
  'will-property-twice':
    'A will property that may stand once stands twice, with the same value or another. Only user properties may be repeated.',
  'receive-maximum-zero':
    'The client says that it handles no QoS 1 or 2 publication at all. To leave the number open it must leave the property out.',
  'maximum-packet-size-zero':
    'The client says that it accepts packets of no size at all. To set no limit it must leave the property out.',
  'request-response-information':
    'Request response information is a byte that is 0 or 1, and it is something else.',
  'request-problem-information':
    'Request problem information is a byte that is 0 or 1, and it is something else.',
  'authentication-data-without-method':
    'There is authentication data, but no authentication method that says what it is for. The method may stand before or behind the data, so this is judged when all CONNECT properties have been read.',
  'payload-format-indicator':
    'The payload format indicator of the will is a byte that is 0 or 1, and it is something else.',
  'response-topic-empty': 'The response topic of the will is empty, so that nobody could respond to it.',
  'response-topic-wildcard':
    'The response topic of the will holds `+` or `#`. It is a topic to publish to, not a filter.',
  'property-not-utf8':
    'The string of a property is not well-formed UTF-8. The offset is that of the first bad byte.',
  'property-nul':
    'The string of a property holds U+0000, which MQTT forbids in any string: many a program takes it for the end of one.',
  'user-property-not-utf8':
    'The key or the value of a user property is not well-formed UTF-8. The offset is that of the first bad byte.',
  'user-property-nul':
    'The key or the value of a user property holds U+0000, which MQTT forbids in any string: many a program takes it for the end of one.',
  'client-id-not-utf8':
    'The client identifier is not well-formed UTF-8: bytes in another encoding, an overlong form, a surrogate half. Nothing is replaced, because two clients must never become one.',
  'client-id-nul':
    'The client identifier holds U+0000, which MQTT forbids in any string: many a program takes it for the end of one.',
  'client-id-empty':
    'The client identifier is empty although clean session is 0: a session that lasts needs a name. In 5.0 the server assigns one.',
  'will-topic-not-utf8': 'The will topic is not well-formed UTF-8. The offset is that of the first bad byte.',
  'will-topic-nul':
    'The will topic holds U+0000, which MQTT forbids in any string: many a program takes it for the end of one.',
  'will-topic-empty': 'The will topic is empty. A topic has at least one character.',
  'will-topic-wildcard': 'The will topic holds `+` or `#`. It is a topic to publish to, not a filter.',
  'user-name-not-utf8': 'The user name is not well-formed UTF-8. The offset is that of the first bad byte.',
  'user-name-nul':
    'The user name holds U+0000, which MQTT forbids in any string: many a program takes it for the end of one.',
}

const onlyOnce = 'built again from its fields the packet is one that breaks no rule'
const stays = 'the fields read as they were sent, and no constructor takes them'

/** How a packet reads whose rule `allow` has relaxed. */
export const relaxations: Readonly<Record<RelaxableCode, string>> = {
  'variable-byte-integer-not-shortest': onlyOnce,
  'bytes-left-over': `the bytes stay in \`bytes\` and are in no field; ${onlyOnce}`,
  'connect-flags-reserved': onlyOnce,
  'will-qos-without-will': `\`will\` is \`undefined\`; ${onlyOnce}`,
  'will-retain-without-will': `\`will\` is \`undefined\`; ${onlyOnce}`,
  'password-without-user-name': stays,
  'request-response-information': stays,
  'request-problem-information': stays,
  'payload-format-indicator': stays,
  'response-topic-empty': stays,
  'response-topic-wildcard': stays,
  'client-id-empty': `${stays}; the server must name the client`,
  'will-topic-empty': `${stays}; do not publish such a will`,
  'will-topic-wildcard': `${stays}; do not publish such a will`,
}
