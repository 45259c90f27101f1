import { connect, of4And5, ofAll, type Row, type Rule, rules, will } from '../rule.ts'

/* Rules for the connect flags and payload of a CONNECT, and for the acknowledge flags and code of a CONNACK. */

const flags: readonly Rule[] = [
  ...rules('connect-flags-reserved', 'connectFlags', of4And5('MQTT-3.1.2-3'), [
    ['bit 0 of the connect flags', connect('>03 K % A')],
  ]),
  ...rules(
    'will-qos-without-will',
    'connectFlags',
    of4And5('MQTT-3.1.2-13', 'MQTT-3.1.2-11'),
    ['0a', '12', '1a'].map((bits) => ['will QoS 1, 2 or 3 without a will', connect(`>${bits} K % A`)]),
  ),
  ...rules('will-retain-without-will', 'connectFlags', of4And5('MQTT-3.1.2-15', 'MQTT-3.1.2-13'), [
    ['will retain without a will', connect('>22 K % A')],
  ]),
  ...rules('will-qos', 'connectFlags', ofAll('MQTT-3.1.2-14', 'MQTT-3.1.2-12'), [
    ['will QoS 3', connect('>1e K % A % A A'), will({ qos: 3 })],
    ['will QoS 3', connect('>3e K % A % A A'), will({ qos: 3, retain: true })],
  ]),
  ...rules('password-without-user-name', 'connectFlags', { v3_1: '3.1', v3_1_1: 'MQTT-3.1.2-22' }, [
    ['a password without a user name', connect('>42 K A A'), { password: 'a' }],
    ['a password without a user name', connect('>42 K A 0000'), { password: '' }],
  ]),
]

const wildcards: readonly Row[] = [
  ['+', '>2b'],
  ['#', '>23'],
  ['a/+/b', '61 2f >2b 2f 62'],
  ['a/#', '61 2f >23'],
  ['é+', 'c3a9 >2b'],
].map(([topic, hex]) => {
  const length = `000${Buffer.byteLength(topic!)}`
  return ['a will topic with a wildcard', connect(`06 K % A % ${length} ${hex} A`), will({ topic })]
})

const payload: readonly Rule[] = [
  ...rules('client-id-empty', 'clientId', { v3_1: '3.1', v3_1_1: 'MQTT-3.1.3-8' }, [
    [
      'an empty client id without clean session',
      connect('00 K >0000'),
      { cleanSession: false, clientId: '' },
    ],
  ]),
  ...rules('client-id-empty', 'clientId', { v3_1: '3.1' }, [
    ['an empty client id', connect('02 K >0000'), { clientId: '' }],
  ]),
  ...rules('client-id-too-long', 'clientId', { v3_1: '3.1' }, [
    ['a client id of 24 characters', connect(`02 K >0018 ${'61'.repeat(24)}`), { clientId: 'a'.repeat(24) }],
    [
      'a client id of 24 characters',
      connect(`02 K >0030 ${'c3a9'.repeat(24)}`),
      { clientId: 'é'.repeat(24) },
    ],
  ]),
  ...rules('will-topic-empty', 'will.topic', ofAll('MQTT-4.7.3-1'), [
    ['an empty will topic', connect('06 K % A % >0000 A'), will({ topic: '' })],
  ]),
  ...rules('will-topic-wildcard', 'will.topic', ofAll('MQTT-4.7.1-1', 'MQTT-4.7.0-1'), wildcards),
]

const connack: readonly Rule[] = [
  ...rules(
    'acknowledge-flags-reserved',
    'acknowledgeFlags',
    of4And5('3.2.2.1', 'MQTT-3.2.2-1'),
    ['02', '04', '40', '80', 'fe', 'ff'].map((bits) => [
      'one of bits 7 to 1 of the acknowledge flags',
      `20 L >${bits} 00 %`,
    ]),
  ),
  ...rules(
    'connack-code',
    'returnCode',
    { v3_1: '3.2', v3_1_1: '3.2.2.3' },
    [6, 0x7f, 0x80, 0x84, 0xff].map((returnCode) => [
      'a return code above 5',
      `20 L 00 >${Buffer.of(returnCode).toString('hex')}`,
      { returnCode },
    ]),
  ),
  ...rules(
    'connack-code',
    'reasonCode',
    { v5: 'MQTT-3.2.2-8' },
    // Codes of other packets, and unassigned codes.
    [1, 5, 0x18, 0x7f, 0x8b, 0x8d, 0x8e, 0x8f, 0x91, 0x94, 0x96, 0x98, 0x9e, 0xa0, 0xa2, 0xff].map(
      (reasonCode) => [
        'a reason code that CONNACK does not have',
        `20 L 00 >${Buffer.of(reasonCode).toString('hex')} 00`,
        { reasonCode },
      ],
    ),
  ),
  ...rules('session-present-with-error', 'acknowledgeFlags', { v3_1_1: 'MQTT-3.2.2-4' }, [
    ['session present with an error', '20 L >01 01', { sessionPresent: true, returnCode: 1 }],
    ['session present with an error', '20 L >01 05', { sessionPresent: true, returnCode: 5 }],
  ]),
  ...rules('session-present-with-error', 'acknowledgeFlags', { v5: 'MQTT-3.2.2-6' }, [
    ['session present with an error', '20 L >01 80 00', { sessionPresent: true, reasonCode: 0x80 }],
    ['session present with an error', '20 L >01 9f 00', { sessionPresent: true, reasonCode: 0x9f }],
  ]),
]

export const contentRules: readonly Rule[] = [...flags, ...payload, ...connack]
