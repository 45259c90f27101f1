import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { bytesFromText, explain } from '../../lib/explain/index.ts'
import { readDamaged } from '../../lib/explain/paste/damaged.ts'
import type { Problem, Reading } from '../../lib/explain/paste/paste.ts'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { runs } from '../support/arbitraries.ts'
import { hex } from '../support/reference.ts'
import { logs, wordsOf } from './logs.ts'
import { pastes, readable } from './pastes.ts'
import { bytesOrRefused } from './support.ts'

/** The bytes of the only reading, in hex. */
function read(text: string): string | undefined {
  const { readings = [] } = readPaste(text)
  return readings.length === 1 ? readings[0]!.bytes.toString('hex') : undefined
}

describe('readPaste', () => {
  it('has forty texts to read, from a dozen kinds of log', () => {
    expect(logs.filter(({ found }) => !found[0]?.startsWith('refused')).length).to.be.at.least(40)
  })

  for (const { title, found, text } of logs) {
    it(`finds the bytes in ${title}`, () => {
      expect(wordsOf(readPaste(text), text)).to.deep.equal(found)
      // Positions count the pasted characters, a byte order mark and CRs included.
      const { position } = { position: undefined, ...readPaste(text) }
      const lines = text.slice(0, position).split('\n').length - 1
      const windows = `\uFEFF${text.replaceAll('\n', '\r\n')}`
      const other = readPaste(windows)
      expect({ position: undefined, ...other }.position).to.equal(
        position === undefined ? undefined : position + lines + 1,
      )
      const [words = '', ...more] = wordsOf(other, windows)
      const expected = words.replace(/ at \d+:/, ` at ${position}:`)
      expect([expected, ...more]).to.deep.equal(found)
    })
  }

  it('reads more texts than bytesFromText does, but none in another way', () => {
    const certain: string[] = []
    for (const { title, text } of [...logs, ...pastes.map((paste) => ({ ...paste, title: paste.command }))]) {
      const { readings = [] } = readPaste(text)
      const bytes = bytesOrRefused(text)
      if (bytes === 'refused') continue
      certain.push(title)
      expect(readings.map((reading) => reading.bytes.toString('hex'))).to.deep.equal([bytes])
    }
    expect(certain.filter((title) => logs.some((log) => log.title === title))).to.deep.equal([
      "an array of C with 'M'",
      'Go: fmt.Println([]byte)',
      'decimal numbers up to 255',
      'hex without leading zeros',
      'Erlang',
      'Rust: {:02x?}',
      'PowerShell 7: Format-Hex',
      'PowerShell 5: Format-Hex',
      'radare2: px',
      'HxD',
      'percent-encoded',
      'bytes in brackets',
      'bytes with the sign of Pascal',
      'Follow Stream of tshark, with letters in an offset',
      'tcpdump -X of a client that sends a SUBSCRIBE before its CONNECT',
    ])
    expect(certain).to.include.members(readable.map(({ command }) => command))
  })

  it('reads the bytes in a report of the page, but not the explanation without them', () => {
    const bytes = hex('100e00044d5154540402003c00026161')
    const explanation = `${explain(bytes, { secrets: true })}`
    expect(readPaste(explanation).problem).to.match(/^it is the explanation of a packet/)
    const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\`\n`
    const report = `**This is a valid CONNECT.**\n\n${fenced(bytes.toString('hex'))}\n<details>\n\n${fenced(explanation)}`
    expect(readPaste(report).readings?.map((reading) => reading.bytes)).to.deep.equal([bytes])
  })

  it('expands * only up to 16 MB in all blocks of Markdown, or a little more', () => {
    const dump = '```\n00000000 00 00\n*\n00ffff00 01\n```\n'
    const { external } = process.memoryUsage()
    expect(readPaste(dump.repeat(40)).problem).to.equal('its blocks have more than 16 MB')
    // Without a limit for all blocks this would take a gigabyte.
    expect(process.memoryUsage().external - external).to.be.below(300_000_000)
    expect(readPaste(dump.repeat(2)).readings).to.have.length(2)
  })

  it('counts the colors of a terminal in positions', () => {
    const text = '\uFEFF\u001b[32m10 0c 00 \u001b[01;31m\u001b[K04 4d\u001b[m 5x 54 54\u001b[0m'
    expect(readPaste(text)).to.include({ position: text.indexOf('x'), isDigit: true })
  })

  it('keeps the order in which two sides have sent', () => {
    const { parts = [] } = {
      parts: undefined,
      ...readPaste('TX: 10 0c 00 04\nRX: 20 02\nRX: 00 05\nTX: e0 00'),
    }
    expect(parts.map(({ direction, bytes }) => [direction, bytes.toString('hex')])).to.deep.equal([
      ['sent', '100c0004'],
      ['received', '20020005'],
      ['sent', 'e000'],
    ])
  })

  it('knows from a trace without close that a file number stands for another connection', () => {
    const connect = String.raw`sendto(3, "\20\f\0\4MQTT\4\2\0<\0\0", 14, 0, NULL, 0) = 14`
    for (const between of [
      'socket(AF_INET, SOCK_STREAM, 0) = 3',
      'connect(3, {sa_family=AF_INET}, 16) = 0',
    ]) {
      const { readings = [] } = readPaste([connect, between, connect].join('\n'))
      expect(readings.map(({ bytes }) => bytes.toString('hex'))).to.deep.equal(
        Array(2).fill('100c00044d5154540402003c0000'),
      )
    }
  })

  /** A segment as `tcpdump -X` prints it, by the client unless `acknowledged` has the number of the byte that the server expects next. */
  const segment = (sequence: number, flags: number, data = '', acknowledged?: number): string => {
    const word = (value: number, digits = 8): string => value.toString(16).padStart(digits, '0')
    const [client, server, isServer] = ['0a000002', '0a000001', acknowledged !== undefined]
    const addresses = isServer ? `${server}${client}075bc000` : `${client}${server}c000075b`
    const header = `4500${word(40 + data.length / 2, 4)}0001000040060000${addresses}`
    const tcp = `${word(sequence)}${word(acknowledged ?? 0)}50${word(flags | (isServer ? ACK : 0), 2)}ffff00000000`
    const rows = `${header}${tcp}${data}`.match(/.{1,32}/g)!.map((row, i) => {
      return `\t0x${word(16 * i, 4)}:  ${row.match(/.{1,4}/g)!.join(' ')}`
    })
    const [from, to] = isServer ? ['1.1883', '2.49152'] : ['2.49152', '1.1883']
    return [`IP 10.0.0.${from} > 10.0.0.${to}: length ${data.length / 2}`, ...rows].join('\n')
  }
  const [FIN, SYN, RST, PSH, ACK] = [0x01, 0x02, 0x04, 0x08, 0x10]

  it('takes no new connection between the same ports for repetitions of the old one', () => {
    const first = segment(0x2000, PSH, 'c000')
    const again = [segment(0x0fff, SYN), segment(0x1000, PSH, 'e000')]
    const { readings = [] } = readPaste([first, ...again].join('\n'))
    expect(readings.map(({ bytes }) => bytes.toString('hex'))).to.deep.equal(['c000', 'e000'])
    expect(readPaste([first, again[1]].join('\n'))).to.include({
      problem: 'a packet of the connection is missing, or comes later',
    })
    const repeated = readPaste([first, segment(0x2002, PSH, 'e000'), first].join('\n')).readings
    expect(repeated?.map(({ bytes }) => bytes.toString('hex'))).to.deep.equal(['c000e000'])
  })

  it('reads frames of Ethernet, Linux cooked captures and loopback, as tshark -x prints them', () => {
    const packets = [segment(0x1000, PSH, '100c00044d5154540402003c0000'), segment(0x100e, PSH, 'c000')].map(
      (text) => (text.match(/(?<=0x\w{4}: ).*/g) ?? []).map((row) => row.replaceAll(' ', '')).join(''),
    )
    for (const header of [
      '00000304000600000000000000000800',
      '0800000000000001030400060000000000000000',
      '02000000',
      '0000001e',
      // An address of Ethernet that begins like loopback.
      '0200000000020200000000010800',
    ]) {
      const dumps = packets.map((packet) =>
        (`${header}${packet}`.match(/.{1,32}/g) ?? [])
          .map((row, i) => `00${i}0  ${row.replace(/..(?!$)/g, '$& ')}`)
          .join('\n'),
      )
      expect(bytesOrRefused(dumps.join('\n\n')), header).to.equal('100c00044d5154540402003c0000c000')
    }
  })

  it('has only one connection of tcpdump in its reading, which bytesFromText therefore refuses', () => {
    const connect = segment(0x1000, PSH, '100e00044d5154540402003c00026161')
    const other = segment(0x2000, PSH, '30ff0100').replace('49152', '49153').replace('c000 075b', 'c001 075b')
    expect(bytesFromText(connect).length).to.equal(16)
    const text = `${other}\n${connect}`
    expect(readPaste(text).readings).to.have.length(1)
    const second = segment(0x3000, PSH, '100e00044d5154540402003c00026262').replaceAll('49152', '49153')
    // The names of the readings have addresses, which a message must not quote.
    const both = `${connect}\n${second.replace('c000 075b', 'c001 075b')}`
    expect(() => bytesFromText(both)).to.throw(TypeError, /it has more than one connection$/)
    expect(() => bytesFromText(text)).to.throw(TypeError, 'it has other text beside the bytes')
    for (const before of [
      'reading from file a.pcap, link-type EN10MB (Ethernet), snapshot length 262144\n',
      '2026-11-23 ',
    ])
      expect(bytesFromText(`${before}${connect}\n1 packet captured\n`).length, before).to.equal(16)
    // With -q, a line has no length, so that it may be of another packet, whose dump was cut off.
    expect(bytesOrRefused(`${connect}\nIP 10.0.0.2.49152 > 10.0.0.1.1883: tcp 2\n`)).to.equal('refused')
    // A terminal shows the key that ends tcpdump.
    expect(bytesFromText(`${connect}\n^C\n1 packet captured\n`).length).to.equal(16)
    for (const before of ['This is the client:\n', 'client: '])
      expect(() => bytesFromText(`${before}${connect}`)).to.throw(TypeError, 'it has other text')
    // Beside the header of a packet.
    const noted = connect.replace('length 16', 'length 16 # answer: 20 02 00 00')
    expect(() => bytesFromText(noted)).to.throw(TypeError, 'its other lines have packets, too')
  })

  it('notices each lost packet of a connection of tcpdump, even the first one and the last one', () => {
    const start = [segment(0xffff_ffff, SYN), segment(0x5000, SYN, '', 0)]
    const data = [
      segment(0, PSH, 'c000'),
      segment(0x5001, PSH, 'd000', 2),
      segment(2, PSH, 'c000'),
      segment(0x5003, PSH, 'd000', 4),
      segment(4, PSH, 'e000'),
    ]
    const ends: Readonly<Record<string, readonly string[]>> = {
      'acknowledgement of the end': [segment(6, FIN), segment(0x5005, FIN, '', 7)],
      'end of one side': [segment(6, FIN), segment(0x5005, 0, '', 7)],
      'reset with a number of its own': [segment(0x5005, 0, '', 6), segment(0x1234_5678, RST)],
    }
    for (const [end, last] of Object.entries(ends)) {
      const { readings = [] } = readPaste([...start, ...data, ...last].join('\n'))
      expect(
        readings.map(({ bytes }) => bytes.toString('hex')),
        end,
      ).to.deep.equal(['c000c000e000', 'd000d000'])
      for (const lost of data.keys()) {
        const left = data.filter((_, i) => i !== lost)
        // If the server's last packet is lost, only its own later packets show that.
        if (lost === 3 && end.startsWith('reset')) continue
        expect(readPaste([...start, ...left, ...last].join('\n')), `${end}, without ${lost}`).to.include({
          problem: 'a packet of the connection is missing, or comes later',
        })
      }
    }
  })

  it('leaves colors without their control character in strings, because there they are bytes', () => {
    const text = '\\x10\\x13\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x07cpu[5m]'
    const bytes = '101300044d5154540402003c00076370755b356d5d'
    for (const line of [`b'${text}'`, `DEBUG:mqtt:sent b'${text}'`, `[32mDEBUG[0m tx: "${text}"[0m`]) {
      expect(read(line), line).to.equal(bytes)
    }
    const dump = 'tx: 10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00 [0m'
    expect(read(`[0;32m${dump}`)).to.equal('100c00044d5154540402003c0000')
  })

  it('leaves out no byte of a line in which one character is changed', () => {
    const bytes = hex('100c00044d5154540402003c0000')
    const pairs = bytes.toString('hex').match(/../g)!
    const lines = [pairs.slice(0, 5), pairs.slice(5, 10), pairs.slice(10)].map((some) => some.join(' '))
    for (const before of ['', 'TX: ', '12:34:56.789 -> ', 'I (1234) mqtt: ']) {
      const text = lines.map((line) => `${before}${line}`).join('\n')
      expect(read(text), before).to.equal(bytes.toString('hex'))
      const first = text.indexOf('10 0c')
      for (const other of ['g', 'O', 'l', '?', '']) {
        for (let at = first; at < text.length; at++) {
          if (!/[\da-f]/.test(text[at]!)) continue
          // Leaves the starts of lines unchanged.
          const line = text.slice(0, at).lastIndexOf('\n') + 1
          if (at < line + before.length) continue
          const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`
          const paste = readPaste(changed)
          expect(paste.readings, changed).to.equal(undefined)
        }
      }
    }
  })

  it('has the position of a wrong digit in a dump', () => {
    for (const [text, wrong] of [
      ['00000000: 1030 0004  .0..\n00000004: 4dg1 5454  MQTT\n', 'g'],
      ['0000  10 30 00 04\n0004  4d 5l 54 54\n', 'l'],
    ] as const) {
      const paste = readPaste(text)
      expect(paste, text).to.include({ position: text.indexOf(wrong) })
      const { readings = [] } = readDamaged(text, paste as Problem) ?? {}
      expect(readings[0]!.bytes.toString('hex')).to.match(/^103000044d(?:51)?$/)
      expect(readings[0]!.rest![0]).to.equal('??')
    }
    // The text column contradicts the bytes, but that says nothing about the position of the mistake.
    expect(readPaste('00000000: 1030 0004  .0.x\n')).not.to.have.property('position')
  })

  it('has the bytes after wrong characters in each form, unless a digit would decide what they are', () => {
    const connect = '10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00'
    for (const [text, ...expected] of [
      ['0000  10 0c 00 04 4d 51 5g 54 04 02   ....MQTT..', '100c00044d51 ?? 54 04 02'],
      ['10:0c:00:04:4d:5g:54:54', '100c00044d ?? 54 54'],
      ['<Buffer 10 0c 0O 04 4d>', '100c ?? 04 4d'],
      ['{ 0x10, 0x0c, 0x00, 0xl4, 0x4d }', '100c00 ?? 4d'],
      ['10 0c 0O 04 4d 51 54 54 04 02 O0 3c', '100c ?? 04 4d 51 54 54 04 02 ?? 3c'],
      [`TX: ${connect}\nRX: 20 02 0g 05`, connect.replaceAll(' ', ''), '2002 ?? 05'],
      // It may be two bytes, or none.
      ['10 0c 00 04 4d 51 5gg 54', '100c00044d51 ??'],
      // With most digits it's decimal, with others it's hex.
      ['16, 12, 0, 4, 77, 81, 8O, 84, 4, 2, 0, 60, 0, 0'],
      ['16 145 1 0 4 77 81 84 84 5 2O8 0', '10910100044d51545405 ?? 00'],
      ['[16,12,0,4,77,81,84,84,4,2,o,60,0,0]', '100c00044d5154540402 ?? 3c 00 00'],
      // What is known must begin like a packet, and be the same before and after the repair. An offset isn't a byte.
      ['[16, 14, 0g 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 2, 97, 97]'],
      ['16\n14\n0\n4\n7781\n84\n84\n4'],
      ['[10, 31, 0g 4, 4d, 51, 54, 54]'],
      ['000000 l10 0e 00 04 4d 51 54 54 04 02 00 3c 00 02 61 61'],
      // 19 isn't a byte of its own.
      ['[16, 72, 0, 4, 77, 81, 84, 84, 5, 198z 0, 60, 21]', '104800044d51545405 ??'],
    ]) {
      const { readings = [] } = readDamaged(text!, readPaste(text!) as Problem) ?? {}
      const found = readings.map(({ bytes, rest = [] }) => [bytes.toString('hex'), ...rest].join(' '))
      expect(found, text).to.deep.equal(expected)
    }
  })

  it('takes time in proportion to the text before a wrong character', () => {
    for (const part of ['<', ' ', '10', '1,', '\n']) {
      const text = `${part.repeat(80_000)}>,`
      const before = process.cpuUsage()
      readDamaged(text, { problem: '', position: text.length, isDigit: true })
      // With quadratic work this would take seconds.
      expect(process.cpuUsage(before).user / 1e6, JSON.stringify(part)).to.be.below(1)
    }
  })

  it('has a position for a wrong character, and the bytes before it', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 60 }),
        fc.nat(),
        fc.constantFrom('g', 'O', 'x', '?', 'ß'),
        (bytes, where, wrong) => {
          const at = 2 + (where % (bytes.length - 4))
          const pairs = Buffer.from(bytes).toString('hex').match(/../g)!
          const text = pairs.toSpliced(at, 1, `${pairs[at]![0]}${wrong}`).join(' ')
          const paste = readPaste(text)
          expect(paste, text).to.include({ position: 3 * at + 1 })
          const { readings = [] } = readDamaged(text, paste as Problem) ?? {}
          // Where a digit decides how the bytes are read, nothing is certain.
          fc.pre(readings.length > 0)
          const [{ bytes: before, rest }] = readings as [Reading]
          expect(before.toString('hex'), text).to.equal(pairs.slice(0, at).join(''))
          if (rest!.length > 1) expect(rest, text).to.deep.equal(['??', ...pairs.slice(at + 1)])
        },
      ),
      runs,
    )
  })
})
