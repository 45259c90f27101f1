import type { Diagnosis } from './diagnosis.ts'
import type { ErrorCode } from './error-table.ts'
import { laterDiagnoses } from './later-diagnoses.ts'

/*
 * The texts of all error codes. docs/errors.md, the command line and the page show them, so none of them names an option or a
 * function of the library.
 */

const nulCause =
  'MQTT forbids U+0000 in strings, because many programs treat it as the end of the string. Usually a C program has included the terminator in the length.'
const nulFixes = [
  'In the client, use the length without the terminator: strlen(text), not sizeof(text) or strlen(text) + 1.',
]
const utf8Cause =
  "MQTT strings must be UTF-8. Text in Latin-1 or Windows-1252 isn't, nor are random bytes or characters cut in half."
const utf8Fixes = [
  'In the client, convert the text to UTF-8 before sending it.',
  'Write binary values, such as a hardware address, as hex digits.',
]
const wildcardCause =
  'The characters + and # are wildcards for subscriptions. They must not appear in a topic to publish to.'
const wildcardFixes = ['In the client, use a topic without + and #.']
const zeroOrOne = (name: string) => `${name} is either off or on, so only 0 and 1 are valid.`
const serverFault = 'This is a bug in the server, so the client is right to close the connection.'
const serverFixes = ['Update the server, or report the bug to its maker.']
const wrongLength = 'Usually a length is wrong, or the packet announces a field that is missing.'
const lengthFixes = [
  'In the client, check the code that writes lengths: the length before each string takes two bytes, high byte first, and counts bytes, not characters.',
  'If you changed a string by hand, change its length and the Remaining Length too.',
  'Check that a user name, password or will is in the packet exactly if its connect flag is set.',
]

/* Texts that several codes share. */

function notUtf8(what: string): Diagnosis {
  return { headline: `${what} is not valid UTF-8.`, cause: utf8Cause, fixes: utf8Fixes }
}

function zeroByte(what: string): Diagnosis {
  return { headline: `${what} contains a zero byte.`, cause: nulCause, fixes: nulFixes }
}

function badSwitch(what: string): Diagnosis {
  return { headline: `${what} is neither 0 nor 1.`, cause: serverFault, fixes: serverFixes }
}

/** A text for each error code. */
export const errorDiagnoses: Readonly<Record<ErrorCode, Diagnosis>> = {
  ...laterDiagnoses,
  'connect-timeout': {
    headline: 'The packet did not arrive in time.',
    cause:
      'The other side sent nothing, only part of a packet, or one byte at a time. Typical causes are port scans, the health checks of load balancers, and clients whose network is lost or very slow.',
    fixes: [
      'If it is a client, check that it sends its CONNECT as soon as it is connected.',
      'If the client uses TLS, check that the port is one with TLS.',
      'If it is a health check, make it send a CONNECT, or ignore it.',
    ],
  },
  'packet-incomplete': {
    headline: 'The packet is not complete.',
    cause:
      'There are fewer bytes than the Remaining Length says. The copy was cut, the connection closed early, or the Remaining Length is too large.',
    fixes: [
      'If it is a copy from a log, copy the whole packet: logs often show only the first bytes.',
      'If it is a live connection, wait for the rest. TCP may deliver a packet in pieces.',
      'If no more bytes come, check how the sender computes the Remaining Length: it counts the bytes that follow it, and from 128 on it takes two bytes, length % 128 + 128 and then length / 128.',
    ],
  },
  'reserved-packet-type': {
    headline: 'No MQTT packet begins with this byte.',
    cause:
      "Its packet type is reserved. Usually the port is used with a different protocol, or the bytes don't begin at the start of a packet.",
    fixes: [
      "Check the client's port and protocol: MQTT usually has port 1883, MQTT over TLS 8883, and WebSockets another.",
      'If it is a copy, check that it begins with the first byte of the packet: 10 for a CONNECT, 20 for a CONNACK.',
    ],
  },
  'not-connect': {
    headline: 'The connection does not begin with a CONNECT.',
    cause:
      "A client must send a CONNECT first, but this is a different packet. Often the client didn't realise it had reconnected, and carried on as if on its old connection.",
    fixes: [
      'In the client, send a CONNECT after each new connection, and wait for the CONNACK before anything else.',
      "Check that the client doesn't write to one socket from two tasks.",
    ],
  },
  'second-connect': {
    headline: 'The client sends a second CONNECT on the same connection.',
    cause:
      'A client may send only one CONNECT on a connection. After a second one, the server must close the connection.',
    fixes: [
      'In the client, close the connection before connecting again.',
      "Check that the client doesn't repeat its CONNECT when the CONNACK is late.",
    ],
  },
  'fixed-header-flags': {
    headline: 'The flags in the first byte are invalid for this type of packet.',
    cause:
      "The low half of the first byte has a fixed value for most packet types, for example 0 for CONNECT and 2 for SUBSCRIBE. Usually the bytes are text, or don't begin at the start of a packet.",
    fixes: [
      "Check the client's port and protocol.",
      'If it is a copy, check that it begins with the first byte of the packet: 10 for a CONNECT, 20 for a CONNACK.',
    ],
  },
  'variable-byte-integer-too-long': {
    headline: 'A length takes more than four bytes.',
    cause:
      "The Remaining Length, a property length or a property identifier continues after its fourth byte. Usually the bytes aren't MQTT, or don't begin at the start of a packet.",
    fixes: [
      'Check that the bytes begin with the first byte of the packet.',
      'In the sender, check how lengths are encoded: seven bits per byte, low bits first, and bit 7 set in all bytes but the last.',
    ],
  },
  'variable-byte-integer-not-shortest': {
    headline: 'A length is written with more bytes than it needs.',
    cause: 'MQTT 5.0 requires the shortest form. Some small clients always reserve four bytes for a length.',
    fixes: ['In the sender, write a length below 128 in one byte, below 16,384 in two, and so on.'],
  },
  'publish-qos': {
    headline: 'A PUBLISH has QoS 3, which does not exist.',
    cause: 'Both QoS bits in the first byte are set. QoS is 0, 1 or 2.',
    fixes: ['In the sender, set the QoS of the message to 0, 1 or 2.'],
  },
  'publish-dup': {
    headline: 'A PUBLISH with QoS 0 is marked as a duplicate.',
    cause: 'A message with QoS 0 is never sent again, so its DUP flag must be 0.',
    fixes: ['In the sender, clear the DUP flag (bit 3 of the first byte) when the QoS is 0.'],
  },
  'packet-id-zero': {
    headline: 'The packet identifier is 0.',
    cause: 'It must be 1 to 65,535. Usually a counter starts at 0 or has overflowed.',
    fixes: ['In the sender, start the counter at 1, and skip 0 when it overflows.'],
  },
  'body-not-allowed': {
    headline: 'A packet that must be empty has contents.',
    cause:
      'A PINGREQ, a PINGRESP and, before MQTT 5.0, a DISCONNECT consist of two bytes only. Often one side speaks MQTT 5.0 and the other 3.1.1.',
    fixes: [
      'Check that both sides use the same MQTT version.',
      'In the sender, write c0 00 for a PINGREQ, d0 00 for a PINGRESP, and e0 00 for a DISCONNECT.',
    ],
  },
  'packet-too-large': {
    headline: 'The packet is larger than the receiver accepts.',
    cause:
      "The Remaining Length is larger than the limit. If the sender didn't mean to send a large packet, this is probably not MQTT.",
    fixes: [
      'Check that the sender speaks MQTT on this port, and that either both sides use TLS and WebSockets or neither does.',
      "Use a smaller will, user name or password, or raise the receiver's limit.",
    ],
  },
  'field-past-end': {
    headline: 'A field continues after the end of the packet.',
    cause: wrongLength,
    fixes: lengthFixes,
  },
  'bytes-left-over': {
    headline: 'The packet contains bytes after its last field.',
    cause:
      'The connect flags announce fewer fields than were sent, or the Remaining Length is too large. Often a user name or a password is sent although its flag is not set.',
    fixes: [
      'In the client, set the user name flag (80 hex) or the password flag (40 hex) if the field is sent.',
      'Check that the Remaining Length counts only the bytes of this packet.',
    ],
  },
  'more-than-one-packet': {
    headline: 'More bytes follow the packet.',
    cause: 'According to the Remaining Length, the packet ends here. Usually the next packet follows.',
    fixes: ['Read the next packet from where this one ends.'],
  },
  'protocol-name': {
    headline: 'The protocol name is not MQTT.',
    cause:
      'A CONNECT names its protocol: MQTT, or MQIsdp in MQTT 3.1. It is case-sensitive, so mqtt is wrong too. Usually the bytes are shifted by one, or the code that writes the name is wrong.',
    fixes: ['In the client, begin the CONNECT, after its length, with 00 04 4d 51 54 54.'],
  },
  'protocol-mqtt-3-1': {
    headline: 'The client speaks MQTT 3.1, which not every server accepts.',
    cause: "MQTT 3.1 dates from 2010, before MQTT was a standard. Many servers don't accept it any more.",
    fixes: [
      'In the client, choose MQTT 3.1.1 (level 4), which hardly differs.',
      'Or make the server accept MQTT 3.1, if it can.',
    ],
  },
  'protocol-bridge-level': {
    headline: 'The client is a bridge, and says so in a way that is not in any standard.',
    cause:
      "When mosquitto or a similar broker connects to another broker, it sets the top bit of the protocol level (83 or 84 instead of 03 or 04). Brokers that don't know this convention refuse it.",
    fixes: [
      'In mosquitto, write try_private false in the section of the bridge.',
      'Or make the server accept bridges, if it can.',
    ],
  },
  'protocol-level': {
    headline: 'The MQTT version of the client is not accepted.',
    cause:
      "The protocol level is 3 for MQTT 3.1 (with the name MQIsdp), 4 for 3.1.1 and 5 for 5.0 (both with the name MQTT). This level is different, or isn't accepted here.",
    fixes: [
      'In the client, choose a version that the server supports: 3.1.1 works nearly everywhere.',
      'If the level is 3, the name must be MQIsdp; with the name MQTT, use level 4.',
    ],
  },
  'connect-flags-reserved': {
    headline: 'The reserved bit of the connect flags is set.',
    cause: 'It must be 0. Usually a shift in the client is off by one.',
    fixes: ['In the client, clear bit 0. Clean session is bit 1 (02).'],
  },
  'will-qos-without-will': {
    headline: 'There is a will QoS, but no will.',
    cause:
      'Without a will, the will QoS must be 0. Often a client sends its default will QoS even if no will is configured.',
    fixes: ['In the client, set the will QoS to 0 unless there is a will.'],
  },
  'will-qos': {
    headline: 'The will QoS is 3, which does not exist.',
    cause: 'Both QoS bits are set in the connect flags. QoS is 0, 1 or 2.',
    fixes: ['In the client, set the will QoS to 0, 1 or 2.'],
  },
  'will-retain-without-will': {
    headline: 'Will retain is set, but there is no will.',
    cause: 'Without a will, the will retain flag must be 0.',
    fixes: ['In the client, clear the will retain flag unless there is a will.'],
  },
  'password-without-user-name': {
    headline: 'There is a password, but no user name.',
    cause:
      'Before MQTT 5.0, a password needs a user name. Clients whose password is a token often have none.',
    fixes: ['In the client, set any user name, for example the client identifier.', 'Or use MQTT 5.0.'],
  },
  'property-unknown': {
    headline: 'The packet has a property that MQTT 5.0 does not define.',
    cause:
      'An unknown property has an unknown length, so nothing after it can be read. Usually the property length is missing or wrong, so the client identifier is read as properties.',
    fixes: [
      'In the sender, write a property length before the properties: 00 if there are none.',
      "Check that the sender doesn't mix the formats of 3.1.1 and 5.0.",
    ],
  },
  'property-not-allowed-here': {
    headline: 'The packet has a property that belongs elsewhere.',
    cause:
      'Each property is allowed only in certain packets. Often a property of the CONNECT is in the will, or the other way round.',
    fixes: ['In the sender, move the property to where MQTT 5.0 allows it, or remove it.'],
  },
  'property-past-end': {
    headline: 'A property continues after the end of the properties.',
    cause: 'The property length is too small, or the length of a string in a property is too large.',
    fixes: [
      'In the sender, count the bytes of all properties with their identifiers, but not the property length itself.',
    ],
  },
  'property-twice': {
    headline: 'A property occurs twice.',
    cause: 'Only user properties may be repeated.',
    fixes: ['In the sender, write each property once.'],
  },
  'will-property-twice': {
    headline: 'A property of the will occurs twice.',
    cause: 'Only user properties may be repeated.',
    fixes: ['In the client, write each property of the will once.'],
  },
  'receive-maximum-zero': {
    headline: 'The receive maximum is 0, which would mean: send me nothing.',
    cause:
      'The receive maximum limits how many messages with QoS 1 or 2 may be in flight. It must be 1 or more, and is 65,535 by default.',
    fixes: ['In the sender, leave the property out, or set it to 1 or more.'],
  },
  'maximum-packet-size-zero': {
    headline: 'The maximum packet size is 0, which no packet fits.',
    cause: 'It must be 1 or more. Without this property there is no limit.',
    fixes: ["In the sender, leave the property out, or set it to the buffer's size."],
  },
  'request-response-information': {
    headline: 'Request response information is neither 0 nor 1.',
    cause: zeroOrOne('It'),
    fixes: ['In the client, set it to 0 or 1, or leave it out.'],
  },
  'request-problem-information': {
    headline: 'Request problem information is neither 0 nor 1.',
    cause: zeroOrOne('It'),
    fixes: ['In the client, set it to 0 or 1, or leave it out.'],
  },
  'authentication-data-without-method': {
    headline: 'There is authentication data, but no authentication method.',
    cause: 'The data has no meaning without its method, so MQTT forbids it.',
    fixes: ['In the sender, add the authentication method, or use a user name and a password instead.'],
  },
  'payload-format-indicator': {
    headline: 'The payload format indicator of the will is neither 0 nor 1.',
    cause: 'It describes the will message: 0 means any bytes, and 1 UTF-8 text.',
    fixes: ['In the client, set it to 0 or 1, or leave it out.'],
  },
  'response-topic-empty': {
    headline: 'The response topic of the will is empty.',
    cause: 'A topic name has at least one character.',
    fixes: ['In the client, set a topic, or leave the property out.'],
  },
  'response-topic-wildcard': {
    headline: 'The response topic of the will contains + or #.',
    cause: wildcardCause,
    fixes: wildcardFixes,
  },
  'property-not-utf8': notUtf8('The text of a property'),
  'property-nul': zeroByte('The text of a property'),
  'user-property-not-utf8': notUtf8('A user property'),
  'user-property-nul': zeroByte('A user property'),
  'acknowledge-flags-reserved': {
    headline: 'The CONNACK has bits set that are reserved.',
    cause:
      "In the byte before the code, only bit 0 may be set. Either the server has a bug, or this isn't a CONNACK.",
    fixes: serverFixes,
  },
  'connack-code': {
    headline: 'The CONNACK has a code that does not exist.',
    cause:
      'MQTT 3.1 and 3.1.1 have the codes 0 to 5. MQTT 5.0 has 0 for success, and errors from 80 (hex) on. Often the server answers in a version other than that of the client.',
    fixes: [
      'Check that client and server use the same MQTT version.',
      "Look up the code in the server's documentation, because a few services have their own codes.",
    ],
  },
  'session-present-with-error': {
    headline: 'The CONNACK refuses the client and also says that it has a session.',
    cause: `Session present must be 0 in a refusal. ${serverFault}`,
    fixes: serverFixes,
  },
  'maximum-qos': {
    headline: 'The CONNACK has a maximum QoS other than 0 and 1.',
    cause: `A server that supports QoS 2 must leave this property out. ${serverFault}`,
    fixes: serverFixes,
  },
  'retain-available': badSwitch('Retain available'),
  'wildcard-subscription-available': badSwitch('Wildcard subscription available'),
  'subscription-identifier-available': badSwitch('Subscription identifier available'),
  'shared-subscription-available': badSwitch('Shared subscription available'),
  'client-id-not-utf8': {
    headline: 'The client identifier is not valid UTF-8.',
    cause: `${utf8Cause} Invalid bytes can't be replaced, because two clients could end up with the same identifier.`,
    fixes: utf8Fixes,
  },
  'client-id-nul': zeroByte('The client identifier'),
  'client-id-empty': {
    headline: 'The client identifier is empty.',
    cause:
      'MQTT 3.1.1 allows that only with clean session, because without an identifier, a kept session could never be found again. MQTT 3.1 never allows it. In MQTT 5.0 the server assigns an identifier.',
    fixes: ['In the client, set a unique client identifier.', 'Or turn on clean session, with MQTT 3.1.1.'],
  },
  'client-id-too-long': {
    headline: 'The client identifier is longer than MQTT 3.1 allows.',
    cause: 'MQTT 3.1 allows 23 characters. Later versions have no such limit.',
    fixes: ['In the client, shorten the client identifier, or choose MQTT 3.1.1.'],
  },
  'will-topic-not-utf8': notUtf8('The will topic'),
  'will-topic-nul': zeroByte('The will topic'),
  'will-topic-empty': {
    headline: 'The will topic is empty.',
    cause: 'A topic name has at least one character.',
    fixes: ['In the client, set a will topic, or turn the will off.'],
  },
  'will-topic-wildcard': {
    headline: 'The will topic contains + or #.',
    cause: wildcardCause,
    fixes: wildcardFixes,
  },
  'user-name-not-utf8': notUtf8('The user name'),
  'user-name-nul': zeroByte('The user name'),
}
