import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { bytesFromText } from '../../lib/explain/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { codePoint } from '../support/code-point.ts'
import { kinds } from '../support/kinds.ts'
import { hex, R3 } from '../support/reference.ts'
import { expectMisuse, thrown } from '../support/thrown.ts'
import { packetNamed, pastes, readable } from './pastes.ts'

const PREFIX = 'text: must be bytes in hex, as an array, a dump or base64, but '

/** The distance of the lengths that a text is cut to. With `ALL_RUNS=1`, each length is tried. */
const STEP = 4 / usual(4)

const HOW = 'bytes in hex, or not with their text: use hexdump -C, od -t x1 or xxd'

/** Returns the bytes, or the message of the refusal. Any other exception fails the test. */
function read(text: string): Buffer | string {
  try {
    return bytesFromText(text)
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string }
    if (name !== 'TypeError' || code !== 'ERR_INVALID_ARG_VALUE' || !message.startsWith(PREFIX)) throw error
    return message.slice(PREFIX.length)
  }
}

function expectRefused(text: string, from: string): void {
  const found = read(text)
  if (typeof found !== 'string') expect.fail(`${from}: read as ${found.toString('hex')}\n${text}`)
}

/** The dumps with offsets, split into lines. `*` stands for lines that the tool has left out. */
const dumps = readable
  .filter(({ text }) => /^\s*(?:0x)?0{4,8}:?\s/.test(text))
  .map(({ command, text, bytes }) => ({ command, bytes, lines: text.trimEnd().split('\n') }))

/** Dumps of several lines, none of them left out. */
const longDumps = dumps.filter(({ lines }) => lines.length > 2 && !lines.includes('*'))

/**
 * Writes a dump in the style of many tools, with offsets in this base, and with the text beside the bytes if `withText` is
 * true.
 */
function dumpOf(bytes: Buffer, width: number, base: number, separator: string, withText: boolean): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += width) {
    const part = bytes.subarray(at, at + width)
    const hex = part.toString('hex').replace(/..(?!$)/g, '$& ')
    const text = part.toString('latin1').replace(/[^ -~]/g, '.')
    const offset = `${at.toString(base).padStart(7, '0')}${separator}`
    lines.push(`${offset}${withText ? `${hex.padEnd(3 * width + 2)}${text}` : hex}`)
  }
  return `${lines.join('\n')}\n`
}

describe('bytesFromText', () => {
  it('has forty texts to read, of a dozen tools', () => {
    expect(readable.length).to.be.at.least(40)
    expect(longDumps.length).to.be.at.least(10)
  })

  for (const { command, text, bytes, refusal } of pastes) {
    it(`${refusal === undefined ? 'reads' : 'refuses'} the output of ${command}`, () => {
      for (const pasted of [text, text.trimEnd(), text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) {
        const found = read(pasted)
        expect(typeof found === 'string' ? found : found.toString('hex')).to.equal(
          refusal ?? bytes?.toString('hex'),
        )
      }
    })
  }

  it('finds the first bytes, or none, in a text whose end is missing', () => {
    for (const [at, { command, text, bytes }] of readable.entries()) {
      // Without bytes, the offset or address that starts a dump reads as hex.
      const first =
        /^\s*(?:0x)?(?:[\d:.]+ IP.*\n|0{4,8}|[\da-f]{10,16}(?: <\w+>)?):?\s+(?=[\da-f])/.exec(text)?.[0]
          .length ?? 0
      // Each text ends at other lengths than the one before, because each length takes as long as reading the whole text.
      for (let end = first + 1 + (at % STEP); end < text.length; end += STEP) {
        const start = text.slice(0, end)
        // Skips decimal numbers that are cut in two, such as 19 of 194. The first ones alone may also be hex.
        if (/\d$/.test(start) && /^\d/.test(text.slice(end)) && /, \d+, /.test(start)) continue
        if (/str\(b\)/.test(command) && !/, \d+, /.test(start)) continue
        // Skips `0x1`, which is a byte too, and the first letters of base64, which can be hex.
        if (/0x.$/.test(start) || (/base64/.test(command) && /^[\dA-F]*$/.test(start))) continue
        const found = read(start)
        if (typeof found === 'string') continue
        expect(
          bytes.subarray(0, found.length).equals(found),
          `${command}, ${end}: ${found.toString('hex')}`,
        ).to.equal(true)
      }
    }
  })

  it('refuses a dump whose beginning is missing', () => {
    for (const { command, lines } of longDumps) {
      const text = lines.join('\n')
      const lastLine = text.lastIndexOf('\n')
      // From four zeros on, the digits are recognised as an offset.
      const [, offset] = /^\s*(?:0x)?(0{4,8})/d.exec(text)!.indices!
      for (let start = offset![1] - 3; start < lastLine; start++) {
        expectRefused(text.slice(start), `${command} from ${start}`)
      }
    }
  })

  it('refuses a dump in which a line is missing, repeated or in the wrong place', () => {
    for (const { command, lines } of longDumps) {
      for (let i = 0; i < lines.length - 1; i++) {
        expectRefused(lines.toSpliced(i, 1).join('\n'), `${command} without line ${i}`)
        expectRefused(lines.toSpliced(i, 0, lines[i]!).join('\n'), `${command} with line ${i} twice`)
        expectRefused(
          lines.toSpliced(i, 2, lines[i + 1]!, lines[i]!).join('\n'),
          `${command} with ${i} moved`,
        )
      }
      const twice = [...lines, ...lines].join('\n')
      // These tools show frames. A repeated frame is a retransmission, so it counts once.
      if (/^(?:tshark|tcpdump)/.test(command))
        expect(bytesFromText(twice).equals(packetNamed('r3')), command).to.equal(true)
      else expectRefused(twice, `${command} twice`)
    }
  })

  it('refuses a dump with a digit of an offset changed', () => {
    for (const { command, lines } of longDumps) {
      for (const [i, line] of lines.entries()) {
        const [offset = ''] = /[\da-f]{4,8}/i.exec(line.replace('0x', '  ')) ?? []
        const at = line.indexOf(offset)
        for (let digit = at; digit < at + offset.length; digit++) {
          const changed = line[digit] === '7' ? '1' : '7'
          const other = `${line.slice(0, digit)}${changed}${line.slice(digit + 1)}`
          expectRefused(lines.toSpliced(i, 1, other).join('\n'), `${command}, line ${i}, digit ${digit}`)
        }
      }
    }
  })

  it('refuses a dump in which the text beside the bytes differs', () => {
    for (const [tool, other] of [
      ['xxd r3.bin', ['nsor', 'nsir']],
      ['hexdump -C r3.bin', ['nsor', 'nsir']],
      ['xxd r3.bin', ['6e73', '6e72']],
      ['tshark -r r3.pcap -x', ['.<..', '.,..']],
      ['od -A x -t x1z -v tricky.bin', ['de', 'ed']],
      ['tcpdump -r r3.pcap -X | grep 0x', ['..MQTT', '..MQTX']],
    ] as const) {
      const { text } = pastes.find(({ command }) => command === tool)!
      expect(text).to.include(other[0])
      expectRefused(text.replace(other[0], other[1]), tool)
    }
  })

  it('reads hex with the separators that people use', () => {
    const bytes = hex('100c00044d5154540400003c0000')
    for (const text of [
      '100c00044d5154540400003c0000',
      '100C00044D5154540400003C0000',
      '10 0c 0004 4d515454 04 00 003c 0000',
      '10 0c\n0004 4d515454\n04 00 003c\n0000',
      '10:0c:00:04:4d:51:54:54:04:00:00:3c:00:00',
      '10-0C-00-04-4D-51-54-54-04-00-00-3C-00-00',
      '0x10, 0x0c, 0x00, 0x04, 0x4d, 0x51, 0x54, 0x54, 0x04, 0x00, 0x00, 0x3c, 0x00, 0x00,',
      '0x10 0xc 0x0 0x4 0x4d 0x51 0x54 0x54 0x4 0x0 0x0 0x3c 0x0 0x0',
      '0x100c00044d5154540400003c0000',
      String.raw`\x10\x0c\x00\x04MQTT\x04\x00\x00<\x00\x00`
        .replace('MQTT', String.raw`\x4d\x51\x54\x54`)
        .replace('<', String.raw`\x3c`),
      String.raw`"\020\014\000\4MQTT\004\0\0\074\0\0"`,
      String.raw`"\x10\f\0\4MQTT\4\0\0<\0\0"`,
      '[16,12,0,4,77,81,84,84,4,0,0,60,0,0]',
      'Buffer.from([0x10, 12, 0, 4, 77, 81, 84, 84, 4, 0, 0, 60, 0, 0])',
      'packet := []byte{0x10, 12, 0, 4, 77, 81, 84, 84, 4, 0, 0, 60, 0, 0}',
      'byte[] packet = { (byte)0x10, 12, 0, 4, 77, 81, 84, 84, 4, 0, 0, 60, 0, 0 }; // CONNECT',
      'EAwABE1RVFQEAAA8AAA=',
      'EAwABE1RVFQEAAA8AAA',
    ]) {
      expect(read(text), text).to.deep.equal(bytes)
    }
  })

  it('reads any packet from any form', () => {
    const packets = fc.oneof(...kinds.map(({ fields, build }) => fields.map((given) => build(given).bytes)))
    const forms: ((bytes: Buffer) => string)[] = [
      (bytes) => bytes.toString('hex'),
      (bytes) => bytes.toString('base64'),
      (bytes) => bytes.toString('base64url'),
      (bytes) => JSON.stringify(bytes),
      (bytes) => JSON.stringify(new Uint8Array(bytes)),
      (bytes) => inspect(new Uint8Array(bytes), { maxArrayLength: null }),
      (bytes) => Array.from(new Int8Array(bytes)).join(', ').replace(/.*/, '{$&}'),
      (bytes) => bytes.toString('hex').replace(/../g, '\\x$&'),
      (bytes) =>
        `"${bytes.toString('latin1').replace(/[^ -~]|["\\]/g, (character) => `\\x${Buffer.from(character, 'latin1').toString('hex')}`)}"`,
      ...[1, 8, 16, 32].flatMap((width) =>
        ([8, 10, 16] as const).flatMap((base) => [
          (bytes: Buffer) => dumpOf(bytes, width, base, ' ', false),
          // No tool writes a colon behind seven digits that aren't hex.
          (bytes: Buffer) => dumpOf(bytes, width, base, base === 16 ? ': ' : '\t', true),
          (bytes: Buffer) => dumpOf(bytes, width, base, '  ', true),
        ]),
      ),
    ]
    fc.assert(
      fc.property(packets, fc.constantFrom(...forms), (bytes, form) => {
        const found = read(form(bytes))
        expect(typeof found === 'string' ? found : found.toString('hex')).to.equal(bytes.toString('hex'))
      }),
      { ...runs, numRuns: usual(1500) },
    )
  })

  it('refuses what could be read in two ways, and says what it looks like', () => {
    for (const [text, words] of [
      ['', 'it is empty'],
      [' \n', 'it is empty'],
      ['<Buffer >', 'it is empty'],
      ['103', 'it is hex with an odd number of digits'],
      ['1 0 0 c', 'it is hex in which a group has an odd number of digits'],
      ['- 10', 'it looks like prose'],
      ['16 12 0 4', 'it can be read in 2 ways: as hex, or as decimal numbers'],
      ['see chapters [1, 2]', 'it looks like prose'],
      ['chapter (5)', 'it looks like prose'],
      ['[1, 2] and [3, 4]', 'it has more than one array'],
      ['a = [1, 2]; b = [3, 4]', 'it has more than one array'],
      ['[16, 256]', 'it is an array with a number that is not a byte'],
      ['[16, 012]', 'it is an array with numbers that may be octal'],
      ['char packet[3] = { 16, 12 };', 'it is an array with another number of bytes than it says'],
      ['Uint8Array(3) [ 16, 12 ]', 'it is an array with another number of bytes than it says'],
      ['{"0":16,"2":12}', 'it is JSON or code, but not an array of bytes'],
      ['{"0":16,"1":256}', 'it is an array with a number that is not a byte'],
      ['{"clientId":"a"}', 'it is JSON or code, but not an array of bytes'],
      [String.raw`\x10\x0c MQTT`, 'it is a string with escapes and text: put it in quotes'],
      [String.raw`"\x10\u00e9"`, 'it is a string with an escape that is not known'],
      [String.raw`"\x10\q"`, 'it is a string with an escape that is not known'],
      [String.raw`"\x10é"`, 'it is a string with characters that are not ASCII'],
      ['"100c"', 'it is hex in quotes: remove the quotes'],
      ['10 0c 00 04\n0010 4d 51', 'it is a dump, but line 1 does not begin with an offset'],
      ['1030 0004\n0x0010: 4d51', 'it is a dump whose first lines are missing'],
      ['00000010: 6e73 6f72', 'it is a dump whose first lines are missing'],
      ['0000 10 0c\n0002 00 04\n0000 10 0c', 'it is more than one dump'],
      ['0000000 0c10 0400', 'it is a dump of words or octal numbers: use hexdump -C, od -t x1 or xxd'],
      ['0000 10 0c\n*', 'the * in line 2 of the dump does not stand for whole lines'],
      ['0000 10 0c\n*\n0007 01', 'the * in line 2 of the dump does not stand for whole lines'],
      ['0000 10 0c\n0002 00 04 05', `line 2 of the dump is not ${HOW}`],
      ['0000  10 0c   \u00e9.', `line 1 of the dump is not ${HOW}`],
      ['Password', 'it looks like prose'],
      ['MQTT', 'it looks like prose'],
      ['EACH', 'it looks like prose'],
      ['mqtts://localhost', 'it is a URL'],
      ['GET / HTTP/1.1', 'it is HTTP'],
      ['-----BEGIN CERTIFICATE-----', 'it is a PEM file: a certificate or a key'],
      ['<html>', 'it is XML or HTML'],
      ['Grüße', 'it has characters that no form of bytes has'],
    ] as const) {
      expect(read(text), text).to.equal(words)
    }
  })

  it('expands * only up to 16 MB', () => {
    expect(read(`00000000 00 00 00 00\n*\n00ffff00 01`)).to.have.lengthOf(0xffff01)
    expect(read(`00000000 00 00 00 00\n*\n7fffff00 01`)).to.equal(
      'the * in line 2 of the dump does not stand for whole lines',
    )
  })

  it('recognises a capture file that has been pasted, and names the command that reads it', () => {
    const advice =
      'a capture file. This lists the handshakes in it: npx mqtt-connect-packet explain --file FILE'
    const capture = packetNamed('pcap')
    const pcapng = hex('0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000')
    for (const bytes of [capture, pcapng]) {
      for (const encoding of ['latin1', 'utf8'] as const)
        expect(read(bytes.toString(encoding))).to.equal(`it is ${advice}`)
    }
  })

  it('gives bytes or a TypeError for any text, and repeats nothing of it', () => {
    const anyText = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefx \n:,[](){}<>\\"\'*|.-='), maxLength: 80 }),
      fc
        .tuple(fc.constantFrom(...pastes), fc.nat(), fc.nat({ max: 4 }), fc.string({ maxLength: 4 }))
        .map(([{ text }, at, cut, more]) => {
          const start = at % text.length
          return `${text.slice(0, start)}${more}${text.slice(start + cut)}`
        }),
    )
    const known = new Set(pastes.map(({ refusal = '' }) => refusal.replace(/\d+/g, 'N')))
    fc.assert(
      fc.property(anyText, (text) => {
        const found = read(text)
        if (typeof found === 'string' && !known.has(found.replace(/\d+/g, 'N')))
          expect(found).not.to.include('M4RK3R')
      }),
      { ...runs, numRuns: usual(3000) },
    )
    for (const { text } of pastes) {
      const found = read(`${text.slice(0, 20)}M4RK3R${text.slice(20)}`)
      if (typeof found === 'string') expect(found).not.to.include('M4RK3R')
    }
  })
})

describe('bytesFromText with text whose bytes seem to end early', () => {
  it('refuses a string with a quote inside it, and a list that is broken inside a number', () => {
    const cut = String.raw`"\x10\x15\x00\x04MQTT\x04\x02\x00<\x00\x09{"id":12}"`
    for (const before of ['', 'tx ', 'Sent: ']) expect(read(`${before}${cut}`), before).to.be.a('string')
    const decimal = '16 19 0 4 77 81 84 84 4 2 0 60 0 7 100 101 102 103 104 105 106'
    expect(read(decimal)).to.be.instanceOf(Buffer)
    for (const list of [decimal, decimal.replaceAll(' ', ', '), '10 13 0 4 4d 51 54 54 4 2 0 3c 0 7 64 65'])
      for (const broken of [
        list.replace(/.$/, '\n$&'),
        list.replace(/.$/, '\n    $&').replace(/^/, '    '),
        list.replace(/ (?=.{9}$)/, '\n').replace(/.$/, '\n$&'),
      ])
        expect(read(broken), list).to.match(
          /^a (?:line may end inside a number|time or a number may be in a line of its own)$/,
        )
  })

  it('reads hex in a string that ends with the end of a line, instead of the codes of its digits', () => {
    expect(read(`b'${R3.replaceAll(/\s/g, '')}\\r\\n'`)).to.deep.equal(hex(R3))
  })
})

describe('misuse of bytesFromText', () => {
  it('is anything that is not a string', () => {
    for (const wrong of [undefined, null, 5, hex(R3), ['10']]) {
      expectMisuse(() => bytesFromText(wrong as never), 'ERR_INVALID_ARG_TYPE', 'text')
    }
    expect(thrown(() => bytesFromText('')).message).to.equal(`${PREFIX}it is empty`)
  })
})
