import { Buffer, isUtf8 } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { firstInvalidByte, utf8Length, writeUtf8 } from '../../lib/wire/utf8.ts'
import { runs, usual, utf8String } from '../support/arbitraries.ts'
import { codePoint } from '../support/code-point.ts'
import { hex } from '../support/reference.ts'

/** True if MQTT allows the bytes, by an independent implementation: well-formed UTF-8 without U+0000. */
function isAllowed(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** Doesn't use chai, which would take minutes for millions of sequences. */
function compare(bytes: Uint8Array): void {
  const accepted = firstInvalidByte(bytes, 0, bytes.length) === -1
  if (accepted !== isAllowed(bytes)) {
    expect.fail(`${Buffer.from(bytes).toString('hex')} is ${accepted ? 'accepted' : 'refused'}`)
  }
}

/** The limits of the ranges in Unicode's table 3-7, and the values next to them. */
const edges = [0, 1, 0x2b, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0]
const higher = [0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfe, 0xff]
const allEdges = [...edges, ...higher]
const lastBytes = [0, 0x61, 0x7f, 0x80, 0xbf, 0xc0, 0xff]

describe('firstInvalidByte agrees with isUtf8 of Node and the rule against U+0000', () => {
  it('on no bytes at all', () => {
    expect(firstInvalidByte(new Uint8Array(0), 0, 0)).to.equal(-1)
  })

  it('on every sequence of one byte', () => {
    for (let a = 0; a < 256; a++) compare(new Uint8Array([a]))
  })

  it('on every sequence of two bytes', () => {
    for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) compare(new Uint8Array([a, b]))
  })

  it('on every sequence of three bytes that begins a multi-byte character, its last byte at edges', () => {
    for (let a = 0xc0; a < 256; a++) {
      for (let b = 0; b < 256; b++) for (const c of lastBytes) compare(new Uint8Array([a, b, c]))
    }
  }).timeout(60_000)

  it('on every sequence of three bytes at the edges', () => {
    for (const a of allEdges)
      for (const b of allEdges) for (const c of allEdges) compare(new Uint8Array([a, b, c]))
  })

  it('on sequences of four bytes that begin like a four byte character', () => {
    for (let a = 0xe0; a < 256; a++) {
      for (let b = 0x7f; b < 0xc1; b++) {
        for (const c of lastBytes) {
          for (const d of lastBytes) compare(new Uint8Array([a, b, c, d]))
        }
      }
    }
  }).timeout(60_000)

  it('on every code point but the surrogates', () => {
    for (let point = 0; point <= 0x10ffff; point += point < 0x3000 ? 1 : 7) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const bytes = Buffer.from(String.fromCodePoint(point))
      if ((firstInvalidByte(bytes, 0, bytes.length) === -1) !== (point !== 0))
        expect.fail(`U+${point.toString(16)}`)
    }
  }).timeout(60_000)

  it('on any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...allEdges))), (bytes) =>
        compare(new Uint8Array(bytes)),
      ),
      { ...runs, numRuns: usual(3000) },
    )
  })
})

describe('firstInvalidByte', () => {
  for (const [what, bytes] of [
    ['an overlong form of two bytes', 'c080'],
    ['an overlong form of two bytes', 'c1bf'],
    ['an overlong form of three bytes', 'e08080'],
    ['an overlong form of three bytes', 'e09fbf'],
    ['an overlong form of four bytes', 'f08fbfbf'],
    ['the first surrogate half', 'eda080'],
    ['the last surrogate half', 'edbfbf'],
    ['a surrogate pair of halves', 'eda0bdedb880'],
    ['a value above U+10FFFF', 'f4908080'],
    ['a value far above U+10FFFF', 'f5808080'],
    ['a form of five bytes', 'f888808080'],
    ['a lone continuation byte', '80'],
    ['FE', 'fe'],
    ['FF', 'ff'],
    ['a character cut after one byte of two', 'c3'],
    ['a character cut after two bytes of three', 'e282'],
    ['a character cut after three bytes of four', 'f09f98'],
    ['U+0000', '00'],
  ] as const) {
    it(`gives the first byte of ${what}, ${bytes}, wherever it is`, () => {
      for (const before of ['', '61', '6162636465666768', 'c3a9', 'e282ac', 'f09f9880', '61c3a9']) {
        const all = hex(before + bytes)
        expect(firstInvalidByte(all, 0, all.length)).to.equal(before.length / 2)
        expect(firstInvalidByte(hex(`${before}${bytes}61`), 0, all.length + 1)).to.equal(before.length / 2)
      }
    })
  }

  for (const [what, bytes] of [
    ['U+0001', '01'],
    ['U+007F', '7f'],
    ['U+0080', 'c280'],
    ['U+07FF', 'dfbf'],
    ['U+0800', 'e0a080'],
    ['U+D7FF, before the surrogates', 'ed9fbf'],
    ['U+E000, after the surrogates', 'ee8080'],
    ['U+FDD0, a non-character', 'efb790'],
    ['U+FEFF', 'efbbbf'],
    ['U+FFFF, a non-character', 'efbfbf'],
    ['U+10000', 'f0908080'],
    ['U+10FFFF', 'f48fbfbf'],
  ] as const) {
    it(`accepts ${what}`, () => expect(firstInvalidByte(hex(bytes), 0, bytes.length / 2)).to.equal(-1))
  }

  it('looks only between start and end', () => {
    const bytes = hex('00 ff 61 c3 a9 ff 00')
    expect(firstInvalidByte(bytes, 2, 5)).to.equal(-1)
    expect(firstInvalidByte(bytes, 2, 4)).to.equal(3)
    expect(firstInvalidByte(bytes, 1, 5)).to.equal(1)
    expect(firstInvalidByte(bytes, 2, 7)).to.equal(5)
  })
})

describe('writeUtf8', () => {
  it('writes any well-formed string as Buffer.from does, and no byte more', () => {
    fc.assert(
      fc.property(fc.oneof(utf8String, fc.string({ unit: codePoint })), fc.nat({ max: 5 }), (text, start) => {
        const expected = Buffer.from(text)
        const bytes = Buffer.alloc(start + expected.length + 3, 0xaa)
        expect(writeUtf8(bytes, start, text)).to.equal(start + expected.length)
        expect(utf8Length(text)).to.equal(expected.length)
        expect(bytes.subarray(start, start + expected.length)).to.deep.equal(expected)
        expect(bytes.subarray(0, start).every((byte) => byte === 0xaa)).to.equal(true)
        expect(bytes.subarray(-3).toString('hex')).to.equal('aaaaaa')
      }),
      { ...runs, numRuns: usual(2000) },
    )
  })

  it('writes every code point as Buffer.from does, after ASCII and after another character', () => {
    const bytes = Buffer.alloc(16)
    for (let point = 0; point <= 0x10ffff; point += point < 0x3000 ? 1 : 11) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      for (const before of ['', 'a', 'é']) {
        const text = before + String.fromCodePoint(point)
        const end = writeUtf8(bytes, 0, text)
        if (!bytes.subarray(0, end).equals(Buffer.from(text))) expect.fail(`U+${point.toString(16)}`)
      }
    }
  }).timeout(60_000)

  it('writes a lone surrogate as its three bytes, which the check then refuses there', () => {
    for (const [text, wire, invalid] of [
      ['\ud800', 'eda080', 0],
      ['\udfff', 'edbfbf', 0],
      ['a\ud83d', '61eda0bd', 1],
      ['\ude00\ud83d', 'edb880eda0bd', 0],
      ['é\ud83dx', 'c3a9eda0bd78', 2],
      ['😀\ud83d😀', 'f09f9880eda0bdf09f9880', 4],
    ] as const) {
      const bytes = Buffer.alloc(utf8Length(text))
      expect(writeUtf8(bytes, 0, text)).to.equal(bytes.length)
      expect(bytes.toString('hex')).to.equal(wire)
      expect(firstInvalidByte(bytes, 0, bytes.length)).to.equal(invalid)
    }
  })
})
