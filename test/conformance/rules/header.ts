import { byte, type Clauses, connect, of4And5, ofAll, type Row, type Rule, rules } from '../rule.ts'

/* Rules for the fixed header, the protocol name and level, and packets whose fields aren't decoded. */

/** The error comes before the protocol is known. */
const early = { known: [] } as const
const onlyDecoder = { known: [], ways: ['PacketDecoder'] } as const
/** Not `explain`, which doesn't stop after one packet. */
const onlyDecode = { known: [], ways: ['decode'] } as const
const onlyBytes = { known: [], ways: ['decode', 'explain'] } as const

const rest = 'P 02 K % A'
const remainingLength: Clauses = { v3_1: '2.1', v3_1_1: '2.2.3', v5: '1.5.5' }
const connackEnd: Clauses = { v3_1: '3.2', ...of4And5('3.2.1') }

function flags(clauses: Clauses, what: string, wires: readonly string[]): Rule[] {
  return rules(
    'fixed-header-flags',
    'fixedHeader',
    clauses,
    wires.map((wire): Row => [what, wire, undefined, early]),
  )
}

const fixedHeader: readonly Rule[] = [
  ...rules(
    'not-connect',
    'fixedHeader',
    ofAll('MQTT-3.1.0-1'),
    ['>c000', '>30 03 0001 61', '>20 02 00 00', '>e000'].map((wire) => [
      'another packet as the first of a connection',
      wire,
      undefined,
      { ...onlyDecoder, options: { connection: false } },
    ]),
  ),
  ...rules(
    'second-connect',
    'fixedHeader',
    ofAll('MQTT-3.1.0-2'),
    [`>10 L ${rest}`, '>10 L P 04 K % 0000', '>1000'].map((wire) => [
      'a second CONNECT on one connection',
      wire,
      undefined,
      { ...onlyDecoder, options: { connection: true } },
    ]),
  ),
  ...rules('reserved-packet-type', 'fixedHeader', { v3_1: '2.1', v3_1_1: '2.2.1', v5: '2.1.2' }, [
    ['control packet type 0', '>0000', undefined, early],
    ['control packet type 0', '>0f 00', undefined, early],
  ]),
  ...rules('reserved-packet-type', 'fixedHeader', { v3_1: '2.1', v3_1_1: '2.2.1' }, [
    ['control packet type 15, which is AUTH in 5.0', '>f000', undefined, early],
  ]),
  ...flags(
    { v3_1: '2.1', ...of4And5('MQTT-2.2.2-1', 'MQTT-2.1.3-1') },
    'a CONNECT whose fixed header flags are not 0000',
    [1, 2, 4, 8, 15].map((bits) => `>1${bits.toString(16)} L ${rest}`),
  ).map((rule) => ({ ...rule, options: { connection: false } })),
  ...flags(
    { v3_1: '2.1', ...of4And5('MQTT-2.2.2-2', 'MQTT-2.1.3-1') },
    'a CONNACK whose fixed header flags are not 0000',
    [1, 2, 4, 8, 15].map((bits) => `>2${bits.toString(16)} L 00 00 %`),
  ),
  ...flags(
    { v3_1: '2.1', ...of4And5('MQTT-2.2.2-1', 'MQTT-2.1.3-1') },
    'a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010',
    ['>60020001', '>80020001', '>a3020001'],
  ),
  ...flags(
    { v3_1: '2.1', ...of4And5('MQTT-2.2.2-1', 'MQTT-2.1.3-1') },
    'another packet whose fixed header flags are not 0000',
    ['>42020001', '>58020001', '>71020001', '>91020001', '>b2020001', '>c100', '>d400'],
  ),
  ...flags(
    { v3_1: '2.1', ...of4And5('MQTT-3.14.1-1') },
    'a DISCONNECT whose fixed header flags are not 0000',
    [1, 2, 4, 8, 15].map((bits) => `>e${bits.toString(16)} 00`),
  ),
  ...flags(
    { v5: 'MQTT-3.15.1-1' },
    'an AUTH whose fixed header flags are not 0000',
    [1, 2, 4, 8, 15].map((bits) => `>f${bits.toString(16)} L 18 {15 A}`),
  ),
  ...rules(
    'variable-byte-integer-too-long',
    'remainingLength',
    remainingLength,
    ['8080808001', 'ffffffff7f', '8080808000', 'ffffffff', 'ffffffffff'].flatMap((length): Row[] => [
      ['a Remaining Length of five bytes', `10 >${length} ${rest}`, undefined, early],
      ['a Remaining Length of five bytes', `20 >${length} 00 00 %`, undefined, early],
      ['a Remaining Length of five bytes', `e0 >${length}`, undefined, early],
    ]),
  ),
  ...rules('packet-too-large', 'remainingLength', { v3_1: '2.1', ...of4And5('4.8', '3.2.2.2') }, [
    ...[`10 >0f ${rest} 00`, `10 >10 ${rest} 00`, `10 >7f ${rest}`].map(
      (wire): Row => [
        'a packet larger than the maximum',
        wire,
        undefined,
        { known: [], ways: ['decode', 'PacketDecoder'], options: { maximumPacketSize: 16 } },
      ],
    ),
    ['a packet of 256 MB, by its fixed header alone', '10 >ffffff7f', undefined, onlyDecoder],
    ['a packet of more than 65,536 bytes by default', '10 >feff03', undefined, onlyDecoder],
  ]),
  ...rules('packet-incomplete', 'remainingLength', ofAll('MQTT-3.1.4-1'), [
    ['a packet that ends before its Remaining Length says', `10 0f P 02 K>`, undefined, early],
    ['a packet that ends before its Remaining Length says', '10 02 00>', undefined, early],
    ['a packet that ends within its Remaining Length', '10 ff>', undefined, early],
    ['a packet that ends within its Remaining Length', '10>', undefined, early],
    ['no bytes at all', '>', undefined, { ...onlyBytes, options: { connection: false } }],
  ]),
  ...rules('more-than-one-packet', 'bytesLeftOver', ofAll('MQTT-3.1.4-1'), [
    ['more than one packet where one is decoded', `10 02 0000>c000`, undefined, onlyDecode],
    ['more than one packet where one is decoded', `c000>00`, undefined, onlyDecode],
  ]),
  ...rules('more-than-one-packet', 'bytesLeftOver', { v3_1: '3.2', ...of4And5('MQTT-3.1.4-1') }, [
    ['more than one packet where a CONNACK is decoded', `20 02 0000>20 02 0000`, undefined, onlyDecode],
  ]),
  ...rules('more-than-one-packet', 'bytesLeftOver', { v3_1: '3.14', ...of4And5('MQTT-3.1.4-1') }, [
    ['more than one packet where a DISCONNECT is decoded', `e0 00>e0 00`, undefined, onlyDecode],
  ]),
  ...rules('more-than-one-packet', 'bytesLeftOver', { v5: 'MQTT-3.1.4-1' }, [
    ['more than one packet where an AUTH is decoded', `f0 06 18 04 15 A>00`, undefined, onlyDecode],
  ]),
  ...rules('packet-incomplete', 'remainingLength', { v3_1: '3.2' }, [
    ['a CONNACK that ends before its Remaining Length says', '20 02 00>', undefined, onlyBytes],
    ['a CONNACK that ends within its Remaining Length', '20 ff>', undefined, onlyBytes],
  ]),
  ...rules('packet-incomplete', 'remainingLength', { v3_1: '3.14' }, [
    ['a DISCONNECT that ends within its Remaining Length', 'e0>', undefined, onlyBytes],
  ]),
  ...rules('packet-incomplete', 'remainingLength', of4And5('MQTT-3.1.4-1'), [
    ['a CONNACK that ends before its Remaining Length says', '20 02 00>', undefined, early],
    ['a DISCONNECT that ends within its Remaining Length', 'e0>', undefined, early],
  ]),
  ...rules('packet-incomplete', 'remainingLength', { v5: 'MQTT-3.1.4-1' }, [
    ['an AUTH that ends before its Remaining Length says', 'f0 05 18 04 15>', undefined, early],
  ]),
  ...rules('variable-byte-integer-not-shortest', 'remainingLength', { v5: 'MQTT-1.5.5-1' }, [
    ['a Remaining Length of more bytes than needed', `10 >8e00 ${rest}`],
    ['a Remaining Length of more bytes than needed', `10 >8e808000 ${rest}`],
    ['a Remaining Length of more bytes than needed', `20 >8300 00 00 00`],
    ['a Remaining Length of more bytes than needed', `e0 >8000`],
    [
      'a Remaining Length of more bytes than needed',
      `f0 >8600 18 04 15 A`,
      undefined,
      { reads: { props: [{ id: 0x15, value: 'a' }] } },
    ],
  ]),
]

const opaque: readonly Rule[] = [
  ...rules('publish-qos', 'fixedHeader', { v3_1: '2.1', ...of4And5('MQTT-3.3.1-4') }, [
    ['a PUBLISH with QoS 3', '>36 L A 0001', undefined, early],
    ['a PUBLISH with QoS 3', '>3f L A 0001', undefined, early],
  ]),
  ...rules('publish-dup', 'fixedHeader', { v3_1: '2.1', ...of4And5('MQTT-3.3.1-2') }, [
    ['a PUBLISH with DUP and QoS 0', '>38 L A', undefined, early],
    ['a PUBLISH with DUP and QoS 0', '>39 L A', undefined, early],
  ]),
  ...rules(
    'packet-id-zero',
    'packetId',
    { v3_1: '2.4', ...of4And5('MQTT-2.3.1-1', 'MQTT-2.2.1-3') },
    [
      '32 L A >0000',
      '40 L >0000',
      '62 L >0000',
      '82 L >0000 A 00',
      '90 L >0000 00',
      'a2 L >0000 A',
      'b0 L >0000',
    ].map((wire) => ['packet identifier 0', wire, undefined, early]),
  ),
  ...rules('body-not-allowed', 'remainingLength', { v3_1: '2.1', ...of4And5('2.2.3', '2.1.4') }, [
    ['a PINGREQ with a body', 'c0 >01 00', undefined, early],
    ['a PINGRESP with a body', 'd0 >02 0000', undefined, early],
  ]),
  ...rules('body-not-allowed', 'remainingLength', { v3_1: '2.1', v3_1_1: '2.2.3' }, [
    ['a DISCONNECT with a body', 'e0 >01 00', undefined, early],
  ]),
  ...rules('field-past-end', 'packetId', ofAll('MQTT-3.1.4-1'), [
    ['a packet identifier that continues after the packet', '40 L >00', undefined, early],
    ['a packet identifier that continues after the packet', '32 L A >', undefined, early],
  ]),
  ...rules('field-past-end', 'topicName', ofAll('MQTT-3.1.4-1'), [
    ['a topic name that continues after the packet', '32 L >0002 61', undefined, early],
  ]),
]

/** A packet with this protocol name (in hex with its length) and this level. */
function named(name: string, level: number): string {
  return `${name} ${byte(level)} 02 K % A`
}

const MQTT = '0004 4d515454'
const MQISDP = '0006 4d5149736470'

/** Wrong names: as the error gives them, if they're short and text, and as bytes. */
const otherNames: readonly (readonly [name: string | undefined, bytes: string])[] = [
  ['MQTX', '0004 4d515458'],
  ['mqtt', '0004 6d717474'],
  ['MQ', '0002 4d51'],
  ['MQTTX', '0005 4d51545458'],
  ['MQISDP', '0006 4d5149534450'],
  ['', '0000'],
  ['x'.repeat(32), `0020 ${'78'.repeat(32)}`],
  [undefined, `0021 ${'78'.repeat(33)}`],
  [undefined, '0004 4d5154ff'],
  [undefined, '0004 4d515400'],
  // Here the length's low byte is MQTT's, but the high byte isn't zero.
  [undefined, `0104 4d515454 04 ${'00'.repeat(0xff)}`],
]

const protocol: readonly Rule[] = [
  ...rules(
    'protocol-name',
    'protocolName',
    ofAll('MQTT-3.1.2-1'),
    otherNames.flatMap(([name, bytes]) =>
      [3, 4, 5, 0x84].map(
        (level): Row => [
          'another protocol name',
          `10 L >${named(bytes, level)}`,
          undefined,
          { known: [name, level] as const },
        ],
      ),
    ),
  ),
  ...rules(
    'protocol-mqtt-3-1',
    'protocolName',
    of4And5('MQTT-3.1.2-1'),
    [3, 4, 5, 0x84].map((level) => [
      'protocol name MQIsdp, which is MQTT 3.1',
      `10 L >${named(MQISDP, level)}`,
      undefined,
      { known: ['MQIsdp', level] },
    ]),
  ),
  ...rules(
    'protocol-bridge-level',
    'protocolLevel',
    ofAll('MQTT-3.1.2-2'),
    (
      [
        ['MQTT', MQTT, 0x84],
        ['MQTT', MQTT, 0x83],
        ['MQIsdp', MQISDP, 0x83],
      ] as const
    ).map(([name, wire, level]) => [
      'the protocol level of a bridge, 0x83 or 0x84',
      `10 L ${wire} >${byte(level)} 02 K % A`,
      undefined,
      { known: [name, level] as const },
    ]),
  ),
  ...rules(
    'protocol-level',
    'protocolLevel',
    ofAll('MQTT-3.1.2-2'),
    [0, 1, 2, 3, 6, 7, 0x7f, 0x80, 0x82, 0x85, 0xff].map((level) => [
      'a protocol level that does not exist',
      `10 L ${MQTT} >${byte(level)} 02 K % A`,
      undefined,
      { known: ['MQTT', level] },
    ]),
  ),
  ...rules(
    'protocol-level',
    'protocolLevel',
    { v3_1: '3.1' },
    [0, 2, 4, 5, 0x84].map((level) => [
      'a protocol level that MQIsdp does not have',
      `10 L ${MQISDP} >${byte(level)} 02 K A`,
      undefined,
      { known: ['MQIsdp', level] },
    ]),
  ),
]

/** A field that reaches past the end of the packet, in each version that has the field. */
function past(field: string, clauses: Clauses, ...wires: readonly string[]): Rule[] {
  const rows = wires.map((wire): Row => ['a field that continues after the packet', connect(wire)])
  return rules('field-past-end', field, clauses, rows)
}

const all = ofAll('MQTT-3.1.4-1')
const v5 = { v5: 'MQTT-3.1.4-1' }

const listPast = 'a property list that continues after the packet'

const lengths: readonly Rule[] = [
  ...rules('field-past-end', 'protocolName', all, [
    ['a field that continues after the packet', '10 L >0004 4d51', undefined, early],
    ['a field that continues after the packet', '10 L >00', undefined, early],
    ['a field that continues after the packet', '10 00>', undefined, early],
  ]),
  ...rules('field-past-end', 'protocolLevel', of4And5('MQTT-3.1.4-1'), [
    ['a field that continues after the packet', `10 L ${MQTT}>`, undefined, { known: ['MQTT'] }],
  ]),
  ...rules('field-past-end', 'protocolLevel', { v3_1: '3.1' }, [
    ['a field that continues after the packet', `10 L ${MQISDP}>`, undefined, { known: ['MQIsdp'] }],
  ]),
  ...past('connectFlags', all, '>'),
  ...past('keepAlive', all, '02 >', '02 >00'),
  ...past('propertyLength', v5, '02 K >', '02 K >80'),
  ...past('clientId', all, '02 K % >', '02 K % >00', '02 K % >0002 61'),
  ...past('will.propertyLength', v5, '06 K 00 A >', '06 K 00 A >ff'),
  ...rules('field-past-end', 'propertyLength', v5, [
    [listPast, connect('02 K >04 0001 61')],
    [listPast, connect('02 K >07 21 0001 A')],
    [listPast, connect('02 K >ffffff7f A')],
  ]),
  ...rules('field-past-end', 'will.propertyLength', v5, [
    [listPast, connect('06 K 00 A >01')],
    [listPast, connect('06 K 00 A >09 01 01 A A')],
    [listPast, connect('06 K 00 A >808001 A A')],
  ]),
  ...past('will.topic', all, '06 K % A % >', '06 K % A % >0002 74'),
  ...past('will.message', all, '06 K % A % A >', '06 K % A % A >0001'),
  ...past('userName', all, '82 K % A >0001', '82 K % A >ffff 61', 'c2 K % A >00'),
  ...past('userName', of4And5('MQTT-3.1.4-1'), '82 K % A >', 'c2 K % A >'),
  ...past('password', all, 'c2 K % A A >0002 70', 'c2 K % A A >00'),
  ...past('password', of4And5('MQTT-3.1.4-1'), 'c2 K % A A >'),
  ...past('password', v5, '42 K 00 A >', '42 K 00 A >0001'),
  ...rules('bytes-left-over', 'bytesLeftOver', all, [
    ['bytes after the last field', '10 L P 02 K % A >00'],
    ['bytes after the last field', '10 L P 02 K % A >A'],
    [
      'bytes after the last field',
      '10 L P c2 K % A A A >00',
      undefined,
      { reads: { userName: 'a', password: 'a' } },
    ],
    ['bytes after the last field', '10 L P 82 K % A A >A', undefined, { reads: { userName: 'a' } }],
  ]),
  ...rules('field-past-end', 'acknowledgeFlags', connackEnd, [
    ['a CONNACK that ends before its last field', '20 00>'],
  ]),
  ...rules('field-past-end', 'returnCode', { v3_1: '3.2', v3_1_1: '3.2.1' }, [
    ['a CONNACK that ends before its last field', '20 01 00>'],
  ]),
  ...rules('field-past-end', 'reasonCode', { v5: '3.2.1' }, [
    ['a CONNACK that ends before its last field', '20 01 00>'],
  ]),
  ...rules('field-past-end', 'propertyLength', { v5: '3.2.1' }, [
    ['a CONNACK that ends before its last field', '20 L 00 00>'],
    [listPast, '20 L 00 00 >04 21 0001'],
    ['a CONNACK that ends before its last field', '20 L 00 00 >80'],
  ]),
  ...rules('bytes-left-over', 'bytesLeftOver', connackEnd, [
    ['a CONNACK with bytes after its last field', '20 L 00 00 % >00'],
    ['a CONNACK with bytes after its last field', '20 L 00 00 % >A'],
  ]),
]

export const headerRules: readonly Rule[] = [...fixedHeader, ...opaque, ...protocol, ...lengths]
