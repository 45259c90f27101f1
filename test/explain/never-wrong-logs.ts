/** Texts by their kind, each with the right bytes, or `refused`. */
export type Texts = Readonly<Record<string, readonly (readonly [text: string, bytes: string])[]>>

/** A CONNECT with the client id `ab`. */
const DASHES = '10-0e-00-04-4d-51-54-54-04-02-00-3c-00-02-61-62'

/** Logs that once gave wrong bytes, and logs like them. */
export const textsOfLogs: Texts = {
  'logs whose newest line is the first': [
    ['2024-05-12T10:00:0', 'Z '],
    ['10:00:0', ' '],
    ['May 12, 2024 @ 10:00:0', '.000 '],
    ['170000000', ': '],
    ['I (523', '0) mqtt: '],
    ['02.01.2024 10:11:1', '.101 '],
    ['192.168.1.5 10:11:1', ' '],
  ].flatMap(([before, after]) => [
    [`${before}2${after}rx: 90 03 00 01 00\n${before}1${after}rx: 20 02 00 00`, 'refused'] as const,
    [
      `${before}1${after}rx: 20 02 00 00\n${before}2${after}rx: 90 03 00 01 00`,
      '200200009003000100',
    ] as const,
    [
      `${before}2${after}tx: 04 02 00 3c\n${before}3${after}tx: 00 00\n${before}1${after}tx: 10 0c 00 04 4d 51 54 54`,
      'refused',
    ] as const,
  ]),
  'logs that go on after midnight': [
    ['23:59:59.9 rx: 20 02 00 00\n00:00:00.1 rx: 90 03 00 01 00', '200200009003000100'],
  ],
  'connections that are named above their bytes': [
    ['client 1 sent:', 'client 2 sent:'],
    ['10.0.0.1:5000 sent 7 bytes', '10.0.0.2:5001 sent 7 bytes'],
    ['[id: 0x5d2b8b3c, R:/127.0.0.1:53402] READ: 7B', '[id: 0x1c2b8b3d, R:/127.0.0.1:53404] READ: 7B'],
  ].map(([one, other]) => [`${one}\n30 05 00 03 61 2f 62\n${other}\n30 05 00 03 61 2f 63\n`, 'refused']),
  'both sides under headings': [
    ...[
      ['Sending PUBLISH', 'hex: ', 'Received PUBACK'],
      ['Sent:', '  bytes: ', 'Received:'],
      ['[10:11:12.101] TX', 'data: ', '[10:11:12.202] RX'],
      ['>>> write', 'raw = ', '<<< read'],
      ['client -> broker:', 'payload: ', 'broker -> client:'],
    ].map(
      ([sent, before, received]) =>
        [`${sent}\n${before}30 05 00 03 61 2f 62\n${received}\n${before}40 02 00 01`, 'refused'] as const,
    ),
    ['# device\n320700036162630001\n# broker\n40020001', 'refused'],
    ['$ xxd -p publish.bin\n320700036162630001\n$ xxd -p puback.bin\n40020001', 'refused'],
    ['Sending:\nhex: 30 05 00 03 61 2f 62\nhex: c0 00', '30050003612f62c000'],
  ],
  'a log with strings of which some have no escapes': [
    [`${String.raw`recv: b'\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02'`}\nrecv: b'ab'`, 'refused'],
    [
      `${String.raw`12:34:56.789 b'\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02'`}\n12:34:57.789 b'ab'`,
      'refused',
    ],
    [`${String.raw`TX: "\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02"`}\nTX: "ab"`, 'refused'],
    [`${String.raw`app | "\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02"`}\nlink up\napp | "ab"`, 'refused'],
    [
      `${String.raw`{'data': b'\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02'`}\n         b'ab',\n 'n': 3}`,
      'refused',
    ],
    [`${String.raw`TX: "\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02" (14)`}\nTX: "ab" (2)`, 'refused'],
    [
      String.raw`recv: b'\x10\x0e\x00\x04MQTT'` +
        '\nid: "x"\n' +
        String.raw`recv: b'\x04\x02\x00<\x00\x02ab'`,
      '100e00044d5154540402003c00026162',
    ],
  ],
  'the output of socat -x with text before its lines': [
    ...['> ', '> > ', 'app-1  | '].flatMap((margin) => {
      const inMargin = (text: string): string => text.replace(/^/gm, margin)
      const sent = '> 2026/11/23 16:26:20.000534315  length=2 from=0 to=1\n c0 00'
      return [
        [inMargin(`${sent}\n< 2026/11/23 16:26:20.000536560  length=2 from=0 to=1\n d0 00`), 'refused'],
        [inMargin(`${sent}\n--\n> 2026/11/23 16:26:21.000534315  length=2 from=2 to=3\n e0 00`), 'c000e000'],
        [`${inMargin(sent)}\n< 2026/11/23 16:26:20.000536560  length=2 from=0 to=1\n d0 00`, 'refused'],
      ] as const
    }),
  ],
  'the output of socat -x -v without its first line': [
    [
      ' 10 10 00 04 4d 51 54 54 04 02 00 3c 00 04 61 62  ....MQTT...<..ab\n 63 64                                            cd\n--\n' +
        '< 2026/11/23 16:26:38.000135699  length=4 from=0 to=3\n 20 02 00 00                                       ...\n--',
      'refused',
    ],
  ],
  'bytes with colons after text without a sign': [
    ['sending 20:02:00:05', 'refused'],
    ['read 2 bytes 20:02,\nread 2 bytes 00:05,', 'refused'],
    ['dump.txt:1:20:02:00:05', '20020005'],
    ['recv 10:C:0:4:4D:51:54:54:4:2:0:3C:0:0', 'refused'],
    ['recv 10:C:0:4:4D:51:54:54:4:2:0:3C:0:0:', 'refused'],
    ['12:34:56 INFO recv 20:2:0:5', 'refused'],
    ['RX: 10:C:0:4:4D:51:54:54:4:2:0:3C:0:0', '100c00044d5154540402003c0000'],
  ],
  'a number beside an array or a Buffer': [
    ['<Buffer 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00> (14)', 'refused'],
    ['<Buffer 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00>\n14', 'refused'],
    ['recv: [20, 8, 0, 87, 5, 1f, 0, 2, 27, 61] (8)', 'refused'],
    ['Uint8Array(4) [ 32, 2, 0, 5 ]\n4', 'refused'],
  ],
  'arrays of which some have hex without 0x, or are short': [
    ['app: [20, 7, 0, 87, 4, 1f, 0, 1]\napp: [36]', 'refused'],
    ['send(5) => [10, e, 0, 4]\nsend(5) => [4d, 51, 54, 54]\nsend(5) => [0, 2, 64, 66]', 'refused'],
    ['TX: [10, d, 0, 4]\nTX: [4d, 51, 54, 54]\nTX: [4, 2, 0, c6]\nTX: [0, 1, 69]', 'refused'],
    ['main [16 14 0 4 77 81 84 84 4 2 0 60 0 2 97]\nmain [98]', 'refused'],
    ['data=[16, 14, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 2]\ndata=[97, 98]', 'refused'],
  ],
  'lines that are hex or decimal by themselves': [
    ['> 10 0e 00 04 4d 51 54 54 04 02 00 3c 00 02,\nlink up\n> 61 62,', 'refused'],
    ['TX: 16 14 0 4 77 81 84 84\nlink up\nTX: 4 2 0 60 0 2\nTX: 97 98', 'refused'],
    ['app | 16 14 0 4 77 81 84 84 4 2 0 60 0 3 97\nlink up\napp | 90 90', 'refused'],
  ],
  'bytes after a sign without a space': [
    ['data=100e00044d515454\ndata=c402003c00026162', '100e00044d515454c402003c00026162'],
  ],
  'bytes with their characters': [
    ['10 .\n0f .\n00 .\n04 .\n4d M\n51 Q\n54 T\n54 T\n6b k\n63 c\n66 f', 'refused'],
    ['data=10    |.|\ndata=0f    |.|\ndata=37    |7|\ndata=31    |1|', '100f3731'],
    [
      '20000000 = 10 0e 00 04 4d 51 54 54  ....MQTT\n20000008 = 04 02 00 3c 00 02 61  ...<..a\n2000000f = 62  aa',
      'refused',
    ],
  ],
  'a * after a sign without a space': [
    ['a.txt:1: 10 7c\na.txt:2: 00 00\na.txt:3:*\na.txt:4: 00 01', 'refused'],
  ],
  'offsets that fit in two bases': [
    [
      '0000000 10\n0000001 0d\n0000002 00\n0000003 04\n0000004 4d\n0000005 51\n0000006 54\n*\n0000010 04\n0000011\n',
      'refused',
    ],
  ],
  'numbers of lines, and numbers of four bytes': [
    ['0\t32\n1\t26\n2\t0\n3\t135\n4\t23', 'refused'],
    ['1,124\n2,0\n3,4\n4,77', 'refused'],
    [' 67112464 1414811981\n 1639449092 1702167040\n', 'refused'],
  ],
  'base64 of two packets': [['ECAABE1RVFQEAiGrABQxNW91dXVtbTI1dDhxeTZxYXFhYQ\n'.repeat(2), 'refused']],
  'strace of several threads or processes': [
    [
      String.raw`[pid 10] write(5, "\20\16\0\4MQTT\4\2\0<", 12) = 12` +
        '\n[pid 11] write(5, "ok", 2) = 2\n' +
        String.raw`[pid 10] write(5, "\0\2ab", 4) = 4`,
      'refused',
    ],
    [
      String.raw`[pid 10] write(5<socket:[7]>, "\20\16\0\4MQTT\4\2\0<", 12) = 12` +
        '\n[pid 11] write(5<pipe:[9]>, "ok", 2) = 2\n' +
        String.raw`[pid 12] write(5<socket:[7]>, "\0\2ab", 4) = 4`,
      '100e00044d5154540402003c00026162',
    ],
  ],
  'strace of which one line is damaged': [
    ...[
      (line: string) => `**${line}**`,
      (line: string) => `${line}</pre>`,
      (line: string) => JSON.stringify(line),
      (line: string) => line.replaceAll('"', '&quot;'),
      (line: string) => `x${line}`,
      (line: string) => line.slice(line.length / 2),
      () => 'write(...',
      () => '...',
      () => '[last line repeated 2 times]',
      (line: string) => `${line}close(5) = 0`,
      (line: string) => `${line}write(5, "ab", 2) = 2`,
    ].map((change) => {
      const lines = [
        String.raw`write(5, "\20\16\0\4MQTT\4\2\0<", 12) = 12`,
        String.raw`write(5, "\0\2ab", 4) = 4`,
      ]
      return [[change(lines[0]!), lines[1]].join('\n'), 'refused'] as const
    }),
  ],
  'a log of which the bytes of one side are damaged': [
    ...[
      '[MQTT] << 20020005wifi',
      '[MQTT] << 200200O5',
      '**[MQTT] << 20020005**',
      '([MQTT] << 20020005)',
      'got [32 2 0 5]wifi',
      '(got [32 2 0 5])',
      'got [32 2 O 5]',
    ].map((line) => [`[MQTT] >> 100c00044d5154540402003c0000\n${line}`, 'refused'] as const),
    ['[MQTT] >> 100c00044d5154540402003c0000\n[MQTT] << CONNACK in 12 ms', '100c00044d5154540402003c0000'],
  ],
  'the output of socat -x whose lines have been joined': [
    ...['', ' '].map(
      (space) =>
        [
          `> 2026/11/23 16:26:20.000534315  length=2 from=0 to=1\n c0 00\n< 2026/11/23 16:26:20.000536560  length=2 from=0 to=1${space} d0 00`,
          'refused',
        ] as const,
    ),
  ],
  'the output of tshark -z follow,tcp,raw whose lines have been joined': [
    ['Follow: tcp,raw\nNode 0: 127.0.0.1:34704\nNode 1: 127.0.0.1:1883c000\n\td000\ne000\n', 'refused'],
  ],
  'a log that has cut the bytes of its lines': [
    ['-->: 101400044d5154540402003c000873656e736f72…\n-->: 820800010003742f2300…\n-->: c000…', 'refused'],
    ['tx(44): 16 03 01 00 5a 01 00 00 56 03 03 5f 1f 2e 3d 4c', 'refused'],
    ['Sending 44 bytes: 16 03 01 00 5a 01 00 00 56 03 03 5f 1f 2e 3d 4c', 'refused'],
    ['Sending 44 bytes:\n16 03 01 00 5a 01 00 00 56 03 03 5f 1f 2e 3d 4c', 'refused'],
    ['tx len=44 160301005a0100005603035f1f2e3d4c: 16 03 01 00 5a 01 00', 'refused'],
    ['Sending 16 bytes: 16 03 01 00 5a 01 00 00 56 03 03 5f 1f 2e 3d 4c', '160301005a0100005603035f1f2e3d4c'],
    ['free: 23456 bytes, tx: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00', '100c00044d5154540402003c0000'],
  ],
  'a log with a note on lines that are left out': [
    ...[
      '<2 lines omitted>',
      '-- snip --',
      '[3 messages skipped]',
      '// ...',
      '~ 4 lines truncated ~',
      '(the rest of the lines cut)',
    ].flatMap((note) => [
      [`tx: c0 00\n${note}\ntx: e0 00`, 'refused'] as const,
      [
        `${String.raw`write(5, "\20\f\0\4MQTT\4\2\0<\0\0", 14) = 14`}\n${note}\n${String.raw`write(5, "\300\0", 2) = 2`}`,
        'refused',
      ] as const,
    ]),
    ['tx: c0 00\nconnection dropped\ntx: e0 00', 'c000e000'],
  ],
  'a log with a damaged line that begins as the others': [
    [`tx: ${DASHES}\ntx: 82-08-00-o1-00-03-74-2f-23-00\ntx: c0-00`, 'refused'],
    [`data: ${DASHES}\nwaiting\ndata: ,0-00`, 'refused'],
    [`data: ${DASHES}waiting\ndata: c0-00`, 'refused'],
    [`[0] tx (16 bytes): ${DASHES}// [1] tx (2 bytes): e0-00\nwaiting\n[2] tx (2 bytes): c0-00`, 'refused'],
    [`${DASHES.replaceAll('-', '')}\n8208000\n10003742f2300\nwaiting\nc000`, 'refused'],
    [
      `${DASHES.replaceAll('-', '')}\n820800010003742f2300\nwaiting\nc000`,
      // The lines under another heading may be anybody's.
      'refused',
    ],
    [`--\nmqtt:\n${DASHES}\n--`, DASHES.replaceAll('-', '')],
    [
      `mqtt: connecting to 192.168.1.10:1883\nmqtt: ${DASHES}\nmqtt: v3.1.1 ready`,
      DASHES.replaceAll('-', ''),
    ],
  ],
}
