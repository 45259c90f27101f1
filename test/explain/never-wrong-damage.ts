import type { Texts } from './never-wrong-logs.ts'

/** A CONNECT with the client id `aa`, and one with `bb`. */
const A = '100e00044d5154540402003c00026161'
const B = '100e00044d5154540402003c00026262'
/** A CONNECT with a user name and a password. */
const C = '10 16 00 04 4d 51 54 54 04 c2 00 3c 00 02 61 61 00 02 62 62 00 02 63 63'
const hexOf = (bytes: string): string => bytes.replaceAll(' ', '')
const spaced = (hex: string): string => hex.match(/../g)!.join(' ')
const callA = String.raw`write(3, "\20\16\0\4MQTT\4\2\0<\0\2aa", 16)`
const callB = String.raw`write(3, "\20\16\0\4MQTT\4\2\0<\0\2bb", 16)`
const ping = String.raw`write(3, "\300\0", 2) = 2`
const half = (call: string): string => call.replace(/\)$/, ' <unfinished ...>')
const follow = (stream: number, ...lines: readonly string[]): string =>
  [
    '===',
    'Follow: tcp,raw',
    `Filter: tcp.stream eq ${stream}`,
    'Node 0: 10.0.0.1:50000',
    'Node 1: 10.0.0.2:1883',
    ...lines,
    '',
  ].join('\n')

/** The output of real tools as people damage it: cut, wrapped, quoted, or from several connections. */
export const textsOfDamage: Texts = {
  'a binary that Elixir has cut': [
    ['<<16, 54, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 42, 97, 98, ...>>', 'refused'],
    ['<<16, 14, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 2, 97, 97>>', A],
  ],
  'threads of strace behind a margin': [
    ...['    ', '> ', 'app_1  | '].map(
      (margin) => [`${margin}[pid 100] ${callA} = 16\n${margin}[pid 200] ${callB} = 16`, 'refused'] as const,
    ),
    [`    100 ${callA} = 16\n    200 ${callB} = 16`, 'refused'],
    [
      `> [pid 100] ${half(callA)}\n> [pid 200] ${half(callB.replace('(3', '(4'))}\n> [pid 100] <... write resumed>) = 16\n> [pid 200] <... write resumed>) = 16`,
      'refused',
    ],
  ],
  'halves of a call of strace': [
    [`${half(callA)}\n${ping}`, 'refused'],
    [`${half(callA)}`, 'refused'],
    [`[pid 1] ${half(callA)}\n[pid 2] futex(0x1, FUTEX_WAKE) = 0\n[pid 1] <... write resumed>) = 16`, A],
    // Once the other thread has ended, lines have no number.
    [`[pid 1] ${half(callA)}\n[pid 2] +++ exited with 0 +++\n<... write resumed>) = 16`, A],
    [`[pid 1] ${half(callA)}\n[pid 2] <... futex resumed>) = 0\n[pid 1] <... write resumed>) = 16`, A],
    [`${ping}\n<... write resumed>) = 16`, 'refused'],
    [`${callA} = 16\nread(3,  <unfinished ...>`, A],
    [`${callA} = 16\nread(3,  <unfinished ...>\n${ping}`, 'refused'],
  ],
  'a call of strace whose line is damaged': [
    [`${callA}\n = 16\n${ping}`, 'refused'],
    [`${callA} = 16 ${ping}`, 'refused'],
    [String.raw`write(3, "\20\16\0\4MQTT\4\2\0&lt;\0\2aa", 16) = 16`, 'refused'],
    [String.raw`read(3, "\20\16\0\4MQTT\4\2\0&lt;\0\2aa", 4096) = 16`, 'refused'],
    [
      String.raw`writev(3, [{iov_base="\20d\0\4MQTT"..., iov_len=100}, {iov_base="abcdefgh", iov_len=8}], 2) = 16`,
      'refused',
    ],
    [
      String.raw`writev(3, [{iov_base="\20\16\0\4MQTT\4\2\0<\0\2aa", iov_len=16}, {iov_base="abc"..., iov_len=8}], 2) = 16`,
      A,
    ],
  ],
  "Wireshark's arrays of C without a part": [
    [
      `char peer0_0[] = { /* Packet 4 */\n0x10, 0x00 };\nchar peer0_1[] = { /* Packet 8 */\n0x82, \n`,
      'refused',
    ],
    [`0x10, 0x00 };\nchar peer0_1[] = { /* Packet 8 */\n0xc0, 0x00 };`, 'refused'],
    [`char peer0_0[] = { 0x10, 0x00 };\nchar peer0_2[] = { 0xc0, 0x00 };`, 'refused'],
    [`char peer0_0[] = { 0x10, 0x00 };\nchar peer0_1[] = { 0xc0, 0x00 };`, '1000c000'],
  ],
  'Follow Stream of two connections, or without its tabs': [
    [follow(0, A), A],
    [follow(0, A) + follow(1, B), 'refused'],
    [follow(0, A, '20020000'), 'refused'],
  ],
  'a column of tshark beside the bytes': [
    [`1883\t${A}`, 'refused'],
    [`10\t${A}`, 'refused'],
    [`${A}\t1883`, 'refused'],
    [`1883 ${A}\n1883 c000`, 'refused'],
    ['100e 0004 4d515454 04 02 003c 0002 6161', A],
  ],
  'a log of several connections': [
    [`client 1: ${spaced(A)}\nclient 2: ${spaced(B)}`, 'refused'],
    [`client-a TX: ${spaced(A)}\nclient-b TX: ${spaced(B)}`, 'refused'],
    [`app-1  | TX: ${spaced(A)}\napp-2  | TX: c0 00`, 'refused'],
    [`[conn 7] > ${spaced(A)}\n[conn 8] > c0 00`, 'refused'],
    [`10.0.0.5:50001 sent: ${spaced(A)}\n10.0.0.5:50002 sent: c0 00`, 'refused'],
    [`TX: ${spaced(A)}\nconnection lost\nTX: ${spaced(B)}`, 'refused'],
    [`client 1: ${spaced(A)}\nclient 1: c0 00`, `${A}c000`],
    [`TX 16 bytes: ${spaced(A)}\nTX 2 bytes: c0 00`, `${A}c000`],
    // Two rows with the first 16 of 40 bytes each have more bytes than one packet.
    [`tx len=16 data=${A}\n${'tx len=40 data=302600067374617475737b2274656d70\n'.repeat(2)}`, 'refused'],
    [`tx len=40 data=302600067374617475737b2274656d70\n`.repeat(3), 'refused'],
    [`tx 16 bytes: ${spaced(A).slice(0, 23)}\ntx 16 bytes: ${spaced(A).slice(24)}`, A],
  ],
  'both sides in a log that does not say which is which': [
    [`mqtt: ${spaced(A)}\nmqtt: 20 02 00 00`, 'refused'],
    [`mqtt: ${spaced(A)}\nmqtt: 20 02 00 00\nmqtt: 40 02 00 01`, 'refused'],
    [`mqtt: ${spaced(A)}\nmqtt: 82 06 00 01 00 01 61 00`, `${A}8206000100016100`],
  ],
  "code in Markdown's backticks": [
    [String.raw`${'`'}b'\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02aa'${'`'}`, A],
    [String.raw`${'`'}"\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02aa"${'`'}`, A],
    [`\`${A}\``, A],
  ],
  'memory in a debugger with other lines': [
    [
      '(gdb) x/16xb buf\n0x7ffe000:\t0x10\t0x0e\t0x00\t0x04\t0x4d\t0x51\t0x54\t0x54\n0x7ffe008:\t0x04\t0x02\t0x00\t0x3c\t0x00\t0x02\t0x61\t0x61',
      A,
    ],
    [
      '(gdb) x/24xb buf\n0x7ffe000:\t0x10\t0x16\t0x00\t0x04\t0x4d\t0x51\t0x54\t0x54\n0x7ffe010:\t0x00\t0x02\t0x61\t0x61',
      'refused',
    ],
    [
      '> 0x7ffe000:\t0x10\t0x16\t0x00\t0x04\t0x4d\t0x51\t0x54\t0x54\n> 0x7ffe010:\t0x00\t0x02\t0x61\t0x61',
      'refused',
    ],
    [
      '(gdb) x/16xb buf\n0x7ffe000:\t0x10\t0x0e\t0x00\t0x04\t0x4d\t0x51\t0x54\n0x7ffe008:\t0x04\t0x02\t0x00\t0x3c\t0x00\t0x02\t0x61\t0x61',
      'refused',
    ],
    ['(gdb) x/4xb buf\n0x7ffe000:\t0x20\t0x2\t0x0\t0x0', 'refused'],
  ],
  'broken lines of a dump in a log': [
    [
      'Nov 23 17:00:00 host app[123]: 00000000: 100e 0004 4d51 5454 0402\n003c 0002 6161  ....MQTT...<..aa',
      'refused',
    ],
    [
      '2026-11-23 17:00:00,123 DEBUG 00000000: 100e 0004 4d51 5454\n2026-11-23 17:00:00,123 DEBUG 00000010: 0402 003c 0002 6161',
      'refused',
    ],
    [
      '2026-11-23 17:00:00,123 DEBUG 00000000: 100e 0004 4d51 5454\n2026-11-23 17:00:00,123 DEBUG 00000008: 0402 003c 0002 6161',
      A,
    ],
    ['00000000: 100e 0004 4d51 5454 0402 003c 0002 6161\n--More--\n00 00', 'refused'],
  ],
  'marks of a cut after digits': [
    [`TX: ${spaced(A)}\n00 [truncated]`, 'refused'],
    [`TX: ${spaced(A)}\n0000020 …`, 'refused'],
    [`TX: ${spaced(A)}\n0…`, 'refused'],
    [`TX: ${spaced(A)}\nTX: 00...`, 'refused'],
  ],
  'hex with colons behind a sign': ['[TX]', 'TX>', '→', 'payload (', '#', '• ', '•'].map(
    (sign) => [`${sign}${spaced(A).replaceAll(' ', ':')}`, 'refused'] as const,
  ),
  'a number beside an incomplete packet': [
    [`I (1234) mqtt_client: 10 \n${spaced(A.slice(2))}`, 'refused'],
    [`host app[123]:\n${A.slice(0, 30)}\nhost app[123]: 61`, 'refused'],
    [`mqtt: ${spaced(A)}\nlength: 16`, A],
  ],
  'numbers that are broken at the end of a line': [
    ['[16 14 0 4 77 81 84 84 4 2 0 60 0 2 97 9\n7]', 'refused'],
    ['16 14 0 4 77 81 84 84 4 2 0 60 0 2 97 9\n7', 'refused'],
    ['[16 14 0 4 77 81 84 84 4 2 0 60 0 2 97 9\r\n7]', 'refused'],
    ['[ 16  14   0   4  77  81  84  84   4   2   0  60   0   2  97\n  97]', A],
  ],
  'a dump without its last columns': [
    [
      '00000000  10 23 00 04 4d 51 54 54  04 c2\n00000010  76 69 63 65 20 31 32 00  06 75\n00000020  04 70 20 20 77\n00000025\n',
      'refused',
    ],
  ],
  'blocks of Markdown that belong together': [
    [
      '```\n00000000: 1023 0004 4d51 5454 04c2 003c 0009 6465  .#..MQTT...<..de\n```\nand\n```\n00000010: 7669 6365 2031 3200 0675 7365 7220 3100  vice 12..user 1.\n```',
      'refused',
    ],
    ['10 0e 00 04 4d 51 54 54\n```\n04 02 00 3c 00 02 61 61\n```', 'refused'],
    [`the bytes 10 0e 00 04 4d\n\`\`\`\n${spaced(A)}\n\`\`\`\n\`\`\`\nmake flash\n\`\`\``, 'refused'],
    // Two dumps with the same first row, and a CONNACK whose digits stand in the CONNECT, but in the middle of bytes.
    [
      '00000000  10 12 00 04 4d 51 54 54  04 02 00 3c 00 06 64 65\n00000010  76 31 61 62\n```\n10 12 00 04 4d 51 54 54 04 02 00 3c 00 06 64 65 76 32 61 62\n```',
      'refused',
    ],
    [
      '```\n10 12 00 04 4d 51 54 54 04 02 00 20 00 06 64 65 76 31 32 33\n```\nand gets 20 02 00 00',
      'refused',
    ],
    // A TLS alert in notations that only packets were searched in.
    ...[
      '```\n00000000: 1503 0300 0202 46                        ......F\n```',
      String.raw`"\x15\x03\x03\x00\x02\x02F"`,
      '<15><03><03><00><02><02>F',
      '15h 03h 03h 00h 02h 02h 46h',
      '$15 $03 $03 $00 $02 $02 $46',
      '15:03:03:00:02:02:46',
    ].map((alert) => [`\`\`\`\n${spaced(A)}\n\`\`\`\nand gets\n${alert}`, 'refused'] as const),
  ],
  'a string in which a variable stands for other bytes': ['$' + '{id}', '#{id}', '$id', '%s'].map(
    (variable) => [String.raw`"\x10\x12\x00\x04MQTT\x04\x02\x00<\x00\x06${variable}"`, 'refused'] as const,
  ),
  'an array that other code changes, however it is declared': [
    'std::vector<uint8_t> packet{…};\npacket[8] = 5;',
    'std::array<uint8_t, 16> packet{{…}};\npacket[8] = 5;',
    'uint8_t packet[]{…};\npacket[8] = 5;',
    'uint8_t packet[16] __attribute__((aligned(4))) = {…};\npacket[8] = 5;',
    'static uint8_t packet[] DRAM_ATTR = {…};\npacket[8] = 5;',
    'struct message m = { .type = 1, .data = {…} };\nm.data[8] = 5;',
    'packet = <<…>>\npacket = packet <> <<5>>',
    'Dim packet() As Byte = {…}\npacket(8) = 5',
  ].map((code) => [code.replace('…', [...Buffer.from(A, 'hex')].join(', ')), 'refused'] as const),
  'a binary of Erlang without its middle': [['<<16,14,0,4,77,81,84,84, ... 97,97>>', 'refused']],
  'a first byte that is printed as a space': [
    [String.raw` \x02\x00\x00`, 'refused'],
    [String.raw`  \x20\x02\x00\x00`, '20020000'],
  ],
  'the number of bytes behind them': [
    [`${spaced(A)} 16`, 'refused'],
    [`${spaced(A)} 10`, 'refused'],
    [`${[...Buffer.from(A, 'hex')].join(', ')}, 16`, 'refused'],
    ['20 02 00 00 04', 'refused'],
  ],
  'a number behind each row, or the numbers of columns above them': [
    ...['08', '00', '0a'].map(
      (last, i) =>
        [
          `${spaced(A.slice(0, 16))} ${last}\n${spaced(A.slice(16))} ${['08', '01', 'd1'][i]}`,
          'refused',
        ] as const,
    ),
    [
      `${[...Buffer.from(A, 'hex').subarray(0, 8), 8].join(', ')}\n${[...Buffer.from(A, 'hex').subarray(8), 8].join(', ')}`,
      'refused',
    ],
    [`   00 01 02 03 04 05 06 07\n00 ${spaced(A.slice(0, 16))}\n08 ${spaced(A.slice(16))}`, 'refused'],
    [`00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n${spaced(A)}`, 'refused'],
    // One byte too many is what people look for.
    [`${spaced(A)} 00`, `${A}00`],
  ],
  'an array of Rust behind text in its line': [
    [
      `The client sends \`${A}\`, and I expect \`const CONNACK: [u8; 4] = [0x20, 0x02, 0x00, 0x00];\``,
      'refused',
    ],
    ['let connack: [u8; 4] = [0x20, 0x02, 0x00, 0x00];\nprintln!("{}", 1);', '20020000'],
    ...['let q: Vec<u8> = vec![…];', 'static Q: &[u8] = &[…];', 'stream.write_all(&[…]).unwrap();'].map(
      (code) => [code.replace('…', '0x20, 0x02, 0x00, 0x00'), '20020000'] as const,
    ),
  ],
  'a time, a port or a number before the bytes': [
    [`Nov 23 17:00:00 ${spaced(A)}`, A],
    [`Mon Nov 23 17:00:00 2026 ${spaced(A)}`, A],
    [`23.11.2026 17:00:00 ${spaced(A)}`, A],
    [`192.168.0.1:1883 ${spaced(A)}`, 'refused'],
    [`192.168.0.1:50123 > 192.168.0.2:1883 ${spaced(A)}`, 'refused'],
    [`pid:12 tid:34 ${spaced(A)}`, 'refused'],
    [`id=0a ${spaced(A)}`, 'refused'],
    [`1700000000 ${A}`, 'refused'],
    [`17:00:00 |${spaced(A).replaceAll(' ', ':')}`, 'refused'],
  ],
  'words after the same text': [
    [`{"hex":"${A}","msg":"tx"}\n{"hex":"20020000","msg":"rx"}`, 'refused'],
    [`bin: ${A}, size: 16\nbin: 20020000, size: 4`, 'refused'],
    [`bin: ${A}, size: 16\nbin: 2002, size: 2`, 'refused'],
    [`{"hex":"${A}","msg":"tx"}`, A],
    ['{"b":"EA4ABE1RVFQEAgA8AAJhYQ=="}\n{"b":"gggAAQADYS9iAA=="}', 'refused'],
    ['{"b":"EA4ABE1RVFQEAgA8AAJhYQ==","name":"sensor"}', A],
  ],
  'base64 of two packets in two lines': [['EA0ABE1RVFQEAgA8AAFh\nIAIAAA==', 'refused']],
  // A CONNECT of 57 bytes fills a line of 76 digits, whatever ends the line. A PUBLISH fills the next two lines.
  'base64 of which a packet is the first line': ['\n', '\r\n', '\n    '].map((end) => [
    `${end}EDcABE1RVFQEAgA8ACth${'YWFh'.repeat(14)}${end}MHAAA3gveWFi${'YWFh'.repeat(16)}${end}${'YWFh'.repeat(19)}${end}`,
    'refused',
  ]),
  'bytes under headings': [
    [`CONNECT:\n${spaced(A)}\nCONNACK:\n20 02 00 05`, 'refused'],
    [`works:\n${spaced(A)}\nfails:\nc0 00`, 'refused'],
    [`[16, 14, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 2, 97, 97]\nand the server:\n[32, 2, 0, 5]`, 'refused'],
    [`data:\n${spaced(A)}\ndata:\nc0 00`, 'refused'],
    [`data:\n${spaced(A).slice(0, 23)}\ndata:\n${spaced(A).slice(24)}`, A],
  ],
  'a string of which the middle is left out': [
    [String.raw`b'\x10\x0e\x00\x04MQTT\x04\x02...\x00\x02aa'`, 'refused'],
    [String.raw`b'\x10\x0f\x00\x04MQTT\x04\x02\x00<\x00\x03...'`, '100f00044d5154540402003c00032e2e2e'],
  ],
  'an array below other bytes': [
    [`TX: ${spaced(A)}\nRX: [32, 2, 0, 5]`, 'refused'],
    [`TX: ${A}\nretries: [3]`, A],
    [`[17:00:00] ${spaced(A)}\n[17:00:00] [1]`, 'refused'],
    [`16, 14, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 2, 97, 97\nrc=[0]`, A],
    ['<Buffer 10 0e 00 04>\nlist: [32, 2, 0, 5]', 'refused'],
    [`buf = ${spaced(A)}\nack = [0x20, 0x02, 0x00, 0x05]`, 'refused'],
    ['#include <stdint.h>\nint port = 1883;\nuint8_t ack[] = {\n  0x20, 0x02, 0x00, 0x05,\n};', '20020005'],
  ],
  'a time in one line of two': [[`12:00\n[17:00:00.1] ${spaced(A)}`, 'refused']],
  'prefixes of logs that name connections': [
    ...(
      [
        ['Nov 23 17:00:00 host app[123]: ', 'Nov 23 17:00:00 host app[456]: '],
        ['Nov 23 17:00:00 gw1 app[123]: ', 'Nov 23 17:00:00 gw2 app[123]: '],
        ['[pod/app-5d8f-abcde/mqtt] ', '[pod/app-5d8f-fghij/mqtt] '],
        ['11-23 17:00:00.123  1234  5678 D MQTT: ', '11-23 17:00:00.123  1235  5679 D MQTT: '],
        ['a.log:', 'b.log:'],
        ['17:00:00 [::1]:50001 ', '17:00:00 [::1]:50002 '],
        ['[debug] <0.123.0> ', '[debug] <0.124.0> '],
        ['[MQTT Snd: device1] ', '[MQTT Snd: device2] '],
        ['COM3 ', 'COM4 '],
        ['==> a.log <==\n', '==> b.log <==\n'],
      ] as const
    ).map(([one, other]) => [`${one}TX: ${spaced(A)}\n${other}TX: e0 00`, 'refused'] as const),
    ...(
      [
        ['Nov 23 17:00:00 host app[123]: ', 'Nov 23 17:00:01 host app[123]: '],
        ['I (1234) mqtt: ', 'I (1240) mqtt: '],
        ['2026-11-23 17:00:00,123 DEBUG ', '2026-11-23 17:00:00,125 INFO '],
        ['11-23 17:00:00.123  1234  5678 D MQTT: ', '11-23 17:00:00.125  1234  5678 D MQTT: '],
        ['#1 CONNECT, 16 bytes, ', '#2 DISCONNECT, 2 bytes, '],
      ] as const
    ).map(([one, other]) => [`${one}TX: ${spaced(A)}\n${other}TX: e0 00`, `${A}e000`] as const),
  ],
  'strace without the calls that begin and end connections': [
    [`${callA} = 16\n${callB} = 16`, 'refused'],
    [`1:100 ${callA} = 16\n2:200 ${callB} = 16`, 'refused'],
    [`     1\t100 ${callA} = 16\n     2\t200 ${ping}`, 'refused'],
    [`write(3,\n"\\20\\2", 2) = 2\n${ping}`, 'refused'],
    [`${callA} = 1`, 'refused'],
    [`${callA} = 12`, '100e00044d5154540402003c'],
    // The number was that of a library or of another file before.
    [`read(5, "\\177ELF\\2\\1\\1\\0", 832) = 8\nread(5, " \\2\\0\\0", 4) = 4`, 'refused'],
    [
      `read(5, "# a\\n", 9) = 4\nread(5, "", 9) = 0\nread(5, " ", 1) = 1\nread(5, "\\2", 1) = 1\nread(5, "\\0\\0", 2) = 2`,
      'refused',
    ],
    [`read(5, " ", 1) = 1\nread(5, "\\2", 1) = 1\nread(5, "\\0\\0", 2) = 2`, '20020000'],
  ],
  'marks of an omission with signs around them': [
    ...[
      '[...]',
      '(truncated)',
      '<snip>',
      '... (3 more lines)',
      '--8<--',
      '[Message clipped]',
      '--More--(50%)',
    ].map((mark) => [`TX: ${spaced(A)}\n${mark}\nTX: c0 00`, 'refused'] as const),
    [`TX: ${spaced(A)}\nconnecting...\nTX: c0 00`, `${A}c000`],
  ],
  'the offset of the end of a dump between other lines': [
    ['$ hexdump -C c.bin\n00000000  10 02 61 61  |..aa|\n00000004\n$ ', '10026161'],
    ['$ hexdump -C c.bin\n00000000  10 02 61 61  |..aa|\n00000010\n$ ', 'refused'],
  ],
  'other strings, words and base64 beside a packet': [
    [
      String.raw`echo -ne '\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02aa' | nc h 1883; echo -ne '\xe0\x00' | nc h 1883`,
      'refused',
    ],
    [`sent=${A} got=20020000`, 'refused'],
    [`TX: EA4ABE1RVFQEAgA8AAJhYQ==\nack = [0x20, 0x02, 0x00, 0x05]`, 'refused'],
    [`TX: c0 00\nret = [0]`, 'c000'],
  ],
  'blocks of Markdown beside other bytes': [
    [`${spaced(A)}\n\`\`\`\n20 02 00 05\n\`\`\``, 'refused'],
    [`\`\`\`\n${spaced(A)}\n\`\`\`\nit answers 20 02 00 05`, 'refused'],
    [`\`\`\`\n${spaced(A)}\n\`\`\`\n\`\`\`\n"\\x20\\x02\\x00\\x05" (cut)\n\`\`\``, 'refused'],
  ],
  'short packets in base64': [
    [`{"payload":"EA4ABE1RVFQEAgA8AAJhYQ==","n":1}\n{"payload":"wAA=","n":2}`, 'refused'],
    [`TX: EA4ABE1RVFQEAgA8AAJhYQ==\nRX: IAIABQ==`, 'refused'],
  ],
  'a log whose last line is cut': [
    [`I (1234) mqtt: ${spaced(A).replace('10 0e', '10 2e')}\nI (1234) mqtt: 61 6…`, 'refused'],
    [`mqtt: ${spaced(A)}\nconnecting to 10.0.0.1...`, A],
  ],
  'code in backticks after a sentence': [
    [String.raw`my client logs: ${'`'}mqtt:sending b'\x10\x0e\x00\x04MQTT\x04\x02\x00<\x00\x02aa'${'`'}`, A],
  ],
  'addresses after a sign without a space': [
    [
      '>0x7ffe000:\t0x10\t0x2e\t0x00\t0x04\t0x4d\t0x51\t0x54\t0x54\n>0x7ffe010:\t0x00\t0x02\t0x61\t0x61',
      'refused',
    ],
    ['$1 = {0x10, 0xe, 0x0, 0x4, 0x4d, 0x51, 0x54, 0x54, 0x4, 0x2, 0x0, 0x3c, 0x0, 0x2, 0x61, 0x61}', A],
    ['0x7ffc3000: 10 0e 00 04 4d 51 54 54 04 02 00 3c 00 02 61 61  ....MQTT...<..aa', A],
  ],
  'lists after a label': [
    ['17:00:00 tx: [16 14 0 4 77 81 84 84 4 2 0 60 0 2 97 97]', A],
    ['17:00:00 tx: [16 14 0 4 77 81 84 84 4 2 0 60 0 2 97 97]\n17:00:00 rx: [32 2 0 5]', 'refused'],
  ],
  'a table of Netty': [
    [
      `WRITE: 16B\n         +-------+\n         |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |\n+--------+-------+----+\n|00000000| ${spaced(A)} |....MQTT...<..aa|\n+--------+-------+----+`,
      A,
    ],
    [`|00000000| ${spaced(A)} |....MQTT...<..aa|\n|00000020| 61 61 |aa|`, 'refused'],
  ],
  'outputs of several commands': [
    [`$ xxd -p a.bin\n${A}\n$ xxd -p b.bin\n300a0003612f6268656c6c6f`, 'refused'],
  ],
  "a zero byte before a digit in Rust's strings": [
    [String.raw`write b"\x10\x0e\0\x04MQTT\x04\x02\02\0\x02aa"`, 'refused'],
    [String.raw`b"\x10\x0e\0\x04MQTT\x04\x02\0<\0\x02aa"`, A],
    [String.raw`b"\x04\0010012 kWh"`, 'refused'],
    [String.raw`b"\x10e\0\x04MQTT\x04\xc2\0<\0\x06client\0\x04user\002f7a9c1be04"`, 'refused'],
  ],
  'a time or the numbers of the lines in a text of digits': [
    [`12:34\n${spaced(A)}`, 'refused'],
    [`2026-11-23\n${A}`, 'refused'],
    [`${spaced(A)}\n12:34`, 'refused'],
    [` 10 ${spaced(A).slice(0, 23)}\n 11 ${spaced(A).slice(24)}`, 'refused'],
  ],
  'numbers that a terminal has broken, if the last ones look like another packet': [
    [
      '130 48 0 1 0 43 102 97 99 116 111 114 121 47 108 105 110 101 45 50 47 112 114 10\n1 115 115 45 49 49 47 104 121 100 114 97 117 108 105 99 115 47 111 105 108 47 11\n6 101 109 112 0',
      'refused',
    ],
    ['192 0\n208 0 192 0\n192 0', 'c000d000c000c000'],
  ],
  'a line of the other side that is cut': [
    [`TX: ${A.slice(0, -1)}\nRX: 20020000`, 'refused'],
    ['TX: 10-0E-00-04-4D-5\nRX: 20-02-00-00', 'refused'],
    [`TX: ${spaced(A)}\nRX: 2002000`, 'refused'],
    ['TX: EA4ABE1RVFQEAgA8AAJhYQ\nRX: 20020000', 'refused'],
    [`TX: ${spaced(A)}\nRX: 2.5 kB`, A],
  ],
  "a list of Go that the terminal's width has broken": [
    ['[16 14 0 4 77 81 84 84 4 2 0 60 0 2 97 97]', A],
    ['    [16 14 0 4 77 81 8\n    4 84 4 2 0 60 0 2 97 97]', 'refused'],
    ['    [16 14 0 4 77 81 84\n    84 4 2 0 60 0 2 97 97]', 'refused'],
    ['> [16 14 0 4 77 81 8\n> 4 84 4 2 0 60 0 2 97 97]', 'refused'],
    // numpy's numbers stand in columns.
    ['[16 14  0  4 77 81 84 84\n  4  2  0 60  0  2 97 97]', A],
    ['    [16 14  0  4 77 81 84 84\n      4  2  0 60  0  2 97 97]', A],
  ],
  'lines with offsets in any notation': (
    ['[1]', '[0008]', '(0008)', '0008>', '#8:', 'offset 8:'] as const
  ).map((notation) => {
    const lineOf = (at: number): string => {
      const number =
        notation === '[1]' ? `${at + 1}` : at.toString(16).padStart(notation.includes('0008') ? 4 : 1, '0')
      const digits = notation.includes('offset') ? `${at}` : number
      return `${notation.replace(/\d+/, digits)} ${C.slice(3 * at, 3 * at + 23)}`
    }
    return [[0, 8, 16].map(lineOf).join('\n'), hexOf(C)] as const
  }),
  'base64 in a line of its own': [
    ['my client sends this:\n\nEA4ABE1RVFQEAgA8AAJhYQ==\n\nRegards,\nBob', A],
    ['$ base64 c.bin\nEA4ABE1RVFQEAgA8AAJhYQ==\nuser@host:~$ ', A],
  ],
  "bytes with signs, which C prints for a char that isn't unsigned": [
    [C.replace(' c2 ', ' ffffffc2 '), hexOf(C)],
    [`TX: ${C.replace(' c2 ', ' FFFFFFC2 ').replaceAll(' 0', ' ')}`, hexOf(C)],
    [`0x${C.replace(' c2 ', ' ffffffc2 ').replaceAll(' ', ' 0x')}`, hexOf(C)],
    [hexOf(C.replace(' c2 ', ' ffffffc2 ')), 'refused'],
    [C.replace(' c2 ', ' ffffffc2 ').replaceAll(' ', ':'), 'refused'],
    ['10 0e 0004 4d515454 04 ffffffc2 003c 0002 61 61', 'refused'],
    ['27 ffffffff', 'refused'],
    [
      '10 13 00 04 4d 51 54 54 05 02 00 3c 05 11 ffffffff 00 01 61',
      '101300044d5154540502003c0511ffffffff000161',
    ],
  ],
}
