import { connect3, connect5 } from '../support/faults.ts'
import type { Fields, Rule } from './refusal.ts'

/*
 * Rules of the connect flags, byte 9, and of the payload, which begins at byte 12 in 3.1.1 and, behind an empty
 * property length, at byte 13 in 5.0. The strings that are not well-formed are in strings.ts.
 */

const MALFORMED = 0x81
const A = '0001 61'

/** A will of two one-byte strings, with changes. */
function will(changes: object): Fields {
  return { will: { topic: 'a', message: 'a', ...changes } }
}

const flagRules: readonly Rule[] = [
  {
    what: 'connect flags bit 0 set',
    code: 'connect-flags-reserved',
    reason: MALFORMED,
    field: 'connectFlags',
    v3: { clause: 'MQTT-3.1.2-3', bytes: connect3('03', A), offset: 9 },
    v5: { clause: 'MQTT-3.1.2-3', bytes: connect5('03', '', A), offset: 9 },
  },
  ...['0a', '12', '1a'].map(
    (flags): Rule => ({
      what: 'will QoS 1, 2 or 3 without a will',
      code: 'will-qos-without-will',
      reason: MALFORMED,
      field: 'connectFlags',
      v3: { clause: 'MQTT-3.1.2-13', bytes: connect3(flags, A), offset: 9 },
      v5: { clause: 'MQTT-3.1.2-11', bytes: connect5(flags, '', A), offset: 9 },
    }),
  ),
  {
    what: 'will QoS 3',
    code: 'will-qos',
    reason: MALFORMED,
    field: 'connectFlags',
    v3: {
      clause: 'MQTT-3.1.2-14',
      bytes: connect3('1e', `${A} ${A} ${A}`),
      offset: 9,
      fields: will({ qos: 3 }),
    },
    v5: {
      clause: 'MQTT-3.1.2-12',
      bytes: connect5('1e', '', `${A} 00 ${A} ${A}`),
      offset: 9,
      fields: will({ qos: 3 }),
    },
  },
  {
    what: 'will retain without a will',
    code: 'will-retain-without-will',
    reason: MALFORMED,
    field: 'connectFlags',
    v3: { clause: 'MQTT-3.1.2-15', bytes: connect3('22', A), offset: 9 },
    v5: { clause: 'MQTT-3.1.2-13', bytes: connect5('22', '', A), offset: 9 },
  },
  {
    what: 'a password without a user name',
    code: 'password-without-user-name',
    reason: MALFORMED,
    field: 'connectFlags',
    v3: {
      clause: 'MQTT-3.1.2-22',
      bytes: connect3('42', `${A} ${A}`),
      offset: 9,
      fields: { password: 'a' },
    },
  },
]

const payloadRules: readonly Rule[] = [
  {
    what: 'an empty client id without clean session',
    code: 'client-id-empty',
    reason: 0x85,
    returns: 2,
    field: 'clientId',
    v3: {
      clause: 'MQTT-3.1.3-8',
      bytes: connect3('00', '0000'),
      offset: 12,
      fields: { cleanSession: false, clientId: '' },
    },
  },
  {
    what: 'an empty will topic',
    code: 'will-topic-empty',
    reason: 0x90,
    field: 'will.topic',
    v3: {
      clause: 'MQTT-4.7.3-1',
      bytes: connect3('06', `${A} 0000 ${A}`),
      offset: 15,
      fields: will({ topic: '' }),
    },
    v5: {
      clause: 'MQTT-4.7.3-1',
      bytes: connect5('06', '', `${A} 00 0000 ${A}`),
      offset: 17,
      fields: will({ topic: '' }),
    },
  },
  ...[
    ['+', '2b', 0],
    ['#', '23', 0],
    ['a/+/b', '612f2b2f62', 2],
    ['a/#', '612f23', 2],
    ['a+', '612b', 1],
  ].map(
    ([topic, bytes, at]): Rule => ({
      what: 'a will topic with a wildcard',
      code: 'will-topic-wildcard',
      reason: 0x90,
      field: 'will.topic',
      v3: {
        clause: 'MQTT-4.7.1-1',
        bytes: connect3('06', `${A} 000${`${bytes}`.length / 2} ${bytes} ${A}`),
        offset: 17 + (at as number),
        fields: will({ topic }),
      },
      v5: {
        clause: 'MQTT-4.7.0-1',
        bytes: connect5('06', '', `${A} 00 000${`${bytes}`.length / 2} ${bytes} ${A}`),
        offset: 19 + (at as number),
        fields: will({ topic }),
      },
    }),
  ),
]

export const connectRules: readonly Rule[] = [...flagRules, ...payloadRules]
