import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bufferToBasicPacketVariant, bufferToPacketVariant, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { decodeV3, decodeV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal, refusal, thrown } from '../support/thrown.ts'

describe('bufferToPacketVariant', () => {
  it('reads the version from the packet by default', () => {
    expect(bufferToPacketVariant(hex(R3))).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect(bufferToPacketVariant(hex(R5))).to.be.instanceOf(v5.ConnectPacket)
    expect(bufferToPacketVariant(hex(R3), 0)).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect(bufferToPacketVariant(hex(R5), undefined)).to.be.instanceOf(v5.ConnectPacket)
  })

  it('takes the version that it is told', () => {
    expect(bufferToPacketVariant(hex(R3), 4)).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect(bufferToPacketVariant(hex(R5), 5)).to.be.instanceOf(v5.ConnectPacket)
  })

  it('refuses the other version with the answer in that version’s shape [MQTT-3.1.2-2]', () => {
    const v5Refused = expectRefusal(
      () => bufferToPacketVariant(hex(R5), 4),
      'protocol-level',
      'protocolLevel',
      9,
    )
    expect(v5Refused.connack).to.deep.equal(hex('20 03 00 84 00'))
    expect(v5Refused.protocolLevel).to.equal(5)
    const v3Refused = expectRefusal(
      () => bufferToPacketVariant(hex(R3), 5),
      'protocol-level',
      'protocolLevel',
      8,
    )
    expect(v3Refused.connack).to.deep.equal(hex('20 02 00 01'))
    expect(v3Refused.protocolLevel).to.equal(4)
  })

  it('refuses levels that are neither 4 nor 5 [MQTT-3.1.2-2]', () => {
    for (let level = 0; level < 256; level++) {
      if (level === 4 || level === 5) continue
      const bytes = hex(R3)
      bytes[8] = level
      const code = level === 0x83 || level === 0x84 ? 'protocol-bridge-level' : 'protocol-level'
      const error = expectRefusal(() => bufferToPacketVariant(bytes), code, 'protocolLevel', 8)
      expect(error.protocolLevel).to.equal(level)
    }
  })

  it('takes a Uint8Array and a view into a larger buffer', () => {
    const plain = new Uint8Array(hex(R5))
    expect(bufferToPacketVariant(plain).bytes.toString('hex')).to.equal(R5)
    const larger = Buffer.concat([Buffer.from('before'), hex(R5), Buffer.from('behind')])
    const view = new Uint8Array(larger.buffer, larger.byteOffset + 6, R5.length / 2)
    const packet = bufferToPacketVariant(view)
    expect(Buffer.isBuffer(packet.bytes)).to.equal(true)
    expect(packet.bytes.toString('hex')).to.equal(R5)
  })

  it('shares the memory of the bytes that it was given, as bytes, password and binary fields', () => {
    const wire = new Uint8Array(hex(R5))
    const packet = decodeV5(wire)
    expect(packet.bytes.buffer).to.equal(wire.buffer)
    expect(packet.password?.buffer).to.equal(wire.buffer)
    expect(packet.will?.message.buffer).to.equal(wire.buffer)
    wire[wire.length - 1] = 0x21
    expect(`${packet.password}`).to.equal('s3cret-passw0r!')
  })

  it('gives a Buffer back as it is', () => {
    const wire = hex(R3)
    expect(decodeV3(wire).bytes).to.equal(wire)
  })

  it('takes exactly one packet', () => {
    const twice = Buffer.concat([hex(R3), hex(R5)])
    expectRefusal(() => bufferToPacketVariant(twice), 'more-than-one-packet', 'bytesLeftOver', 50)
    expectRefusal(() => bufferToPacketVariant(Buffer.alloc(0)), 'packet-incomplete', 'remainingLength', 0)
    expectRefusal(
      () => bufferToPacketVariant(hex(R3).subarray(0, 49)),
      'packet-incomplete',
      'remainingLength',
      49,
    )
  })

  it('takes a Remaining Length of four bytes that is not in its shortest form from 3.1.1 only [MQTT-1.5.5-1]', () => {
    const stretched = (packet: Buffer, header: number, length: string) =>
      Buffer.concat([hex('10'), hex(length), packet.subarray(header)])
    expect(decodeV3(stretched(hex(R3), 2, 'b0808000')).clientId).to.equal('sensor-0042')
    const v5Bytes = stretched(hex(R5), 3, '91818000')
    const code = 'variable-byte-integer-not-shortest'
    expectRefusal(() => bufferToPacketVariant(v5Bytes), code, 'remainingLength', 1)
    const allowed = bufferToPacketVariant(v5Bytes, 0, { allow: [code] }) as v5.ConnectPacket
    expect(allowed.props).to.have.lengthOf(4)
    expect(allowed.constBufferSequence()[1]).to.deep.equal(hex('91818000'))
    expect(allowed.with({}).bytes.toString('hex')).to.equal(R5)
  })

  it('refuses a packet over the maximum size by its Remaining Length alone', () => {
    expect(bufferToPacketVariant(hex(R3), 0, { maximumPacketSize: 50 }).size).to.equal(50)
    expect(bufferToPacketVariant(hex(R3), 0, { maximumPacketSize: Number.POSITIVE_INFINITY }).size).to.equal(
      50,
    )
    const decode = (bytes: Uint8Array) => () => bufferToPacketVariant(bytes, 0, { maximumPacketSize: 49 })
    const error = expectRefusal(decode(hex(R3)), 'packet-too-large', 'remainingLength', 1)
    expect([error.reasonCode, error.connack]).to.deep.equal([0x95, undefined])
    expectRefusal(decode(hex(R3).subarray(0, 2)), 'packet-too-large', 'remainingLength', 1)
  })

  it('reports the same first fault with and without options', () => {
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
      const without = refusal(() => bufferToPacketVariant(hex(bytes), 4))
      const withOptions = refusal(() => bufferToPacketVariant(hex(bytes), 4, {}))
      expect(withOptions.toJSON(), bytes).to.deep.equal(without.toJSON())
    }
  })

  it('reports a wrong first byte before a packet that is too large, in wire order', () => {
    const http = Buffer.from('GET / HTTP/1.1\r\n')
    const error = expectRefusal(
      () => bufferToPacketVariant(http, 0, { maximumPacketSize: 20 }),
      'fixed-header-flags',
      'fixedHeader',
      0,
    )
    expect(error.looksLike).to.equal('http')
  })

  it('relaxes a rule by its code, one at a time', () => {
    const bytes = hex(R3)
    bytes[9] = 0xc3
    expectRefusal(() => bufferToPacketVariant(bytes), 'connect-flags-reserved', 'connectFlags', 9)
    const other = { allow: ['client-id-empty'] } as const
    expectRefusal(() => bufferToPacketVariant(bytes, 0, other), 'connect-flags-reserved', 'connectFlags', 9)
    const packet = bufferToPacketVariant(bytes, 0, { allow: new Set(['connect-flags-reserved'] as const) })
    expect((packet as v3_1_1.ConnectPacket).userName).to.equal('device')
  })
})

describe('misuse of bufferToPacketVariant', () => {
  const decode =
    (...args: unknown[]) =>
    () =>
      (bufferToBasicPacketVariant as (...args: unknown[]) => unknown)(...args)
  const bytes = hex(R3)

  it('bytes that are no Uint8Array', () => {
    for (const wrong of [undefined, null, R3, [...bytes], bytes.buffer, new Uint16Array(4), {}, 7]) {
      expectMisuse(decode(wrong), 'ERR_INVALID_ARG_TYPE', 'bytes')
    }
  })

  it('a version that is none', () => {
    for (const wrong of [3, 6, -1, 4.5, Number.NaN, '5', null, {}]) {
      expectMisuse(decode(bytes, wrong), 'ERR_INVALID_ARG_VALUE', 'protocolVersion')
    }
  })

  it('options that are no object', () => {
    for (const wrong of [null, 1, 'strict', true]) {
      expectMisuse(decode(bytes, 0, wrong), 'ERR_INVALID_ARG_TYPE', 'options')
    }
  })

  it('allow that is no list', () => {
    for (const wrong of ['client-id-empty', 5, {}, true]) {
      expectMisuse(decode(bytes, 0, { allow: wrong }), 'ERR_INVALID_ARG_TYPE', 'allow')
    }
  })

  it('allow that is null', () => {
    expectMisuse(decode(bytes, 0, { allow: null }), 'ERR_INVALID_ARG_TYPE', 'allow')
  })

  it('codes in allow that are unknown or cannot be relaxed', () => {
    for (const wrong of ['no-such-code', 'will-qos', 'client-id-not-utf8', 'CLIENT-ID-EMPTY', '', 1, null]) {
      expectMisuse(decode(bytes, 0, { allow: [wrong] }), 'ERR_INVALID_ARG_VALUE', `allow: ${wrong}`)
    }
  })

  it('a symbol in allow', () => {
    expect(thrown(decode(bytes, 0, { allow: [Symbol('x')] }))).to.have.property(
      'code',
      'ERR_INVALID_ARG_VALUE',
    )
  })

  it('a maximum packet size that is none', () => {
    for (const wrong of ['10', null, 10n, {}]) {
      expectMisuse(
        decode(bytes, 0, { maximumPacketSize: wrong }),
        'ERR_INVALID_ARG_TYPE',
        'maximumPacketSize',
      )
    }
    for (const wrong of [0, -1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      expectMisuse(decode(bytes, 0, { maximumPacketSize: wrong }), 'ERR_OUT_OF_RANGE', 'maximumPacketSize')
    }
  })

  it('is told before anything is read', () => {
    expectMisuse(decode(Buffer.from('rubbish'), 9), 'ERR_INVALID_ARG_VALUE', 'protocolVersion')
    expectMisuse(decode(Buffer.alloc(0), 0, { packetIdBytes: 3 }), 'ERR_INVALID_ARG_VALUE', 'packetIdBytes')
  })
})

describe('after an error', () => {
  it('the next packet is decoded as if nothing had been', () => {
    const bad = [R3.slice(0, -2), `${R5}00`, '0000', '1001', 'ffff', R5.replace('0e10', '0e').slice(0, 60)]
    for (const wire of bad) {
      thrown(() => bufferToPacketVariant(hex(wire)))
      thrown(() => bufferToPacketVariant(hex(wire), 3 as never))
      expect(decodeV3(hex(R3)).with({}).bytes.toString('hex')).to.equal(R3)
      expect(decodeV5(hex(R5)).with({}).bytes.toString('hex')).to.equal(R5)
    }
  })

  it('any single byte of R3 or R5 may be wrong without harm to the next decode', () => {
    for (const wire of [R3, R5]) {
      const bytes = hex(wire)
      for (let at = 0; at < bytes.length; at++) {
        const broken = Buffer.from(bytes)
        broken[at] = broken[at]! ^ 0xff
        try {
          bufferToPacketVariant(broken)
        } catch (error) {
          expect(error).to.have.property('name', 'MqttError')
        }
      }
      expect(bufferToPacketVariant(bytes).bytes.toString('hex')).to.equal(wire)
    }
  })
})
