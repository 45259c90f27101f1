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

  it('joins the packets of a log that counts its bytes', () => {
    const bytes = CONNECT + PUBLISH + DISCONNECT
    const header = `> 2026/11/23 06:41:24.000775337  length=${bytes.length / 2} from=0 to=${bytes.length / 2 - 1}`
    const block = `${header}\n ${spaced(bytes)}\n`
    expect(read(`2026/11/23 06:41:20 socat[7] N listening on AF=2 0.0.0.0:1883\n${block}`)).to.equal(bytes)
    expect(read(`This is the client:\n${block}`)).to.equal('refused')
  })

  const refused: Readonly<Record<string, readonly string[]>> = {
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
  }

  for (const [what, texts] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(texts.map((text) => [text, read(text)])).to.deep.equal(texts.map((text) => [text, 'refused']))
    })
  }

  it('refuses lines of digits that differ, or of which the first or the last may be a number, unless they are whole packets', () => {
    const C = spaced(CONNECT)
    const unpadded = C.replaceAll(/\b0/g, '').toUpperCase()
    const decimals = [...Buffer.from(CONNECT, 'hex')].join(', ')
    const signed = ['<$&>', '[$&]', '$$$& ', '$&h '].map((sign) => CONNECT.replace(/../g, sign))
    const numbers = [
      '1',
      '0',
      '14',
      '2024',
      '12:34',
      '12:34:56',
      '1700000000',
      '20240101120000',
      'd41d8cd98f00b204e9800998ecf8427e',
    ]
    const joined: string[] = []
    for (const bytes of [C, unpadded, decimals, CONNECT, C.replaceAll(' ', ':'), ...signed]) {
      for (const number of [...numbers, '2001:0db8:0000:0000:0000:0000:0000:0001', 'aa:bb:cc:dd:ee:ff'])
        for (const text of [`${number}\n${bytes}`, `${bytes}\n${number}`])
          if (read(text) !== 'refused') joined.push(text)
    }
    const long = [16, 99, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 87, ...Array(87).fill(97)]
    const heading = (from: number) => [...Buffer.from(CONNECT, 'hex').keys()].map((i) => i + from)
    for (const separator of [' ', ', ', ','])
      for (const before of [`101${separator}`, '101\n'])
        if (read(`${before}${long.join(separator)}`) !== 'refused') joined.push(before)
    for (const from of [0, 1])
      if (read(`${heading(from)}\n${decimals.replaceAll(' ', '')}`) !== 'refused') joined.push(`${from}`)
    expect(joined).to.deep.equal([])
    // A dump of a packet that isn't whole, and rows of any size of one that is.
    const rows = (hex: string, ...sizes: number[]) => {
      const starts = sizes.map((_, i) => 2 * sizes.slice(0, i).reduce((sum, size) => sum + size, 0))
      return starts.map((start, i) => spaced(hex.slice(start, start + 2 * sizes[i]!))).join('\n')
    }
    const cut = CONNECT.replace('100e', '1020')
    expect(read(rows(cut, 8, 8))).to.equal(cut)
    expect(read(rows(cut, 6, 5, 5))).to.equal('refused')
    expect(read(rows(CONNECT, 2, 6, 1, 7))).to.equal(CONNECT)
  })

  it('notices such a line whatever ends the lines, and among the colors of a terminal', () => {
    const text = `${spaced(CONNECT)}\n1700000000`
    for (const other of [
      text.replace('\n', '\r'),
      text.replace('\n', '\u2028'),
      text.replace('\n', '\r\n'),
      `\u001b[32m${text}\u001b[0m`,
    ])
      expect(read(other), JSON.stringify(other)).to.equal('refused')
  })

  it('reads a dump of od that is no whole packet, also as BSD and macOS write it, but not one that has lost its text', () => {
    const cut = '101900044d5154540402003c000d736f6d652d636c69656e74'
    const rows = [cut.slice(0, 32), cut.slice(32)]
    for (const gap of [' ', '  '])
      expect(
        read(
          `0000000${gap}${gap}${rows[0]!.replace(/..(?!$)/g, `$&${gap}`)}\n0000020${gap}${gap}${rows[1]!.replace(/..(?!$)/g, `$&${gap}`)}\n0000031\n`,
        ),
      ).to.equal(cut)
    const dump = `00000000: ${rows[0]!.replace(/....(?!$)/g, '$& ')}  ....MQTT...<..so\n00000010: ${rows[1]!.replace(/....(?!$)/g, '$& ')}`
    expect(read(dump)).to.equal('refused')
    expect(read(`${dump}        me-client`)).to.equal(cut)
    // Decimal numbers of two digits.
    expect(read('0000000  16  10  77  81\n0000004')).to.equal('refused')
  })

  it('refuses several packets in hex without leading zeros and letters, which are no packets in decimal', () => {
    for (const list of ['20, 2, 0, 0, 90, 3, 0, 1, 0', '20,2,0,0,40,2,0,1'])
      for (const text of [list, `[${list}]`, `{${list}}`]) expect(read(text), text).to.equal('refused')
    expect(read('32, 2, 0, 0, 224, 0')).to.equal('20020000e000')
  })

  it('reads arrays of Go with their size, but no numbers in a call that changes or joins them', () => {
    const numbers = CONNECT.replace(/../g, '0x$&, ').slice(0, -2)
    expect(read(`[16]byte{${numbers}}`)).to.equal(CONNECT)
    expect(read(`[16]uint8{${numbers}}`)).to.equal(CONNECT)
    expect(read(`[17]byte{${numbers}}`)).to.equal('refused')
    expect(read(`bytes(${numbers})`)).to.equal(CONNECT)
    for (const [before, after] of [
      ['new byte[14] {', '}'],
      ['std::array<uint8_t, 0x0e> p = {', '};'],
      ['const P: [u8; 14] = [', '];'],
    ]) {
      expect(read(`${before}${numbers}${after}`), before).to.equal('refused')
      const cut = numbers.split(', ').slice(0, 14).join(', ').replace('0x0e', '0x0c')
      expect(read(`${before}${cut}${after}`), before).to.equal(CONNECT.slice(0, 28).replace('100e', '100c'))
    }
    for (const call of ['packet.push', 'out.append', 'head.concat', 'xor'])
      expect(read(`${call}(${numbers})`), call).to.equal('refused')
  })

  it("reads whole packets in C arrays of one side of Wireshark's Follow Stream", () => {
    const array = (i: number, hex: string) => `char peer0_${i}[] = { ${hex.replace(/../g, '0x$&, ')}};\n`
    expect(read(array(0, CONNECT) + array(1, DISCONNECT))).to.equal(CONNECT + DISCONNECT)
    expect(read(array(0, CONNECT.slice(0, 20)))).to.equal('refused')
  })

  it('reads the characters of a code page beside bytes that are not ASCII, as Windows PowerShell and HxD write them', () => {
    const bytes = '100e00044d51545404c2003c0000b561'
    const dump = (text: string) => `00000000   ${spaced(bytes)}  ${text}`
    for (const character of ['.', '?', '\u00b5'])
      expect(read(dump(`....MQTT.\u00c2.<..${character}a`)), character).to.equal(bytes)
    for (const wrong of ['....MQTT.A.<...a', '....MQTT.\u00c2.<..ab', '....MQTT\u00c2.?<..?a'])
      expect(read(dump(wrong)), wrong).to.equal('refused')
  })

  it('refuses a dump of xxd whose last row has lost its bytes', () => {
    const dump = `00000000: ${CONNECT.replace(/....(?!$)/g, '$& ')}  ....MQTT...<..aa`
    expect(read(dump)).to.equal(CONNECT)
    expect(read(`${dump}\n00000010:`)).to.equal('refused')
  })

  it('reads or refuses a line of any length', () => {
    const line = `30 80 89 7a ${'61 '.repeat(200_000)}`
    expect(read(`${line}\n61 62 63`)).to.have.length(2 * 200_007)
    expect(read(`61 62 63\n${line}`)).to.equal('refused')
  })

  it('reads rows of equal size of a CONNECT that is cut or has a wrong length', () => {
    const whole = '102500044d5154540406003c0003666f6f00036c777400046f66666c000561646d696e'
    const bytes = (hex: string) => [...Buffer.from(hex, 'hex')]
    for (const hex of [
      whole.slice(0, 48),
      whole.slice(0, 64),
      whole.slice(0, 70),
      whole.replace('1025', '1030'),
    ])
      for (const write of [
        (byte: number) => byte.toString(16).padStart(2, '0'),
        (byte: number) => `0x${byte.toString(16).padStart(2, '0')},`,
        (byte: number) => `${byte},`,
      ]) {
        const rows = [bytes(hex).slice(0, 16), bytes(hex).slice(16, 32), bytes(hex).slice(32)]
        const text = rows.map((row) => row.map(write).join(' ')).join('\n')
        expect(read(text), text).to.equal(hex)
      }
  })

  it('reads a dump of words whose bytes are several packets', () => {
    expect(read('00000000: c000 e000                                ....')).to.equal('c000e000')
    expect(read('00000000: d000 9003 0001 00                        .......')).to.equal(
      'd000900300 0100'.replace(' ', ''),
    )
  })

  it('refuses bytes in brackets with a space that may be a byte', () => {
    for (const text of [' <02><00><00>', '<90><03><00> <00>', ' [02][00][00]', '<20><02> <00><00>'])
      expect(read(text), text).to.equal('refused')
    expect(read('<20> <02> <00> <00>')).to.equal('20020000')
    expect(read('<20><02>\n<00><00>')).to.equal('20020000')
  })

  it('takes the signs of a comment within another comment for nothing', () => {
    const array = [
      '0xc0, 0x00, // PINGREQ, for sensors/*',
      '0x20, 0x02, 0x00, 0x00, /* CONNACK */',
      '0xe0, 0x00',
    ]
    expect(read(`uint8_t p[] = {\n${array.join('\n')}\n};`)).to.equal('c00020020000e000')
    expect(read('{ 0xc0, 0x00, /* // */ 0xe0, 0x00 }')).to.equal('c000e000')
    expect(read('{ 0xc0, 0x00, /* 0xe0, 0x00 }')).to.equal('refused')
  })

  it('says to paste only the bytes, which the command line and the page read nevertheless', () => {
    const array = `let packet = ${notations[4]!(CONNECT.slice(0, -2))}`
    for (const [text, problem] of [
      [`TX: ${spaced(CONNECT)}`, 'it has other text beside the bytes'],
      [`\`\`\`\n${CONNECT}\n\`\`\``, 'it has other text beside the bytes'],
      [`I send ${CONNECT} and get nothing`, 'it has other text beside the bytes'],
      [`${array}\nsend(packet)`, 'it has other text beside the bytes'],
      [array, 'it has other text beside the bytes, which are not whole packets'],
    ] as const) {
      expect(thrown(() => bytesFromText(text)).message).to.contain(`, but ${problem}: paste only the bytes`)
      expect(readPaste(text).readings).to.have.length(1)
    }
  })
})
