import { expect } from 'chai'
import {
  INCOMPLETE,
  readInteger,
  readTwoByteInteger,
  readVariableByteInteger,
  TOO_LONG,
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeInteger,
  writeTwoByteInteger,
  writeVariableByteInteger,
} from '../../lib/wire/integers.ts'
import { hex } from '../support/reference.ts'

/** Writes at index 2 of a marked buffer, so that a byte too many shows. */
function written(write: (bytes: Uint8Array, at: number, value: number) => number, value: number): string {
  const bytes = Buffer.alloc(8, 0xaa)
  const end = write(bytes, 2, value)
  expect(bytes.subarray(0, 2).toString('hex')).to.equal('aaaa')
  expect(bytes.subarray(end).every((byte) => byte === 0xaa)).to.equal(true)
  return bytes.subarray(2, end).toString('hex')
}

describe('integers of 1, 2 or 4 bytes', () => {
  it('are big-endian, and touch nothing beside them', () => {
    for (const [width, value, wire] of [
      [1, 0xfe, 'fe'],
      [2, 0xfedc, 'fedc'],
      [4, 0xfedcba98, 'fedcba98'],
    ] as const) {
      expect(written((bytes, at) => writeInteger(bytes, at, value, width), value)).to.equal(wire)
      expect(readInteger(hex(`aa${wire}aa`), 1, width)).to.equal(value)
    }
  })
})

describe('two byte integers', () => {
  it('are big-endian and unsigned', () => {
    for (const [value, wire] of [
      [0, '0000'],
      [1, '0001'],
      [0xff, '00ff'],
      [0x100, '0100'],
      [0x7fff, '7fff'],
      [0x8000, '8000'],
      [0xffff, 'ffff'],
    ] as const) {
      expect(written(writeTwoByteInteger, value)).to.equal(wire)
      expect(readTwoByteInteger(hex(`aa${wire}aa`), 1)).to.equal(value)
    }
  })

  it('read back as each of the 65,536 values', () => {
    const bytes = new Uint8Array(2)
    for (let value = 0; value <= 0xffff; value++) {
      writeTwoByteInteger(bytes, 0, value)
      if (readTwoByteInteger(bytes, 0) !== value) expect.fail(`${value}`)
    }
  })
})

const writeFourByteInteger = (bytes: Uint8Array, at: number, value: number) =>
  writeInteger(bytes, at, value, 4)

describe('four byte integers', () => {
  it('are big-endian and unsigned, 0xFFFFFFFF included', () => {
    for (const [value, wire] of [
      [0, '00000000'],
      [1, '00000001'],
      [0xff, '000000ff'],
      [0x100, '00000100'],
      [0xffff, '0000ffff'],
      [0x10000, '00010000'],
      [0xffffff, '00ffffff'],
      [0x1000000, '01000000'],
      [0x7fffffff, '7fffffff'],
      [0x80000000, '80000000'],
      [0xfffffffe, 'fffffffe'],
      [0xffffffff, 'ffffffff'],
    ] as const) {
      expect(written(writeFourByteInteger, value)).to.equal(wire)
      expect(readInteger(hex(`aa${wire}aa`), 1, 4)).to.equal(value)
    }
  })

  it('keep each single bit', () => {
    for (let bit = 0; bit < 32; bit++) {
      const bytes = new Uint8Array(4)
      writeFourByteInteger(bytes, 0, 2 ** bit)
      expect(readInteger(bytes, 0, 4)).to.equal(2 ** bit)
    }
  })
})

/** The table of MQTT 5.0 section 1.5.5, and the values next to its limits. */
const boundaries = [
  [0, '00'],
  [1, '01'],
  [127, '7f'],
  [128, '8001'],
  [129, '8101'],
  [16_383, 'ff7f'],
  [16_384, '808001'],
  [16_385, '818001'],
  [2_097_151, 'ffff7f'],
  [2_097_152, '80808001'],
  [2_097_153, '81808001'],
  [268_435_454, 'feffff7f'],
  [268_435_455, 'ffffff7f'],
] as const

describe('variable byte integers', () => {
  for (const [value, wire] of boundaries) {
    it(`write ${value} as ${wire} and read it back`, () => {
      expect(written(writeVariableByteInteger, value)).to.equal(wire)
      expect(variableByteIntegerLength(value)).to.equal(wire.length / 2)
      const bytes = hex(`80${wire}80`)
      const end = variableByteIntegerEnd(bytes, 1, bytes.length)
      expect(end).to.equal(1 + wire.length / 2)
      expect(readVariableByteInteger(bytes, 1, end)).to.equal(value)
    })

    it(`are incomplete at every prefix of ${wire}`, () => {
      const bytes = hex(wire)
      for (let end = 0; end < bytes.length; end++) {
        expect(variableByteIntegerEnd(bytes, 0, end)).to.equal(INCOMPLETE)
      }
    })
  }

  it('are too long with a fifth byte, whatever the other bits of the fourth byte are', () => {
    for (const wire of ['80808080', '8080808001', 'ffffffff', 'ffffffff7f', '80808081']) {
      const bytes = hex(wire)
      expect(variableByteIntegerEnd(bytes, 0, bytes.length)).to.equal(TOO_LONG)
    }
  })

  it('are read in longer forms too, which only the caller can judge', () => {
    for (const [wire, value] of [
      ['8000', 0],
      ['80808000', 0],
      ['8100', 1],
      ['ff808000', 127],
      ['ffff8000', 16383],
    ] as const) {
      const bytes = hex(wire)
      const end = variableByteIntegerEnd(bytes, 0, bytes.length)
      expect(end).to.equal(bytes.length)
      expect(readVariableByteInteger(bytes, 0, end)).to.equal(value)
    }
  })

  it('read back as the same value, over their whole range', () => {
    const bytes = new Uint8Array(4)
    for (let value = 0; value <= 268_435_455; value += 997) {
      const end = writeVariableByteInteger(bytes, 0, value)
      const right =
        end === variableByteIntegerLength(value) &&
        end === variableByteIntegerEnd(bytes, 0, 4) &&
        readVariableByteInteger(bytes, 0, end) === value
      if (!right) expect.fail(`${value}`)
    }
  })
})
