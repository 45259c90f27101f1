import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { relaxableCodes } from '../../lib/errors/error-table.ts'
import {
  bufferToPacketVariant,
  type ErrorCode,
  MqttError,
  type PacketVariant,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { isConnect, Tally } from '../property/rebuild.ts'
import { fieldsV3, fieldsV5, runs } from '../support/arbitraries.ts'
import { faultExamples } from '../support/faults.ts'
import { hex, R3, R5 } from '../support/reference.ts'

/*
 * Bytes near those of valid packets: whatever is done to them, the outcome is a packet that its fields make again,
 * or an MqttError.
 */

const valid: fc.Arbitrary<Buffer> = fc.oneof(
  fieldsV3.map((fields) => new v3_1_1.ConnectPacket(fields).bytes),
  fieldsV5.map((fields) => new v5.ConnectPacket(fields).bytes),
)

/** Bytes behind the fixed header of these, with a Remaining Length that is right for them again. */
function reframed(bytes: Buffer): Buffer {
  let start = 1
  while (start < 5 && (bytes[start] ?? 0) >= 0x80) start++
  const body = bytes.subarray(start + 1)
  const length = body.length < 0x80 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7]
  return Buffer.concat([Buffer.from([0x10, ...length]), body])
}

for (const [name, reference, codes] of [
  ['3.1.1', R3, ['field-past-end', 'bytes-left-over', 'client-id-not-utf8', 'user-name-nul']],
  ['5.0', R5, ['property-unknown', 'property-past-end', 'will-topic-nul', 'user-property-not-utf8']],
] as const) {
  describe(`the reference packet of ${name}`, () => {
    for (const version of [0, 4, 5] as const) {
      it(`with any one byte changed to any other is a packet or an MqttError (protocol version ${version})`, () => {
        const tally = new Tally()
        const bytes = hex(reference)
        for (let at = 0; at < bytes.length; at++) {
          const was = bytes[at]!
          for (let byte = 0; byte < 256; byte++) {
            if (byte === was) continue
            bytes[at] = byte
            tally.judge(bytes, version)
          }
          bytes[at] = was
        }
        if (version !== 0) return
        expect(tally.accepted).to.be.greaterThan(1000)
        expect([...tally.refused]).to.include.members([...codes])
      })
    }

    it('cut anywhere and framed anew is a packet or an MqttError', () => {
      const tally = new Tally()
      const bytes = hex(reference)
      for (let from = 2; from < bytes.length; from++) {
        for (let length = 1; from + length <= bytes.length; length += 3) {
          tally.judge(reframed(Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])))
        }
      }
      expect([...tally.refused]).to.include.members(['field-past-end', 'protocol-name'])
    })
  })
}

describe('any valid packet', () => {
  it('with one to three bytes changed is a packet or an MqttError', () => {
    const tally = new Tally()
    const change = fc.tuple(fc.nat(), fc.nat({ max: 255 }))
    fc.assert(
      fc.property(valid, fc.array(change, { minLength: 1, maxLength: 3 }), (packet, changes) => {
        const bytes = Buffer.from(packet)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        tally.judge(bytes)
      }),
      { ...runs, numRuns: 4000 },
    )
    expect(tally.accepted).to.be.greaterThan(200)
    expect(tally.refused.size).to.be.greaterThan(20)
  })

  it('cut short is refused at every length', () => {
    const tally = new Tally()
    fc.assert(
      fc.property(valid, (packet) => {
        for (let length = 0; length < packet.length; length++) tally.judge(packet.subarray(0, length))
      }),
      { ...runs, numRuns: 60 },
    )
    expect([tally.accepted, [...tally.refused]]).to.deep.equal([0, ['packet-incomplete']])
  })

  it('with a piece of another in it, framed anew, is a packet or an MqttError', () => {
    const tally = new Tally()
    fc.assert(
      fc.property(valid, valid, fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), (one, other, cuts) => {
        const [from, to] = [cuts[0] % one.length, cuts[1] % one.length].sort((a, b) => a - b)
        const [start, end] = [cuts[2] % other.length, cuts[3] % other.length].sort((a, b) => a - b)
        const pieces = [one.subarray(0, from), other.subarray(start, end), one.subarray(to)]
        const spliced = Buffer.concat(pieces)
        tally.judge(spliced)
        tally.judge(reframed(spliced))
      }),
      { ...runs, numRuns: 3000 },
    )
    expect(tally.accepted).to.be.greaterThan(5)
    expect(tally.refused.size).to.be.greaterThan(20)
  })

  it('whose front is of one packet and whose end is of another is a packet or an MqttError', () => {
    const tally = new Tally()
    fc.assert(
      fc.property(valid, valid, fc.nat(), (one, other, cut) => {
        const at = cut % Math.min(one.length, other.length)
        tally.judge(reframed(Buffer.concat([one.subarray(0, at), other.subarray(at)])))
      }),
      { ...runs, numRuns: 2000 },
    )
    expect(tally.refused.size).to.be.greaterThan(10)
  })
})

describe('what is accepted with every rule relaxed that can be', () => {
  const allow = [...relaxableCodes]

  function relaxed(bytes: Buffer): PacketVariant | undefined {
    try {
      return bufferToPacketVariant(bytes, 0, { allow })
    } catch (error) {
      if (error instanceof MqttError) {
        expect(allow).not.to.include(error.code)
        return undefined
      }
      throw error
    }
  }

  /** Expects every form of an accepted packet to be there, and the components to be its bytes. */
  function expectWhole(packet: PacketVariant): void {
    if (!isConnect(packet)) return
    const parts = Buffer.concat(packet.constBufferSequence())
    if (!parts.equals(packet.bytes)) expect.fail(`${packet.bytes.toString('hex')} in parts is other bytes`)
    expect(packet.toString()).to.match(/^v(3_1|3_1_1|5)::connect\{cid:.*\}$/s)
    expect(JSON.parse(JSON.stringify(packet))).to.have.property('clientId', packet.clientId)
    let again: object | ErrorCode
    try {
      again = packet.with({})
    } catch (error) {
      if (!(error instanceof MqttError)) throw error
      again = error.code
    }
    if (typeof again === 'string') expect(allow).to.include(again)
  }

  it('has all its forms, and is built again or breaks a rule that was relaxed', () => {
    let accepted = 0
    let refusedOtherwise = 0
    const flags = fc.nat({ max: 255 })
    fc.assert(
      fc.property(valid, flags, fc.nat(), fc.nat({ max: 255 }), (packet, flag, at, byte) => {
        const bytes = Buffer.from(packet)
        bytes[at % bytes.length] = byte
        if (bytes[8] === 5 || bytes[8] === 4) bytes[9] = flag
        const result = relaxed(bytes)
        if (result === undefined) return
        accepted++
        try {
          bufferToPacketVariant(bytes)
        } catch {
          refusedOtherwise++
        }
        expectWhole(result)
      }),
      { ...runs, numRuns: 3000 },
    )
    expect(accepted).to.be.greaterThan(200)
    expect(refusedOtherwise).to.be.greaterThan(100)
  })

  it('is refused for a fault that cannot be relaxed, wherever a rule is broken that can', () => {
    for (const { bytes, code } of faultExamples) {
      const result = relaxed(bytes)
      if (result !== undefined) expectWhole(result)
      expect(result !== undefined, `${code} ${bytes.toString('hex')}`).to.equal(
        allow.includes(code as (typeof allow)[number]) || bytes[0] === 0xf0,
      )
    }
  })
})
