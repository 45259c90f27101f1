import type { Diagnosis } from './diagnosis.ts'

/** The texts of errors that only packets after the CONNECT can cause. */
export const laterDiagnoses: Readonly<
  Record<
    | 'not-connack'
    | 'second-connack'
    | 'wrong-sender'
    | 'disconnect-code'
    | 'disconnect-bad-authentication-method'
    | 'auth-code'
    | 'authentication-method-missing',
    Diagnosis
  >
> = {
  'not-connack': {
    headline: 'The server answers with something that is not a CONNACK.',
    cause:
      'A server must answer a CONNECT with a CONNACK before anything else, except for the AUTH packets of MQTT 5.0. Often the port belongs to another service, or the connection is not a new one.',
    fixes: [
      'Check the address and the port of the server.',
      'Check that the connection is new, and that nothing else reads from it.',
    ],
  },
  'second-connack': {
    headline: 'The server has sent a second CONNACK.',
    cause:
      'A connection has one CONNACK. The server sends an invalid value, so the client is right to close the connection.',
    fixes: ['Report it to the maker of the server, or update the server.'],
  },
  'wrong-sender': {
    headline: 'The packet contains something that only the other side sends.',
    cause:
      'Some packets, reason codes and properties belong to clients, others to servers. Often a server uses code that was written for a client, or the other way round.',
    fixes: [
      'Check which side has sent the packet.',
      'In the sender, leave out what belongs to the other side.',
    ],
  },
  'disconnect-code': {
    headline: 'The DISCONNECT has a code that does not exist.',
    cause:
      'A DISCONNECT of MQTT 5.0 has 0 for a normal end, 4 for an end with the will, or one of the codes from 80 (hex) on that its section lists.',
    fixes: ['In the sender, use a code of the table in section 3.14.2.1 of the standard.'],
  },
  'disconnect-bad-authentication-method': {
    headline: 'The DISCONNECT has the code 8c (hex), which it must not have.',
    cause:
      'The table of all reason codes lists "bad authentication method" for a DISCONNECT too, but the section about DISCONNECT does not.',
    fixes: ['In the sender, use 87 (hex), not authorized, instead.'],
  },
  'auth-code': {
    headline: 'The AUTH has a code that does not exist.',
    cause: 'An AUTH has 0 for success, 18 (hex) to continue, or 19 (hex) to authenticate again.',
    fixes: ['In the sender, use one of these three codes.'],
  },
  'authentication-method-missing': {
    headline: 'The AUTH does not name its authentication method.',
    cause:
      'Client and server have agreed on a method in the CONNECT, and each AUTH has to repeat it. Some senders leave it out of the last packet, because the code alone seems to say enough.',
    fixes: ['In the sender, add the property authentication method with the same value as in the CONNECT.'],
  },
}
