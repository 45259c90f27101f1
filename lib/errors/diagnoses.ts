import type { Diagnosis } from './diagnosis.ts'
import type { ErrorCode } from './error-table.ts'
import { laterDiagnoses } from './later-diagnoses.ts'

/*
 * The texts of all error codes. docs/errors.md, the command line and the page show them, so none of them names an option or a
 * function of the library.
 */

const nulCause =
  'MQTT forbids U+0000 in every string, because many programs take it for the end of the string. Most often a C program counts the terminator of the string in its length.'
const nulFixes = [
  'In the client, use the length without the terminator: strlen(text), not sizeof(text) or strlen(text) + 1.',
]
const utf8Cause =
  'MQTT strings are UTF-8. Text in Latin-1 or Windows-1252, random bytes, or characters cut in half are not.'
const utf8Fixes = [
  'In the client, convert the text to UTF-8 before sending it.',
  'Write binary values, such as a hardware address, as hex digits.',
]
const wildcardCause =
  'The characters + and # are wildcards in subscriptions. A topic that something is published to must not contain them.'
const wildcardFixes = ['In the client, use the name of one topic, without + and #.']
const zeroOrOne = (name: string) => `${name} is a switch, so only 0 and 1 have a meaning.`
const serverFault = 'The server sends an invalid value, so the client is right to close the connection.'
const serverFixes = ['Report it to the maker of the server, or update the server.']
const wrongLength = 'Most often a length is wrong, or a field is missing that the packet announces.'
const lengthFixes = [
  'In the client, check the code that writes the lengths: each string has a length of two bytes, the high byte first, counted in bytes and not in characters.',
  'If you have changed a string by hand, change the length before it too, and the Remaining Length.',
  'Check that each flag in the connect flags has its field, and each field its flag.',
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
      'Something has connected but sent nothing, only a part of a packet, or one byte at a time. Port scans and the health checks of load balancers do that, and so do clients on a connection that is lost or very slow.',
    fixes: [
      'If it is a client, check that it sends its CONNECT right after it has connected.',
      'If it speaks TLS, check that it and the server use the same port for TLS.',
      'If it is a health check, make it send a CONNECT, or ignore it.',
    ],
  },
  'packet-incomplete': {
    headline: 'The packet is not complete.',
    cause:
      'Fewer bytes are there than the Remaining Length says. The copy was cut, the connection closed early, or the Remaining Length is too large.',
    fixes: [
      'If it is a copy from a log, copy the whole packet: logs often show only the first bytes.',
      'If it is a live connection, wait for the rest. TCP may deliver a packet in pieces.',
      'If no more bytes come, check how the sender computes the Remaining Length: it counts the bytes after itself, and from 128 on it takes two bytes, length % 128 + 128 and then length / 128.',
    ],
  },
  'reserved-packet-type': {
    headline: 'No MQTT packet begins with this byte.',
    cause:
      'The first byte has a packet type that no packet has. Usually another protocol uses the port, or the bytes do not begin at the start of a packet.',
    fixes: [
      'Check the port and the protocol that the client is set to: MQTT usually has 1883, MQTT over TLS 8883, and WebSockets other ports.',
      'If it is a copy, check that it begins with the first byte of the packet: 10 for a CONNECT, 20 for a CONNACK.',
    ],
  },
  'not-connect': {
    headline: 'The connection does not begin with a CONNECT.',
    cause:
      "A client must send a CONNECT first, but this is another packet. Often the client didn't realise that it had reconnected, and goes on as if its old connection were still there.",
    fixes: [
      'In the client, send a CONNECT after each new connection, and wait for the CONNACK before anything else.',
      'Check that no two tasks of the client write to the same socket.',
    ],
  },
  'second-connect': {
    headline: 'The client sends a second CONNECT on the same connection.',
    cause:
      'A connection has exactly one CONNECT. A server must close a connection on which there is a second.',
    fixes: [
      'In the client, close the connection before connecting again.',
      'Check that the client does not repeat its CONNECT because the CONNACK is late.',
    ],
  },
  'fixed-header-flags': {
    headline: 'The first byte has flags that no such MQTT packet has.',
    cause:
      'The low half of the first byte must have one fixed value for each packet type: 0 for CONNECT and CONNACK, 2 for SUBSCRIBE. Usually the bytes are text, or do not begin at the start of a packet.',
    fixes: [
      'Check the port and the protocol that the client is set to.',
      'If it is a copy, check that it begins with the first byte of the packet: 10 for a CONNECT, 20 for a CONNACK.',
    ],
  },
  'variable-byte-integer-too-long': {
    headline: 'A length takes more than four bytes.',
    cause:
      'The Remaining Length, a property length or a property identifier goes on after its fourth byte. Usually the bytes are not MQTT, or they do not begin at the start of a packet.',
    fixes: [
      'Check that the bytes begin with the first byte of the packet.',
      'In the sender, check how it encodes a length: seven bits a byte, the low bits first, and bit 7 set on all but the last byte.',
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
    headline: 'A PUBLISH with QoS 0 is marked as sent again.',
    cause: 'A message with QoS 0 is never sent again, so its DUP flag must be 0.',
    fixes: ['In the sender, clear the DUP flag (bit 3 of the first byte) when the QoS is 0.'],
  },
  'packet-id-zero': {
    headline: 'The packet identifier is 0.',
    cause: 'A packet identifier must be 1 to 65,535. Usually a counter begins at 0 or has overflowed.',
    fixes: ['In the sender, begin the counter at 1, and skip 0 when it overflows.'],
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
      'The Remaining Length announces more bytes than the limit. If the sender did not mean to send a large packet, the bytes are probably another protocol.',
    fixes: [
      'Check that the sender speaks MQTT on this port, and that TLS and WebSockets are set alike on both sides.',
      'Make the packet smaller (a large will, user name or password), or raise the limit of the receiver.',
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
      'The connect flags announce fewer fields than were sent, or the Remaining Length is too large. Common: a user name or a password is sent although its flag is not set.',
    fixes: [
      'In the client, set the user name flag (80) and the password flag (40) if these fields are sent.',
      'Check that the Remaining Length counts nothing but the bytes of this packet.',
    ],
  },
  'more-than-one-packet': {
    headline: 'More bytes follow the packet.',
    cause: 'The Remaining Length ends the packet before the bytes end. Usually the next packet follows.',
    fixes: ['Read the next packet from the byte after this one.'],
  },
  'protocol-name': {
    headline: 'The protocol name is not MQTT.',
    cause:
      'A CONNECT names its protocol: MQTT, or MQIsdp before 2014. The comparison is exact, so mqtt is wrong too. Usually the bytes are shifted by one, or the code that writes the name is wrong.',
    fixes: ['In the client, begin the CONNECT, after its length, with 00 04 4d 51 54 54.'],
  },
  'protocol-mqtt-3-1': {
    headline: 'The client speaks MQTT 3.1, which not every server accepts.',
    cause: 'MQTT 3.1 is the version before the standard, from 2010. Many servers no longer accept it.',
    fixes: [
      'In the client, choose MQTT 3.1.1 (level 4), which hardly differs.',
      'Or make the server accept MQTT 3.1, if it can.',
    ],
  },
  'protocol-bridge-level': {
    headline: 'The client is a bridge, and marks itself in a way that no standard has.',
    cause:
      'On connections to other brokers, mosquitto and some others set bit 80 of the protocol level (83 or 84 instead of 03 or 04). Brokers that do not know this refuse it.',
    fixes: [
      'In mosquitto, write try_private false in the section of the bridge.',
      'Or make the server accept bridges, if it can.',
    ],
  },
  'protocol-level': {
    headline: 'The MQTT version of the client is not accepted.',
    cause:
      'The protocol level names the version: 3 for MQTT 3.1 with the name MQIsdp, 4 for 3.1.1, 5 for 5.0 with the name MQTT. This level is another one, or is not accepted here.',
    fixes: [
      'In the client, choose a version that the server has: 3.1.1 works nearly everywhere.',
      'If the level is 3, the name must be MQIsdp; with the name MQTT, use level 4.',
    ],
  },
  'connect-flags-reserved': {
    headline: 'The reserved bit of the connect flags is set.',
    cause: 'Bit 0 of the connect flags must be 0. Usually a shift or a mask in the client is off by one.',
    fixes: ['In the client, write bit 0 as 0: clean session is bit 1 (02).'],
  },
  'will-qos-without-will': {
    headline: 'There is a will QoS, but no will.',
    cause:
      'The connect flags have a will QoS other than 0 although the will flag is not set. Often a client keeps its default will QoS when no will is configured.',
    fixes: ['In the client, set the will QoS to 0 unless there is a will.'],
  },
  'will-qos': {
    headline: 'The will QoS is 3, which does not exist.',
    cause: 'Both bits of the will QoS are set in the connect flags. QoS is 0, 1 or 2.',
    fixes: ['In the client, set the will QoS to 0, 1 or 2.'],
  },
  'will-retain-without-will': {
    headline: 'The will is to be retained, but there is no will.',
    cause: 'The will retain flag is set although the will flag is not.',
    fixes: ['In the client, clear the will retain flag unless there is a will.'],
  },
  'password-without-user-name': {
    headline: 'There is a password, but no user name.',
    cause:
      'MQTT 3.1 and 3.1.1 require a user name with each password. MQTT 5.0 does not. Usual with tokens as passwords.',
    fixes: ['In the client, set any user name, for example the client identifier.', 'Or use MQTT 5.0.'],
  },
  'property-unknown': {
    headline: 'The packet has a property that MQTT 5.0 does not define.',
    cause:
      'The length of an unknown property is unknown too, so nothing after it can be read. Usually the property length is missing or wrong: then the client identifier is taken for properties.',
    fixes: [
      'In the sender, write a property length before the properties: 00 if there are none.',
      'Check that the sender does not mix the forms of 3.1.1 and 5.0.',
    ],
  },
  'property-not-allowed-here': {
    headline: 'The packet has a property that belongs elsewhere.',
    cause:
      'Each property is allowed in certain packets only. Often a property of the CONNECT is sent in the will, or the other way round.',
    fixes: ['In the sender, move the property to where MQTT 5.0 allows it, or remove it.'],
  },
  'property-past-end': {
    headline: 'A property continues after the end of the properties.',
    cause: 'The property length is too small, or the length of a string in a property is too large.',
    fixes: [
      'In the sender, compute the property length from the bytes of all properties, with their identifiers and without itself.',
    ],
  },
  'property-twice': {
    headline: 'A property is there twice.',
    cause: 'Only user properties may be repeated.',
    fixes: ['In the sender, write each property once.'],
  },
  'will-property-twice': {
    headline: 'A property of the will is there twice.',
    cause: 'Only user properties may be repeated.',
    fixes: ['In the client, write each property of the will once.'],
  },
  'receive-maximum-zero': {
    headline: 'The receive maximum is 0, which would mean: send me nothing.',
    cause:
      'Receive maximum is how many messages with QoS 1 or 2 may be under way at once. It must be 1 or more. Without it 65,535 applies.',
    fixes: ['In the sender, leave the property out, or set it to 1 or more.'],
  },
  'maximum-packet-size-zero': {
    headline: 'The maximum packet size is 0, which no packet fits.',
    cause: 'It must be 1 or more. Without the property there is no limit.',
    fixes: ['In the sender, leave the property out, or set it to the size of its buffer.'],
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
    cause: 'The data cannot be understood without the method. The two properties belong together.',
    fixes: ['In the sender, add the authentication method, or use user name and password instead of both.'],
  },
  'payload-format-indicator': {
    headline: 'The payload format indicator of the will is neither 0 nor 1.',
    cause: 'It says whether the will message is text: 0 for any bytes, 1 for UTF-8.',
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
      'Of the byte before the code, only bit 0 may be 1. Usually the server is wrong, or the bytes are not those of a CONNACK.',
    fixes: serverFixes,
  },
  'connack-code': {
    headline: 'The CONNACK has a code that does not exist.',
    cause:
      'MQTT 3.1 and 3.1.1 have the codes 0 to 5. MQTT 5.0 has others, from 80 (hex) on. Often the server answers in another version than the client speaks.',
    fixes: [
      'Check that client and server use the same MQTT version.',
      'Look up the code in the documents of the server: a few services use numbers of their own.',
    ],
  },
  'session-present-with-error': {
    headline: 'The CONNACK refuses the client and also says that it has a session.',
    cause: `Session present must be 0 in a refusal. ${serverFault}`,
    fixes: serverFixes,
  },
  'maximum-qos': {
    headline: 'The server says maximum QoS 2, which it must not.',
    cause: `Maximum QoS is 0 or 1. A server that supports QoS 2 leaves the property out. ${serverFault}`,
    fixes: serverFixes,
  },
  'retain-available': badSwitch('Retain available'),
  'wildcard-subscription-available': badSwitch('Wildcard subscription available'),
  'subscription-identifier-available': badSwitch('Subscription identifier available'),
  'shared-subscription-available': badSwitch('Shared subscription available'),
  'client-id-not-utf8': {
    headline: 'The client identifier is not valid UTF-8.',
    cause: `${utf8Cause} Nothing may be replaced in it, because then two clients could get the same identifier.`,
    fixes: utf8Fixes,
  },
  'client-id-nul': zeroByte('The client identifier'),
  'client-id-empty': {
    headline: 'The client identifier is empty.',
    cause:
      'MQTT 3.1.1 allows that only with clean session, because a session needs a name to be found again. MQTT 3.1 never allows it. In MQTT 5.0 the server chooses an identifier.',
    fixes: [
      'In the client, set a client identifier that no other client has.',
      'Or turn on clean session, with MQTT 3.1.1.',
    ],
  },
  'client-id-too-long': {
    headline: 'The client identifier is longer than MQTT 3.1 allows.',
    cause: 'MQTT 3.1 has a limit of 23 characters. Later versions have none.',
    fixes: ['In the client, shorten the client identifier, or choose MQTT 3.1.1.'],
  },
  'will-topic-not-utf8': notUtf8('The will topic'),
  'will-topic-nul': zeroByte('The will topic'),
  'will-topic-empty': {
    headline: 'The will topic is empty.',
    cause: 'A will is published to a topic, and a topic name has at least one character.',
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
