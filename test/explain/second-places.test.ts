import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { CONNECT, DISCONNECT, notations, spaced } from './support.ts'

/** The bytes in hex, if the command line and the page can read a text in one way, or else `refused`. */
function read(text: string): string {
  const { readings = [] } = readPaste(text)
  return readings.length === 1 ? readings[0]!.bytes.toString('hex') : 'refused'
}

describe('readPaste of bytes beside other text', () => {
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

  it('notices a packet in a second place, although each of its rows is short', () => {
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
        const rows: string[] = []
        for (let at = 0; at < publish.length; at += size)
          rows.push(Array.from(publish.subarray(at, at + size), write).join(separator))
        for (const [before, after] of [
          [`\`\`\`\n${spaced(CONNECT)}\n\`\`\`\nand gets\n`, ''],
          [`char p[] = {0x${spaced(CONNECT).replaceAll(' ', ', 0x')}};\nsend(s, p, 16);\n/*\n`, '\n*/'],
        ]) {
          const text = `${before}${rows.join('\n')}${after}`
          if (read(text) !== 'refused') passed.push(text)
        }
      }
    }
    expect(passed).to.deep.equal([])
  })

  it('notices a packet in an array whose elements are larger than a byte', () => {
    const array = (hex: string) => hex.replace(/../g, '0x$&, ')
    const code = `#include <a.h>\nuint8_t connect[] = {${array(CONNECT)}};`
    expect(read(`${code}\nint pins[] = {2, 3, 4, 5};\n`)).to.equal(CONNECT)
    for (const type of ['int subscribe[] =', 'int[] subscribe =', 'short subscribe[] ='])
      expect(read(`${code}\n${type} {${array('8206000100016100')}};\n`), type).to.equal('refused')
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

  it('joins the lines of one packet', () => {
    const lines = CONNECT.match(/.{1,16}/g)!.map(spaced)
    expect(read(lines.map((line) => `I (120) mqtt: ${line}`).join('\n'))).to.equal(CONNECT)
  })

  const C = spaced(CONNECT)

  const refused: Readonly<Record<string, readonly string[]>> = {
    'cut bytes in brackets or with signs below a whole packet': [
      'App: <C0><00>\nModem: <30><08><00><03><74><6f>',
      'App: [C0][00]\nModem: [30][08][00][03][74][6F]',
      `CONNECT: ${notations[1]!(CONNECT)}\nCONNACK: $20 $02 $00`,
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
})
