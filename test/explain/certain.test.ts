import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bytesFromText } from '../../lib/explain/index.ts'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { thrown } from '../support/thrown.ts'
import { bytesOrRefused as read } from './support.ts'

const CONNECT = '100e00044d5154540402003c00026161'
const PUBLISH = '300700036162633132'
const DISCONNECT = 'e000'
const spaced = (hex: string): string => hex.replace(/..(?!$)/g, '$& ')

/** The bytes in the notations that logs use. */
const notations: readonly ((hex: string) => string)[] = [
  spaced,
  (hex) => hex,
  (hex) => spaced(hex).replaceAll(' ', ':'),
  (hex) => `<Buffer ${spaced(hex)}>`,
  (hex) => `[${[...Buffer.from(hex, 'hex')].join(', ')}]`,
  (hex) => `"${hex.replace(/../g, '\\x$&')}"`,
]

/** What two lines of a log may have in front of their bytes: the same connection, another one, another side, or the time before. */
const pairs: readonly (readonly [string, string])[] = [
  ['TX: ', 'TX: '],
  ['client 1: ', 'client 2: '],
  ['10:00:01 out: ', '10:00:00 out: '],
  ['dev-a> ', 'dev-b> '],
  ['Sending\n', 'Receiving\n'],
  ['Sending\nhex: ', 'Received\nhex: '],
  ['$ cat a.hex\n', '$ cat b.hex\n'],
  ['', 'and then '],
  ['10:00:00 ', '10:00:01 '],
]

describe('bytesFromText of bytes beside other text', () => {
  it('never joins the packets of two lines, whoever sent them', () => {
    const joined: string[] = []
    for (const write of notations) {
      for (const [one, other] of pairs) {
        for (const [first, second] of [
          [CONNECT, PUBLISH],
          [PUBLISH, DISCONNECT],
          [PUBLISH, PUBLISH],
          [DISCONNECT, PUBLISH],
        ] as const) {
          for (const between of ['\n', '\nsome text\n', '\n\n']) {
            const text = `${one}${write(first)}${between}${other}${write(second)}\n`
            if (read(text).startsWith(first + second)) joined.push(text)
          }
        }
      }
    }
    expect(joined).to.deep.equal([])
  })

  it('never takes a part of a packet for all of it', () => {
    const parts: string[] = []
    for (const write of notations) {
      for (const [before, after] of [
        ['TX: ', ''],
        ['TX: ', '\nand more of it'],
        ['```\n', '\n```\nis what I get'],
        ['The device sends ', ' and stops'],
        // In a call that only writes an array, the array is complete.
        ...(write('10') === '[16]' ? [] : [['write(', ')']]),
      ]) {
        for (const size of [3, 8, 15]) {
          const text = `${before}${write(CONNECT.slice(0, 2 * size))}${after}`
          if (read(text) !== 'refused') parts.push(text)
        }
      }
    }
    expect(parts).to.deep.equal([])
  })

  it('never takes an array in code for all of a packet, because other code may write the rest', () => {
    const numbers = [...Buffer.from(CONNECT, 'hex').subarray(0, 15)].join(', ')
    for (const code of [
      `uint8_t p[] = {${numbers}};\nwrite(fd, p, sizeof p);\nwrite(fd, "a", 1);`,
      `uint8_t p[] = {${numbers}};\nclient.write(p, sizeof p);\nclient.print(clientId);`,
      `10:00:00 buf = [${numbers}]\n10:00:01 buf = [97]`,
      `payload=[${numbers}]\nnext: [97]`,
    ])
      expect(read(code), code).to.equal('refused')
  })

  it('joins strings only if they are one packet, because several lines or spans of code look the same', () => {
    const connect = String.raw`"\x10\x0e\x00\x04MQTT" "\x04\x02\x00<\x00\x02aa"`
    expect(read(connect)).to.equal(CONNECT)
    expect(read(connect.replace('aa', 'a'))).to.equal('refused')
    const connack = String.raw`\x20\x02\x00\x00`
    for (const before of ['10 0e 00 04 4d 51 54 54 04 02 00 3c 00 02 61 61', 'CONNECT', String.raw`\xe0\x00`])
      for (const quote of ['`', '"'])
        for (const between of [' ', '\n'])
          expect(read(`${quote}${before}${quote}${between}${quote}${connack}${quote}`)).to.equal('refused')
  })

  it('never takes an array for all of a packet if it has more than its type in front of it', () => {
    const types = ['', 'new Uint8Array(', 'Uint8Array(8) ', 'Buffer.from(', '{"type":"Buffer","data":', '(']
    const texts = (type: string) => [
      `[12:00:00] ${type}`,
      `12:00:00 RX: ${type}`,
      `DEBUG [mqtt] ${type}`,
      `read bytes=${type}`,
      `let packet = ${type}`,
      `f(1) ${type}`,
    ]
    const array = [...Buffer.from(CONNECT, 'hex').subarray(0, 8)].join(', ')
    for (const type of types) {
      const end = type.startsWith('{') ? ']}' : type.endsWith('(') ? '])' : ']'
      expect(read(`${type}[${array}${end}`), type).to.equal(CONNECT.slice(0, 16))
      for (const before of texts(type)) expect(read(`${before}[${array}${end}`), before).to.equal('refused')
    }
  })

  it('never takes an array for all of a packet if a comment may say that bytes are missing', () => {
    const array = (size: number) => [...Buffer.from(CONNECT, 'hex').subarray(0, size)].join(', ')
    const texts = (size: number) => [
      `const uint8_t connect[] = {\n  ${array(size)},\n  // ...\n};`,
      `{ ${array(size)}, /* ... */ }`,
      `[${array(size)}] // truncated`,
      `// the beginning:\nuint8_t p[] = { ${array(size)} };`,
    ]
    for (const [i, whole] of texts(16).entries()) {
      expect(read(whole)).to.equal(CONNECT)
      expect(read(texts(14)[i]!)).to.equal('refused')
    }
  })

  it('refuses a packet with a line between its rows that begins as they do', () => {
    for (const other of ['<Buffer ', 'sending', ''])
      expect(
        read(
          `I (1) mqtt: <Buffer 32 0a 00 05>\nI (2) mqtt: ${other}\nI (3) mqtt: <Buffer 63 00 07 62>\nI (4) mqtt: <Buffer 20 02 00 00>`,
        ),
      ).to.equal('refused')
  })

  it('refuses words of base64 of which one is no packet, if numbers in front of them differ', () => {
    const word = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
    const log = `payload len=16 ${word(CONNECT)}\npayload len=4 ${word('30070003')}\n`
    expect(read(log)).to.equal('refused')
  })

  it('does not take bytes with dashes for a number', () => {
    for (const row of ['10-0e-00-04-4d-51', '82-08-00-01-00-03-61-62', '30-07-00-03-61-62'])
      expect(read(`0a out: ${spaced(DISCONNECT).replaceAll(' ', '-')}\n0b out: ${row}\n`)).to.equal('refused')
  })

  it('notices a packet in a second place, although each of its rows is short and has a label', () => {
    const publish = Buffer.from('301f0003612f627b2274223a32312e352c2268223a34302c226964223a2278227d', 'hex')
    const hex2 = (byte: number) => byte.toString(16).padStart(2, '0')
    const writers: readonly (readonly [separator: string, write: (byte: number) => string])[] = [
      [':', hex2],
      ['-', hex2],
      [', ', (byte) => `${byte}`],
      [' ', (byte) => `${byte}`],
      [' ', (byte) => `0x${hex2(byte)}`],
      [' ', (byte) => byte.toString(16)],
      ['', (byte) => `<${hex2(byte)}>`],
      [' ', (byte) => `$${hex2(byte)}`],
      [' ', (byte) => `${hex2(byte)}h`],
    ]
    const passed: string[] = []
    for (const [separator, write] of writers) {
      for (const size of [4, 8, 16]) {
        for (const label of ['', 'RX: ', 'I (123) MQTT: ', '12:00:00.001 rx ']) {
          const rows: string[] = []
          for (let at = 0; at < publish.length; at += size)
            rows.push(`${label}${Array.from(publish.subarray(at, at + size), write).join(separator)}`)
          for (const [before, after] of [
            [`\`\`\`\n${spaced(CONNECT)}\n\`\`\`\nand gets\n`, ''],
            [`char p[] = {0x${spaced(CONNECT).replaceAll(' ', ', 0x')}};\nsend(s, p, 16);\n/*\n`, '\n*/'],
          ]) {
            const text = `${before}${rows.join('\n')}${after}`
            if (read(text) !== 'refused') passed.push(text)
          }
        }
      }
    }
    expect(passed).to.deep.equal([])
  })

  it('notices a small packet behind the place in a program or an address, which are numbers, too', () => {
    for (const before of [
      'mqtt.c:345: ',
      '[12] [3] ',
      '127.0.0.1:1883 -> 127.0.0.1:5000: ',
      '[ 1.234567] [12] ',
    ])
      for (const packet of ['00000000: 2002 0000   ....', '20 02 00 00', '4002 0001'])
        expect(read(`\`\`\`\n${spaced(CONNECT)}\n\`\`\`\n${before}${packet}`), before).to.equal('refused')
  })

  it('refuses bytes in the line of a call of strace', () => {
    const call = String.raw`write(7, "\20\16\0\4MQTT\4\2\0<\0\2aa", 16) = 16`
    expect(read(`[pid 12] 10:00:00.000123 ${call} <0.000012>`)).to.equal(CONNECT)
    const halves = call.replace('"', ' <unfinished ...>\n[pid 12] <... write resumed>"')
    expect(read(`[pid 12] ${halves.replace('7,  <', '7, <')}`)).to.equal(CONNECT)
    for (const text of [`${call}  # answer: 20 02 00 00`, `good: ${spaced(CONNECT)} bad: ${call}`])
      expect(read(text), text).to.equal('refused')
  })

  it('refuses a log of strace in which another connection has packets, also if the last one is cut', () => {
    const connect = String.raw`read(7, "\20\16\0\4MQTT\4\2\0<\0\2aa", 4096) = 16`
    expect(read(connect)).to.equal(CONNECT)
    expect(read(`read(6, "\\300\\0", 2) = 2\nread(6, "0\\322\\4", 3) = 3\n${connect}`)).to.equal('refused')
    expect(read(`read(6, "127.0.0.1 localhost\\n", 4096) = 20\n${connect}`)).to.equal(CONNECT)
  })

  it('joins the lines of one packet', () => {
    const lines = CONNECT.match(/.{1,16}/g)!.map(spaced)
    expect(read(lines.map((line) => `I (120) mqtt: ${line}`).join('\n'))).to.equal(CONNECT)
  })

  it('refuses a log in which a packet lacks a row, and others have its size, or whose times go back', () => {
    const rows = ['10 14 00 04 4d 51 54 54', '04 02 00 3c 00 08 61 62', '63 64 65 66 67 68']
    const log = (...own: string[]) => own.map((row) => `tx: ${row}\n`).join('')
    expect(read(log(...rows))).to.equal(rows.join('').replaceAll(' ', ''))
    expect(read(log(rows[0]!, rows[2]!, '40 02 00 01', '40 02 00 02'))).to.equal('refused')
    expect(read(`10:00:00 ${log(rows[0]!)}10:00:02 ${log(rows[2]!)}10:00:01 ${log(rows[1]!)}`)).to.equal(
      'refused',
    )
    const timed = rows.map((row, i) => `10:00:0${i} ${log(row)}`)
    expect(read(timed.join(''))).to.equal(rows.join('').replaceAll(' ', ''))
    expect(read([timed[0], timed[1]!.replace(':01', ':03'), timed[2]].join(''))).to.equal('refused')
  })

  it('joins the packets of a text that counts its bytes', () => {
    const bytes = CONNECT + PUBLISH + DISCONNECT
    const dump = bytes.match(/.{1,32}/g)!.map((row, i) => `00${i}0  ${spaced(row)}`)
    expect(read(`Here it is:\n${dump.join('\n')}\n`)).to.equal(bytes)
    const header = `> 2026/11/23 06:41:24.000775337  length=${bytes.length / 2} from=0 to=${bytes.length / 2 - 1}`
    expect(read(`socat started\n${header}\n ${spaced(bytes)}\n`)).to.equal(bytes)
  })

  const C = spaced(CONNECT)

  const refused: Readonly<Record<string, readonly string[]>> = {
    'a cut frame of a WebSocket beside other text': [
      'WS send: 82 99 1a 2b 3c 4d 0a 3c 3c 49 57 7a 68 19 1e 29 3c 71 1a 27',
      'RX: 82 04 20 02',
    ],
    'cut bytes in brackets or with signs below a whole packet': [
      'App: <C0><00>\nModem: <30><08><00><03><74><6f>',
      'App: [C0][00]\nModem: [30][08][00][03][74][6F]',
      `CONNECT: ${notations[1]!(CONNECT)}\nCONNACK: $20 $02 $00`,
    ],
    'an array behind text that says more, or that other code joins to something': [
      'DEBUG read 37 bytes, data (truncated): [16, 35, 0, 4, 77, 81, 84, 84]',
      '{"len":37,"data":[16,35,0,4,77,81,84,84]}',
      'got [16 35 0 4 77 81 84 84]',
      '12:00:00 <- (8 bytes) [48, 12, 0, 4, 116, 101, 115, 116]',
      'received 37 bytes,\n[16, 35, 0, 4, 77, 81, 84, 84]',
      'pkt.extend([0x4d, 0x51, 0x54, 0x54])',
      'reversed([0x10, 0x0c, 0x00, 0x04])',
      'buf[:8]=[16, 35, 0, 4, 77, 81, 84, 84]',
      '{len = 0x3, buf = {0xc0, 0x0, 0x0, 0x0}}',
    ],
    'the packets of two sides in a block of Markdown with text around it': [
      `Client, then broker:\n\`\`\`\n${C}\n20 02 00 00\n\`\`\``,
      `Two clients:\n\`\`\`\n${CONNECT}\n${CONNECT}\n\`\`\``,
      'And these:\n```\n"\\xc0\\x00"\n"\\xd0\\x00"\n```',
    ],
    'the calls of strace, of which one that ends a connection may be missing': [
      'write(7, " \\2\\0\\0", 4) = 4\nwrite(7, " \\2\\0\\0", 4) = 4\n',
      'close(9) = 0\nwrite(3, "\\300\\0", 2) = 2\nwrite(3, "\\300\\0", 2) = 2\n',
      'write(3, "\\300\\0", 2) = 2\nsendfile(3, 4, NULL, 100) = 100\n',
    ],
    'rows with offsets in any notation, of which one is missing': [
      '[1]\n[17]',
      '[0000]\n[0010]',
      '#0:\n#10:',
      'offset 0:\noffset 16:',
    ].map((offsets) =>
      offsets.replace('\n', ' 10 16 00 04 4d 51 54 54\n').concat(' 00 02 62 62 00 02 63 63'),
    ),
    'a cut packet behind the address of a client': [
      'DEBUG mqtt client 0x55d0c8e0a2b0: 10 23 00 04 4d 51 54 54',
      'mqtt 55d0c8e0a2b0: 10 23 00 04 4d 51 54 54',
    ],
    'a string that is not readable below one that is': [
      'App: "\\xc0\\x00"\nModem: "\\x30\\x28\\x00..."',
      'App: "\\300\\000"\nModem: "0(\\000"',
    ],
    'a second packet of any type': [
      '0\u0006\u0000\u0002éhi',
      '0\u0007\u0000\u0000\u0003#\u0000\u0001a',
      'ð\u0000',
      'ð\u0001\u0018',
      '@\u0008\u0000\u0001\u0010\u0004\u001f\u0000\u0001a',
    ].flatMap((text) => {
      const packet = Buffer.from(text, text.includes('é') ? 'utf8' : 'latin1')
      return [
        `publish ${packet.toString('base64')}\nping: c0 00`,
        `publish ${packet.toString('hex').replace(/../g, '$$$& ')}\nping: c0 00`,
      ]
    }),
    'a packet in a table beside a string': ['1,tx,10:12:10,"\\xc0\\x00"\n2,rx,10:12:11,40020045'],
    'another packet outside a block that resembles the one in it, or in the line of its fence': [
      `\`\`\`\n${CONNECT}\n\`\`\`\nand the other client: ${CONNECT.replace(/61$/, '62')}`,
      `\`\`\`\n${C}\n\`\`\`\nand the other client: ${C.replace(/61$/, '62')}`,
      `\`\`\`\n${C}\n\`\`\` and the answer is 20 02 00 00`,
      `\`\`\`${C}\n20 02 00 00\n\`\`\``,
      `\`\`\`\n${C}\n\`\`\`\nand then\n    0x82, // SUBSCRIBE\n    0x06, // remaining length\n    0x00, 0x01, // id\n    0x00, 0x01, 0x61, // topic\n    0x00`,
    ],
    'code with a second array, between whose numbers are comments or casts': [
      `const connect = [${notations[4]!(CONNECT).slice(1, -1)}]\nsocket.write(connect)\nsocket.write(Buffer.from([\n 0x82, // SUBSCRIBE\n 0x06, // length\n 0x00, 0x01, // id\n 0x00, 0x01, 0x61, // topic\n 0x00,\n]))\n`,
      `byte[] p = { 0xc0, 0x00, 0xc0, 0x00 };\nout.write(p);\nout.write(new byte[] { (byte) 0xe0, 0x02, (byte) 0x81, 0x00 });\n`,
      `[${notations[4]!(CONNECT).slice(1, -1)}] // answer: 20 02 00 05`,
    ],
    'code that joins or changes an array in the same statement': [
      'socket.write(Buffer.concat([header, Buffer.from([0xc0, 0x00])]))',
      "s.send(b''.join([header, bytes([0xc0, 0x00])]))",
      'buffer.put(header).put(new byte[] { 0x40, 0x02, 0x00, 0x01 });',
      'packet.insert(packet.end(), { 0x40, 0x02, 0x00, 0x01 });',
      'send(xor(0x55, [0x40, 0x02, 0x00, 0x01]))',
      'send(bytes(b ^ 1 for b in [0x40, 0x02, 0x00, 0x01]))',
    ],
    'an array that is one field of a printed object': [
      'Frame(type=CONNECT, flags=0, length=14, body=[0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 2, 97, 49])',
      "{ cmd: 'connect', length: 4, payload: Uint8Array(4) [ 0, 4, 77, 81 ] }",
      'Packet{Type: 16, Body: []uint8{0x0, 0x4, 0x4d, 0x51}}',
      'first=0x10 length=0x0e rest=[0, 4, 77, 81]',
      'out.write(0x10);\nout.write(14);\nout.write(new byte[] { 0x00, 0x04, 0x4d, 0x51 });',
    ],
    'packets with a line of grep between them': [
      `${C}\n--\n${C}`,
      `${C}\n--\n20 02 00 00`,
      '0x10 0x23 0x00\n--\n0x04 0x4d',
    ],
  }

  for (const [what, texts] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(texts.map((text) => [text, read(text)])).to.deep.equal(texts.map((text) => [text, 'refused']))
    })
  }

  it('keeps a first row of bytes that looks like the numbers of columns', () => {
    const rows = ['00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f', '10 11 12 13']
    expect(read(rows.join('\n'))).to.equal(rows.join('').replaceAll(' ', ''))
    expect(read(rows[0]!)).to.equal(rows[0]!.replaceAll(' ', ''))
  })

  it('reads a row of a dump whose text begins like hex', () => {
    const packet = Buffer.from('101e00044d5154540402003c0012616261316232633364346535663630373138', 'hex')
    const rows = [packet.subarray(0, 16), packet.subarray(16)].map((row, i) => {
      const text = row.toString('latin1').replace(/[^ -~]/g, '.')
      return `000000${i}0  ${spaced(row.toString('hex'))
        .replace(/(?<=^.{23}) /, '  ')
        .padEnd(50)}${text}`
    })
    expect(read(rows.join('\n'))).to.equal(packet.toString('hex'))
  })

  it('refuses packets of another connection beside one with a CONNECT', () => {
    const connect = 'write(3, "\\20\\f\\0\\4MQTT\\4\\2\\0<\\0\\0", 14) = 14\n'
    expect(read(connect)).to.equal('100c00044d5154540402003c0000')
    expect(
      read(`openat(AT_FDCWD, "/etc/hosts", O_RDONLY) = 5\nread(5, "127.0.0.1 a", 4096) = 11\n${connect}`),
    ).to.equal('100c00044d5154540402003c0000')
    expect(read(`${connect}write(4, "\\300\\0", 2) = 2\n`)).to.equal('refused')
    expect(read(`write(3, "\\340\\0", 2) = 2\n${connect}`)).to.equal('refused')
  })

  it('says to paste only the bytes, which the command line and the page read nevertheless', () => {
    for (const [text, problem] of [
      [
        `TX: ${spaced(CONNECT)}\nTX: c0 00`,
        'it has other text beside the bytes, which are not one packet in rows of equal size',
      ],
      [
        `TX: ${spaced(CONNECT).slice(0, -3)}`,
        'it has other text beside the bytes, which are not whole packets',
      ],
    ] as const) {
      expect(thrown(() => bytesFromText(text)).message).to.contain(`, but ${problem}: paste only the bytes`)
      expect(readPaste(text).readings).to.have.length(1)
    }
  })
})
