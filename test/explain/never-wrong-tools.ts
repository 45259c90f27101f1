import { Buffer } from 'node:buffer'
import type { Texts } from './never-wrong-logs.ts'

/** A CONNECT with the client id `a`, and its bytes as decimal numbers. */
const A = '100d00044d5154540402003c000161'
const B = '100d00044d5154540402003c000162'
const decimals = Array.from(A.match(/../g)!, (pair) => Number.parseInt(pair, 16))

/** The rows of a dump of 70 zeros in a packet, without the row for which `*` stands. */
const NUL_ROWS = [
  '10 58 00 04 4d 51 54 54  04 c2 00 3c 00 01 7a 00  |.X..MQTT...<..z.|',
  '01 75 00 46 00 00 00 00  00 00 00 00 00 00 00 00  |.u.F............|',
  '00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|',
  '',
  '00 00 00 00 00 00 00 00  00 00                    |..........|',
]

/** The numbers in rows of four, each behind the text for its index. */
function rows(before: (row: number) => string, separator: string): string {
  const lines: string[] = []
  for (let at = 0; at < decimals.length; at += 4)
    lines.push(`${before(at / 4)}${decimals.slice(at, at + 4).join(separator)}`)
  return lines.join('\n')
}

/** Colors as grep, xxd -R and Node write them. */
const red = (text: string): string => `\u001b[01;31m\u001b[K${text}\u001b[m\u001b[K`
const green = (text: string): string => `\u001b[1;32m${text}\u001b[0m`

/** The output of tools and programs that once gave wrong bytes, or might have. */
export const textsOfTools: Texts = {
  'packets of tcpdump and tshark, between which lines are missing': [
    [
      [
        '22:13:20.000000 IP 10.0.0.1.50000 > 10.0.0.2.1883: Flags [P.], seq 1000:1050, ack 1, win 502, length 50',
        '\t0x0000:  4500 005a 0000 4000 4006 0000 0a00 0001  E..Z..@.@.......',
        '\t0x0010:  0a00 0002 c350 075b 0000 03e8 0000 0001  .....P.[........',
        '\t0x0020:  5018 01f6 0000 0000 1030 0004 4d51 5454  P........0..MQTT',
        '\t0x0030:  6365 732f 7365 6e73 6f72 2d30 3034 322f  ces/sensor-0042/',
        '\t0x0040:  7374 6174 7573 2f62 6174 7465 7279 7b22  status/battery{"',
        '\t0x0050:  766f 6c74 6167 6522 3a33 2e37 312c 2270  voltage":3.71,"p',
        '\t0x0060:  6572 6365 6e74 223a 3634 2c22 6368 6172  ercent":64,"char',
      ].join('\n'),
      'refused',
    ],
    [
      [
        '0000  45 00 00 5a 00 00 40 00 40 06 00 00 0a 00 00 01   E..Z..@.@.......',
        '0010  0a 00 00 02 c3 50 07 5b 00 00 04 5d 00 00 00 01   .....P.[...]....',
        '0020  50 18 01 f6 00 00 00 00 30 52 00 22 64 65 76 69   P.......0R."devi',
        '0030  63 65 73 2f 73 65 6e 73 6f 72 2d 30 30 34 32 2f   ces/sensor-0042/',
        '0040  73 74 61 74 75 73 2f 62 61 74 74 65 72 79 7b 22   status/battery{"',
        '0050  76 6f 6c 74 61 67 65 22 3a 33 2e 37 31 2c 22 70   voltage":3.71,"p',
        '0060  65 72 63 65 6e 74 22 3a 36 34 2c 22 63 68 61 72   ercent":64,"char',
      ].join('\n'),
      'refused',
    ],
    // The line before one packet, and the bytes of another
    [
      '22:13:20.0 IP 10.0.0.1.50000 > 10.0.0.2.1883: Flags [P.], seq 1:3, ack 1, win 502, length 2\n' +
        '\t0x0000:  4500 002c 0000 4000 4006 0000 0a00 0001\n' +
        '\t0x0010:  0a00 0002 c350 075b 0000 03e8 0000 0001\n' +
        '\t0x0020:  5018 01f6 0000 0000 c000 c000',
      'refused',
    ],
  ],
  'words without spaces': [
    // od -An -v -tx2 | tr -d ' \\n', hexdump -v -e '1/4 "%08x"'
    ['0c100400514d545402043c000000', 'refused'],
    ['04000c1054 54514d003c020400000000'.replace(' ', ''), 'refused'],
  ],
  'words of xxd -e, whose last one is shorter': [
    // xxd -e -g2 | cut -c11-49
    ['0c30 0600 2f61 6574 706d 3132 352e 0930\n0500 2f61 7568 346d   33', 'refused'],
    ['1d004130 69766564 2f736563 736e6573\n    3132', 'refused'],
  ],
  'a minus sign at the end of a line': [
    // od -An -td1 | fold -w 48
    [
      '   16   38    0    4   77   81   84   84    4  -\n62    0   60    0   11  115  101\n  110  115  111  114   45   48   48   52   50   \n 0    3  106  111  101    0    8\n  115  101   99  114  101  116   49   50\n',
      'refused',
    ],
    ['10-0c-00-04-\n4d-51-54-54', '100c00044d515454'],
  ],
  'a dump of xxd -a, whose last columns are cut off': [
    [
      '00000000: 1030 0004 4d51 5454 04c2\n00000010: 0000 0000 0000 0000 0000\n*\n00000040: 6161 6161 6161 6161 6161',
      'refused',
    ],
  ],
  'hex without leading zeros and without separators': [
    // Buffer.from('2003000000', 'hex'), ''.concat(...bytes.map((byte) => byte.toString(16)))
    ['203000', 'refused'],
    ['903010', 'refused'],
    ['d00', 'refused'],
    // A PUBLISH, with a Remaining Length of two bytes, too, a SUBSCRIBE, an UNSUBSCRIBE and a CONNACK of 5.0
    ['30120a73656e736f72732f6b6932312e352043', 'refused'],
    [`3080104${'61'.repeat(126)}`, 'refused'],
    [`30801074${'6f'.repeat(122)}`, 'refused'],
    ['82170101273656e736f72732f6b69746368656e2f74650', 'refused'],
    ['a212010e73656e736f72732f6b6974636865', 'refused'],
    ['20150012120f73656e736f72732f6b69746368656e', 'refused'],
    // Two packets, one packet in two lines
    ['30120a73656e736f72732f6b6932312e352043\n30120a73656e736f72732f6b6932312e352043', 'refused'],
    ['30120a73656e736f72\n732f6b6932312e352043', 'refused'],
    // 20020000 d000, c000 c000, and a PUBLISH of 13 bytes that may be the beginning of one of 2,384
    ['20200d00', 'refused'],
    ['c00c00', 'refused'],
    ['30d01200646d68326765663231', 'refused'],
    // Packets that are cut
    ['3012000a73656e736f72732f6b6932', '3012000a73656e736f72732f6b6932'],
    ['82170001001273656e736f72732f6b', '82170001001273656e736f72732f6b'],
    [`30800100046f${'6f'.repeat(80)}`, `30800100046f${'6f'.repeat(80)}`],
    ['48656c6c6f', '48656c6c6f'],
    ['100c00044d51', '100c00044d51'],
  ],
  // xxd -g1, od -A x -t x1, xxd -e: rows that are copied from behind their offset, or whose lines a field with a single line has joined
  // xxd V1.10, UltraEdit
  'dumps with offsets of 7 digits and colons, without a row, and rows that xxd -a does not repeat': [
    [
      '0000000: 1023 0004 4d51 5454 04c2 003c 0009 6465  .#..MQTT...<..de\n0000020: 0470 6173 73                             .pass',
      'refused',
    ],
    ['0000000h: 10 23 00 04 4d 51 54 54 04 c2 00 3c 00 09 64 65\n0000020h: 04 70 61 73 73', 'refused'],
    [
      '00000000: 1023 0004 4d51 5454 04c2 003c 0009 6465  .#..MQTT...<..de\n*\n00000030: 0470 6173 73                             .pass',
      'refused',
    ],
    [
      '00000000: 3023 0001 6100 0000 0000 0000 0000 0000  0#..a...........\n00000010: 0000 0000 0000 0000 0000 0000 0000 0000  ................\n*\n00000020: 0000 0000 00                             .....',
      'refused',
    ],
  ],
  // head -c 11 … | od -An -tx2 --endian=big
  'words of a packet that is cut, the last of which is completed by zeros': [
    [' 1023 0004 4d51 5454 04c2 0000', 'refused'],
  ],
  'rows of a dump without their offset, and joined rows': [
    ['64 65 61 64 62 65 65 66 64 65 61 64 62 65 65 66  deadbeefdeadbeef', 'refused'],
    ['64 65 20 61 64  de ad', 'refused'],
    ['10 23 00 04 4d 51 54 54 04 c2 00 3c 00 09 64 65000010 76 69 63 65 20 31 32 00 06', 'refused'],
    ['10 23 00 04 4d 51 54 54 04 c2 00 3c 00 09 64 65 0010 76 69 63 65', 'refused'],
    ['76 69 63 65 20 31 32 00 06 75 73 65 72 20 31 00 0020 04 70 61 73 73', 'refused'],
    ['04002310 5454514d 3c00c204 6564090065636976 00323120 65737506 0031207273617004 00000073', 'refused'],
    [
      '10 23 00 04 4d 51 54 54 04 c2 00 3c 00 09 64 65 000010 76 69 63 65 20 31 32 00 06 75 73 65 72 20 31 00 000020 04 70 61 73 73',
      'refused',
    ],
    ['100c 0004 4d515454 04 02 003c 0000', '100c00044d5154540402003c0000'],
    [
      '100c00044d5154540402003c0000 82 08 00 01 00 03 61 2f 62 00',
      '100c00044d5154540402003c0000820800010003612f6200',
    ],
    // tshark -T fields -e tcp.payload -e tcp.dstport
    ['102300044d51545404c2003c000964657669\t8883', 'refused'],
    ['16030100c8010000c4\t51', 'refused'],
    ['16 03 01 00 93, 86', 'refused'],
  ],
  'arrays with another number of bytes than they say': [
    // console.log({ data: new Uint8Array(37) }), Bun
    ['{ data: Uint8Array(5) [ 192, 0 ] }', 'refused'],
    ['[ Uint8Array(5) [ 192, 0 ] ]', 'refused'],
    ['Buffer(5) [ 192, 0 ]', 'refused'],
    ['{ data: Uint8Array(2) [ 192, 0 ] }', 'c000'],
    ['DWORD a[2] = {192, 0};', 'refused'],
    ['size_t a[] = {192, 0};', 'refused'],
    ['uint_least16_t a[] = {192, 0};', 'refused'],
    ['UInt8 a[] = {192, 0};', 'c000'],
    ["array('b', [-64, 0])", 'c000'],
  ],
  'strings of Rust and Elixir with zero bytes before digits, in front of a packet of two bytes': [
    // 300d0006726f6f6d2f74003231 2e35 c000
    [String.raw`b"0\r\0\x06room/t\021.5\xc0\0"`, 'refused'],
    [String.raw`"0\r\0\x06room/t\0\0\0\0\0\xc0\0"`, '300d0006726f6f6d2f740000000000' + 'c000'],
    // C, where \\006 is one byte
    [String.raw`"0\f\0\006room/t\002\003\004\005"`, '300c0006726f6f6d2f7402030405'],
  ],
  'dumps with colons that are cut in front of the last one': [
    ['00000000: 1017 0004 4d51 5454 0402 003c 000b 7365  ....MQTT...<..se\n00000010', 'refused'],
    ['\t0x0000:  1017 0004 4d51 5454 0402 003c 000b 7365\n\t0x0010', 'refused'],
  ],
  'percent-encoding without its first two characters': [
    ['0%0D%00%04MQTT%04%02%00%3C%00%01a', 'refused'],
    ['0%00', 'refused'],
    ['0%06%00%03a%2Fbx', '30060003612f6278'],
    // The Remaining Length is a printable character, too.
    ['0-%00%04MQTT%04%02%00%3C%00%21client-of-33-characters-012345678', 'refused'],
    ['10%2F%00%04MQTT%04%02%00%3C%00%23client-of-35-characters-01234567890', 'refused'],
    // The end of %10%17%00%04MQTT%04%02%00%3C%00%0Bsensor-0042
    ['0%0Bsensor-0042', 'refused'],
    // The dots stand for three characters.
    ['%82%08%00%01%00%03%61...', 'refused'],
  ],
  'strings of Python in quotes of a shell, and strings of characters': [
    [`'b'"'"'\\x10\\x0c\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x00'"'"''`, 'refused'],
    ["'0\\x0c\\x00\\x04temp21 \\xb0C'", 'refused'],
    ["b'0\\x0c\\x00\\x04temp21 \\xc2\\xb0C'", '300c000474656d70323120c2b043'],
  ],
  'hex that is cut inside its last byte, and signed bytes of C without spaces': [
    ['31 19 7c 7c 40 30 3', 'refused'],
    ['103000044d51545404ffffffc2003c000b73656e736f722d303034320006646576', 'refused'],
  ],
  'a dump of od, whose last columns are cut off': [
    // od -A x -t x1, od -A d -t x1
    ['0000000 10 30 00 04 4d 51 54 54\n0000010 6e 73 6f 72 2d 30 30 34\n0000020 65 00', 'refused'],
    ['0000000 32 10 00 03 9b 00 20 41 fc 37 37 37 0a 2a\n0000016 37\n0000017', 'refused'],
    // od -w8 -t x1
    ['0000000 10 0d 00 04 4d 51 54 54\n0000010 04 02 00 3c 00 01 61\n0000017', A],
  ],
  'words in the right order, the last of which is completed by zeros': [
    // od -A n -t x2 --endian=big, and -t x4, -t x8
    [' 100d 0004 4d51 5454 0402 003c 0001 6100\n', 'refused'],
    [' 100d0004 4d515454 0402003c 00016100\n', 'refused'],
    [' 100d00044d515454 0402003c00016100\n', 'refused'],
    ['100d0004 4d515454 0402003c 00016100', 'refused'],
    ['TX: 100d0004 4d515454 0402003c 00016100', 'refused'],
    // The ends of its lines are cut off or broken: od -An -tx4 | cut -c1-30, od -An -tx2 -w32
    [' 04003010 5454514d 3c00c204 65\n 726f736e 3430302d 64060032 63\n 730f0065\n', 'refused'],
    ['4130 1d00 6564 6976 6563 2f73 6573 736e 726f 302d 3430 2f32 72\n3334 007d', 'refused'],
    [' 04003010 5454514d 3c00c204 65730b00 000064\n72\n', 'refused'],
    // A whole packet in each order, of which one is a CONNECT
    ['3010 0400 514d 5454 0404 3c00 0100 3c61 0001', 'refused'],
    // The zeros of a packet complete nothing.
    ['100d0004 4d515454 0402003c 000161', A],
    ['100c0004 4d515454 0402003c 0000', '100c00044d5154540402003c0000'],
    ['100e0004 4d515454 0402003c 00020000', '100e00044d5154540402003c00020000'],
    [' 100d0004 4d515454 0402003c', A.slice(0, 24)],
  ],
  'a text with the colors of a terminal': [
    [green(A), A],
    [A.replace(/../g, green), A],
    [A.replace('4d51', red), A],
    [A.replace(/../g, '$& ').replace('4d 51', red), A],
    [
      `${green('00000000')}: 100d 0004 ${red('4d51 5454')} 0402 003c 0001 61   ....${red('MQTT')}...<..${green('a')}`,
      A,
    ],
    [`tx: ${decimals.map((number) => green(`${number}`)).join(', ')}`, A],
    [`"\\x10\\x0d\\x00\\x04${red('MQTT')}\\x04\\x02\\x00<\\x00\\x01a"`, A],
    // Other sequences move the cursor, so what they leave on the screen is not known.
    [A.replace('4d51', '\u001b[1C4d51'), 'refused'],
    ['10 0e\r\u001b[K10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 61', 'refused'],
    ['10 0e\u0008d 00 04 4d 51 54 54 04 02 00 3c 00 01 61', 'refused'],
    // The control characters may be lost, or escaped.
    [String.raw`"\x10\x0d\x00\x04[01;31m[KMQTT[m[K\x04\x02\x00<\x00\x01a"`, 'refused'],
    [String.raw`"\x1b[32m\x10\x0d\x00\x04MQTT\x04\x02\x00<\x00\x01a\x1b[0m"`, 'refused'],
    [String.raw`send("\x10\x0d\x00\x04MQTT\x04\x02\x00[32m<\x00\x01a")`, 'refused'],
    [String.raw`"\x10\x10\x00\x04MQTT\x04\x02\x00<\x00\x04\x5b0mx"`, '101000044d5154540402003c00045b306d78'],
  ],
  'a string of gdb, which leaves out the last zero of an array of characters': [
    ...['$1 = ', 'buf = ', '$1 = {len = 14, buf = ', '  buf = ', ''].map(
      (before) => [String.raw`${before}"\020\f\000\004MQTT\004\002\000<\000"`, 'refused'] as const,
    ),
    [String.raw`char packet[] = "\020\r\000\004MQTT\004\002\000<\000\001a";`, A],
    [String.raw`write(5, "\20\r\0\4MQTT\4\2\0<\0\1"`, 'refused'],
  ],
  'memory in words, as OpenOCD prints it': [
    ['0x20000000: 04000d10 5454514d 3c000204 00610100', 'refused'],
    ['0x20000000: 0d10 0400 514d 5454 0204 3c00 0100 0061', 'refused'],
    ['0x20000000: 10 0d 00 04 4d 51 54 54 04 02 00 3c 00 01 61', A],
  ],
  'a part of the bytes, as a mark before it says': [
    ...[
      'Payload […]: ',
      '[truncated] payload: ',
      'tx (truncated): ',
      'tx, first 12 bytes: ',
      'Data ...: ',
    ].flatMap((mark) => [[`${mark}${A.slice(0, 24)}`, 'refused'] as const, [`${mark}${A}`, A] as const]),
    [`tx: ${A.slice(0, 24)}`, A.slice(0, 24)],
  ],
  'two connections whose CONNECT has a length that is too large': [
    ...['tx: ', '12:00:00 DEBUG out: '].flatMap((before) => {
      const wrong = `${before}${A.replace('100d', '1013')}`
      return [
        [wrong, A.replace('100d', '1013')] as const,
        [`${wrong}\n${wrong}`, 'refused'] as const,
        [`${wrong}\nconnection lost, reconnecting\n${wrong}`, 'refused'] as const,
      ]
    }),
    [`Device 1: ${A.replace('100d', '1013')}\nDevice 2: ${A.replace('100d', '1013')}`, 'refused'],
  ],
  'two packets in a text, of which one is in a word or a list with dashes': [
    ...[A, A.replace('100d', '1013'), A.replace(/..(?=.)/g, '$&-'), A.slice(0, 20)].flatMap((other) => [
      [`${other} => ${B}`, 'refused'] as const,
      [`AssertionError: ${other} != ${B}`, 'refused'] as const,
      [`expected ${other} but was: ${B}`, 'refused'] as const,
      [`TX ${other}\nRX: 20-02-00-00`, 'refused'] as const,
      [`- ${other}\n+ ${B}`, 'refused'] as const,
    ]),
    [`got ${A}, want ${B.replace('100d', '1013')}`, 'refused'],
    [`{"a":"${A}","b":"${B.replace('100d', '1013')}"}`, 'refused'],
    [`client 9f86d081884c7d659a2feaa0c55ad015 sent: ${A}`, A],
    [`aa-bb-cc-dd-ee-ff sent: ${A}`, A],
  ],
  'a string with entities of HTML': [
    ...['&quot;', '&#39;', '&#x27;', '&amp;', '&lt;'].flatMap((entity) => [
      [String.raw`"\x10\x0d\x00\x04MQTT\x04\x02\x00<\x00\x01${entity}"`, 'refused'] as const,
      [String.raw`"${entity}\x10\x0d\x00\x04MQTT\x04\x02\x00<\x00\x01a"`, 'refused'] as const,
      [String.raw`tx: b'\x10\x0d\x00\x04MQTT\x04\x02\x00<\x00\x01${entity}'`, 'refused'] as const,
      [String.raw`send("\x10\x0d\x00\x04MQTT\x04\x02\x00<\x00\x01${entity}")`, 'refused'] as const,
    ]),
    [String.raw`"\x10\x11\x00\x04MQTT\x04\x02\x00<\x00\x05&amp;"`, '101100044d5154540402003c000526616d703b'],
  ],
  'a binary of Erlang that is cut, or broken into lines': [
    [`<<${decimals}>>`, A],
    [`<<${decimals.slice(0, 9)},\n  ${decimals.slice(9)}>>`, A],
    [`tx: <<${decimals}>>`, A],
    [`tx: <<${decimals.slice(0, 14)},\n      97>>`, 'refused'],
    [`1> B.\n<<${decimals.slice(0, 14)},\n  97>>\n2> `, 'refused'],
    [`{tcp,#Port<0.5>,<<${decimals.slice(0, 14)},\n  97>>}`, 'refused'],
    [`<<${decimals.slice(0, 14)},9`, 'refused'],
    [`tx: <<${decimals.slice(0, 14)},9`, 'refused'],
    [`tx: <<${decimals}...`, 'refused'],
    [`tx: <<192,0>>\ntx: <<${decimals.slice(0, 14)},9`, 'refused'],
    [`rx: <<32,2,0,\n0>>\ntx: ${A}`, 'refused'],
  ],
  'a dump whose lines are too long for the terminal': [
    ['00000000: 100e 0004 4d51 5454 0502 ff\nff 0000 0161  ....MQTT.......a', 'refused'],
    ['00000000: 100e 0004 4d51 5454 0502 ff3c\nbe careful', '100e00044d5154540502ff3c'],
  ],
  'decimal numbers with the numbers of their lines': [
    ['1, 32, 2, 0, 0', 'refused'],
    ['32, 2, 0, 0', '20020000'],
    [rows(() => '', ', '), A],
    ...[', ', ' ', ','].flatMap((separator) =>
      [0, 1, 10].flatMap((first) =>
        [': ', ' ', '\t', ', '].map(
          (sign) => [rows((row) => `${row + first}${sign}`, separator), 'refused'] as const,
        ),
      ),
    ),
  ],
  'offsets as UltraEdit writes them': [
    ['00000000h: 10 0D 00 04 4D 51 54 54 ; ....MQTT\n00000008h: 04 02 00 3C 00 01 61    ; ...<..a', A],
    ['00000000h: 10 0D 00 04 4D 51 54 54\n00000008h: 04 02 00 3C 00 01 61', A],
    [
      '00000000h: 10 0D 00 04 4D 51 54 54 ; ....MQTX\n00000008h: 04 02 00 3C 00 01 61    ; ...<..a',
      'refused',
    ],
    ['00000000h: 10 0D 00 04 4D 51 54 54\n00000010h: 04 02 00 3C 00 01 61', 'refused'],
    ['00000008h: 04 02 00 3C 00 01 61', 'refused'],
  ],
  'lines of Format-Hex that have been joined': [
    [
      '   Label: C:\\c.bin\n\n          Offset Bytes                                           Ascii\n' +
        '                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n' +
        '          ------ ----------------------------------------------- -----\n' +
        '0000000000000000 10 10 00 04 4D 51 54 54 04 02 00 3C 00 04 61 62 ....MQTT...<..ab0000000000000010 63 64',
      'refused',
    ],
  ],
  'lines of Format-Hex of which the last has lost its end': [
    '',
    ' 64',
    ' 64                                           cd',
  ].map((end) => [
    '   Label: C:\\c.bin\n\n          Offset Bytes                                           Ascii\n' +
      '                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n' +
      '          ------ ----------------------------------------------- -----\n' +
      '0000000000000000 10 10 00 04 4D 51 54 54 04 02 00 3C 00 04 61 62 ....MQTT...<..ab\n' +
      `0000000000000010 63${end}`,
    end.endsWith('d') ? '101000044d5154540402003c000461626364' : 'refused',
  ]),
  'an array of which one line is in other brackets': [
    ['  0x10, 0x0c, 0x00, 0x04,\n(  0x4d, 0x51)', 'refused'],
    ['(  0x10, 0x0c)\n0x00, 0x04, 0x4d, 0x51', 'refused'],
    ['[\n  16, 12, 0, 4,\n(  77, 81)\n]', 'refused'],
  ],
  'a string of JSON in quotes': [
    [JSON.stringify('{"type":"Buffer","data":[16,12,0,4,77,81,84,84]}'), 'refused'],
    [JSON.stringify(String.raw`write(5, "\20\f\0\4MQTT\4\2\0<\0\0", 14) = 14`), 'refused'],
  ],
  'a dump whose offsets and * have been cut off': [
    // hexdump -C | cut -c 10-
    [` ${NUL_ROWS.join('\n ')}`, 'refused'],
    [NUL_ROWS.map((row) => row.slice(0, 48)).join('\n'), 'refused'],
    [`TX:\n${NUL_ROWS.map((row) => row.slice(0, 48)).join('\n')}`, 'refused'],
    ['10 0d 00 04 4d 51 54 54\n\n04 02 00 3c 00 01 61', A],
    ['10 0d 00 04 4d 51 54 54\n\n04 02 00 3c 00 01', 'refused'],
  ],
  'a dump whose last columns have been cut off': [
    // xxd | cut -c 1-35, and xxd -c 20 -g 1 | cut -c 1-52
    ['00000000: 1014 0004 4d51 5454 0402 \n00000010: 6e73 6f72 2d31', 'refused'],
    [
      '00000000: 10 14 00 04 4d 51 54 54 04 02 00 3c 00 08\n00000014: 73 65 6e 73 6f 72 2d 31 32 33 34 35 36 37\n00000028: 61',
      'refused',
    ],
    ['00000000: 100d 0004 4d51 5454\n00000008: 0402 003c 0001 61', A],
  ],
  'a packet whose encoder has turned bytes into UTF-8': [
    ['%10%0F%00%04MQTT%04%C3%82%00%3C%00%00%00%01u', 'refused'],
    ['%10%0F%00%04MQTT%04%EF%BF%BD%00%3C%00%00%00%01u', 'refused'],
    ['%10%0F%00%04MQTT%04%82%00%3C%00%00%00%01u', '100f00044d5154540482003c0000000175'],
  ],
  'words that are base64': [
    ['MQTT dev2', 'refused'],
    // strings c.bin
    ['MQTT\ndev2', 'refused'],
    [
      Buffer.from(A, 'hex')
        .toString('base64')
        .replace(/^.{12}/, '$& '),
      'refused',
    ],
    [
      Buffer.from(A, 'hex')
        .toString('base64')
        .replace(/^.{12}/, '$&\n'),
      'refused',
    ],
    [
      Buffer.from(A, 'hex')
        .toString('base64')
        .replace(/^.{16}/, '$&\n'),
      A,
    ],
    [
      Buffer.from(A, 'hex')
        .toString('base64')
        .replace(/^.{16}/, '$& \r\n'),
      A,
    ],
  ],
  'octal and decimal numbers that pass for one word of hex': [
    // od -A n -o ping.bin
    [' 000300\n', 'refused'],
    ['000300', '000300'],
    // int.from_bytes in Python, and od -A n -t u1 | tr -d ' \n'
    ['6015540835192298185300864562067852597124053114957105', 'refused'],
    ['1613048177848484', 'refused'],
    ['2002000040020001', '2002000040020001'],
  ],
  'decimal numbers in columns, with a line that ends inside a number': [
    ['  16  13   0   4  77  81  84  8\n4   4   2   0 200   0   1  97', 'refused'],
    ['  16  13   0   4  77  81  84  84   4   2   0 200   0   1  9\n7', 'refused'],
    ['  16  13   0   4  77  81  84  84\n   4   2   0 200   0   1  97', '100d00044d515454040200c8000161'],
  ],
  'packets of which one has a wrong digit': [
    // tshark -T fields -e tcp.payload
    [`${A.slice(0, -2)}I1\n300a0003612f6268656c6c6f\ne000`, 'refused'],
    [`${A.slice(0, -3)}_61\n300a0003612f6268656c6c6f\ne000`, 'refused'],
    [`${A}\n300a0003612f6268656c6c6f\ne000`, `${A}300a0003612f6268656c6c6fe000`],
  ],
  'numbers of which one has lost a digit to a space or a sign': [
    ['TX: 10 d 0 4 4d 51 54 54 4 2 0 3c 0 1 61', A],
    ['TX: 10 d 0 4 4d 51 5, 54 4 2 0 3c 0 1 61', 'refused'],
    ['TX: 10 d 0 4 4d 51 5  54 4 2 0 3c 0 1 61', 'refused'],
    ['TX: 10 d 0 4 4d 51 54 54 4 2 0 3c 0 1 6 ', '100d00044d5154540402003c000106'],
    ['0x10 0xd 0x0 0x4 0x4d 0x51 0x54 0x54 0x4 0x2 0x0 0x3c 0x0 0x1 0x61', A],
    ['0x10 0xd 0x0 0x4 0x4d 0x51 0x5, 0x54 0x4 0x2 0x0 0x3c 0x0 0x1 0x61', 'refused'],
    ['0x10 0xd 0x0 0x4 0x4d 0x51 0x5  0x54 0x4 0x2 0x0 0x3c 0x0 0x1 0x61', 'refused'],
    ['rx: 0x10\nrx: 0x0d\nrx: 0x00\nrx: 0x0,\nrx: 0x4d\nrx: 0x51', 'refused'],
    ['16 13 0 4 77 81 84 84 4 2 0 200 0 1 97', '100d00044d515454040200c8000161'],
    ['16 13 0 4 77 81 84 84 4 2 0 200 0 1, 97', 'refused'],
    ['[16 13 0 4 77 81 84 84 4 2 0 20  0 1 97]', 'refused'],
    ['10 20 30 40 50 60 70 80 90 1, 11 12 13 14 15 16', 'refused'],
  ],
}
