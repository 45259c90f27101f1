import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bytesFromText } from '../../lib/explain/index.ts'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { thrown } from '../support/thrown.ts'
import { CONNECT, DISCONNECT, notations, bytesOrRefused as read, spaced } from './support.ts'

const PUBLISH = '300700036162633132'

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
    for (const behind of [' +', ' \\', '+ ']) expect(read(connect + behind), behind).to.equal('refused')
    const connack = String.raw`\x20\x02\x00\x00`
    for (const before of ['10 0e 00 04 4d 51 54 54 04 02 00 3c 00 02 61 61', 'CONNECT', String.raw`\xe0\x00`])
      for (const quote of ['`', '"'])
        for (const between of [' ', '\n'])
          expect(read(`${quote}${before}${quote}${between}${quote}${connack}${quote}`)).to.equal('refused')
  })

  it('never takes an array for all of a packet if it has more than its type in front of it', () => {
    const types = [
      '',
      'new Uint8Array(',
      'Uint8Array(8) ',
      'Uint8Array ',
      'Buffer(8) ',
      'Buffer.from(',
      '{"type":"Buffer","data":',
      '(',
    ]
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
      'data[4:8] = [0xc0, 0x00]',
      'data[::-1] = [0xc0, 0x00]',
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

  it('refuses Follow Stream if the selection ended in a row, or before the line below', () => {
    const rows = [
      '00000000  10 12 00 04 4d 51 54 54  04 02 00 3c 00 06 73 65  ....MQTT ...<..se',
      '00000010  6e 73 6f 72                                       nsor',
    ]
    const line = '='.repeat(67)
    const text = [
      '',
      line,
      'Follow: tcp,hex',
      'Filter: tcp.stream eq 0',
      'Node 0: 10.0.0.5:52773',
      'Node 1: 10.0.0.1:1883',
      ...rows,
      line,
      '',
    ].join('\n')
    expect(read(text)).to.equal('101200044d5154540402003c000673656e736f72')
    const end = text.lastIndexOf('nsor') + 4
    const places = Array.from({ length: rows.join('\n').length }, (_, i) => end - i)
    for (const place of places) expect(read(text.slice(0, place)), `${place}`).to.equal('refused')
    const lost = text.replace(/ +nsor/, '')
    expect(read(lost)).to.equal('refused')
    expect(readPaste(lost).readings?.[0]?.ignored).to.deep.equal([
      'the lines around the bytes',
      'the text beside a line',
    ])
  })

  it('refuses Follow Stream of a capture that lacks a part of the connection', () => {
    // tshark shows its own sentence as bytes, and counts them.
    const lost = Buffer.from('[14 bytes missing in capture file]\0').toString('hex')
    const heading = 'Follow: tcp,raw\nFilter: tcp.stream eq 0\nNode 0: 10.0.0.5:1\nNode 1: 10.0.0.1:1883\n'
    const rows = [
      "00000000  10 27 00 04 4d 51 54 54  04 c2 00 3c 00 0b 64 65  .'..MQTT ...<..de",
      '00000010  76 69 63 65                                       vice',
      '00000014  5b 31 34 20 62 79 74 65  73 20 6d 69 73 73 69 6e  [14 byte s missin',
      '00000024  67 20 69 6e 20 63 61 70  74 75 72 65 20 66 69 6c  g in cap ture fil',
      '00000034  65 5d 00                                          e].',
      '00000037  63 72 65 74 31 32 33 30                           cret1230',
      '',
    ].join('\n')
    for (const text of [
      `${heading.replace('raw', 'hex')}${rows}====\n`,
      rows,
      `${heading}1027\n${lost}\n63\n\t20020000\n====\n`,
    ]) {
      expect(read(text), text).to.equal('refused')
      expect(readPaste(text).problem, text).to.equal('a part of the connection is missing in the capture')
    }
  })

  it('refuses a Buffer whose line may have been cut, because less and nano write > there', () => {
    const line = (size: number) => `<Buffer ${spaced(CONNECT.slice(0, 2 * size))}`
    for (let size = 1; size < 16; size++)
      for (const end of ['>', ' >', '1>'])
        expect(read(`${line(size)}${end}`), `${size}${end}`).to.equal('refused')
    expect(read(`${line(16)}>`)).to.equal(CONNECT)
    expect(read(`${line(16)} >`)).to.equal('refused')
    // No packet begins so, so nobody knows how long it should be.
    expect(read('<Buffer 00 10 0c>')).to.equal('00100c')
  })

  it('refuses an array behind other text than its declaration, such as other calls and sentences', () => {
    const array = notations[4]!(DISCONNECT)
    for (const before of [
      'session 1 read: ',
      'This is the second half: ',
      'write(0x10);\nwrite(',
      'write("a")\nwrite(',
      'f(1); p = ',
      '{"id":1,"data":',
      '12:00 id=1 rx=',
    ])
      expect(read(`${before}${array}${before.endsWith('(') ? ')' : ''}`), before).to.equal('refused')
    for (const before of [
      'const p = ',
      'static const uint8_t p[] PROGMEM =\n',
      'std::vector<uint8_t> p',
      'val p = byteArrayOf(',
      'Dim p() As Byte = ',
    ])
      expect(
        read(
          `${before}${array.replace('[', before.endsWith('(') ? '' : '{').replace(']', before.endsWith('(') ? ')' : '}')}`,
        ),
        before,
      ).to.equal(DISCONNECT)
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
