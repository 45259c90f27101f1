import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bytesFromText } from '../../lib/explain/index.ts'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { usual } from '../support/arbitraries.ts'
import { textsOfBeginnings } from './never-wrong-beginnings.ts'
import { textsOfCode } from './never-wrong-code.ts'
import { textsOfDamage } from './never-wrong-damage.ts'
import { damagedLogs } from './never-wrong-lines.ts'
import { type Texts, textsOfLogs } from './never-wrong-logs.ts'
import { textsWithOtherNotations } from './never-wrong-notations.ts'
import { textsWithRest } from './never-wrong-rest.ts'
import { textsOfTools } from './never-wrong-tools.ts'
import { bytesOrRefused } from './support.ts'

/**
 * One in so many damaged logs is tried. Each notation and beginning has an odd number of them, so each damage is tried with a quarter
 * of all notations and beginnings. With `ALL_RUNS=1`, all are tried.
 */
const STEP = 4 / usual(4)

/** Returns the bytes in hex, if a text can be read in one way, or else `refused`. bytesFromText reads fewer texts, but none differently. */
function read(text: string): string {
  const { readings = [] } = readPaste(text)
  const found = readings.length === 1 ? readings[0]!.bytes.toString('hex') : 'refused'
  const certain = bytesOrRefused(text)
  return certain === 'refused' ? found : certain
}

/** Texts that once gave wrong bytes, or might have. Each must give the right bytes, or be refused. */
const texts: Texts = {
  ...textsOfLogs,
  ...textsOfDamage,
  ...textsOfTools,
  ...textsOfBeginnings,
  ...textsWithRest,
  ...textsOfCode,
  'string literals next to each other': [
    [String.raw`"\x10" "\x0c"`, '100c'],
    [String.raw`"\x10""\x0c"`, '100c'],
    [String.raw`b'\x10' b'\x0c'`, '100c'],
    [`b'\\x10'\nb'\\x0c'`, '100c'],
    [`(b'\\x10'\n b'\\x0c')`, '100c'],
    [String.raw`"\x10" + "\x0c"`, '100c'],
    [`'\\x10' +\n  '\\x0c'`, '100c'],
    [String.raw`"\x10" '\x0c'`, '100c'],
    [String.raw`"\x10", "\x0c"`, 'refused'],
    [String.raw`["\x10", "\x0c"]`, 'refused'],
    [String.raw`b"""\x10\x0c"""`, 'refused'],
    [String.raw`b'''\x10'\x0c'''`, 'refused'],
    ['"\\x10\n\\x0c"', 'refused'],
    [String.raw`"\x10" x "\x0c"`, 'refused'],
    [String.raw`"\x10"\x0c"`, 'refused'],
    [String.raw`rb'\x10\x0c'`, 'refused'],
    [`\`\\x10$\{x}\``, 'refused'],
  ],
  'a packet of which a part is in another word': [
    [`send(unhexlify("100f00044d5154540402003c"))\nsend(unhexlify("0003616263"))`, 'refused'],
    [`bytes.fromhex("100f00044d5154540402003c" "0003616263")`, 'refused'],
    ['100f00044d5154540402003c|0003616263', 'refused'],
    ['payload 100f00044d5154540402003c... (17 bytes)', 'refused'],
    ['payload 100f00044d5154540402003c0003616263 (17 bytes)', '100f00044d5154540402003c0003616263'],
  ],
  'a log without one of its lines': [
    ['> 10 0e 00 04 4d 51\n> 54 54 04 02 00 3c 00 02 61 62\n> *\n> 61', 'refused'],
    ['TX: 10 0e 00 04 4d 51 54 54\nTX: ...\nTX: 04 02 00 3c 00 02 61 62', 'refused'],
    ['TX: 10:0e:00:04:4d:51:54:54\nTX: 04:02:00:3c:00:02:61:62 …', 'refused'],
    ['TX: 10:0e:00:04:4d:51:54:54\nTX: 04:02:00:3c:00:02:61:6?', 'refused'],
    ['TX: 10:0e:00:04:4d:51:54:54\nTX: 04:02:00:3c:00:02:61:62  id=0x12', 'refused'],
    ['sent: 10:1l:00:04:4d:51:54:54:04', 'refused'],
    ['sent: 10:0e:00:04:4d:51:54:54:04:*2:00:3c:00\nsent: 02:61:62', 'refused'],
    ['a: 10:0e:00:04\na: 4d:51:54:54\na: 04:02:g0:3c\na: 00:02:61:62', 'refused'],
    ['100e00044d515454\n04020?3c00026162', 'refused'],
    ['16, 14, 0, 4, 77, 81,\n84, 84, 4, 2, 0, 60, 0, l2, 97, 98', 'refused'],
    ['TX: 10 0e 00 04 4d 51\nlast message repeated 2 times\nTX: 54 54', 'refused'],
    [
      'TX: 10:0e:00:04:4d:51:54:54\nheap 23412 free\nTX: 04:02:00:3c:00:02:61:62',
      '100e00044d5154540402003c00026162',
    ],
  ],
  'a dump in one line': [
    ['000000 10 0f 00 04 4d 51 54 54 000008 04 02 00 3c 00 03 61 62 63 000011', 'refused'],
    ['0000 10 0f 00 04 4d 51 54 54 0008 04 02 00 3c 00 03 61 62 63', 'refused'],
  ],
  'escapes that mean something else': [
    [String.raw`"\400\0"`, 'refused'],
    [String.raw`"\X10"`, 'refused'],
    [String.raw`"\U00000010"`, 'refused'],
    [String.raw`"\u0080"`, 'refused'],
    [String.raw`"\N{SPACE}"`, 'refused'],
    [String.raw`\x10\x04 \x00`, 'refused'],
    [String.raw`\x10 \x0c \x00`, '100c00'],
  ],
  // NodeMCU's Lua and OCaml print decimal numbers after backslashes, C and Perl octal ones.
  'escapes that are decimal in some languages': [
    [String.raw`"\16\12\0\4MQTT\4\2\0<\0\0"`, 'refused'],
    [String.raw`local packet = "\16\12\0\4MQTT\4\2\0<\0\0"`, 'refused'],
    [String.raw`TX: "\016\012\000\004MQTT\004\002\000<\000\000"`, 'refused'],
    [String.raw`'\224\0'`, 'refused'],
    [String.raw`"\08"`, 'refused'],
    [String.raw`"\0\4\006MQ"`, '0004064d51'],
    [String.raw`"\020\f\000\004MQTT\004\002\000<\000\000"`, '100c00044d5154540402003c0000'],
    [String.raw`"\340\000"`, 'e000'],
    // Both readings are a packet: OCaml writes three digits, C and Perl as few as possible, and letters.
    [String.raw`" \t\000\000\006\"\000\n!\000\020"`, 'refused'],
    [String.raw`"0\n\000\003t/0\000\n\\\"\200"`, 'refused'],
    [String.raw`TX: "0\n\000\003t/0\000\n\\\"\200"`, 'refused'],
    [String.raw`" \t\0\0\6\"\0\n!\0\24"`, '200900000622000a210014'],
  ],
  'hex with one sign, as PostgreSQL prints it, and strings in strings': [
    [String.raw`'\x20020000'`, 'refused'],
    [String.raw`\x20020000`, 'refused'],
    [String.raw`'\xe000'`, 'refused'],
    [String.raw`"b'\\x10\\x0c\\x00\\x04MQTT'"`, 'refused'],
    [String.raw`{"log":"tx \\x10\\x0c\\x00"}`, 'refused'],
  ],
  'bytes with signs that may be decimal or octal': [
    ['[16][12][00][04][77][81][84][84][04][02][00][60][00][00]', 'refused'],
    ['<32><02><00><00>', 'refused'],
    ['[20][02][00][00]', '20020000'],
    ['<10><0C><00><04>', '100c0004'],
  ],
  'lines of a log whose bytes have signs': [
    [
      'RX: $10 $10 $00 $04 $4D $51 $54 $54 $04 $02 $00 $3C $00 $04 $31 $32\nRX: $33 $34',
      '101000044d5154540402003c000431323334',
    ],
    ['TX: <30>, <07>, <00>, <03>, <61>, <2f>, <62>\nTX: <41>, <42>', '30070003612f624142'],
    ['DEBUG <10> <13> <00> <04> <4d> <51>\nDEBUG <33> <34>\n', 'refused'],
    ['TX: <30> <07> <00> <03> <61> <2f> <62> <41>\n<42>', 'refused'],
    [
      'TX: <10> <0c> <00> <04> <4d> <51>\nTX: <54> <54> <04> <02> <00> <3c> <00> <00>',
      '100c00044d5154540402003c0000',
    ],
  ],
  'lines of a log of which some are unreadable': [
    ['TX: 0x0040; 0x0002; 0x0000\nTX: 0x0001', 'refused'],
    ['RX: 0x0010 0x0029\nRX: 0x0000 0x0004\nRX: 0x0021', 'refused'],
    ['16-41-0-4-77\n4--62-0-60', 'refused'],
    ['send(5): 0x0040 | 0x0002 | 0x0000 | 0x0001', 'refused'],
    ['TX: 0x0040:0x0002:0x0000:0x0001', 'refused'],
    ['DEBUG 0x10 0x14\n>>> 0x00 0x04\n>>> 0x4D 0x51\n', 'refused'],
    ['hex:\\x10\n>>> \\x15\n>>> \\x00\n>>> \\x04', 'refused'],
    ['12:34:56.789 \\x40 \\x02 \\x00\n03 \\x01\n', 'refused'],
    ['1700000000 10 0c 00 04 4d 51 54 54 04 02 00 3c 00\n1700000000 00\n', 'refused'],
  ],
  'lines with numbers before their bytes': [
    ['8: \\x04 \\xc2\n10: \\x00 \\x3c', 'refused'],
    ['0: $10 $0c $00 $04\n16: $01 $62', 'refused'],
    ['0: 10 23 0 4 4d\n1: 51 54 54 5 c2', 'refused'],
    ['8: 10 13 0 4 4d 51 54 54\n8: 4 2 0 3c 0 7 31 32', 'refused'],
    ['03 30 07 00\n03 03 61 2f\n03 62 41 42', 'refused'],
    ['00 10 10 00 04 4d 51 54 54 04 02 00 3c 00 04 31 32\n10 33 34', 'refused'],
  ],
  'lists that may be hex, octal, or behind a word': [
    ['[20 2 0 0]', 'refused'],
    ['[20, 14, 0, 4, 115, 121, 124, 124, 4, 2, 0, 74, 0, 0]', 'refused'],
    ['[32, 2, 0, 0]', '20020000'],
    ['60 7 0 3 141 57 142 101 102', 'refused'],
    ['0340, 02, 0201, 00', 'refused'],
    ['db 16, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0', 'refused'],
    ['db 32, 16, 18', 'refused'],
    ['  2080  1313  8448  5120    34\n', 'refused'],
    ['0010000000001000001000010000010100000000001000010000000000010100001000100000\n0000\n', 'refused'],
    // Words of which the last one is filled up with a zero.
    ['0730 0300 2f61 4162 0042', 'refused'],
    ['TX: 03000730 41622f61 00000042', 'refused'],
  ],
  'lines of a log whose bytes continue in the next line': [
    ['TX:  30 07 00 03 61 2f 62 41\n 42\n', 'refused'],
    ['TX: 102300044d51545405c2003c051100000078000673746567656500016200\n06736563726574', 'refused'],
    [`TX: (b'\\x10\\x14\\x00\\x04'\n b'MQTT'\n b'\\x04\\xc2\\x00<'\n b'\\x00\\x01a\\x00')`, 'refused'],
  ],
  'numbers with signs, in octal, or with others before them': [
    ['16, 12, -45', 'refused'],
    ['   16   12    0    4   77 -110   90 -126\n', 'refused'],
    ['016 023 000 004 077 081 084 -107 000', 'refused'],
    [' 006020 002000 050515 052124\n', 'refused'],
    ['20 14 0 4 115 121 124 124 4 2 0 0 0 0', 'refused'],
    ['20 2 0 0', 'refused'],
    ['20, 2, 0, 0', 'refused'],
    ['32, 2, 0, 0', '20020000'],
    ['RX: 32\nRX: 02\nRX: 00\nRX: 00', 'refused'],
    ['RX: 20\nRX: 02\nRX: 00\nRX: 00', '20020000'],
    ['14 10 0c 00 04 4d 51 54 54 04 02 00 00 00 00', 'refused'],
    ['0e 10 0c 00 04 4d 51 54 54 04 02 00 00 00 00', 'refused'],
    ['rc=14 10 0c 00 04 4d 51 54 54 04 02 00 00 00 00', 'refused'],
    ['14 100c00044d515454040200000000', 'refused'],
    ['00 20\n01 02\n02 00\n03 00', 'refused'],
    ['  10  0c  00  04  4d  51  54  54\n 020  \\f  \\0 004   M   Q   T   T\n  45\n   E\n', 'refused'],
    [`[b'\\x10\\x16\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x0asensor', b'-042']`, 'refused'],
  ],
  'dumps of words, whose bytes are swapped': [
    ['0000000 00c0                                   \n0000002\n', 'refused'],
    ['0000000 c000\n0000002\n', 'refused'],
    ['0000000 000000c0\n0000002\n', 'refused'],
    ['00000000:     00c0                             ..\n', 'refused'],
    ['00000000: 00c0                                     ..\n', 'refused'],
    ['00000000: 0220 0000                                 ...\n', 'refused'],
    ['00000000: 00000220                              ...\n', 'refused'],
    [' 00c0\n', 'refused'],
    [' 0220 0000\n', 'refused'],
    [' 3010 0400 514d 5454 c204 3c00 0b00 6573\n 736e\n', 'refused'],
    [' 04003010 5454514d 3c00c204 65730b00\n', 'refused'],
    ['0x04003010 0x5454514d 0x3c00c204', 'refused'],
    ['0x3010 0x0400 0x514d', 'refused'],
    // Bytes in groups, in their original order.
    ['00000000: c000                                     ..\n', 'c000'],
    ['100c 0004 4d51 5454 0402 003c 0000', '100c00044d5154540402003c0000'],
    [' 0000 100c0004 4d515454 0402003c 0000      ....MQTT...<..  ', '100c00044d5154540402003c0000'],
  ],
  'addresses before the bytes': [
    ['0x7fffffffe3d0:\t0x10\t0x0c\t0x00\t0x04', '100c0004'],
    ['0x555555558060 <packet>:\t0x10\t0x0c\n0x555555558062 <packet+2>:\t0x00\t0x04', '100c0004'],
    ['0x555555558060 <packet>:\t0x10\t0x0c\n0x555555558068 <packet+8>:\t0x00\t0x04', 'refused'],
    ['0x555555558060 <packet>:\t0x04003010\t0x5454514d', 'refused'],
    ['0x555555558060 <packet>:\t16\t48\t12', 'refused'],
    ['0x555555558060 <packet>:\t020\t060\t0', 'refused'],
    ["0x555555558060 <packet>:\t16 '\\020'\t48 '0'", 'refused'],
    ['7fffffffe3d0 10 0c 00 04', 'refused'],
    ['7fffffffe3d0: 10 0c 00 04', '100c0004'],
    ['7ffe3d00 10 0c 00 04', 'refused'],
    ['1000000000: 100c 0004 4d51  ....MQ\n1000000006: 5454  TT', '100c00044d515454'],
    ['1000000000: 100c 0004  ....', 'refused'],
    ['1000000000: 100c 0004 4d51 5454  ....MQTT\n1000000010: 04', 'refused'],
    ['0000000000 10 0c\n0000000002 00 04', '100c0004'],
    ['0000000000000000 10 0c\n0000000000000002 00 04', '100c0004'],
    ['0000000000000000 10 0c\n0000000000000003 00 04', 'refused'],
  ],
  'dumps without their second line, whose offsets would do in octal': [
    [`00000000  ${'41 '.repeat(16)} |${'A'.repeat(16)}|\n00000020  42  |B|`, 'refused'],
    [`000000 ${'41 '.repeat(16)}\n000020 42`, 'refused'],
    [`0000000 ${'41 '.repeat(15)}41\n0000020 42`, `${'41'.repeat(16)}42`],
  ],
  'arrays of more than bytes': [
    ['Int32Array(2) [ -1, 12 ]', 'refused'],
    ['int a[] = {16, 12, 0, 4};\nsend(a);', 'refused'],
    ['const a = new Uint16Array([16, 12, 0, 4])\nsend(a)', 'refused'],
    ['uint8_t a[5] = {16, 12, 0, 4};\nsend(a);', 'refused'],
    ['uint8_t a[4] = {16, 12, 0, 4};\nsend(a);', '100c0004'],
    ['unsigned char a[] = {0x10, 0x0c, 0, 4};\nunsigned int a_len = 5;', 'refused'],
    ['unsigned char a[] = {0x10, 0x0c, 0, 4};\nunsigned int a_len = 4;', '100c0004'],
    ['Uint16Array(2) [ 16, 12 ]', 'refused'],
    ['Float32Array(2) [ 16, 12 ]', 'refused'],
    ['BigInt64Array(2) [ 16, 12 ]', 'refused'],
    ['uint16_t packet[] = { 0x10, 0x0c };', 'refused'],
    ['unsigned short packet[2] = { 0x10, 0x0c };', 'refused'],
    ['static const int packet[] = { 0x10, 0x0c };', 'refused'],
    ["array('H', [16, 12])", 'refused'],
    ['packet := []uint16{0x10, 0x0c}', 'refused'],
    ['[-1, 200]', 'refused'],
    ['Int8Array(2) [ 16, -62 ]', '10c2'],
    ['Uint8ClampedArray(2) [ 16, 12 ]', '100c'],
    ["array('b', [16, -62])", '10c2'],
    ['uint8_t packet[2] = { 0x10, 0x0c };', '100c'],
    ['{"0":16,"1":4294967308}', 'refused'],
    ['{"0":16,"1":12.5}', 'refused'],
    ['{"0":16,"0":12}', 'refused'],
    ['{"1":16,"0":12}', 'refused'],
    ['{"0":16,"1":"12"}', 'refused'],
  ],
  'code without bytes': [
    ["const names: Names = { region: 'x', tags: ['a', 'b'] }", 'refused'],
    ["{'a', 'b'}", 'refused'],
    ["return packet.values('region')[0]", 'refused'],
    ["{ 'M', 0x51, '\\0' }", '4d5100'],
    ['2026-09-22 04:45:20 install libapache-pom-java:all <none> 29-2', 'refused'],
  ],
  'decimal, octal and binary digits': [
    ['0000000  16  48  77  81  84  84\n0000006\n', 'refused'],
    ['0000000  12  12  12\n0000003\n', 'refused'],
    ['0000000  16\n0000001\n', 'refused'],
    ['0000000  ff  ff  ff\n0000003\n', 'refused'],
    ['  16  48  77  81  84  84\n', 'refused'],
    [' 16  48  77  81  84  84 ', 'refused'],
    ['00010000 00001100', 'refused'],
    ['0b00010000 0b00001100', 'refused'],
    ['0b00010000', 'refused'],
    ['0001000000001100', 'refused'],
    ['0001 0000 0000 1100', 'refused'],
    ['0x10 12 0x00', 'refused'],
  ],
  'numbers before the bytes': [
    ['12:34:56 10 0c 00 04', 'refused'],
    ['2024-01-02 10 0c 00 04', 'refused'],
    ['10 30: 04 05', 'refused'],
    ['10:0c:00:04:\n4d:51:54:54', '100c00044d515454'],
  ],
}

describe('bytesFromText never gives wrong bytes', () => {
  for (const [what, rows] of Object.entries(texts)) {
    it(`of ${what}`, () => {
      const found = rows.map(([text]) => [text, read(text)])
      expect(found).to.deep.equal(rows)
    })
  }

  for (const [place, rows] of Object.entries(textsWithOtherNotations)) {
    it(`of ${place} with a packet in one of many notations`, () => {
      const wrong = rows.flatMap(([text, results]) =>
        results.includes(read(text)) ? [] : [[text, read(text)]],
      )
      expect(wrong).to.deep.equal([])
    })
  }
})

describe('bytesFromText of a log with one damaged line', () => {
  const packet = Buffer.from('101000044d5154540402003c000461626364', 'hex')

  for (const size of [1, 4, 8]) {
    it(`gives the right bytes or refuses it, with ${size} in each line`, () => {
      const wrong = [...damagedLogs(packet, size)].filter(
        ({ text, bytes }, at) => at % STEP === 0 && !['refused', bytes].includes(read(text)),
      )
      expect(wrong).to.deep.equal([])
    })
  }
})

describe('bytesFromText of long texts', function () {
  this.timeout(60_000)

  function timed(work: () => void): number {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user / 1e6
  }

  it('takes no longer for lines of spaces', () => {
    const spaces = ' '.repeat(2000 - 20)
    for (const line of [
      `0000 10${spaces}x`,
      `0000: 10${spaces}x`,
      `0000 ${spaces}`,
      `10${spaces}x`,
      spaces,
    ]) {
      const text = `${line}\n`.repeat(200)
      expect(
        timed(() => read(text)),
        JSON.stringify(line.trim()),
      ).to.be.below(0.3)
    }
    expect(timed(() => read(`'{${'1'.repeat(200_000)}`))).to.be.below(0.3)
    // An assignment without its bracket, in which each part may be spaces.
    expect(timed(() => read(`=${' '.repeat(300)}\n`.repeat(700)))).to.be.below(0.3)
    expect(timed(() => read(`${'='.repeat(20)}${' '.repeat(150)}`.repeat(1200)))).to.be.below(0.3)
    const dump = Array.from({ length: 200 }, (_, i) => `${i.toString(16).padStart(4, '0')}: 20${spaces}.`)
    expect(timed(() => expect(read(dump.join('\n'))).to.equal('20'.repeat(200)))).to.be.below(0.3)
  })

  it('reads eight megabytes of escapes, and megabytes of any form', () => {
    const size = 2_000_000
    expect(bytesFromText('\\x10'.repeat(size)).equals(Buffer.alloc(size, 0x10))).to.equal(true)
    // A quarter of that is enough to overflow the stack of code that recurses or spreads arguments.
    const some = size / 4
    expect(bytesFromText(`"${'\\x10'.repeat(some)}"`).length).to.equal(some)
    expect(bytesFromText(`<Buffer${' c0 00'.repeat(some)}>`).length).to.equal(2 * some)
    expect(bytesFromText('10 '.repeat(some)).length).to.equal(some)
    expect(bytesFromText(`[${'16,'.repeat(some)}]`).length).to.equal(some)
    expect(bytesFromText('c000'.repeat(some)).length).to.equal(2 * some)
    for (const part of [
      '"\\x10" ',
      'b"',
      '0000 10\n',
      '\\',
      "'",
      '[',
      '0x',
      '0x10:\t0x10\n',
      'a ',
      '`',
      ' ',
      '("',
      '""+',
    ]) {
      read(part.repeat(some / 4))
    }
  })
})
