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
    headline: 'The server answers with something other than a CONNACK.',
    cause:
      'The CONNACK must be the first packet from the server, except for AUTH packets in MQTT 5.0. Often the port belongs to a different service, or the connection is an old one.',
    fixes: [
      'Check the address and the port of the server.',
      'Check that the connection is new, and that nothing else reads from it.',
    ],
  },
  'second-connack': {
    headline: 'The server has sent a second CONNACK.',
    cause:
      'A connection has only one CONNACK. This is a bug in the server, so the client is right to close the connection.',
    fixes: ['Update the server, or report the bug to its maker.'],
  },
  'wrong-sender': {
    headline: 'Only the other side may send this.',
    cause:
      'Some packets, reason codes and properties are only for clients, others only for servers. Often a server uses code that was written for a client, or the other way round.',
    fixes: ['Check which side sent the packet.', 'In the sender, leave it out.'],
  },
  'disconnect-code': {
    headline: 'The DISCONNECT has a code that does not exist.',
    cause:
      'In MQTT 5.0, 0 is a normal end, 4 asks the server to publish the will, and some codes from 80 (hex) on are errors.',
    fixes: ['In the sender, use a code from section 3.14.2.1 of the standard.'],
  },
  'disconnect-bad-authentication-method': {
    headline: 'The DISCONNECT has the code 8c (hex), which is not allowed there.',
    cause:
      'The standard\'s table of all reason codes allows "bad authentication method" in a DISCONNECT, but the section about DISCONNECT does not.',
    fixes: ['In the sender, use 87 (hex), not authorized, instead.'],
  },
  'auth-code': {
    headline: 'The AUTH has a code that does not exist.',
    cause: 'The codes are 0 for success, 18 (hex) to continue, and 19 (hex) to authenticate again.',
    fixes: ['In the sender, use one of these three codes.'],
  },
  'authentication-method-missing': {
    headline: 'The AUTH does not name its authentication method.',
    cause:
      'Each AUTH must repeat the method of the CONNECT. Some senders leave it out of the last AUTH, because the code alone seems to be enough.',
    fixes: ['In the sender, add the property authentication method with the same value as in the CONNECT.'],
  },
}
