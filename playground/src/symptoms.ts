import { connackDiagnoses } from '../../lib/errors/connack-diagnoses.ts'
import { errorDiagnoses } from '../../lib/errors/diagnoses.ts'
import type { Diagnosis } from '../../lib/errors/diagnosis.ts'
import { foreignDiagnoses } from '../../lib/errors/foreign-diagnoses.ts'
import {
  awsIot,
  badPacket,
  certificate,
  closedEarly,
  lost,
  memory,
  name,
  noAnswer,
  noConnect,
  noConnection,
  noTls,
  noWebSocket,
  unknownCode,
} from './symptom-diagnoses.ts'

/** An error message in the words of several clients, and its meaning, for people who have no bytes. */
export interface Symptom {
  readonly messages: readonly string[]
  readonly diagnosis: Diagnosis
  /** True if the messages have many possible causes, so any other message in the same log is more specific. */
  readonly isGeneral?: true
}

const { notAuthorized, badUserNameOrPassword, unsupportedProtocolVersion } = connackDiagnoses
const { clientIdentifierNotValid, serverUnavailable, banned, quotaExceeded } = connackDiagnoses

export const symptoms: readonly Symptom[] = [
  {
    messages: [
      'rc=5',
      'Connection Refused: not authorised.',
      'Connection refused: Not authorized',
      'MQTT_CONNECT_UNAUTHORIZED',
      'Not authorized to connect (5)',
      'Connection error: Not authorized',
      'Connection refuse, reason code: 5',
      'result code 5',
      'received CONNACK (5)',
      'code 135',
      '0x87',
      'disconnected, not authorised',
      'Not authorized',
      'Received CONNACK (0, 5)',
    ],
    diagnosis: notAuthorized,
  },
  {
    messages: [
      'rc=4',
      'Connection Refused: bad user name or password.',
      'Bad username or password',
      'reason code: 4',
      'result code 4',
      'received CONNACK (4)',
      'code 134',
      'MQTT_CONNECT_BAD_CREDENTIALS',
      'Received CONNACK (0, 4)',
      '0x86',
    ],
    diagnosis: badUserNameOrPassword,
  },
  {
    messages: [
      'rc=-2',
      'status code =-2',
      'ECONNREFUSED',
      'MQTT_CONNECT_FAILED',
      'Error: Connection refused',
      'Unable to connect to server (32103)',
      'ConnectionRefusedError',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'No route to host',
      'Network is unreachable',
      'Connection timed out',
      'actively refused it',
      'Error transport connect',
      'Connection failed to broker',
    ],
    diagnosis: noConnection,
  },
  {
    messages: [
      'rc=-4',
      'connack timeout',
      'did not acknowledge the connection attempt',
      'MQTT_CONNECTION_TIMEOUT',
      'Timed out waiting for a response from the server (32000)',
      'timed out',
    ],
    diagnosis: noAnswer,
  },
  {
    messages: [
      'rc=-3',
      'Connection lost (32109)',
      'MQTT_CONNECTION_LOST',
      'rc=7',
      'Unexpected disconnection',
      'already connected, closing old connection',
      'exceeded timeout, disconnecting',
      'Keepalive timeout',
      'Session taken over',
      '0x8e',
    ],
    diagnosis: lost,
  },
  { messages: ['AWS_ERROR_MQTT_UNEXPECTED_HANGUP'], diagnosis: awsIot },
  {
    messages: [
      'rc=-1',
      'MQTT_DISCONNECTED',
      'ECONNRESET',
      'transport_read(): EOF',
      'Connection closed',
      'Connection reset by peer',
      'socket hang up',
      'network Error : EOF',
      'TCP disconnected',
      'The connection was lost',
      'closed connection without DISCONNECT',
      'Bad socket read/write on client',
    ],
    diagnosis: closedEarly,
    isGeneral: true,
  },
  {
    messages: [
      'Socket error on client <unknown>',
      'Client <unknown> closed its connection',
      'Client <unknown> has exceeded timeout',
    ],
    diagnosis: noConnect,
    isGeneral: true,
  },
  {
    messages: [
      'rc=1',
      'Connection Refused: unacceptable protocol version.',
      'MQTT_CONNECT_BAD_PROTOCOL',
      '0x84',
      'Exception while decoding CONNACK: remaining length too short',
      'reason code: 1',
      'result code 1',
      'received CONNACK (1)',
      'Received CONNACK (0, 1)',
      'code 132',
    ],
    diagnosis: unsupportedProtocolVersion,
  },
  {
    messages: [
      'Invalid protocol version 3 in CONNECT',
      'Invalid protocol version',
      'Invalid protocol "MQTT" in CONNECT',
    ],
    diagnosis: errorDiagnoses['protocol-level'],
  },
  {
    messages: [
      'rc=2',
      'Connection Refused: identifier rejected.',
      'Client identifier not valid',
      'identifierRejected',
      'reason code: 2',
      'result code 2',
      'received CONNACK (2)',
      'Received CONNACK (0, 2)',
      'code 133',
      'MQTT_CONNECT_BAD_CLIENT_ID',
      '0x85',
    ],
    diagnosis: clientIdentifierNotValid,
  },
  {
    messages: [
      'rc=3',
      'Connection Refused: broker unavailable.',
      'Server unavailable',
      'reason code: 3',
      'result code 3',
      'received CONNACK (3)',
      'Received CONNACK (0, 3)',
      'code 136',
      'MQTT_CONNECT_UNAVAILABLE',
      '0x88',
    ],
    diagnosis: serverUnavailable,
  },
  { messages: ['Connection refused, Unknow reason', 'Unknown reason'], diagnosis: unknownCode },
  { messages: ['0x8a', 'Banned'], diagnosis: banned },
  { messages: ['0x97', 'Quota exceeded'], diagnosis: quotaExceeded },
  {
    messages: [
      'self-signed certificate',
      'unable to verify the first certificate',
      'CERTIFICATE_VERIFY_FAILED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'certificate has expired',
      'A TLS error occurred.',
      'mbedtls_ssl_handshake returned -0x2700',
      'X509 - Certificate verification failed',
      'bad certificate',
      'certificate verify failed',
      'unknown ca',
    ],
    diagnosis: certificate,
  },
  {
    messages: [
      'wrong version number',
      'SSL routines',
      'Client network socket disconnected before secure TLS connection was established',
      'tlsv1 alert',
      'EPROTO',
      'http request',
    ],
    diagnosis: noTls,
  },
  {
    messages: [
      "WebSocket connection to 'ws://…' failed",
      'Mixed Content',
      'AMQJS0007E Socket error',
      'AMQJS0011E Invalid state not connected',
      'Unexpected server response: 400',
    ],
    diagnosis: noWebSocket,
  },
  {
    messages: [
      'disconnected due to protocol error',
      'Protocol error',
      'A network protocol error occurred',
      'Malformed packet',
      'Packet type mismatch',
      'Invalid header flag bits',
      '0x81',
      '0x82',
    ],
    diagnosis: badPacket,
    isGeneral: true,
  },
  {
    messages: ['GET / HTTP/1.1', 'Upgrade: websocket', 'Sec-WebSocket-Protocol: mqtt', 'User-Agent:'],
    diagnosis: foreignDiagnoses.http,
    isGeneral: true,
  },
  {
    messages: [
      'HTTP/1.1 400 Bad Request',
      'HTTP/1.1 404 Not Found',
      'HTTP/1.1 426 Upgrade Required',
      'HTTP/1.1 200 OK',
    ],
    diagnosis: foreignDiagnoses.httpAnswer,
    isGeneral: true,
  },
  { messages: ['PROXY TCP4', 'PROXY TCP6', 'PROXY UNKNOWN'], diagnosis: foreignDiagnoses['proxy-v1'] },
  { messages: ['SSH-2.0'], diagnosis: foreignDiagnoses.ssh },
  {
    messages: [
      'ENOTFOUND',
      'EAI_AGAIN',
      'Name or service not known',
      'Lookup error',
      "couldn't get hostname",
      'getaddrinfo',
    ],
    diagnosis: name,
  },
  {
    messages: ['connect works, but publish returns false', 'message too long', 'MQTT_MAX_PACKET_SIZE'],
    diagnosis: memory,
  },
]

/** The symptom whose message occurs in a text without bytes: preferably the first one that isn't general. */
export function symptomIn(text: string): Symptom | undefined {
  const said = ` ${words(text).join(' ')} `
  const found = symptoms.filter(({ messages }) =>
    messages.some((message) => message.length > 3 && said.includes(` ${words(message).join(' ')} `)),
  )
  return found.find(({ isGeneral }) => isGeneral === undefined) ?? found[0]
}

/** Lines of source code, in which names of errors aren't messages, and lines that are mostly numbers. */
const NO_MESSAGE = /[;{},]\s*$|^\s*(?:#|\/\/)|(?:\b(?:0x)?[\da-f]{1,2}\b[\s,:]*){4}/i

/** The symptom whose message occurs in a text with bytes. */
export function symptomBeside(text: string): Symptom | undefined {
  return symptomIn(
    text
      .split('\n')
      .filter((line) => !NO_MESSAGE.test(line))
      .join('\n'),
  )
}

const words = (text: string): string[] => text.toLowerCase().match(/-?[\p{L}\p{N}_]+/gu) ?? []

/** The symptoms whose messages contain all words of a search. Those with the words side by side come first. */
export function search(text: string): readonly Symptom[] {
  const wanted = words(text)
  if (wanted.length === 0) return symptoms
  const near = wanted.join(' ')
  const score = ({ messages, diagnosis }: Symptom): number => {
    const all = messages.map((message) => ` ${words(message).join(' ')} `)
    if (all.some((message) => message.includes(` ${near} `))) return 3
    if (all.some((message) => wanted.every((word) => message.includes(word)))) return 2
    // Somebody may search for a whole line of a log, which contains more words than the message.
    if (all.some((message) => ` ${near} `.includes(message) && message.trim().length > 3)) return 2
    return wanted.every((word) => diagnosis.headline.toLowerCase().includes(word)) ? 1 : 0
  }
  return symptoms
    .map((symptom) => [score(symptom), symptom] as const)
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .map(([, symptom]) => symptom)
}
