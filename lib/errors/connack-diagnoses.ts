import type { ConnectReasonCode, ConnectReturnCode } from '../protocol/codes.ts'
import type { Diagnosis } from './diagnosis.ts'

type ReasonName = keyof typeof ConnectReasonCode

const wrongPassword = [
  'Check user name and password: upper and lower case, a space or a line break at the end, the right file for the right device.',
  'Try the same user name and password with mosquitto_pub -d -h HOST -u USER -P PASSWORD -t test -m hello.',
]
const invalidHere = 'The server found an error in the CONNECT of the client.'
const explainConnect = ['Explain the bytes of the CONNECT: they show the error and its place.']
const featureMissing = 'The server may offer less than MQTT 5.0 has. Cloud services often do.'

/**
 * A text for each code of a CONNACK. The return codes of MQTT 3.1 and 3.1.1 mean the same as reason codes of 5.0, and the texts
 * mention where brokers use them differently.
 */
export const connackDiagnoses: Readonly<Record<ReasonName, Diagnosis>> = {
  success: {
    headline: 'The server accepts the client.',
    cause: 'The connection is established. If it is lost later, the reason is not in this packet.',
    fixes: [],
  },
  unspecifiedError: {
    headline: 'The server refuses the client, and does not say why.',
    cause: 'The server has a reason for which MQTT has no code, or one that it keeps to itself.',
    fixes: ['Read the log of the server at the time of the attempt.'],
  },
  malformedPacket: {
    headline: 'The server could not read the CONNECT: it breaks the rules of the encoding.',
    cause: `${invalidHere} Lengths, flags and strings are the usual places.`,
    fixes: explainConnect,
  },
  protocolError: {
    headline: 'The server could read the CONNECT, but it breaks a rule of MQTT.',
    cause: `${invalidHere} Usual: a property twice, a value of 0 where it must be 1 or more, authentication data without a method.`,
    fixes: explainConnect,
  },
  implementationSpecificError: {
    headline: 'The CONNECT is valid, but this server does not accept it.',
    cause: 'The server has rules of its own, for example about client identifiers or wills.',
    fixes: ['Read the documents and the log of the server. A reason string in the CONNACK may say more.'],
  },
  unsupportedProtocolVersion: {
    headline: 'The server does not speak the MQTT version of the client.',
    cause:
      'The client asks for a version that the server does not have: 5.0 on an older broker (mosquitto before 1.6, RabbitMQ before 3.13), or 3.1 on a new one. Azure IoT Hub accepts only 3.1.1. In MQTT 3.1 and 3.1.1 this is return code 1.',
    fixes: [
      'In the client, choose MQTT 3.1.1, which nearly every broker has.',
      'Or update the broker, or turn the version on in it.',
    ],
  },
  clientIdentifierNotValid: {
    headline: 'The server does not accept the client identifier.',
    cause:
      'It is empty without clean session, is too long, has characters that the server does not want, or is not the one that belongs to the user name or certificate. mosquitto sends this for an empty identifier without clean session, or if allow_zero_length_clientid is false. In MQTT 3.1 and 3.1.1 this is return code 2.',
    fixes: [
      'Set a client identifier of 1 to 23 letters and digits that no other client has.',
      'Or turn on clean session (clean start), so that it may be empty.',
      'In cloud services, use the name under which the device is registered.',
    ],
  },
  badUserNameOrPassword: {
    headline: 'The user name or the password is wrong.',
    cause:
      'The user name is unknown, or the password is wrong. EMQX, RabbitMQ and HiveMQ extensions use this code. mosquitto says not authorized instead. In MQTT 3.1 and 3.1.1 this is return code 4.',
    fixes: [
      ...wrongPassword,
      'If the password is a token (Azure, Google, JWT), check that it has not expired, and that the clock of the device is right.',
    ],
  },
  notAuthorized: {
    headline: 'The server does not let this client in: not authorized.',
    cause:
      'In mosquitto this means a wrong password too, or no password: since version 2.0 clients without one are refused unless allow_anonymous true is set. In RabbitMQ the user guest may connect from the same machine only. In EMQX a rule or an HTTP service denies the client. In Azure IoT Hub the token has expired, or the user name has the wrong form. In MQTT 3.1 and 3.1.1 this is return code 5.',
    fixes: [
      ...wrongPassword,
      'In mosquitto, look at password_file, allow_anonymous and the log, and restart it after a change.',
      'In Home Assistant, use a user of Home Assistant, and not homeassistant or addons as its name.',
      'In cloud services, check that the policy or the device entry allows this client identifier to connect.',
    ],
  },
  serverUnavailable: {
    headline: 'The server cannot serve the client now.',
    cause:
      'It is starting, shutting down, overloaded, or cannot reach the service that it checks passwords with. In MQTT 3.1 and 3.1.1 this is return code 3, and may also mean that a quota is used up.',
    fixes: [
      'Try again after a while, each time after a longer pause.',
      'Read the log of the server: an authentication plugin, a database or a licence may have failed.',
    ],
  },
  serverBusy: {
    headline: 'The server is busy.',
    cause: 'It has too much to do at the moment. After a restart all clients come back at once.',
    fixes: ['Try again after a random pause, each time a longer one.'],
  },
  banned: {
    headline: 'The server has banned this client.',
    cause:
      'An administrator or an automatic rule has blocked the client identifier, the user name or the address. In EMQX that happens after too many connections in a short time (flapping).',
    fixes: [
      'Look at the list of banned clients in the server, and remove the entry.',
      'Find out why the client reconnects so often: two clients with the same client identifier push each other out.',
    ],
  },
  badAuthenticationMethod: {
    headline: 'The server does not support the authentication method.',
    cause:
      'The CONNECT names a method of enhanced authentication, such as SCRAM-SHA-256, that is not set up in the server.',
    fixes: [
      'Check the spelling of the method, and that the server has it.',
      'Or use user name and password, without an authentication method.',
    ],
  },
  topicNameInvalid: {
    headline: 'The server does not accept the will topic.',
    cause:
      'The topic is valid, but not allowed here: it begins with $, is too long or has too many levels, or the client may not publish to it.',
    fixes: ['In the client, use a will topic that the client may publish to, or turn the will off.'],
  },
  packetTooLarge: {
    headline: 'The CONNECT is too large for the server.',
    cause: 'A large will, user name or password (a token) makes it larger than the limit of the server.',
    fixes: ['Make the will or the token smaller, or raise the limit of the server (max_packet_size).'],
  },
  quotaExceeded: {
    headline: 'A quota is used up.',
    cause: 'The number of connections, devices or messages is limited by the licence, the plan or a setting.',
    fixes: ['Look at the number of connections and at the plan. Close connections that nobody needs.'],
  },
  payloadFormatInvalid: {
    headline: 'The will message is not the text that it claims to be.',
    cause: 'The will has payload format indicator 1, but its message is not UTF-8.',
    fixes: ['In the client, set the payload format indicator to 0, or send UTF-8.'],
  },
  retainNotSupported: {
    headline: 'The server does not store retained messages, but the will is to be retained.',
    cause: featureMissing,
    fixes: ['In the client, turn off will retain.', 'In mosquitto, check retain_available.'],
  },
  qosNotSupported: {
    headline: 'The server does not support the QoS of the will.',
    cause: `${featureMissing} The property maximum QoS in the CONNACK says what it supports.`,
    fixes: ['In the client, set the will QoS to 1 or 0.'],
  },
  useAnotherServer: {
    headline: 'The client is to use another server for now.',
    cause: 'The server is being maintained or is full. The property server reference may name the other one.',
    fixes: ['Connect to the server in the server reference, and come back later.'],
  },
  serverMoved: {
    headline: 'The server has moved.',
    cause: 'The address is no longer the right one. The property server reference may name the new one.',
    fixes: ['Change the address in the client to the one in the server reference.'],
  },
  connectionRateExceeded: {
    headline: 'Too many connections in a short time.',
    cause:
      'The server limits how many clients connect in a second. A client that reconnects at once makes it worse.',
    fixes: ['Try again after a random pause, each time a longer one.', 'Find out why the connections break.'],
  },
}

/** The reason code that each return code of MQTT 3.1 and 3.1.1 stands for. */
export const returnCodeReasons: Readonly<Record<keyof typeof ConnectReturnCode, ReasonName>> = {
  accepted: 'success',
  unacceptableProtocolVersion: 'unsupportedProtocolVersion',
  identifierRejected: 'clientIdentifierNotValid',
  serverUnavailable: 'serverUnavailable',
  badUserNameOrPassword: 'badUserNameOrPassword',
  notAuthorized: 'notAuthorized',
}
