import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { explain } from '../../lib/explain/index.ts'
import { decode, type RelaxableCode } from '../../lib/packets/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { connect5, faultExamples } from '../support/faults.ts'
import { allKinds } from '../support/kinds.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { thrown } from '../support/thrown.ts'
import { expectAgreement, withByte } from './support.ts'

const allow: readonly RelaxableCode[] = ['protocol-mqtt-3-1', 'protocol-bridge-level']
const many = { ...runs, numRuns: usual(150) }

/** The parts of the rows that don't depend on whether the packet is complete: no values, and no error mark. */
function shape(rows: ReturnType<typeof explain>['rows']): unknown[] {
  return rows.map(({ offset, length, field, part, hex }) => [offset, length, field, part, hex])
}

for (const { name, version, isConnect, fields, build } of allKinds) {
  const protocolVersion = version
  const packets = fields.map((given) => build(given))

  describe(`explain and decode agree on any ${name}`, () => {
    it('that is valid, read in its version, in none or in a different one', () => {
      fc.assert(
        fc.property(packets, ({ bytes }) => {
          const asked = expectAgreement(bytes, { protocolVersion, allow })
          expect(asked.packet, `${asked}`).to.have.property('toFields')
          expectAgreement(bytes, { allow })
          for (const other of [3, 4, 5] as const) expectAgreement(bytes, { protocolVersion: other })
        }),
        many,
      )
    })

    it('with any byte changed', () => {
      fc.assert(
        fc.property(packets, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ bytes }, at, value) => {
          const changed = withByte(bytes, at % bytes.length, value)
          expectAgreement(changed, { protocolVersion })
          expectAgreement(changed)
        }),
        { ...runs, numRuns: usual(400) },
      )
    })

    it('cut anywhere: it is explained as far as it goes', () => {
      fc.assert(
        fc.property(packets, ({ bytes }) => {
          const options = { protocolVersion, allow, secrets: true }
          const whole = shape(explain(bytes, options).rows)
          for (let end = 1; end < bytes.length; end += 1 + (bytes.length >> 5)) {
            const { rows, error } = expectAgreement(bytes.subarray(0, end), options)
            expect(error?.code).to.equal('packet-incomplete')
            const there = whole.filter((row) => {
              const [offset, length] = row as [number, number]
              return length > 0 && offset + length <= end
            })
            const found = shape(rows.filter(({ length }) => length > 0))
            expect(found.slice(0, there.length)).to.deep.equal(there)
            // The last bytes belong to one incomplete field.
            expect(found.slice(there.length)).to.have.length.at.most(1)
          }
        }),
        { ...runs, numRuns: usual(25) },
      )
    })

    it('cut anywhere, with a Remaining Length that fits', () => {
      fc.assert(
        fc.property(packets, ({ bytes }) => {
          const start = bytes.findIndex((byte, i) => i > 0 && byte < 0x80) + 1
          const body = bytes.subarray(start)
          for (let end = 0; end < Math.min(body.length, 127); end += 3) {
            const cut = Buffer.concat([bytes.subarray(0, 1), Buffer.from([end]), body.subarray(0, end)])
            expectAgreement(cut, { protocolVersion, allow })
          }
        }),
        { ...runs, numRuns: usual(25) },
      )
    })

    it('followed by others: each is explained as it is alone', () => {
      const others = fc.array(fc.constantFrom('c000', '3003000161', '62020001'), { minLength: 1 })
      fc.assert(
        fc.property(packets, others, ({ bytes }, next) => {
          const all = Buffer.concat([bytes, hex(next.join(''))])
          const options = { protocolVersion, allow, secrets: true }
          const { packets: found } = expectAgreement(all, options)
          const alone = [bytes, ...next.map(hex)].map((one) => explain(one, options))
          expect(found.map((one) => shape(one.rows.map((row) => ({ ...row, offset: 0 }))))).to.deep.equal(
            alone.map((one) => shape(one.rows.map((row) => ({ ...row, offset: 0 })))),
          )
        }),
        { ...runs, numRuns: usual(50) },
      )
    })

    if (isConnect) return
    it('without the version: it is read in each version that fits', () => {
      fc.assert(
        fc.property(packets, ({ bytes }) => {
          const { readings = [] } = expectAgreement(bytes, { allow })
          expect(
            readings.map(({ packet }) => (packet as { protocolVersion?: number }).protocolVersion),
          ).to.include(protocolVersion)
        }),
        { ...runs, numRuns: usual(20) },
      )
    })
  })
}

describe('explain and decode agree', () => {
  it('on R3 and R5 with each byte set to each value that may mean something', () => {
    for (const bytes of [hex(R3), hex(R5)]) {
      for (let at = 0; at < bytes.length; at++) {
        const was = bytes[at]!
        const special = [0, 1, 0x0f, 0x23, 0x7f, 0x80, 0xff, was - 1, was + 1]
        // In the header each value has a meaning. A byte gets a quarter of them, and the next byte others, or all with `ALL_RUNS=1`.
        const others = Array.from({ length: usual(256) }, (_, i) => i * (256 / usual(256)) + at)
        const values = at < 14 ? [...special, ...others] : special
        for (const value of values) expectAgreement(withByte(bytes, at, value & 0xff))
      }
    }
  })

  it('on bytes of any kind, with any options', () => {
    const first = fc.constantFrom(0x10, 0x10, 0x10, 0x20, 0x30, 0x32, 0x62, 0xf0)
    const framed = fc.tuple(first, fc.uint8Array({ maxLength: 40 })).map(([head, rest]) => {
      return Buffer.from([head, rest.length, ...rest])
    })
    const options = fc.record({
      protocolVersion: fc.constantFrom(0, 3, 4, 5),
      allow: fc.subarray([...allow, 'bytes-left-over', 'variable-byte-integer-not-shortest']),
      secrets: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), framed), options, (bytes, given) => {
        const explanation = expectAgreement(bytes, given as object)
        JSON.stringify(explanation)
        expect(`${explanation}`).to.match(/^(?:valid|invalid|not decoded) {2}/m)
      }),
      { ...runs, numRuns: usual(2000) },
    )
  })

  it('on what allow lets pass', () => {
    let allowed = 0
    for (const { code, bytes } of faultExamples) {
      const options = { allow: [code as RelaxableCode] }
      try {
        decode(bytes, options)
        allowed++
      } catch (error) {
        if ((error as Error).name !== 'MqttError') continue // this rule can't be relaxed
      }
      expectAgreement(bytes, options)
    }
    expect(allowed).to.be.at.least(15)
  })

  it('on where the error is: the row of its field that contains its byte', () => {
    for (const { code, version, bytes, field, offset } of faultExamples) {
      if (code === 'more-than-one-packet') continue // `explain` accepts several packets
      const protocolVersion = bytes[0] === 0xf0 ? version : 0
      const { rows, error } = expectAgreement(bytes, { protocolVersion })
      expect(error, code).to.include({ code, field, offset })
      const row = rows.find(({ fault }) => fault)!
      // A missing byte lies outside the row.
      const end = row.offset + Math.max(row.length - 1, 0)
      if (code !== 'packet-incomplete') expect(offset, code).to.be.within(row.offset, end)
      // These errors are found only at the end of the list or packet.
      if (/incomplete|shortest|without-method/.test(code)) continue
      const after = rows.slice(rows.indexOf(row) + 1).filter((next) => next.field !== field)
      expect(
        after.map((next) => next.field),
        code,
      ).to.deep.equal(after.length === 0 ? [] : ['notRead'])
    }
  })

  it('on the position of an invalid property with an identifier that is longer than necessary', () => {
    for (const [props, offset] of [
      ['9800 00000001', 13],
      ['11 00000001 9100 00000001', 18],
    ] as const) {
      const options = { allow: ['variable-byte-integer-not-shortest'] } as const
      const { rows, error } = expectAgreement(connect5('02', props, '0000'), options)
      expect(error?.offset).to.equal(offset)
      expect(rows.find(({ fault }) => fault)?.offset).to.equal(offset)
    }
  })

  it('on no bytes at all, and on misuse', () => {
    expect(expectAgreement(hex('')).rows).to.deep.equal([])
    for (const options of [{ protocolVersion: 6 }, { allow: ['will-qos'] }, { protocolversion: 5 }]) {
      const errors = [explain, decode].map((call) => thrown(() => call(hex(R3), options as never)))
      expect(errors[0]!.name).to.equal('TypeError')
      expect(errors[0]).to.include({ code: (errors[1] as { code?: string }).code })
    }
  })
})
