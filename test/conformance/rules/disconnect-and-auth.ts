import { byte, ofAll, type Row, type Rule, rules } from '../rule.ts'
import { fieldOf } from './properties.ts'

/* Rules for DISCONNECT and AUTH, and for the sender of packets, codes and properties. */

const method = [fieldOf(0x15, 'a')]

const lengths: readonly Rule[] = [
  ...rules('field-past-end', 'propertyLength', { v5: '3.14.2' }, [
    ['a DISCONNECT that ends within its property length', 'e0 L 00 >80'],
    ['a property list that continues after a DISCONNECT', 'e0 L 00 >04 1f 0001'],
    ['a property list that continues after a DISCONNECT', 'e0 L 8b >ffffff7f 1f 0000'],
  ]),
  ...rules('bytes-left-over', 'bytesLeftOver', { v5: '3.14.2' }, [
    ['a DISCONNECT with bytes after its properties', 'e0 L 00 00 >00'],
    [
      'a DISCONNECT with bytes after its properties',
      'e0 L 80 00 >A',
      undefined,
      { reads: { reasonCode: 0x80 } },
    ],
    [
      'a DISCONNECT with bytes after its properties',
      'e0 L 00 {1f A} >1f A',
      undefined,
      { reads: { props: [fieldOf(0x1f, 'a')] } },
    ],
  ]),
  ...rules('field-past-end', 'propertyLength', { v5: '3.15.2' }, [
    ['an AUTH that ends before its property length', 'f0 01 18>'],
    ['an AUTH that ends within its property length', 'f0 L 18 >80'],
    ['a property list that continues after an AUTH', 'f0 L 18 >05 15 A'],
  ]),
  ...rules('bytes-left-over', 'bytesLeftOver', { v5: '3.15.2' }, [
    [
      'an AUTH with bytes after its properties',
      'f0 L 18 {15 A} >00',
      undefined,
      { reads: { props: method } },
    ],
    [
      'an AUTH with bytes after its properties',
      'f0 L 18 {15 A} >16 A',
      undefined,
      { reads: { props: method } },
    ],
  ]),
]

/** Codes of other packets. The next list has unassigned ones. */
const notOfDisconnect = [1, 2, 3, 5, 0x18, 0x19, 0x7f, 0x84, 0x85, 0x86, 0x88, 0x8a, 0x91, 0x92]
const beyond = [0xa3, 0xfe, 0xff]

const codes: readonly Rule[] = [
  ...rules(
    'disconnect-code',
    'reasonCode',
    { v5: 'MQTT-3.14.2-1' },
    [...notOfDisconnect, ...beyond].flatMap((reasonCode): Row[] => [
      ['a reason code that DISCONNECT does not have', `e0 01 >${byte(reasonCode)}`, { reasonCode }],
      ['a reason code that DISCONNECT does not have', `e0 L >${byte(reasonCode)} 00`],
    ]),
  ),
  ...rules('disconnect-bad-authentication-method', 'reasonCode', { v5: 'MQTT-3.14.2-1' }, [
    ['reason code 0x8C in a DISCONNECT', 'e0 01 >8c', { reasonCode: 0x8c }],
    [
      'reason code 0x8C in a DISCONNECT',
      'e0 L >8c {1f A}',
      { reasonCode: 0x8c, props: [fieldOf(0x1f, 'a')] },
    ],
  ]),
  ...rules(
    'auth-code',
    'reasonCode',
    { v5: 'MQTT-3.15.2-1' },
    [1, 4, 0x17, 0x1a, 0x7f, 0x80, 0x8c, 0x98, 0xff].map((reasonCode) => [
      'a reason code that AUTH does not have',
      `f0 L >${byte(reasonCode)} {15 A}`,
      { reasonCode, props: method },
    ]),
  ),
  ...rules('authentication-method-missing', 'propertyLength', { v5: 'MQTT-4.12.0-5' }, [
    ['an AUTH without an authentication method', 'f0 L 18 >00', {}],
    [
      'an AUTH without an authentication method',
      'f0 L 00 >{16 A}',
      { reasonCode: 0, props: [fieldOf(0x16, Buffer.from('a'))] },
    ],
    [
      'an AUTH without an authentication method',
      'f0 L 19 >{1f A 26 A A}',
      { reasonCode: 0x19, props: [fieldOf(0x1f, 'a'), fieldOf(0x26, 'a')] },
    ],
  ]),
  ...rules('authentication-method-missing', 'remainingLength', { v5: 'MQTT-4.12.0-5' }, [
    [
      'an AUTH without a body',
      'f0 >00',
      { reasonCode: 0, props: [] },
      // Not `constructor`: it always writes the reason code, so the fault would be in the property length.
      { ways: ['decode', 'PacketDecoder', 'explain'] },
    ],
  ]),
]

const fromClient = { options: { from: 'client' } } as const
/** Without `PacketDecoder`, because its tests begin with a CONNECT, which servers don't send. */
const fromServer = { options: { from: 'server' }, ways: ['decode', 'explain'] } as const

/** The reason codes that only a server's DISCONNECT may have. */
export const disconnectCodesOfServer: readonly number[] = [
  ...[0x87, 0x89, 0x8b, 0x8d, 0x8e, 0x8f],
  ...[0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2],
]

const senders: readonly Rule[] = [
  ...rules('wrong-sender', 'fixedHeader', ofAll('3.1'), [
    ['a CONNECT from a server', '>10 L P 02 K % A', undefined, { ...fromServer, known: [] }],
  ]),
  ...rules('wrong-sender', 'fixedHeader', { v3_1: '3.14', v3_1_1: '3.14' }, [
    ['a DISCONNECT from a server', '>e0 00', undefined, fromServer],
  ]),
  ...rules(
    'wrong-sender',
    'reasonCode',
    { v5: 'MQTT-3.14.2-1' },
    disconnectCodesOfServer.map((code) => [
      'a reason code of DISCONNECT that only a server sends, from a client',
      `e0 01 >${byte(code)}`,
      undefined,
      fromClient,
    ]),
  ),
  ...rules('wrong-sender', 'reasonCode', { v5: 'MQTT-3.14.2-1' }, [
    ['disconnect with will message (0x04) from a server', 'e0 01 >04', undefined, fromServer],
  ]),
  ...rules('wrong-sender', 'props.sessionExpiryInterval', { v5: 'MQTT-3.14.2-2' }, [
    [
      'a session expiry interval in a DISCONNECT from a server',
      'e0 L 00 {26 A A >11 0000003c}',
      undefined,
      fromServer,
    ],
  ]),
  ...rules('wrong-sender', 'props.serverReference', { v5: '3.14.2.2.5' }, [
    ['a server reference in a DISCONNECT from a client', 'e0 L 00 {>1c A}', undefined, fromClient],
  ]),
  ...rules('wrong-sender', 'reasonCode', { v5: 'MQTT-3.15.2-1' }, [
    ['success (0x00) in an AUTH from a client', 'f0 L >00 {15 A}', undefined, fromClient],
    ['re-authenticate (0x19) in an AUTH from a server', 'f0 L >19 {15 A}', undefined, fromServer],
  ]),
]

export const disconnectAndAuthRules: readonly Rule[] = [...lengths, ...codes, ...senders]
