import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  bufferToBasicPacketVariant,
  bufferToPacketVariant,
  decode,
  type OpaquePacket,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { decodeV3, decodeV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal, refusal, thrown } from '../support/thrown.ts'

describe('decode', () => {
  it('reads the version from the packet unless it is given', () => {
    for (const options of [undefined, {}, { protocolVersion: 0 }, { protocolVersion: undefined }] as const) {
      expect(decode(hex(R3), options)).to.be.instanceOf(v3_1_1.ConnectPacket)
      expect(decode(hex(R5), options)).to.be.instanceOf(v5.ConnectPacket)
    }
    expect(decode(hex(R3), { protocolVersion: 4 })).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect(decode(hex(R5), { protocolVersion: 5 })).to.be.instanceOf(v5.ConnectPacket)
  })

  it('refuses the other version, with the answer in the shape that its client reads [MQTT-3.1.2-2]', () => {
    const v5Refused = expectRefusal(
      () => decode(hex(R5), { protocolVersion: 4 }),
      'protocol-level',
      'protocolLevel',
      9,
    )
    expect([v5Refused.connack, v5Refused.protocolLevel]).to.deep.equal([hex('20 03 00 84 00'), 5])
    const v3Refused = expectRefusal(
      () => decode(hex(R3), { protocolVersion: 5 }),
      'protocol-level',
      'protocolLevel',
      8,
    )
    expect([v3Refused.connack, v3Refused.protocolLevel]).to.deep.equal([hex('20 02 00 01'), 4])
  })

  it('accepts a Uint8Array and a view of a larger buffer, and returns a Buffer of the same memory', () => {
    const larger = Buffer.concat([Buffer.from('before'), hex(R5), Buffer.from('after')])
    const view = new Uint8Array(larger.buffer, larger.byteOffset + 6, R5.length / 2)
    const packet = decodeV5(view)
    expect(Buffer.isBuffer(packet.bytes)).to.equal(true)
    expect(packet.bytes.toString('hex')).to.equal(R5)
    for (const part of [packet.bytes, packet.password, packet.will?.message]) {
      expect(part?.buffer).to.equal(larger.buffer)
    }
    const wire = hex(R3)
    expect(decodeV3(wire).bytes).to.equal(wire)
  })

  it('accepts exactly one packet', () => {
    const twice = Buffer.concat([hex(R3), hex(R5)])
    expectRefusal(() => decode(twice), 'more-than-one-packet', 'bytesLeftOver', 50)
    expectRefusal(() => decode(Buffer.alloc(0)), 'packet-incomplete', 'remainingLength', 0)
    for (const start of ['10', '1080', '10ffff', '10ffffff', 'c0', 'c080', '30ffffff']) {
      expectRefusal(() => decode(hex(start)), 'packet-incomplete', 'remainingLength', start.length / 2)
    }
  })

  it('accepts a Remaining Length that is not in its shortest form before 5.0 only [MQTT-1.5.5-1]', () => {
    const stretched = (packet: Buffer, header: number, length: string) =>
      Buffer.concat([hex('10'), hex(length), packet.subarray(header)])
    expect(decodeV3(stretched(hex(R3), 2, 'b0808000')).clientId).to.equal('sensor-0042')
    const v5Bytes = stretched(hex(R5), 3, '91818000')
    const code = 'variable-byte-integer-not-shortest'
    expectRefusal(() => decode(v5Bytes), code, 'remainingLength', 1)
    const allowed = decode(v5Bytes, { allow: [code] }) as v5.ConnectPacket
    expect(allowed.constBufferSequence()[1]).to.deep.equal(hex('91818000'))
    expect(allowed.with({}).bytes.toString('hex')).to.equal(R5)
  })

  it('refuses a packet over the maximum size by its fixed header alone', () => {
    for (const maximumPacketSize of [50, Number.POSITIVE_INFINITY]) {
      expect(decode(hex(R3), { maximumPacketSize }).size).to.equal(50)
    }
    for (const bytes of [hex(R3), hex(R3).subarray(0, 2)]) {
      const read = () => decode(bytes, { maximumPacketSize: 49 })
      const error = expectRefusal(read, 'packet-too-large', 'remainingLength', 1)
      expect([error.reasonCode, error.connack]).to.deep.equal([0x95, undefined])
    }
    const http = () => decode(Buffer.from('GET / HTTP/1.1\r\n'), { maximumPacketSize: 20 })
    expect(expectRefusal(http, 'fixed-header-flags', 'fixedHeader', 0).looksLike).to.equal('http')
    // The first two letters are a PUBREC of 85 bytes.
    const proxy = () =>
      decode(Buffer.from(`PROXY TCP4 192.168.100.200 10.0.0.15 54321 1883\r\n${'x'.repeat(90)}`))
    expect(expectRefusal(proxy, 'more-than-one-packet', 'bytesLeftOver', 84).looksLike).to.equal('proxy-v1')
  })

  it('reports a packet from the wrong sender before its size, because the first byte comes first', () => {
    for (const bytes of [hex(R3), hex(R5), hex('10ffffffffff')]) {
      const read = () => decode(bytes, { from: 'server', maximumPacketSize: 4 })
      expectRefusal(read, 'wrong-sender', 'fixedHeader', 0)
    }
  })

  it('reports the same first error with and without options', () => {
    for (const bytes of [
      '00ffffffff',
      'f1ffffffff',
      '11ffffffff',
      '10ffffffff',
      '10',
      '10ff',
      '',
      '16030100',
    ]) {
      const expected = refusal(() => decode(hex(bytes))).toJSON()
      for (const options of [
        {},
        { protocolVersion: 0 },
        { maximumPacketSize: 1000 },
        { allow: [] },
      ] as const) {
        expect(refusal(() => decode(hex(bytes), options)).toJSON(), bytes).to.deep.equal(expected)
      }
    }
  })

  it('relaxes a rule by its code, from a list that is read once', () => {
    const bytes = hex(R3)
    bytes[9] = 0xc3
    const code = 'connect-flags-reserved'
    expectRefusal(() => decode(bytes, { allow: ['client-id-empty'] }), code, 'connectFlags', 9)
    for (const allow of [
      [code] as const,
      new Set([code] as const),
      [code].values() as Iterable<typeof code>,
    ]) {
      expect((decode(bytes, { allow }) as v3_1_1.ConnectPacket).userName).to.equal('device')
    }
  })

  it('has the names and parameters of async_mqtt, too', () => {
    expect(bufferToPacketVariant(hex(R3))).to.be.instanceOf(v3_1_1.ConnectPacket)
    expectRefusal(() => bufferToPacketVariant(hex(R3), 5), 'protocol-level', 'protocolLevel', 8)
    const inOptions = () => bufferToPacketVariant(hex(R3), undefined, { protocolVersion: 5 })
    expectRefusal(inOptions, 'protocol-level', 'protocolLevel', 8)
    expect(bufferToPacketVariant(hex(R3), 4, { protocolVersion: 5 })).to.be.instanceOf(v3_1_1.ConnectPacket)
    const read = () => bufferToPacketVariant(hex(R3), 0, { maximumPacketSize: 49 })
    expectRefusal(read, 'packet-too-large', 'remainingLength', 1)
    const packet = bufferToBasicPacketVariant(hex('4004 01020304'), 0, { packetIdBytes: 4 })
    expect((packet as OpaquePacket<4>).packetId).to.equal(0x01020304)
    const unknown = () => bufferToPacketVariant(hex(R3), 0, { maxPacketSize: 1 } as never)
    expectMisuse(unknown, 'ERR_INVALID_ARG_VALUE', "Unknown option 'maxPacketSize'")
  })
})

describe('misuse of decode', () => {
  const bytes = hex(R3)
  const call = (first: unknown, options?: unknown) => () => decode(first as Uint8Array, options as object)

  it('is bytes that are not a Uint8Array', () => {
    for (const wrong of [undefined, null, R3, [...bytes], bytes.buffer, new Uint16Array(4), {}, 7]) {
      expectMisuse(call(wrong), 'ERR_INVALID_ARG_TYPE', 'bytes')
    }
  })

  it('is an option of the wrong type or value', () => {
    for (const wrong of [null, 1, 'strict', true])
      expectMisuse(call(bytes, wrong), 'ERR_INVALID_ARG_TYPE', 'options')
    const misuses: [string, string, unknown[]][] = [
      ['protocolVersion', 'ERR_INVALID_ARG_VALUE', [1, 6, -1, 4.5, Number.NaN, '5', null, {}]],
      ['allow', 'ERR_INVALID_ARG_TYPE', ['client-id-empty', 5, {}, true, null]],
      ['maximumPacketSize', 'ERR_INVALID_ARG_TYPE', ['10', null, 10n, {}]],
      ['maximumPacketSize', 'ERR_OUT_OF_RANGE', [0, -1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY]],
      ['packetIdBytes', 'ERR_INVALID_ARG_VALUE', [0, 1, 3, 8, '4', null]],
    ]
    for (const [option, code, values] of misuses) {
      for (const value of values) expectMisuse(call(bytes, { [option]: value }), code, option)
    }
    for (const wrong of ['no-such-code', 'will-qos', 'client-id-not-utf8', 'CLIENT-ID-EMPTY', '', 1, null]) {
      expectMisuse(call(bytes, { allow: [wrong] }), 'ERR_INVALID_ARG_VALUE', `allow: ${wrong}`)
    }
    expect(thrown(call(bytes, { allow: [Symbol('x')] }))).to.have.property('code', 'ERR_INVALID_ARG_VALUE')
  })

  it('is found before anything is read', () => {
    expectMisuse(
      call(Buffer.from('rubbish'), { protocolVersion: 9 }),
      'ERR_INVALID_ARG_VALUE',
      'protocolVersion',
    )
    expectMisuse(call(Buffer.alloc(0), { packetIdBytes: 3 }), 'ERR_INVALID_ARG_VALUE', 'packetIdBytes')
  })
})

describe('after an error', () => {
  it('the next packet is decoded as if there had been none', () => {
    for (const wire of [
      R3.slice(0, -2),
      `${R5}00`,
      '0000',
      '1001',
      'ffff',
      R5.replace('0e10', '0e').slice(0, 60),
    ]) {
      thrown(() => decode(hex(wire)))
      thrown(() => decode(hex(wire), { protocolVersion: 9 as never }))
      expect(decodeV3(hex(R3)).with({}).bytes.toString('hex')).to.equal(R3)
      expect(decodeV5(hex(R5)).with({}).bytes.toString('hex')).to.equal(R5)
    }
  })
})
