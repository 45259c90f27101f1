import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { relaxableCodes } from '../../lib/errors/error-table.ts'
import { MqttError } from '../../lib/packets/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { isFieldPacket, kinds } from '../support/kinds.ts'
import { outcome, Tally } from './rebuild.ts'

type Input = readonly [bytes: Buffer, version: 0 | 3 | 4 | 5]

const someBytes = fc.uint8Array({ maxLength: 64 })

/** Starts with enough valid bytes for the later fields to be read. */
const almost = fc
  .tuple(
    fc.constantFrom('\0\x04MQTT\x04', '\0\x04MQTT\x05', '\0\x06MQIsdp\x03'),
    fc.nat({ max: 255 }),
    someBytes,
    fc.constantFrom(0, 3, 4, 5),
  )
  .map(([start, flags, rest, version]): Input => {
    const body = [...Buffer.from(start), flags, 0, 0, ...rest]
    return [Buffer.from([0x10, body.length, ...body]), version]
  })

/** Valid packets with a few bytes changed, removed or inserted, and a corrected Remaining Length. */
const mutated = fc
  .tuple(
    fc.oneof(
      ...kinds.map(({ fields, build, version }) => fields.map((some): Input => [build(some).bytes, version])),
    ),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 1, 2), fc.nat({ max: 255 })), { maxLength: 3 }),
  )
  .map(([[bytes, version], changes]): Input => {
    const start = bytes.findIndex((byte, at) => at > 0 && byte < 0x80) + 1
    const body = [...bytes.subarray(start)]
    for (const [at, removed, byte] of changes) body.splice(at % body.length, removed, byte)
    const length = body.length < 0x80 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7]
    return [Buffer.from([bytes[0]!, ...length, ...body]), version]
  })

const inputs = fc.oneof(
  someBytes.map((bytes): Input => [Buffer.from(bytes), 0]),
  almost,
  { weight: 5, arbitrary: mutated },
)

describe('any bytes', () => {
  it('are a packet that its fields rebuild, or an MqttError', () => {
    const tally = new Tally()
    fc.assert(
      fc.property(inputs, ([bytes, version]) => tally.judge(bytes, version)),
      { ...runs, numRuns: usual(6000) },
    )
    expect(tally.accepted).to.be.greaterThan(usual(500))
    expect(tally.refused.size).to.be.greaterThan(25)
  })

  it('are read, printed and taken apart without an exception, whichever rules are relaxed', () => {
    let relaxed = 0
    fc.assert(
      fc.property(inputs, fc.subarray([...relaxableCodes]), ([bytes, version], allow) => {
        const packet = outcome(bytes, version, { allow })
        if (packet instanceof MqttError || !isFieldPacket(packet)) return
        if (outcome(bytes, version) instanceof MqttError) relaxed++
        for (const text of [`${packet}`, JSON.stringify(packet), inspect(packet)])
          expect(text).to.match(/^.{9,}/)
        packet.toFields()
        expect(Buffer.concat(packet.constBufferSequence()).equals(bytes)).to.equal(true)
      }),
      { ...runs, numRuns: usual(6000) },
    )
    expect(relaxed).to.be.greaterThan(usual(50))
  })

  it('that are accepted by strict rules are accepted by relaxed ones, as the same packet', () => {
    fc.assert(
      fc.property(inputs, fc.subarray([...relaxableCodes]), ([bytes, version], allow) => {
        const strict = outcome(bytes, version)
        if (strict instanceof MqttError || !isFieldPacket(strict)) return
        const packet = outcome(bytes, version, { allow })
        expect(packet.constructor).to.equal(strict.constructor)
        expect(`${packet}`).to.equal(`${strict}`)
      }),
      { ...runs, numRuns: usual(2000) },
    )
  })
})
