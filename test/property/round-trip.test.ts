import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { decode } from '../../lib/packets/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { allKinds, decodeFields, expectedFields, fieldsOf } from '../support/kinds.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectRefusal } from '../support/thrown.ts'

/** The packet type in a class name. */
const typeOf = (name: string): number => {
  const types = { Connect: 0x10, Connack: 0x20, Disconnect: 0xe0, Auth: 0xf0 }
  return types[/\.(\w+)Packet/.exec(name)![1] as keyof typeof types]
}

const incomplete = (bytes: Uint8Array, protocolVersion: 0 | 3 | 4 | 5) =>
  expectRefusal(
    () => decode(bytes, { protocolVersion }),
    'packet-incomplete',
    'remainingLength',
    bytes.length,
  )

for (const kind of allKinds) {
  const { name, version, build } = kind
  const packets = kind.fields.map((fields) => ({ fields, packet: build(fields) }))

  describe(`any valid ${name}`, () => {
    it('has the fields that it was built from, before and after decoding', () => {
      fc.assert(
        fc.property(packets, ({ fields, packet }) => {
          const expected = expectedFields(kind, fields)
          expect(fieldsOf(packet)).to.deep.equal(expected)
          const decoded = decodeFields(packet.bytes, version)
          expect(decoded.constructor).to.equal(packet.constructor)
          expect(fieldsOf(decoded)).to.deep.equal(expected)
          expect([decoded.type, decoded.protocolVersion]).to.deep.equal([typeOf(name), version])
        }),
        runs,
      )
    })

    it('is rebuilt by its fields, by `with` and by the fields of a decoded packet', () => {
      fc.assert(
        fc.property(packets, ({ packet }) => {
          for (const again of [
            build(packet.toFields()),
            build(decodeFields(packet.bytes, version).toFields()),
            packet.with({}),
          ]) {
            expect(again.equals(packet)).to.equal(true)
            expect(`${again}`).to.equal(`${packet}`)
            expect(JSON.stringify(again)).to.equal(JSON.stringify(packet))
          }
        }),
        runs,
      )
    })

    it('is changed by `with` in the given fields only, and is itself not changed', () => {
      fc.assert(
        fc.property(packets, kind.fields, ({ packet }, others) => {
          const before = packet.bytes.toString('hex')
          // Takes all fields of a second packet, because a single one could break a rule, such as a password without a user
          // name.
          const { will, userName, password, ...required } = others as Record<string, unknown>
          const changes = kind.isConnect ? { ...required, will, userName, password } : required
          const kept = Object.fromEntries(
            Object.entries(packet.toFields()).filter(([key]) => !(key in changes)),
          )
          const changed = packet.with(changes as never)
          expect(fieldsOf(changed)).to.deep.equal(expectedFields(kind, { ...kept, ...changes }))
          expect(packet.bytes.toString('hex')).to.equal(before)
        }),
        runs,
      )
    })

    it('decodes wherever it lies in memory, and shares that memory', () => {
      fc.assert(
        fc.property(packets, fc.nat({ max: 9 }), ({ fields, packet }, offset) => {
          const memory = new Uint8Array(offset + packet.size + 3).fill(0xaa)
          memory.set(packet.bytes, offset)
          const decoded = decodeFields(memory.subarray(offset, offset + packet.size), version)
          expect(fieldsOf(decoded)).to.deep.equal(expectedFields(kind, fields))
          expect(decoded.bytes.buffer).to.equal(memory.buffer)
        }),
        runs,
      )
    })

    it('is incomplete if it is cut short anywhere, and refused with any byte more', () => {
      fc.assert(
        fc.property(packets, fc.nat(), fc.nat({ max: 255 }), ({ packet }, cut, byte) => {
          incomplete(packet.bytes.subarray(0, cut % packet.size), version)
          incomplete(packet.bytes.subarray(0, packet.size - 1), version)
          const more = Buffer.concat([packet.bytes, Buffer.from([byte])])
          expectRefusal(
            () => decodeFields(more, version),
            'more-than-one-packet',
            'bytesLeftOver',
            packet.size,
          )
        }),
        runs,
      )
    })

    it('consists of the components that constBufferSequence lists, as views in order', () => {
      fc.assert(
        fc.property(packets, ({ packet }) => {
          const list = packet.constBufferSequence()
          let offset = packet.bytes.byteOffset
          for (const component of list) {
            expect([component.buffer, component.byteOffset]).to.deep.equal([packet.bytes.buffer, offset])
            offset += component.length
          }
          expect(offset).to.equal(packet.bytes.byteOffset + packet.size)
          expect(packet.numOfConstBufferSequence).to.equal(list.length)
        }),
        { ...runs, numRuns: usual(200) },
      )
    })
  })
}

describe('any two valid packets', () => {
  const anyPacket = fc.oneof(...allKinds.map(({ fields, build }) => fields.map(build)))

  it('are equal if their bytes are, and ordered as their bytes are', () => {
    fc.assert(
      fc.property(anyPacket, anyPacket, (a, b) => {
        const [first, second] = [a, b].map(({ bytes }) => bytes.toString('hex')) as [string, string]
        const order = first < second ? -1 : first > second ? 1 : 0
        expect(a.compare(b)).to.equal(order)
        expect(b.compare(a)).to.equal(order === 0 ? 0 : -order)
        expect(a.equals(b)).to.equal(order === 0)
        expect(a.equals(a)).to.equal(true)
      }),
      runs,
    )
  })
})

for (const [name, reference, version] of [
  ['3.1.1', R3, 4],
  ['5.0', R5, 5],
] as const) {
  it(`every strict prefix of the reference packet of ${name} is incomplete`, () => {
    const bytes = hex(reference)
    for (let length = 0; length < bytes.length; length++) {
      incomplete(bytes.subarray(0, length), version)
      incomplete(bytes.subarray(0, length), 0)
    }
  })
}
