import type { ConnectReasonCode, ConnectReturnCode } from '../protocol/codes.ts'
import type { Diagnosis } from './diagnosis.ts'

type ReasonName = keyof typeof ConnectReasonCode

const wrongPassword = [
  "Check the user name and the password: upper and lower case, a space or a line break at the end, another device's file.",
  'Try the same user name and password with mosquitto_pub -d -h HOST -u USER -P PASSWORD -t test -m hello.',
]
const invalidHere = "The server found an error in the client's CONNECT."
const explainConnect = ['Explain the bytes of the CONNECT, to see where the error is.']
const featureMissing = "Servers needn't support all of MQTT 5.0, and cloud services often don't."

/**
 * The texts for the codes of a CONNACK. The return codes of MQTT 3.1 and 3.1.1 share those of the equivalent reason codes of 5.0.
 */
export const connackDiagnoses: Readonly<Record<ReasonName, Diagnosis>> = {
  success: {
    headline: 'The server accepts the client.',
    cause: 'If the connection is lost later, the reason is not in this packet.',
    fixes: [],
  },
  unspecifiedError: {
    headline: 'The server refuses the client without saying why.',
    cause: 'MQTT has no code for the reason, or the server keeps it secret.',
    fixes: ["Read the server's log at the time of the attempt."],
  },
  malformedPacket: {
    headline: 'The server could not decode the CONNECT.',
    cause: `${invalidHere} Usually a length, a flag or a string is wrong.`,
    fixes: explainConnect,
  },
  protocolError: {
    headline: 'The CONNECT breaks a rule of MQTT.',
    cause: `${invalidHere} Usually a property occurs twice, is 0 but must not be, or needs another one.`,
    fixes: explainConnect,
  },
  implementationSpecificError: {
    headline: 'The CONNECT is valid, but this server does not accept it.',
    cause: 'The server has additional rules, for example for client identifiers or wills.',
    fixes: ["Read the server's documentation and log. A reason string in the CONNACK may say more."],
  },
  unsupportedProtocolVersion: {
    headline: 'The server does not speak the MQTT version of the client.',
    cause:
      'Older brokers lack 5.0 (mosquitto before 1.6, RabbitMQ before 3.13), and newer ones often refuse 3.1. Azure IoT Hub accepts only 3.1.1. In MQTT 3.1 and 3.1.1 this is return code 1.',
    fixes: [
      'In the client, choose MQTT 3.1.1, which nearly every broker has.',
      'Or update the broker, or turn on the version there.',
    ],
  },
  clientIdentifierNotValid: {
    headline: 'The server does not accept the client identifier.',
    cause:
      "It is empty without clean session, is too long, contains characters that the server forbids, or doesn't belong to the user name or certificate. mosquitto also refuses empty identifiers if allow_zero_length_clientid is false. In MQTT 3.1 and 3.1.1 this is return code 2.",
    fixes: [
      'Set a unique client identifier of 1 to 23 letters and digits.',
      'Or turn on clean session (clean start) if the identifier is empty.',
      'In cloud services, use the name of the registered device.',
    ],
  },
  badUserNameOrPassword: {
    headline: 'The user name or the password is wrong.',
    cause:
      'The user name is unknown, or the password is wrong. EMQX, RabbitMQ and HiveMQ extensions use this code, whereas mosquitto says not authorized. In MQTT 3.1 and 3.1.1 this is return code 4.',
    fixes: [
      ...wrongPassword,
      'If the password is a token (Azure, Google, JWT), check that it has not expired, and that the clock of the device is right.',
    ],
  },
  notAuthorized: {
    headline: 'The server does not let this client in: not authorized.',
    cause:
      'In mosquitto this can also mean that the password is wrong or missing: since version 2.0, a password is required unless allow_anonymous is true. In RabbitMQ the user guest may connect only from the same machine. In EMQX a rule or an HTTP service denies the client. In Azure IoT Hub the token has expired, or the user name has the wrong form. In MQTT 3.1 and 3.1.1 this is return code 5.',
    fixes: [
      ...wrongPassword,
      'In mosquitto, look at password_file, allow_anonymous and the log, and restart it after a change.',
      'In Home Assistant, create a user with any name other than homeassistant and addons.',
      'In cloud services, check that the policy or the device entry allows this client identifier to connect.',
    ],
  },
  serverUnavailable: {
    headline: 'The server cannot serve the client now.',
    cause:
      "The server is starting, shutting down or overloaded, or can't reach the service that checks passwords. In MQTT 3.1 and 3.1.1 this is return code 3, and may also mean that a quota is used up.",
    fixes: [
      'Try again later, with a longer pause each time.',
      "Read the server's log: an authentication plugin, a database or a licence may have failed.",
    ],
  },
  serverBusy: {
    headline: 'The server is busy.',
    cause: 'Often that is after a restart, when all clients reconnect at once.',
    fixes: ['Try again after a random pause, longer each time.'],
  },
  banned: {
    headline: 'The server has banned this client.',
    cause:
      'An administrator or an automatic rule has blocked the client identifier, the user name or the address. EMQX does so after too many connections in a short time (flapping).',
    fixes: [
      "Remove the entry from the server's list of banned clients.",
      'Find out why the client reconnects so often: two clients with the same identifier disconnect each other.',
    ],
  },
  badAuthenticationMethod: {
    headline: 'The server does not support the authentication method.',
    cause: "The CONNECT names a method, such as SCRAM-SHA-256, that isn't set up in the server.",
    fixes: [
      'Check the spelling of the method, and that the server supports it.',
      'Or use user name and password, without an authentication method.',
    ],
  },
  topicNameInvalid: {
    headline: 'The server does not accept the will topic.',
    cause:
      'The topic is valid, but this server forbids it: it begins with $, is too long, has too many levels, or the client may not publish to it.',
    fixes: ['In the client, use a will topic that the client may publish to, or turn the will off.'],
  },
  packetTooLarge: {
    headline: 'The CONNECT is too large for the server.',
    cause: "The will, the user name or the password (often a token) is too large for the server's limit.",
    fixes: ["Make the will or the token smaller, or raise the server's limit (max_packet_size)."],
  },
  quotaExceeded: {
    headline: 'A quota is used up.',
    cause: 'A licence, a plan or a setting limits the number of connections, devices or messages.',
    fixes: ['Compare the number of connections with the plan, and close those that nobody needs.'],
  },
  payloadFormatInvalid: {
    headline: 'The will message is not the text that it claims to be.',
    cause: 'The will has payload format indicator 1, but its message is not UTF-8.',
    fixes: ['In the client, set the payload format indicator to 0, or send UTF-8.'],
  },
  retainNotSupported: {
    headline: 'The server does not support retained messages, but will retain is set.',
    cause: featureMissing,
    fixes: ['In the client, turn off will retain.', 'In mosquitto, check retain_available.'],
  },
  qosNotSupported: {
    headline: 'The server does not support the QoS of the will.',
    cause: `${featureMissing} The property maximum QoS in the CONNACK is the highest that it supports.`,
    fixes: ['In the client, set the will QoS to 1 or 0.'],
  },
  useAnotherServer: {
    headline: 'The client should use another server for now.',
    cause:
      'This server is being maintained or is full. The property server reference may name the other server.',
    fixes: ['Connect to the server in the server reference, and try this one again later.'],
  },
  serverMoved: {
    headline: 'The server has moved.',
    cause: 'The address is out of date. The property server reference may have the new one.',
    fixes: ['Change the address in the client to the one in the server reference.'],
  },
  connectionRateExceeded: {
    headline: 'Too many connections in a short time.',
    cause: 'The server limits the connections per second. Clients that reconnect at once make it worse.',
    fixes: ['Try again after a random pause, longer each time.', 'Find out why the connections break.'],
  },
}

/** The equivalent reason codes of the return codes of MQTT 3.1 and 3.1.1. */
export const returnCodeReasons: Readonly<Record<keyof typeof ConnectReturnCode, ReasonName>> = {
  accepted: 'success',
  unacceptableProtocolVersion: 'unsupportedProtocolVersion',
  identifierRejected: 'clientIdentifierNotValid',
  serverUnavailable: 'serverUnavailable',
  badUserNameOrPassword: 'badUserNameOrPassword',
  notAuthorized: 'notAuthorized',
}
