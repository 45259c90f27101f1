import { Buffer } from 'node:buffer'
import type { Texts } from './never-wrong-logs.ts'

/** A CONNECT of 3.1.1 with the client id `a`, and one of 3.1, whose first lengths differ. */
const A = '100d00044d5154540402003c000161'
const B = '100f00064d51497364700302003c000162'
/** The same as A, of which a second part is missing. */
const CUT = A.slice(0, -2)

const bytesOf = (hex: string): number[] => [...Buffer.from(hex, 'hex')]
const pairs = (hex: string, sign = ' '): string => hex.match(/../g)!.join(sign)
const list = (hex: string, sign = ', '): string => bytesOf(hex).join(sign)
const signed = (hex: string): string => [...new Int8Array(Buffer.from(hex, 'hex'))].join(', ')
const c = (hex: string): string => hex.replace(/../g, '0x$&, ').slice(0, -2)
const escapes = (hex: string): string => hex.replace(/../g, '\\x$&')
const octal = (hex: string): string =>
  bytesOf(hex)
    .map((byte) => `\\${byte.toString(8)}`)
    .join('')
const json = (hex: string): string => JSON.stringify(Buffer.from(hex, 'hex'))
/** A CONNECT with a password, in rows of 16 bytes. */
const PASSWORD = `10350004${'4d515454'}04c2003c000269640001750022${'70'.repeat(34)}`
/** The rows of `tshark -x`. */
const ofTshark = (hex: string): string =>
  hex
    .match(/.{1,32}/g)!
    .map((row, i) => `${(i * 16).toString(16).padStart(4, '0')}  ${pairs(row)}`)
    .join('\n')
/** Ethernet, IP and TCP. */
const frameOf = (sequence: number, payload: string): string =>
  `${'00'.repeat(12)}080045${'00'}${(40 + payload.length / 2).toString(16).padStart(4, '0')}000040004006${'0000'}7f0000017f000001c350075b${sequence.toString(16).padStart(8, '0')}0000000150180040fe340000${payload}`
const refused = (texts: readonly string[]): Texts[string] => texts.map((text) => [text, 'refused'] as const)
const inBlocks = (...blocks: readonly string[]): string =>
  blocks.map((block) => `\`\`\`\n${block}\n\`\`\`\n`).join('and\n')

/** Bytes in the notations of many programs, which the readers of other tools once ignored. */
const notations: readonly string[] = [
  `1\t0.000123\t127.0.0.1\t127.0.0.1\t${B}`,
  `192.168.1.5:50123 192.168.1.1:1883 ${B}`,
  pairs(B),
  B,
  pairs(B, ':'),
  pairs(B, '-').toUpperCase(),
  `TX: ${pairs(B)}`,
  c(B),
  c(B).replaceAll(', ', '\t'),
  `tx: ${list(B, ' ')}`,
  `tx: [${list(B)}]`,
  `tx: [${list(B, ' ')}]`,
  `send(${list('c000')})`,
  `tx: {${signed(B)}}`,
  `tx: b'${escapes(B)}'`,
  `SSL_write(0x55, "${octal(B)}", 17) = 17`,
  `payload ${Buffer.from(B, 'hex').toString('base64')}`,
  `tx: <Buffer ${pairs(B)}>`,
  `tx: ${json(B)}`,
  `tx: ${pairs(B, '%').replace(/^/, '%')}`,
]

/** The output of strace, of tcpdump and of socat for A. */
const ip = `4500003700000000000600000a0000010a000002c350075b0000000100000000501800000000 0000${A}`.replace(
  ' ',
  '',
)
const rows = ip
  .match(/.{1,32}/g)!
  .map((row, i) => `\t0x${(i * 16).toString(16).padStart(4, '0')}:  ${row.match(/.{1,4}/g)!.join(' ')}`)
const tools: readonly string[] = [
  `write(3, "${escapes(A)}", 15) = 15`,
  `10:00:00.123456 IP 10.0.0.1.50000 > 10.0.0.2.1883: Flags [P.], seq 1:16, ack 1, win 512, length 15\n${rows.join('\n')}`,
  `> 2023/11/26 10:00:00.123456  length=15 from=0 to=14\n ${pairs(A)}\n--`,
]

/** Lines that are no bytes, and never a reason to refuse a text. */
const ordinary: readonly string[] = [
  '2023-11-26 10:05:23,123 INFO [main] state=connected id=42',
  '26.11.2023 10:05:23 heap 40960, stack 2048, qos 1',
  '192.168.1.10:50000 -> 172.16.0.2:1883, [2001:db8::1]:1883',
  'version 4.3.2, 12/34 packets, 99.5 % of 1024 bytes in 17 ms',
  'request 123e4567-e89b-12d3-a456-426614174000 from aa:bb:cc:dd:ee:ff, AA-BB-CC-DD-EE-FF',
  'position (52.52, 13.40), [52, 13], (1920, 0)',
  'GET /mqtt?path=%2Fa%20b 200 3ms "a\\tb"',
  'temperature=21.5 humidity=40 rssi=-67 channel=11',
]

/** Texts of which a part that isn't read has bytes too. */
export const textsWithRest: Texts = {
  'two tools in one text': [
    ...tools.map((text) => [text, A] as const),
    ...tools.flatMap((tool) => ordinary.map((line) => [`${line}\n${tool}\n${line}`, A] as const)),
    ...tools.flatMap((tool) =>
      notations.flatMap((line) =>
        refused([
          `${tool}\n${line}`,
          `${line}\n${tool}`,
          `${tool}\n\nThe other client sends this:\n${line}\n`,
        ]),
      ),
    ),
    // The paste ends before the bytes of the last packet.
    [
      `${tools[1]}\n10:00:01.123456 IP 10.0.0.2.1883 > 10.0.0.1.50000: Flags [P.], seq 1:5, ack 16, win 512, length 4`,
      'refused',
    ],
    // getrandom of the C library
    [`${tools[0]}\ngetrandom("\\x5b\\x9e\\x10\\x00\\x4d\\x51\\x54\\x54", 8, GRND_NONBLOCK) = 8`, A],
    [`00000000  ${pairs(B.slice(0, 32))}\n00000010  ${B.slice(32)}\n${A}`, 'refused'],
    [`0x7ffe00:\t${pairs(B, '\t').replace(/\w\w/g, '0x$&')}\nwrite(3, "${escapes(A)}", 15) = 15`, 'refused'],
  ],
  'short packets and malformed ones in what is not read': [
    ...[
      '20020000',
      '2002 0005',
      '9003000100',
      'e0 00',
      'e000',
      'e0:00',
      '224, 0',
      '0xe0 0x00',
      '040 002 000 000',
      `${pairs(B, ' | ')}`,
      `%1F%0F%00%06MQIsdp`,
      escapes('20020000'),
    ].flatMap((rest) =>
      ['', 'rx: ', 'reply ', '10:00:01 '].flatMap((before) =>
        refused([
          ...tools.map((tool) => `${tool}\n${before}${rest}`),
          `p = [${list(A)}]\nsend(p)\n${before}${rest}`,
          `${inBlocks(pairs(A))}${before}${rest}`,
          `I send ${A} to it\n${before}${rest}\n\`\`\``,
        ]),
      ),
    ),
    ...refused([
      `b'${escapes(B)}'\nuint8_t p[] = {${c(A)}};\nsend(p);`,
      inBlocks(`%10%13%00%06MQIsdp`, pairs(A)),
    ]),
    [`${inBlocks('address [192, 168, 1, 10]', pairs(A))}pins [2, 3, 4, 5]`, A],
  ],
  'lines of a log that look like code, of which one has a short list': [
    ...refused([
      `D (100) buf = {${list(CUT.slice(0, -4))}}\nD (101) buf = {1, 97}`,
      `10:00:00 sent = [${list(A)}]\n10:01:00 count = 3\nping [192, 0]`,
      `data=[16, 13]\ndata=[${list(A.slice(4))}]`,
      `buf = {0x10, 0x0d}\nbuf = {${c(A.slice(4))}}`,
      `data=${json('100d')}\ndata=${json(A.slice(4))}`,
      `tx=${json(A)}\nrx=${json('20020000')}`,
    ]),
    [`10:00:00 buf = [${list(A)}]\n10:00:01 size = 15`, A],
  ],
  'masked bytes, and text in the place of bytes': refused([
    ...[
      'xx xx xx xx',
      'XX XX',
      '** ** **',
      '?? ??',
      '____',
      '####',
      '████',
      '<redacted>',
      '[password removed]',
      '-- masked --',
    ].flatMap((mask) =>
      ['', 'TX: ', '10:00:00.123 ', 'I (123) mqtt: '].map(
        (before) =>
          `${before}${pairs(PASSWORD.slice(0, 32))}\n${before}${mask}\n${before}${pairs(PASSWORD.slice(64))}`,
      ),
    ),
    '10 12 00 04\nMQTT\n04 02 00 3c 00 06\nsensor\n',
    '10 12 00 04\n"MQTT"\n04 02 00 3c 00 06\n"sensor"\n',
    "0x10, 0x12,\n0x00, 0x04,\n'M', 'Q', 'T', 'T',\n0x04, 0x02,\n0x00, 0x3c,\n0x00, 0x06,\n's','e','n','s','o','r'\n",
    '10 12 00 04 4d 51 54 54 04 02 00 3c 00 06\nsensor',
    'TX: 10 12 00 04 4d 51 54 54 04 02 00 3c 00 06\nTX: sensor\n',
  ]),
  'a log with notes on lines that it lacks': refused(
    [
      'last message repeated 3 times',
      'previous line repeated 3 times',
      '-- 3 identical lines --',
      '[repeated 3 times]',
      '(3 times)',
      '3 more like this',
      'above line repeats',
      '3 duplicates suppressed',
      'wifi: 3 callbacks suppressed',
      'log buffer overflow: 3 messages dropped',
      '--- 3 messages dropped ---',
      'journal: Suppressed 3 messages from app.service',
      'missed 3 log entries',
      '/home/joe: [chatty] uid=1(app) identical 3 lines',
    ].map((note) => `TX: ${pairs(A)}\nTX: c0 00\n${note}\nTX: e0 00\n`),
  ),
  'frames of tshark': [
    [
      `Frame (64 bytes):\n${ofTshark(frameOf(1, A.slice(0, 20)))}\n\nFrame (59 bytes):\n${ofTshark(frameOf(11, A.slice(20)))}\nReassembled TCP (15 bytes):\n${ofTshark(A)}`,
      A,
    ],
    // tshark writes longer offsets if the bytes that it has put together are many.
    [
      `Frame (64 bytes):\n${ofTshark(frameOf(1, A.slice(0, 20)))}\n\nFrame (59 bytes):\n${ofTshark(frameOf(11, A.slice(20)))}\nReassembled TCP (15 bytes):\n0${ofTshark(A)}`,
      A,
    ],
    // A filter has printed the second of two frames only.
    [
      `Frame (59 bytes):\n${ofTshark(frameOf(11, A.slice(20)))}\nReassembled TCP (15 bytes):\n${ofTshark(A)}`,
      'refused',
    ],
    [
      `Frame (74 bytes):\n${ofTshark(frameOf(1, `170303000f${'5a'.repeat(15)}`))}\nDecrypted TLS (15 bytes):\n${ofTshark(A)}`,
      'refused',
    ],
  ],
  'a string with text and a packet': refused([
    `"DEBUG:root:send b'\\x10\\x0d\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x01a'"`,
    `"echo -ne '\\x10\\x0d\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x01a' | nc localhost 1883"`,
    `"Sent packet: \\x10\\x0d\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x01a\\n"`,
  ]),
  'code that makes an array longer': [
    ...refused([
      `uint8_t p[] = {${c(A)}};\np[9] = 0xc2;\nclient.write(p, sizeof p);`,
      `const p = [${c(A)}]\np.splice(2, 0, 1)\n`,
      `const p = Buffer.from([${c(A)}])\np.writeUInt16BE(10, 10)\nsocket.write(p)`,
      `s.send(b"${escapes(CUT)}")\ns.send(client_id)`,
      `buf = b"${escapes(CUT)}"\nbuf += client_id.encode()`,
      `buf = [${c(CUT)}]\nbuf += [0x61]`,
      `buf = [${c(CUT)}]\nbuf += b"a"`,
      `buf = [${c(CUT)}]\nbuf.extend([0x61])`,
      `head = [${c(CUT)}]\ntail = [0x61]\nsend(head + tail)`,
    ]),
    [`buf = [${c(A)}]\nfor i in range(3): n += 1\nsock.send(bytes(buf))`, A],
    [
      `int pins[] = {2, 3, 4, 5};\nIPAddress server(172, 16, 0, 2);\nbyte p[] = {${c(A)}};\nclient.write(p, 15);`,
      A,
    ],
    [`int pins[] = {2, 3, 4, 5};\nbyte p[] = {${c(CUT)}};\nclient.write(p, 14);\nx[3] = 0;`, CUT],
  ],
  'hex in brackets, of which one line has decimal digits only': [
    ...refused([
      `tx: [${pairs(CUT)}]\nqueue=0\ntx: [61]`,
      `tx: [${pairs(A)}]\n  ok\ntx: [32 10]\n  ok`,
      `tx: [${pairs(A)}]\n  ok\nother [61 62 63 64]\n  ok`,
    ]),
    [`tx: [${pairs(A)}]\n  ok\ntx: [c0 00]\n  ok`, `${A}c000`],
  ],
  'an answer in digits without spaces and without letters': [
    ...refused([
      `2023-11-26 10:00:00 [DEBUG] -> ${A}\n2023-11-26 10:00:01 [DEBUG] <- 20020005`,
      `client -> broker: ${A}\nbroker -> client: 20020000`,
      `Gesendet: ${A}\nEmpfangen: 20020000`,
      `mqtt_out: ${A}\nmqtt_in: 20020000`,
      `connect: ${A}\ndisconnect: e000`,
    ]),
    [`date: 20231126\nsent: ${A}\nfree heap: 40960123\nport: 1883`, A],
  ],
  'bytes in binary after others in hex': refused(
    ['00100000 00000010 00000000 00000101', '0010 0000 0000 0010 0000 0000 0000 0101'].flatMap((bits) => [
      `send: ${pairs(A)}\nsend: ${bits}`,
      `packets:\n- ${A}\n- ${bits}`,
    ]),
  ),
  "Java's signed bytes": [
    ...refused([
      `Sending [${signed(A)}]\nReceived [${signed('9003000100')}]`,
      `out [${signed(A)}]\nout [${signed('c000')}]`,
      `request [${signed(A)}]\nbye [${signed('e000')}]`,
    ]),
    [`Sending [${signed(A)}]`, A],
    [`Sending [${signed('8206000100016100')}]`, '8206000100016100'],
  ],
  'blocks of Markdown of which one is not readable': [
    ...[
      list(A).replace('60', '256'),
      list(A).replace('16', '[16').replace(/$/, ', 999]'),
      `<<${list(A, ',')},...>>`,
      `[${list(CUT)}]\n[97]`,
      '020 017 000 004 115 121 124 124',
      '00010000 00001111 00000000 00000100',
      '0000000 007420 002000 050515 052124\n0000010',
      '100f 0004',
      '10-0F-00-04-4D-51-5',
      `$1 = "${octal(A)}"`,
    ].flatMap((block) => refused([inBlocks(block, '20 02 00 05'), inBlocks('20 02 00 05', block)])),
    ...refused([
      `I send ${c(A)} and get\n${inBlocks('20 02 00 05')}`,
      `I send [${list(A)}] and get\n${inBlocks('20 02 00 05')}`,
    ]),
    // Outside of blocks, six bytes with colons may be more than an address of a network card.
    ...ordinary
      .map((line) => [`${line}\n${inBlocks('client.connect(broker, 1883)', pairs(A))}`, A] as const)
      .filter(([text]) => !/aa:bb/.test(text)),
  ],
  'a log with lines that are no bytes': ordinary.map(
    (line) => [`${line}\ntx: ${pairs(A)}\n${line}`, A] as const,
  ),
}
