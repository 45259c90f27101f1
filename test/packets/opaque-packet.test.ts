import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { ControlPacketType, decode, OpaquePacket } from '../../lib/packets/index.ts'
import { versions } from '../../lib/protocol/version.ts'
import { decodeOpaque } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { expectRefusal, thrown } from '../support/thrown.ts'

/** One packet of each other type: name, first byte, body and packet identifier. */
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
  const packet = decode(bytes, { packetIdBytes: 4 })
  if (packet instanceof OpaquePacket) return packet
  throw new Error(`expected another packet than CONNECT, got ${packet}`)
}

describe('OpaquePacket', () => {
  it('is any type but CONNECT', () => {
    const names = Object.keys(ControlPacketType).filter((name) => name !== 'connect')
    expect(packets.map(([name]) => name)).to.deep.equal(names)
  })

  for (const [name, first, body, packetId] of packets) {
    it(`has type, flags, packet id and bytes of ${name.toUpperCase()}`, () => {
      const bytes = encode(first, body)
      const packet = decodeOpaque(bytes)
      expect(packet.bytes).to.equal(bytes)
      const expected = {
        type: ControlPacketType[name],
        flags: bytes[0]! & 0x0f,
        ...(packetId !== undefined && { packetId }),
        size: bytes.length,
      }
      expect(packet).to.include(expected)
      expect(packet.packetId).to.equal(packetId)
      expect(packet.toJSON()).to.deep.equal(expected)
      expect(`${packet}`).to.match(new RegExp(`^${name}\\{flags:${expected.flags},`))
    })

    if (name === 'publish') continue

    it(`may have only the flags of ${name.toUpperCase()} [MQTT-2.2.2-1] [MQTT-2.1.3-1]`, () => {
      const right = hex(first)[0]!
      for (let flags = 0; flags < 16; flags++) {
        const bytes = encode(first, body)
        bytes[0] = (right & 0xf0) | flags
        if (bytes[0] === right) decodeOpaque(bytes)
        else expectRefusal(() => decodeOpaque(bytes), 'fixed-header-flags', 'fixedHeader', 0)
      }
    })

    if (packetId === undefined) continue

    if (['pubrel', 'subscribe', 'unsubscribe'].includes(name)) {
      it(`may have the DUP flag of ${name.toUpperCase()} in MQTT 3.1 only, where it says that the packet is sent again`, () => {
        const bytes = encode(first, body)
        bytes[0]! |= 0x08
        for (const { level } of versions) {
          const call = () => decode(bytes, { protocolVersion: level })
          if (level === 3) expect(call()).to.be.instanceOf(OpaquePacket).and.have.property('flags', 0b1010)
          else expectRefusal(call, 'fixed-header-flags', 'fixedHeader', 0)
        }
      })
    }

    it(`has a packet id of two or four bytes in ${name.toUpperCase()}, which is not 0`, () => {
      expect(decodeWithFourByteIds(encode(first, `fffefdfc ${body}`)).packetId).to.equal(0xfffefdfc)
      for (const cut of ['', '01']) {
        expectRefusal(() => decodeOpaque(encode(first, cut)), 'field-past-end', 'packetId', 2)
      }
      expectRefusal(() => decodeWithFourByteIds(encode(first, '010203')), 'field-past-end', 'packetId', 2)
      for (const version of [0, 3, 4, 5] as const) {
        const error = expectRefusal(
          () => decodeOpaque(encode(first, '0000 0001 74 00'), version),
          'packet-id-zero',
          'packetId',
          2,
        )
        expect(error.reasonCode).to.equal(0x82)
      }
      expectRefusal(
        () => decodeWithFourByteIds(encode(first, '00000000 00')),
        'packet-id-zero',
        'packetId',
        2,
      )
      expect(decodeWithFourByteIds(encode(first, '00000001')).packetId).to.equal(1)
    })
  }

  it('has the packet id of PUBLISH after its topic for QoS 1 and 2, and none for QoS 0', () => {
    const publish = (first: string) => decodeOpaque(encode(first, '0003 612f62 fffe 70'))
    for (const first of ['30', '31']) expect(publish(first).packetId).to.equal(undefined)
    for (const first of ['32', '33', '34', '35', '3a', '3d']) expect(publish(first).packetId).to.equal(0xfffe)
    expect(decodeWithFourByteIds(encode('32', '0001 74 ffffffff')).packetId).to.equal(0xffffffff)
    expectRefusal(() => decodeOpaque(encode('32', '00')), 'field-past-end', 'topicName', 2)
    expectRefusal(() => decodeOpaque(encode('32', '0003 6162')), 'field-past-end', 'topicName', 2)
    expectRefusal(() => decodeOpaque(encode('32', '0001 74 01')), 'field-past-end', 'packetId', 5)
    expectRefusal(() => decodeOpaque(encode('32', '0001 74 0000 70')), 'packet-id-zero', 'packetId', 5)
  })

  it('is not a PUBLISH with QoS 3, or with DUP and QoS 0', () => {
    for (const first of ['36', '37', '3e', '3f']) {
      expectRefusal(() => decodeOpaque(encode(first, '0001 74 0001')), 'publish-qos', 'fixedHeader', 0)
    }
    for (const first of ['38', '39']) {
      expectRefusal(() => decodeOpaque(encode(first, '0001 74 70')), 'publish-dup', 'fixedHeader', 0)
    }
  })

  it('has no body if it is PINGREQ or PINGRESP', () => {
    for (const version of [0, 3, 4, 5] as const) {
      for (const first of ['c0', 'd0']) {
        const read = () => decodeOpaque(encode(first, '00'), version)
        expectRefusal(read, 'body-not-allowed', 'remainingLength', 1)
      }
    }
    expect(decodeOpaque(encode('e0', '00'), 0).size).to.equal(3)
  })

  it('is not AUTH before 5.0, and never type 0', () => {
    for (const version of [0, 3, 4, 5] as const) {
      const clause = { 0: '2.1.2', 3: '2.1', 4: '2.2.1', 5: '2.1.2' }[version]
      const zero = expectRefusal(
        () => decodeOpaque(hex('0000'), version),
        'reserved-packet-type',
        'fixedHeader',
        0,
      )
      expect(zero.clause).to.equal(clause)
      const auth = () => decodeOpaque(hex('f000'), version)
      if (version === 0) expect(auth().type).to.equal(ControlPacketType.auth)
      else if (version === 5) expectRefusal(auth, 'authentication-method-missing', 'remainingLength', 1)
      else expect(expectRefusal(auth, 'reserved-packet-type', 'fixedHeader', 0).clause).to.equal(clause)
    }
  })

  it('has any body otherwise', () => {
    expect(decodeOpaque(encode('30', 'ffff')).packetId).to.equal(undefined)
    expect(decodeOpaque(encode('20', 'ffffffff')).size).to.equal(6)
  })

  it('is exactly one packet', () => {
    expectRefusal(() => decodeOpaque(hex('c000 c0')), 'more-than-one-packet', 'bytesLeftOver', 2)
    expectRefusal(() => decodeOpaque(hex('4002 01')), 'packet-incomplete', 'remainingLength', 3)
  })

  it('may have a Remaining Length that is not in its shortest form unless it must be 5.0 [MQTT-1.5.5-1]', () => {
    for (const version of [0, 3, 4] as const) expect(decodeOpaque(hex('c080 00'), version).size).to.equal(3)
    const code = 'variable-byte-integer-not-shortest'
    expectRefusal(() => decodeOpaque(hex('c080 00'), 5), code, 'remainingLength', 1)
    expect(decode(hex('c080 00'), { protocolVersion: 5, allow: [code] }).size).to.equal(3)
  })

  it('cannot be constructed from outside', () => {
    const construct = OpaquePacket as unknown as new (...args: unknown[]) => OpaquePacket
    for (const args of [[], [hex('c000')], [hex('c000'), 0, 2], [hex('c000'), 0, 2, Symbol('checked')]]) {
      const error = thrown(() => new construct(...args))
      expect(error).to.be.instanceOf(TypeError)
      expect(error).to.have.property('code', 'ERR_INVALID_ARG_TYPE')
    }
  })
})
