import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { ControlPacketType, ProtocolVersion, v3_1_1, Will } from '../../lib/packets/index.ts'
import { buildV3, decodeV3 } from '../support/packets.ts'
import { fieldsOfR3, hex, R3 } from '../support/reference.ts'

const { ConnectPacket } = v3_1_1

describe('v3_1_1.ConnectPacket', () => {
  it('encodes the fields of the reference packet into its bytes', () => {
    expect(new ConnectPacket(fieldsOfR3).bytes.toString('hex')).to.equal(R3)
  })

  it('reads every field of the reference packet', () => {
    const packet = decodeV3(hex(R3))
    expect(packet.cleanSession).to.equal(true)
    expect(packet.keepAlive).to.equal(60)
    expect(packet.clientId).to.equal('sensor-0042')
    expect(packet.will).to.equal(undefined)
    expect(packet.userName).to.equal('device')
    expect(packet.password).to.deep.equal(Buffer.from('s3cret-passw0rd'))
  })

  it('has its type on the class and on the packet', () => {
    expect(ConnectPacket.type).to.equal(0x10)
    expect(ConnectPacket.type).to.equal(ControlPacketType.connect)
    expect(buildV3().type).to.equal(0x10)
    expect(decodeV3(hex(R3)).type).to.equal(0x10)
  })

  it('has protocol version 4', () => {
    expect(buildV3().protocolVersion).to.equal(4)
    expect(decodeV3(hex(R3)).protocolVersion).to.equal(ProtocolVersion.v3_1_1)
  })

  it('gives its encoded bytes as a Buffer and their number as size', () => {
    const packet = new ConnectPacket(fieldsOfR3)
    expect(Buffer.isBuffer(packet.bytes)).to.equal(true)
    expect(packet.size).to.equal(50)
    expect(packet.bytes).to.have.lengthOf(50)
    expect(packet.bytes).to.equal(packet.bytes)
  })

  it('encodes the smallest packet: clean session and an empty client id', () => {
    const packet = new ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: '' })
    expect(packet.bytes).to.deep.equal(hex('10 0c 0004 4d515454 04 02 0000 0000'))
    expect(packet.size).to.equal(14)
  })

  it('encodes and reads clean session 0', () => {
    const packet = buildV3({ cleanSession: false })
    expect(packet.bytes).to.deep.equal(hex('10 0d 0004 4d515454 04 00 0000 0001 63'))
    expect(packet.cleanSession).to.equal(false)
    expect(decodeV3(packet.bytes).cleanSession).to.equal(false)
  })

  it('keeps a keep alive of 0, 1, 255, 256 and 65535 seconds', () => {
    for (const keepAlive of [0, 1, 255, 256, 65535]) {
      const packet = buildV3({ keepAlive })
      expect(packet.keepAlive).to.equal(keepAlive)
      expect(decodeV3(packet.bytes).keepAlive).to.equal(keepAlive)
    }
  })

  it('encodes an init object as will with QoS 0 and no retain unless it says otherwise', () => {
    const packet = buildV3({ will: { topic: 't', message: 'm' } })
    expect(packet.bytes).to.deep.equal(hex('10 13 0004 4d515454 04 06 0000 0001 63 0001 74 0001 6d'))
    expect({ ...packet.will }).to.deep.equal({
      topic: 't',
      message: Buffer.from('m'),
      qos: 0,
      retain: false,
      props: [],
    })
  })

  it('takes a Will instance and encodes it as the same init object', () => {
    const fields = { topic: 'a/b', message: Buffer.from([0, 255]), qos: 2, retain: true } as const
    const fromInstance = buildV3({ will: new Will(fields) })
    expect(fromInstance.equals(buildV3({ will: fields }))).to.equal(true)
    expect(fromInstance.will).to.be.instanceOf(Will)
    expect({ ...fromInstance.will }).to.deep.equal({ ...fields, props: [] })
  })

  it('sets the connect flags of each will QoS and of retain', () => {
    const flags = (qos: 0 | 1 | 2, retain: boolean) =>
      buildV3({ will: { topic: 't', message: '', qos, retain } }).bytes[9]
    expect([flags(0, false), flags(1, false), flags(2, false)]).to.deep.equal([0x06, 0x0e, 0x16])
    expect([flags(0, true), flags(1, true), flags(2, true)]).to.deep.equal([0x26, 0x2e, 0x36])
  })

  it('takes the will of a decoded packet for a new one', () => {
    const will = decodeV3(buildV3({ will: { topic: 't', message: 'm', qos: 1 } }).bytes).will!
    expect(buildV3({ will }).will).to.deep.equal(will)
  })

  it('encodes a password string as UTF-8 and bytes as they are', () => {
    const text = buildV3({ userName: 'u', password: 'päss' })
    const bytes = buildV3({ userName: 'u', password: new Uint8Array([0x70, 0xc3, 0xa4, 0x73, 0x73]) })
    expect(text.equals(bytes)).to.equal(true)
    expect(text.password).to.deep.equal(Buffer.from('päss'))
    expect(Buffer.isBuffer(bytes.password)).to.equal(true)
  })

  it('takes binary passwords and messages that are no UTF-8', () => {
    const raw = hex('00 ff c0 80 ed a0 80')
    const packet = buildV3({ userName: '', password: raw, will: { topic: 't', message: raw } })
    expect(packet.password).to.deep.equal(raw)
    expect(packet.will?.message).to.deep.equal(raw)
  })

  it('does not follow changes of the bytes that it was built from', () => {
    const password = Buffer.from('before')
    const message = Buffer.from('before')
    const packet = buildV3({ userName: 'u', password, will: { topic: 't', message } })
    password.fill(0)
    message.fill(0)
    expect(`${packet.password}`).to.equal('before')
    expect(`${packet.will?.message}`).to.equal('before')
  })

  it('keeps U+FEFF at the start of a string [MQTT-1.5.3-3]', () => {
    const packet = buildV3({
      clientId: '\uFEFFc',
      userName: '\uFEFF',
      will: { topic: '\uFEFFt', message: '' },
    })
    const decoded = decodeV3(packet.bytes)
    expect([decoded.clientId, decoded.userName, decoded.will?.topic]).to.deep.equal([
      '\uFEFFc',
      '\uFEFF',
      '\uFEFFt',
    ])
    expect(packet.bytes.includes(hex('0004 efbbbf 63'))).to.equal(true)
  })

  it('takes strings of 65,535 bytes in every field', () => {
    const longest = `${'é'.repeat(32767)}x`
    const fields = {
      clientId: longest,
      userName: longest,
      password: longest,
      will: { topic: longest, message: longest },
    }
    const packet = decodeV3(buildV3(fields).bytes)
    expect(packet.size).to.equal(1 + 3 + 10 + 5 * 65537)
    expect(packet.clientId === longest && packet.userName === longest).to.equal(true)
    expect(packet.will?.topic === longest && packet.will.message.length === 65535).to.equal(true)
  })

  it('writes the Remaining Length in its shortest form around each boundary', () => {
    const header = (remaining: number) => {
      const clientIdLength = Math.min(remaining - 12, 65535)
      return buildV3({ clientId: 'x'.repeat(clientIdLength) })
        .bytes.subarray(0, 5)
        .toString('hex')
    }
    expect(header(127)).to.match(/^107f0004/)
    expect(header(128)).to.match(/^10800100/)
    expect(header(16383)).to.match(/^10ff7f00/)
    expect(header(16384)).to.match(/^10808001/)
  })
})
