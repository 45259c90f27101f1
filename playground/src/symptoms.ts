import { connackDiagnoses } from '../../lib/errors/connack-diagnoses.ts'
import { errorDiagnoses } from '../../lib/errors/diagnoses.ts'
import type { Diagnosis } from '../../lib/errors/diagnosis.ts'

/** A message that people have instead of bytes, in the words of several clients, and what it means. */
export interface Symptom {
  readonly messages: readonly string[]
  readonly diagnosis: Diagnosis
  /** True if the messages follow from many causes, so that any other message in the same log says more. */
  readonly isGeneral?: true
}

const noConnection: Diagnosis = {
  headline: 'There is no TCP connection to the server: nothing of MQTT was sent.',
  cause:
    'The address or the port is wrong, no server listens there, or a firewall is between. mosquitto 2 without a configuration listens on the same machine only.',
  fixes: [
    'Check the address: localhost on a device or in a container is the device or the container itself.',
    'Check the port: 1883, or 8883 with TLS.',
    'In mosquitto, add listener 1883, and allow_anonymous true or a password_file.',
    'On an ESP8266 or ESP32, call WiFi.mode(WIFI_STA), and wait for WL_CONNECTED before the client connects.',
    'From the network of the device, try: mosquitto_pub -d -h HOST -p PORT -t test -m hello.',
  ],
}

const noAnswer: Diagnosis = {
  headline: 'The server is reached, but no CONNACK comes in time.',
  cause:
    'Often the port is one for TLS or WebSockets, so both sides wait for the other. Or the server is busy, or checks passwords with a service that hangs.',
  fixes: [
    'Check that client and port both have TLS, or both have none.',
    'Check that client and port both have WebSockets, or both have none.',
    'Read the log of the server: does it see the connection?',
  ],
}

const closedEarly: Diagnosis = {
  headline: 'The server closes the connection without a word.',
  cause:
    'Servers do that if the first packet is not a valid CONNECT, if TLS is missing, or if a policy does not allow the client. AWS IoT does it for a client identifier that its policy does not allow.',
  fixes: [
    'Read the log of the server at that time.',
    'Check TLS and the port: 1883 without, 8883 with TLS.',
    'Explain the bytes of the CONNECT here.',
    'In AWS IoT, check that the policy allows iot:Connect for this client identifier.',
  ],
}

const lost: Diagnosis = {
  headline: 'The connection was established, and is lost later.',
  cause:
    'Most often another client has the same client identifier, and they push each other out. Or the client is silent for longer than its keep alive, or the network is lost.',
  fixes: [
    'Give each client an identifier of its own. The log of the server says: already connected, closing old connection.',
    'In the client, call the loop (loop, yield, poll) more often, and never block for longer than the keep alive.',
    'Check what the client publishes or subscribes to just before: a topic that is not allowed closes the connection in some servers.',
  ],
}

const certificate: Diagnosis = {
  headline: 'The client does not trust the certificate of the server.',
  cause:
    'The CA certificate is missing in the client, the name in the certificate is another one than the host name, the certificate has expired, or the clock of the device is wrong.',
  fixes: [
    'Give the client the CA certificate of the server, for a private CA the one that you made.',
    'Connect by the host name in the certificate, not by the IP address.',
    'Set the clock of the device (NTP) before it connects.',
    'See the certificate with: openssl s_client -connect HOST:8883 -servername HOST.',
  ],
}

const noTls: Diagnosis = {
  headline: 'One side speaks TLS, and the other does not.',
  cause: 'The client starts TLS on a port for plain MQTT, or plain MQTT on a port for TLS.',
  fixes: [
    'Use port 8883 with TLS and 1883 without, unless the server has others.',
    'In the client, mqtts:// or wss:// stands for TLS, and mqtt:// or ws:// for none.',
  ],
}

const noWebSocket: Diagnosis = {
  headline: 'The browser cannot open the WebSocket.',
  cause:
    'Browsers speak MQTT over WebSockets only, on a port and a path of their own. A page from https:// may open wss:// only, and gets no details about a certificate that it does not trust.',
  fixes: [
    'Use the WebSocket port: 9001 in many mosquitto examples, 8083 or 8084 (TLS) for EMQX, 8000 or 8884 (TLS) for HiveMQ.',
    'Add the path that the server expects, usually /mqtt.',
    'From a page with https://, use wss://.',
    'In mosquitto, add listener 9001 and protocol websockets.',
  ],
}

const badPacket: Diagnosis = {
  headline: 'One side got bytes that are not valid MQTT.',
  cause:
    'A client or a proxy has an error, both sides speak another version, or something else uses the port.',
  fixes: [
    'If the client uses TLS or WebSockets, use the port for that: on a port for plain MQTT, mosquitto calls both a protocol error.',
    'Explain the bytes of the CONNECT and of the answer here.',
    'In the client, choose MQTT 3.1.1, which nearly every server has. In MQTT.js, protocolVersion 3 needs the protocolId MQIsdp.',
    'If a load balancer sends a PROXY protocol header first (send-proxy in HAProxy, proxy_protocol in nginx), turn it off, or let the server expect it.',
  ],
}

const unknownCode: Diagnosis = {
  headline: 'The server refuses the client with a code that the client does not know.',
  cause:
    'MQTT 3.1 and 3.1.1 have the codes 1 to 5. Another one comes from a server that answers as MQTT 5.0 does, or whose answer has a byte too many or too few.',
  fixes: [
    'Explain the bytes of the answer here: they begin with 20.',
    'In the client, choose another version of MQTT, or update it.',
    'Read the log of the server: it may say why.',
  ],
}

const memory: Diagnosis = {
  headline: 'The packet does not fit the buffer of the client.',
  cause:
    'PubSubClient has 256 bytes for a packet unless it is told otherwise. A larger one is dropped without a word.',
  fixes: ['Call setBufferSize(1024) before connect, or make the message smaller.'],
}

const name: Diagnosis = {
  headline: 'The host name of the server is not found.',
  cause:
    'DNS does not know the name, the device has no DNS server, or the name contains a protocol such as mqtt://.',
  fixes: [
    'Write only the host name, without mqtt:// and without a port, where the client asks for a host.',
    'Try the IP address. Names that end with .local need mDNS, which many devices do not have.',
  ],
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
      '0x86',
    ],
    diagnosis: badUserNameOrPassword,
  },
  {
    messages: [
      'rc=-2',
      'ECONNREFUSED',
      'MQTT_CONNECT_FAILED',
      'Error: Connection refused',
      'Unable to connect to server (32103)',
      'ConnectionRefusedError',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'No route to host',
    ],
    diagnosis: noConnection,
  },
  {
    messages: [
      'rc=-4',
      'connack timeout',
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
  {
    messages: [
      'rc=-1',
      'MQTT_DISCONNECTED',
      'ECONNRESET',
      'transport_read(): EOF',
      'Socket error on client <unknown>',
      'Connection closed',
      'socket hang up',
      'Client <unknown> closed its connection',
      'Bad socket read/write on client',
    ],
    diagnosis: closedEarly,
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

/** The symptom of which a message stands in a log without bytes: the first one that isn't general, if there is one. */
export function symptomIn(text: string): Symptom | undefined {
  const said = ` ${words(text).join(' ')} `
  const found = symptoms.filter(({ messages }) =>
    messages.some((message) => message.length > 3 && said.includes(` ${words(message).join(' ')} `)),
  )
  return found.find(({ isGeneral }) => isGeneral === undefined) ?? found[0]
}

const words = (text: string): string[] => text.toLowerCase().match(/-?[\p{L}\p{N}_]+/gu) ?? []

/** The symptoms whose messages have all words of a search, those with the words side by side first. */
export function search(text: string): readonly Symptom[] {
  const wanted = words(text)
  if (wanted.length === 0) return symptoms
  const near = wanted.join(' ')
  const score = ({ messages, diagnosis }: Symptom): number => {
    const all = messages.map((message) => ` ${words(message).join(' ')} `)
    if (all.some((message) => message.includes(` ${near} `))) return 3
    if (all.some((message) => wanted.every((word) => message.includes(word)))) return 2
    // A whole line of a log has more words than the message in it.
    if (all.some((message) => ` ${near} `.includes(message) && message.trim().length > 3)) return 2
    return wanted.every((word) => diagnosis.headline.toLowerCase().includes(word)) ? 1 : 0
  }
  return symptoms
    .map((symptom) => [score(symptom), symptom] as const)
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .map(([, symptom]) => symptom)
}
