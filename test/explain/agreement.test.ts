import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { bufferToPacketVariant, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { fieldsV3, fieldsV5, runs } from '../support/arbitraries.ts'
import { connect5, faultExamples } from '../support/faults.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { refusal } from '../support/thrown.ts'
import { expectAgreement, withByte } from './support.ts'

const anyPacket = fc.oneof(
  fieldsV3.map((fields) => new v3_1_1.ConnectPacket(fields)),
  fieldsV5.map((fields) => new v5.ConnectPacket(fields)),
)

describe('explain and bufferToPacketVariant', () => {
  it('agree on any valid packet, and each byte is explained exactly once', () => {
    fc.assert(
      fc.property(anyPacket, ({ bytes, protocolVersion }) => {
        for (const asked of [0, protocolVersion] as const) {
          expect(expectAgreement(bytes, { protocolVersion: asked }).error).to.equal(undefined)
        }
      }),
      runs,
    )
  })

  it('agree on any valid packet asked for as the other version', () => {
    fc.assert(
      fc.property(anyPacket, ({ bytes, protocolVersion }) => {
        const other = protocolVersion === 4 ? 5 : 4
        expect(expectAgreement(bytes, { protocolVersion: other }).error?.code).to.equal('protocol-level')
      }),
      runs,
    )
  })

  it('agree on packets of which any byte has been changed', () => {
    fc.assert(
      fc.property(anyPacket, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ bytes }, at, value) => {
        expectAgreement(withByte(bytes, at % bytes.length, value))
      }),
      { ...runs, numRuns: 2000 },
    )
  })

  it('agree on R3 and R5 with each byte set to each value', function () {
    this.timeout(60_000)
    for (const bytes of [hex(R3), hex(R5)]) {
      for (let at = 0; at < bytes.length; at++) {
        // All values for the head, where each has a meaning of its own; the most telling ones for the rest.
        const values =
          at < 20 ? Array.from({ length: 256 }, (_, i) => i) : [0, 1, 0x0f, 0x23, 0x7f, 0x80, 0xff]
        for (const value of values) expectAgreement(withByte(bytes, at, value))
      }
    }
  })

  it('agree on packets cut anywhere, with the Remaining Length as it was and corrected', () => {
    for (const bytes of [hex(R3), hex(R5)]) {
      const headLength = bytes[1]! < 0x80 ? 2 : 3
      for (let end = 0; end < bytes.length; end++) {
        expectAgreement(bytes.subarray(0, end))
        const rest = bytes.subarray(headLength, Math.max(end, headLength))
        const length = rest.length < 128 ? [rest.length] : [(rest.length & 0x7f) | 0x80, rest.length >> 7]
        expectAgreement(Buffer.from([0x10, ...length, ...rest]))
      }
    }
  })

  it('agree on bytes of any kind', () => {
    const first = fc.constantFrom(0x10, 0x10, 0x10, 0x30, 0x32, 0x62, 0xf0)
    const anyBytes = fc.tuple(first, fc.uint8Array({ maxLength: 40 })).map(([head, rest]) => {
      return Buffer.from([head, rest.length, ...rest])
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), anyBytes), (bytes) => {
        for (const protocolVersion of [0, 4, 5] as const) expectAgreement(bytes, { protocolVersion })
      }),
      { ...runs, numRuns: 2000 },
    )
  })

  it('agree on what allow lets pass', () => {
    for (const { code, bytes } of faultExamples) {
      const options = { allow: [code as 'client-id-empty'] }
      try {
        bufferToPacketVariant(bytes, 0, options)
      } catch (error) {
        if ((error as Error).name !== 'MqttError') continue // Not a rule that can be relaxed.
      }
      expectAgreement(bytes, options)
    }
  })

  it('agree on where a property is at fault whose identifier is in a longer form than need be', () => {
    const allow = ['variable-byte-integer-not-shortest'] as const
    for (const [name, props, offset] of [
      ['not allowed here', '9800 00000001', 13],
      ['here twice', '11 00000001 9100 00000001', 18],
    ] as const) {
      const { rows, error } = expectAgreement(connect5('02', props, '0000'), { allow })
      expect(error?.offset, name).to.equal(offset)
      expect(rows.find(({ fault }) => fault)?.offset, name).to.equal(offset)
    }
  })
})

describe('the rows of a packet with a fault', () => {
  for (const { code, version, bytes, field, offset } of faultExamples) {
    it(`${code}: cover all bytes and mark ${field} at byte ${offset} of ${version === 4 ? '3.1.1' : '5.0'}`, () => {
      const protocolVersion = bytes[0] === 0xf0 ? version : 0
      const explanation = expectAgreement(bytes, { protocolVersion })
      const error = refusal(() => bufferToPacketVariant(bytes, protocolVersion))
      expect(explanation.error?.toJSON()).to.deep.equal(error.toJSON())
      const at = explanation.rows.findIndex(({ fault }) => fault)
      const { rows } = explanation
      const faulty = rows[at]!
      expect(faulty.field).to.equal(field)
      // What is missing has no byte of its own.
      if (code !== 'packet-incomplete') {
        expect(offset).to.be.within(faulty.offset, faulty.offset + Math.max(faulty.length - 1, 0))
      }
      const behind = rows.slice(at + 1).filter((row) => row.field !== field)
      if (code === 'authentication-data-without-method') return // All properties have been read.
      if (code === 'packet-incomplete') return // It is read as far as it goes.
      if (code === 'variable-byte-integer-not-shortest' && field === 'remainingLength') return // 5.0 is known later.
      expect(behind.map((row) => row.field)).to.deep.equal(behind.length === 0 ? [] : ['notRead'])
    })
  }
})
