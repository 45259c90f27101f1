import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { bufferToPacketVariant, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { fieldsV3, fieldsV5, runs } from '../support/arbitraries.ts'
import { decodeV3, decodeV5, expectedV3, expectedV5, fieldsOfV3, fieldsOfV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { refusal } from '../support/thrown.ts'

/** Each version with what its tests need, so that both are held to the same properties. */
const versions = [
  {
    name: '3.1.1',
    packets: fieldsV3.map((fields) => ({
      packet: new v3_1_1.ConnectPacket(fields),
      expected: expectedV3(fields),
    })),
    read: (bytes: Uint8Array) => fieldsOfV3(decodeV3(bytes)),
    rebuild: (bytes: Uint8Array) => {
      const { cleanSession, keepAlive, clientId, will, userName, password } = decodeV3(bytes)
      return new v3_1_1.ConnectPacket({ cleanSession, keepAlive, clientId, will, userName, password })
    },
    reference: R3,
  },
  {
    name: '5.0',
    packets: fieldsV5.map((fields) => ({
      packet: new v5.ConnectPacket(fields),
      expected: expectedV5(fields),
    })),
    read: (bytes: Uint8Array) => fieldsOfV5(decodeV5(bytes)),
    rebuild: (bytes: Uint8Array) => {
      const { cleanStart, keepAlive, clientId, will, userName, password, props } = decodeV5(bytes)
      return new v5.ConnectPacket({ cleanStart, keepAlive, clientId, will, userName, password, props })
    },
    reference: R5,
  },
]

function expectIncomplete(prefix: Uint8Array, version: 0 | 4 | 5): void {
  const error = refusal(() => bufferToPacketVariant(prefix, version))
  expect(error.code, `${prefix.length} byte(s)`).to.equal('packet-incomplete')
}

for (const { name, packets, read, rebuild, reference } of versions) {
  describe(`any valid packet of ${name}`, () => {
    it('has the fields that it was built from, before and after decoding', () => {
      fc.assert(
        fc.property(packets, ({ packet, expected }) => {
          expect(packet instanceof v5.ConnectPacket ? fieldsOfV5(packet) : fieldsOfV3(packet)).to.deep.equal(
            expected,
          )
          expect(read(packet.bytes)).to.deep.equal(expected)
        }),
        runs,
      )
    })

    it('is built again from its decoded fields', () => {
      fc.assert(
        fc.property(packets, ({ packet }) => {
          const again = rebuild(packet.bytes)
          expect(again.equals(packet as never)).to.equal(true)
          expect(again.toString()).to.equal(packet.toString())
          expect(JSON.stringify(again)).to.equal(JSON.stringify(packet))
        }),
        runs,
      )
    })

    it('decodes wherever it lies in memory', () => {
      fc.assert(
        fc.property(packets, fc.nat({ max: 9 }), ({ packet, expected }, offset) => {
          const memory = new Uint8Array(offset + packet.size + 3).fill(0xaa)
          memory.set(packet.bytes, offset)
          expect(read(memory.subarray(offset, offset + packet.size))).to.deep.equal(expected)
        }),
        runs,
      )
    })

    it('is incomplete cut short anywhere', () => {
      fc.assert(
        fc.property(packets, fc.nat(), ({ packet }, cut) => {
          expectIncomplete(packet.bytes.subarray(0, cut % packet.size), 0)
          expectIncomplete(packet.bytes.subarray(0, packet.size - 1), packet.protocolVersion)
        }),
        runs,
      )
    })

    it('is refused with any byte more', () => {
      fc.assert(
        fc.property(packets, fc.nat({ max: 255 }), ({ packet }, byte) => {
          const error = refusal(() =>
            bufferToPacketVariant(Buffer.concat([packet.bytes, Buffer.from([byte])])),
          )
          expect([error.code, error.offset]).to.deep.equal(['more-than-one-packet', packet.size])
        }),
        runs,
      )
    })
  })

  describe(`every strict prefix of the reference packet of ${name}`, () => {
    for (const version of [0, reference === R3 ? 4 : 5] as const) {
      it(`is incomplete when decoded with protocol version ${version}`, () => {
        const bytes = hex(reference)
        for (let length = 0; length < bytes.length; length++)
          expectIncomplete(bytes.subarray(0, length), version)
      })
    }

    it('is incomplete when decoded with options', () => {
      const bytes = hex(reference)
      for (let length = 0; length < bytes.length; length++) {
        const error = refusal(() => bufferToPacketVariant(bytes.subarray(0, length), 0, {}))
        expect(error.code, `${length} byte(s)`).to.equal('packet-incomplete')
      }
    })
  })
}

describe('a prefix that ends within its Remaining Length', () => {
  it('is incomplete, whatever the type', () => {
    for (const prefix of ['10', '1080', '10ffff', '10ffffff', 'c0', 'c080', '30ffffff']) {
      expectIncomplete(hex(prefix), 0)
    }
  })
})

describe('any bytes at all', () => {
  it('are a packet or an MqttError, and never anything else', () => {
    const someBytes = fc.uint8Array({ maxLength: 64 })
    // Enough of a valid beginning that the fields behind it are reached.
    const almost = fc
      .tuple(fc.constantFrom(4, 5), fc.nat({ max: 255 }), someBytes)
      .map(([level, flags, rest]) => {
        const head = [0x10, 10 + rest.length, 0, 4, 0x4d, 0x51, 0x54, 0x54, level, flags, 0, 0]
        return new Uint8Array([...head, ...rest])
      })
    fc.assert(
      fc.property(fc.oneof(someBytes, almost), fc.constantFrom(0, 4, 5), (bytes, version) => {
        try {
          const packet = bufferToPacketVariant(bytes, version as 0 | 4 | 5)
          expect(packet.size).to.equal(bytes.length)
        } catch (error) {
          expect(error).to.have.property('name', 'MqttError')
        }
      }),
      { ...runs, numRuns: 3000 },
    )
  })

  it('that were decoded can be built again, and then give equal fields', () => {
    fc.assert(
      fc.property(fieldsV5, fc.nat(), fc.nat({ max: 255 }), (fields, at, byte) => {
        const bytes = Buffer.from(new v5.ConnectPacket(fields).bytes)
        bytes[at % bytes.length] = byte
        let packet: ReturnType<typeof bufferToPacketVariant>
        try {
          packet = bufferToPacketVariant(bytes)
        } catch {
          return
        }
        if (packet instanceof v5.ConnectPacket) expect(packet.with({}).bytes).to.deep.equal(bytes)
      }),
      { ...runs, numRuns: 2000 },
    )
  })
})
