import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { readText } from '../../lib/explain/read-input.ts'
import {
  bytesFromText,
  decode,
  explain,
  MqttError,
  PacketDecoder,
  PacketParser,
  property,
  v5,
} from '../../lib/index.ts'
import { hex, R5 } from '../support/reference.ts'
import { growthExponent } from './growth.ts'

/** Between linear and quadratic, with a margin for a busy machine. */
const LINEAR = 1.5

function withProperties(count: number): v5.ConnectPacket {
  const props = Array.from({ length: count }, (_, i) => property.userProperty(`key-${i}`, 'value'))
  return new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'c', props })
}

/** A packet with an error after its properties. */
function invalid({ bytes }: v5.ConnectPacket): Buffer {
  return Buffer.concat([bytes.subarray(0, -1), Buffer.of(0xff)])
}

function error(bytes: Buffer): unknown {
  try {
    return decode(bytes)
  } catch (thrown) {
    return thrown
  }
}

/** Parses all packets in these chunks. If `isIterated` is false, only after the last chunk. */
function parse(bytes: Buffer, size: number, isIterated = true): number {
  const parser = new PacketParser({ connection: false, maximumPacketSize: Number.POSITIVE_INFINITY })
  let count = 0
  for (let at = 0; at < bytes.length; at += size) {
    const packets = parser.push(bytes.subarray(at, at + size))
    if (isIterated) for (const _ of packets) count++
  }
  for (const _ of parser.push(Buffer.alloc(0))) count++
  return count
}

describe('the growth exponent', function () {
  this.timeout(60_000)

  it('can tell linear from quadratic work', () => {
    const sizes: readonly [number, number] = [2000, 16_000]
    let sink = 0
    const linear = growthExponent(
      (size) => {
        for (let i = 0; i < size * 500; i++) sink ^= i
      },
      sizes,
      LINEAR,
    )
    const quadratic = growthExponent(
      (size) => {
        for (let i = 0; i < size; i++) for (let j = 0; j < size; j += 8) sink ^= j
      },
      sizes,
      LINEAR,
    )
    expect(sink).to.be.a('number')
    expect(linear).to.be.within(0.6, LINEAR)
    expect(quadratic).to.be.within(LINEAR, 2.5)
  })

  /** Each case creates an input of some size, and processes it. */
  function isLinear<T>(
    sizes: readonly [small: number, large: number],
    input: (size: number) => T,
    works: Record<string, (input: T) => unknown>,
  ) {
    const inputs = new Map<number, T>()
    before(() => {
      for (const size of sizes) inputs.set(size, input(size))
    })
    for (const [what, work] of Object.entries(works)) {
      it(`is that of linear work for ${what}`, () => {
        expect(growthExponent((size) => work(inputs.get(size)!), sizes, LINEAR)).to.be.below(LINEAR)
      })
    }
  }

  describe('in the number of properties', () => {
    isLinear([2000, 16_000], withProperties, {
      'decoding a packet': ({ bytes }) => decode(bytes),
      'refusing a packet': (packet) => expect(error(invalid(packet))).to.be.instanceOf(MqttError),
      'reading properties': ({ props }) => props.length,
      'building a packet': (packet) => packet.with({ keepAlive: 2 }),
      'the fields': (packet) => packet.toFields(),
      'the text form': (packet) => `${packet}`,
      'the JSON form': (packet) => JSON.stringify(packet),
      'the buffer sequence': (packet) => packet.numOfConstBufferSequence,
      'explaining a packet': ({ bytes }) => `${explain(bytes)}`,
      'explaining an error': (packet) => `${explain(invalid(packet))}`,
    })
  })

  describe('in the size of one packet', () => {
    isLinear([20_000, 160_000], (size) => withProperties(size / 20).bytes, {
      'a parser that gets it byte by byte': (bytes) => expect(parse(bytes, 1)).to.equal(1),
      'a parser that gets it in two pieces': (bytes) => expect(parse(bytes, bytes.length - 1)).to.equal(1),
      'a parser that is not iterated before the end': (bytes) => expect(parse(bytes, 16, false)).to.equal(1),
      'reading its hex digits': (bytes) => bytesFromText(bytes.toString('hex')),
      'reading its base64': (bytes) => bytesFromText(bytes.toString('base64')),
      'reading lines of base64'(bytes) {
        // No packet ends at the end of a line.
        const packets = Buffer.concat([
          Buffer.from('100d00044d5154540402003c000161', 'hex'),
          Buffer.alloc(bytes.length & ~1, 'c000', 'hex'),
        ])
        expect(bytesFromText(packets.toString('base64').replace(/.{32}(?=.)/g, '$&\n'))).to.deep.equal(
          packets,
        )
      },
      'reading an array of numbers': (bytes) => bytesFromText(JSON.stringify([...bytes])),
    })
  })

  describe('in the length of a log', () => {
    const row = '12:34:56.789 -> TX: 30 0c 00 04 4d 51 54 54 04 02 00 3c 00 00\n'
    const isRead = (text: string) => expect(readText(text)).to.have.property('choices')
    const isNotRead = (text: string) => {
      readText(text)
      expect(() => bytesFromText(text)).to.throw(TypeError)
    }
    isLinear([200, 1600], (lines) => lines, {
      'reading its lines': (lines) => isRead(row.repeat(lines)),
      'reading lines of strace': (lines) =>
        isRead('write(5, "0\\f\\0\\4MQTT\\4\\2\\0<\\0\\0", 14) = 14\n'.repeat(lines)),
      'reading the strace of many connections': (lines) =>
        expect(
          readText(
            Array.from(
              { length: lines },
              (_, i) => `write(${i}, "\\20\\f\\0\\4MQTT\\4\\2\\0<\\0\\0", 14) = 14\n`,
            ).join(''),
          ),
        ).to.have.property('areConnections', true),
      'reading a block of socat': (lines) =>
        isRead(
          `> 2026/01/01 00:00:00.000000  length=${lines * 60} from=0 to=1\n${' 10\n'.repeat(lines * 60)}`,
        ),
      'a header of socat behind blanks': (lines) =>
        isNotRead(
          `${'a\n'.repeat(20 * lines)}${' '.repeat(40 * lines)}> 2024/01/01 00:00:00.000 length=2 from=0 to=1\n`,
        ),
      'blank lines in a block of Markdown': (lines) => isNotRead(`~~~\n${'\n'.repeat(30 * lines)}"a":"`),
      'the details of packets before a dump': (lines) =>
        isNotRead(`${'Frame 1: 1 bytes on wire\n'.repeat(lines * 5)}${'x'.repeat(lines * 200)}\n0000 `),
      'strings with packets in calls': (lines) =>
        isNotRead(
          `s.send(b'\\x10\\x0c\\0\\4MQTT\\4\\2\\0<\\0\\0')\n${'s.send(b"\\xc0\\x00")\n'.repeat(50 * lines)}`,
        ),
      'numbers with something between them': (lines) =>
        isRead(`tx: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00\n${'[1]=a 2, 3/4 x(5) 6\n'.repeat(5 * lines)}`),
      'escapes of bytes that seem to begin packets': (lines) =>
        isRead(`tx: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00\n${'0<7f>a '.repeat(20 * lines)}`),
      'a line of quotes that are escaped': (lines) =>
        isNotRead(`send("\\x10${'\\"\\x10'.repeat(20 * lines)}`),
      'lines with beginnings of their own': (lines) =>
        isNotRead(
          Array.from(
            { length: lines },
            (_, i) => `${'abcdefgh'[i % 8]}${'x'.repeat(i % 97)}: 10 0c 0a\n`,
          ).join(''),
        ),
      'lines without bytes': (lines) => isNotRead('I (1) wifi: state: init -> auth (b0)\n'.repeat(lines)),
      'lines with bytes that begin with a number, and lines without bytes': (lines) =>
        isRead('1700000000: tx: c0 00\n1700000000: ok\n'.repeat(5 * lines)),
      'decimal numbers that are no packet': (lines) => isRead('145 '.repeat(40 * lines)),
      'one line of signs': (lines) => isNotRead(': = > '.repeat(10 * lines)),
      'one line of dashes': (lines) => isNotRead('-'.repeat(10 * lines)),
      'one line of calls': (lines) => isNotRead('write(1<'.repeat(10 * lines)),
      'one line of headers': (lines) => isNotRead(`${'a > b: '.repeat(10 * lines)}\n 0x0000: 10\n`),
      'words of hex in one line': (lines) =>
        isNotRead(`${'x: 100c00044d5154540402003c0000 '.repeat(5 * lines)}ab12`),
      'bytes outside of a block': (lines) =>
        isNotRead(`\`\`\`\n${'deadbee0'.repeat(10 * lines)}\n\`\`\`\n${'de ad be ef\n'.repeat(10 * lines)}`),
      'assignments between carriage returns': (lines) =>
        isRead(`uint8_t packet[4] = {1, 2, 3, 4};\n${'x = y[1] + 2\r'.repeat(10 * lines)}`),
      'spaces and text up to a lone carriage return': (lines) =>
        isRead(`tx: c0 00  ; ${' '.repeat(40 * lines)}\rx\n`),
      'calls of strace up to an uncommon end of a line': (lines) =>
        isNotRead(`${' write(3, "'.repeat(10 * lines)}\u2028x`),
      // A search for `AAABAAA` in `AAAAAA` compares each of its characters with many of the text.
      'a string of a packet that resembles the text in front of it': (lines) => {
        const half = '\\x21'.repeat(5 * lines)
        const size = 4 + 10 * lines
        const bytes = [0x30, (size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, size >> 14, 0, 1, 0x61]
        const head = bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
        const connect = String.raw`\x10\x0c\x00\x04MQTT\x04\x02\x00<\x00\x00`
        isNotRead(`(${half.repeat(24)})\nsend("${connect}${head}${half}\\x22${half}")`)
      },
      'an array in code above empty lines': (lines) =>
        isRead(`x = [16, 12, 0, 4]${'\n'.repeat(40 * lines)};`),
      'an array that ends behind empty lines': (lines) => isRead(`[16 12 0 4${'\n'.repeat(40 * lines)}]`),
      'an array with a space of another kind behind spaces': (lines) =>
        isRead(`[1 2\n 3${' '.repeat(40 * lines)}\u00a04]`),
      'a list of different numbers in code': (lines) =>
        isNotRead(
          `ids = [${Array.from({ length: 10 * lines }, (_, i) => 1000 + 7 * i).join(', ')}]\nprint(ids)\n`,
        ),
      'a line of signs before an array': (lines) => isRead(`${'a='.repeat(10 * lines)}x[16,12,0]`),
      'arrays of Rust that are not read, in one line': (lines) =>
        isNotRead('let a: [u8; 4] = [A, B, C, D]; '.repeat(4 * lines)),
      'bytes of tshark that it has put together, and that resemble those of the frames': (lines) => {
        const row = (bytes: Buffer, at: number) =>
          `${at.toString(16).padStart(4, '0')}  ${bytes.toString('hex', at, at + 16).replace(/..(?!$)/g, '$& ')}`
        const dump = (bytes: Buffer) =>
          Array.from({ length: Math.ceil(bytes.length / 16) }, (_, i) => row(bytes, 16 * i)).join('\n')
        const payload = Buffer.alloc(40 * lines, 'a')
        const headers = hex(
          `${'00'.repeat(12)}0800 4500${(payload.length + 40).toString(16).padStart(4, '0')}00004000400600007f0000017f000001 c000075b00000001000000015018020000000000`,
        )
        const frame = `Frame (${payload.length + 54} bytes):\n${dump(Buffer.concat([headers, payload]))}\n\n`
        // A search that begins at its end compares most of it at each index.
        const part = Buffer.alloc(20 * lines, 'a').fill('b', 3 * lines, 3 * lines + 1)
        isNotRead(`${frame}Reassembled TCP (${part.length} bytes):\n${dump(part)}\n`)
      },
      'a long line above lines of bytes': (lines) =>
        isNotRead(`${'rx '.repeat(10 * lines)}\n${'10 0c\n'.repeat(10 * lines)}`),
      'a long name of a file above lines of bytes': (lines) =>
        isRead(`==> ${'x'.repeat(100 * lines)} <==\n${'tx: 10 0c 00 04 4d\n'.repeat(10 * lines)}`),
      'a long line with names of clients above lines of bytes': (lines) =>
        isRead(`${'client 1 127.0.0.1:1883 fd=3 '.repeat(2 * lines)}\n${'tx: c0 00\n'.repeat(5 * lines)}`),
      'a long line with a colon above lines of bytes': (lines) =>
        isRead(`${'word '.repeat(5 * lines)}:\n${'c0 00\n'.repeat(10 * lines)}`),
      'arrays of Rust in one line': (lines) =>
        isNotRead(
          Array.from({ length: 2 * lines }, (_, i) => `let a${i}: [u8; 4] = [192, 0, 192, 0];`).join(' '),
        ),
      'signs before bytes': (lines) => isNotRead(`tx ${','.repeat(20 * lines)}x: 10 0c\ntx b: 11 22\n`),
      'hex in a line of words': (lines) => isNotRead(`TX: 10 0c\nword ${'ab1'.repeat(10 * lines)}\n`),
    })
  })

  describe('in the number of packets', () => {
    const packets = (size: number) => Buffer.concat(new Array<Buffer>(size).fill(hex(R5)))
    isLinear([1000, 8000], packets, {
      'a parser that gets them at once': (bytes) => parse(bytes, bytes.length),
      'a parser that gets them in pieces': (bytes) => parse(bytes, 100),
      'a parser that is not iterated before the end': (bytes) => parse(bytes, 100, false),
      'a decoder that gets them at once'(bytes) {
        const decoder = new PacketDecoder({
          connection: false,
          readableHighWaterMark: Number.MAX_SAFE_INTEGER,
        })
        decoder.write(bytes)
        expect(decoder.readableLength).to.equal(bytes.length / hex(R5).length)
      },
    })
    isLinear([125, 1000], packets, { 'explaining them': (bytes) => `${explain(bytes)}` })
  })
})
