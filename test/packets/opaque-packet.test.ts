import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  bufferToBasicPacketVariant,
  bufferToPacketVariant,
  ControlPacketType,
  OpaquePacket,
} from '../../lib/packets/index.ts'
import { decodeOpaque } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse, expectRefusal } from '../support/thrown.ts'

/** One packet of each other type: its name, first byte, body, and its packet identifier. */
const packets: readonly (readonly [keyof typeof ControlPacketType, string, string, number | undefined])[] = [
  ['connack', '20', '0000', undefined],
  ['publish', '30', '0001 74 70', undefined],
  ['puback', '40', '0102', 258],
  ['pubrec', '50', '0102', 258],
  ['pubrel', '62', '0102', 258],
  ['pubcomp', '70', '0102', 258],
  ['subscribe', '82', '0102 0001 74 00', 258],
  ['suback', '90', '0102 00', 258],
  ['unsubscribe', 'a2', '0102 0001 74', 258],
  ['unsuback', 'b0', '0102', 258],
  ['pingreq', 'c0', '', undefined],
  ['pingresp', 'd0', '', undefined],
  ['disconnect', 'e0', '', undefined],
  ['auth', 'f0', '18 00', undefined],
]

function encode(first: string, body: string): Buffer {
  const bytes = hex(body)
  return Buffer.concat([hex(first), Buffer.from([bytes.length]), bytes])
}

function decodeWithFourByteIds(bytes: Uint8Array): OpaquePacket<4> {
  const packet = bufferToBasicPacketVariant(bytes, 0, { packetIdBytes: 4 })
  if (packet instanceof OpaquePacket) return packet
  throw new Error('expected another packet than CONNECT')
}

describe('OpaquePacket', () => {
  it('covers all fourteen types but CONNECT', () => {
    const names = Object.keys(ControlPacketType).filter((name) => name !== 'connect')
    expect(packets.map(([name]) => name)).to.deep.equal(names)
  })

  for (const [name, first, body, packetId] of packets) {
    it(`gives type, flags, packet id and bytes of ${name.toUpperCase()}`, () => {
      const bytes = encode(first, body)
      const packet = decodeOpaque(bytes)
      expect(packet.type).to.equal(ControlPacketType[name])
      expect(packet.flags).to.equal(bytes[0]! & 0x0f)
      expect(packet.packetId).to.equal(packetId)
      expect(packet.packetIdBytes).to.equal(2)
      expect(packet.bytes).to.equal(bytes)
      expect(packet.size).to.equal(bytes.length)
      expect(packet.toJSON()).to.deep.equal({
        type: packet.type,
        flags: packet.flags,
        ...(packetId !== undefined && { packetId }),
        size: bytes.length,
      })
    })

    it(`takes ${name.toUpperCase()} ${name === 'auth' ? 'in 5.0 but not in 3.1.1' : 'in both versions'}`, () => {
      const bytes = encode(first, body)
      expect(decodeOpaque(bytes, 5).type).to.equal(ControlPacketType[name])
      if (name !== 'auth') expect(decodeOpaque(bytes, 4).type).to.equal(ControlPacketType[name])
      else {
        const error = expectRefusal(() => decodeOpaque(bytes, 4), 'reserved-packet-type', 'fixedHeader', 0)
        expect(error.clause).to.equal('2.2.1')
      }
    })

    if (name !== 'publish')
      it(`checks the flags of ${name.toUpperCase()} [MQTT-2.2.2-1] [MQTT-2.1.3-1]`, () => {
        const right = hex(first)[0]!
        for (let flags = 0; flags < 16; flags++) {
          const bytes = encode(first, body)
          bytes[0] = (right & 0xf0) | flags
          if (bytes[0] === right) decodeOpaque(bytes)
          else {
            const error = expectRefusal(() => decodeOpaque(bytes, 5), 'fixed-header-flags', 'fixedHeader', 0)
            expect(error.clause).to.equal('MQTT-2.1.3-1')
          }
        }
      })

    if (packetId === undefined) continue

    it(`reads a packet id of four bytes from ${name.toUpperCase()}`, () => {
      const packet = decodeWithFourByteIds(encode(first, `fffefdfc ${body}`))
      expect(packet.packetId).to.equal(0xfffefdfc)
      expect(packet.packetIdBytes).to.equal(4)
    })

    it(`refuses ${name.toUpperCase()} that ends within its packet id`, () => {
      expectRefusal(() => decodeOpaque(encode(first, '')), 'field-past-end', 'packetId', 2)
      expectRefusal(() => decodeOpaque(encode(first, '01')), 'field-past-end', 'packetId', 2)
      expectRefusal(() => decodeWithFourByteIds(encode(first, '010203')), 'field-past-end', 'packetId', 2)
    })
  }

  it('reads the packet id of PUBLISH behind its topic for QoS 1 and 2, and none for QoS 0', () => {
    const publish = (flags: string) => decodeOpaque(encode(flags, '0003 612f62 fffe 70'))
    expect(publish('30').packetId).to.equal(undefined)
    expect(publish('31').packetId).to.equal(undefined)
    expect(publish('32').packetId).to.equal(0xfffe)
    expect(publish('34').packetId).to.equal(0xfffe)
    expect(publish('3d').packetId).to.equal(0xfffe)
    expect(publish('3d').flags).to.equal(0x0d)
    expect(decodeWithFourByteIds(encode('32', '0001 74 ffffffff')).packetId).to.equal(0xffffffff)
  })

  it('refuses PUBLISH with QoS 1 that ends within its topic or packet id', () => {
    expectRefusal(() => decodeOpaque(encode('32', '00')), 'field-past-end', 'topicName', 2)
    expectRefusal(() => decodeOpaque(encode('32', '0003 6162')), 'field-past-end', 'topicName', 2)
    expectRefusal(() => decodeOpaque(encode('32', '0001 74 01')), 'field-past-end', 'packetId', 5)
  })

  it('does not look into the body of the other packets', () => {
    expect(decodeOpaque(encode('30', 'ffff')).packetId).to.equal(undefined)
    expect(decodeOpaque(encode('20', 'ffffffff')).size).to.equal(6)
  })

  it('refuses type 0, which is reserved', () => {
    for (const version of [0, 4, 5] as const) {
      const error = expectRefusal(
        () => decodeOpaque(hex('0000'), version),
        'reserved-packet-type',
        'fixedHeader',
        0,
      )
      expect(error.clause).to.equal(version === 4 ? '2.2.1' : '2.1.2')
    }
  })

  it('refuses bytes that are more or less than one packet', () => {
    expectRefusal(() => decodeOpaque(hex('c000 c0')), 'more-than-one-packet', 'bytesLeftOver', 2)
    expectRefusal(() => decodeOpaque(hex('4002 01')), 'packet-incomplete', 'remainingLength', 3)
  })

  it('takes a Remaining Length that is not in its shortest form unless told that it is 5.0 [MQTT-1.5.5-1]', () => {
    expect(decodeOpaque(hex('c080 00'), 4).size).to.equal(3)
    const code = 'variable-byte-integer-not-shortest'
    expectRefusal(() => decodeOpaque(hex('c080 00'), 5), code, 'remainingLength', 1)
  })

  it('takes packet ids of 2 or 4 bytes only', () => {
    const bytes = hex('c000')
    expect(decodeOpaque(bytes).packetIdBytes).to.equal(2)
    expect(bufferToPacketVariant(bytes, 0, {})).to.have.property('packetIdBytes', 2)
    for (const packetIdBytes of [0, 1, 3, 8, '4', null]) {
      const decode = () => bufferToBasicPacketVariant(bytes, 0, { packetIdBytes: packetIdBytes as never })
      expectMisuse(decode, 'ERR_INVALID_ARG_VALUE', 'packetIdBytes')
    }
  })
})
