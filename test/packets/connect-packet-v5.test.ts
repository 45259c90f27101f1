import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { ControlPacketType, ProtocolVersion, property, v5, Will } from '../../lib/packets/index.ts'
import { buildV5, decodeV5 } from '../support/packets.ts'
import { fieldsOfR5, hex, R5 } from '../support/reference.ts'

const { ConnectPacket } = v5

describe('v5.ConnectPacket', () => {
  it('encodes the fields of the reference packet into its bytes', () => {
    expect(new ConnectPacket(fieldsOfR5).bytes.toString('hex')).to.equal(R5)
  })

  it('reads every field of the reference packet', () => {
    const packet = decodeV5(hex(R5))
    expect(packet.cleanStart).to.equal(true)
    expect(packet.keepAlive).to.equal(60)
    expect(packet.clientId).to.equal('sensor-0042')
    expect(packet.userName).to.equal('device')
    expect(packet.password).to.deep.equal(Buffer.from('s3cret-passw0rd'))
    expect(packet.props).to.deep.equal([
      { id: 0x11, value: 3600 },
      { id: 0x21, value: 100 },
      { id: 0x26, key: 'region', value: 'eu-west-1' },
      { id: 0x26, key: 'fw', value: '1.2.3' },
    ])
    expect({ ...packet.will }).to.deep.equal({
      topic: 'devices/sensor-0042/status',
      message: Buffer.from('offline'),
      qos: 1,
      retain: true,
      props: [
        { id: 0x18, value: 30 },
        { id: 0x03, value: 'text/plain' },
      ],
    })
  })

  it('has its type on the class and on the packet', () => {
    expect(ConnectPacket.type).to.equal(0x10)
    expect(buildV5().type).to.equal(ControlPacketType.connect)
    expect(decodeV5(hex(R5)).type).to.equal(0x10)
  })

  it('has protocol version 5', () => {
    expect(buildV5().protocolVersion).to.equal(5)
    expect(decodeV5(hex(R5)).protocolVersion).to.equal(ProtocolVersion.v5)
  })

  it('gives its encoded bytes as a Buffer and their number as size', () => {
    const packet = new ConnectPacket(fieldsOfR5)
    expect(Buffer.isBuffer(packet.bytes)).to.equal(true)
    expect(packet.size).to.equal(148)
    expect(packet.bytes).to.have.lengthOf(148)
  })

  it('encodes the smallest packet: an empty client id and no properties', () => {
    const packet = new ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '' })
    expect(packet.bytes).to.deep.equal(hex('10 0d 0004 4d515454 05 02 0000 00 0000'))
    expect(packet.props).to.deep.equal([])
  })

  it('takes an empty client id with clean start 0', () => {
    const packet = buildV5({ cleanStart: false, clientId: '' })
    expect(packet.bytes).to.deep.equal(hex('10 0d 0004 4d515454 05 00 0000 00 0000'))
    expect(decodeV5(packet.bytes).cleanStart).to.equal(false)
  })

  it('encodes an init object as will with an empty property list unless it says otherwise', () => {
    const packet = buildV5({ will: { topic: 't', message: 'm' } })
    expect(packet.bytes).to.deep.equal(hex('10 15 0004 4d515454 05 06 0000 00 0001 63 00 0001 74 0001 6d'))
    expect({ ...packet.will }).to.deep.equal({
      topic: 't',
      message: Buffer.from('m'),
      qos: 0,
      retain: false,
      props: [],
    })
  })

  it('takes a Will instance and encodes it as the same init object', () => {
    const fields = {
      topic: 't',
      message: 'm',
      qos: 2,
      retain: true,
      props: [property.correlationData('c')],
    } as const
    const packet = buildV5({ will: new Will(fields) })
    expect(packet.equals(buildV5({ will: fields }))).to.equal(true)
    expect(packet.will).to.be.instanceOf(Will)
    expect(packet.will).to.deep.equal(new Will(fields))
  })

  it('sets the connect flags of each will QoS and of retain', () => {
    const flags = (qos: 0 | 1 | 2, retain: boolean) =>
      buildV5({ will: { topic: 't', message: '', qos, retain } }).bytes[9]
    expect([flags(0, false), flags(1, false), flags(2, false)]).to.deep.equal([0x06, 0x0e, 0x16])
    expect([flags(0, true), flags(1, true), flags(2, true)]).to.deep.equal([0x26, 0x2e, 0x36])
  })

  it('takes a password without a user name', () => {
    const packet = buildV5({ password: 'token' })
    expect(packet.bytes).to.deep.equal(hex('10 15 0004 4d515454 05 42 0000 00 0001 63 0005 746f6b656e'))
    const decoded = decodeV5(packet.bytes)
    expect(decoded.userName).to.equal(undefined)
    expect(decoded.password).to.deep.equal(Buffer.from('token'))
  })

  it('writes a property length of 1, 2 and 3 bytes in its shortest form', () => {
    const lengthBytes = (size: number) => {
      const pair = property.userProperty('', 'x'.repeat(size - 5))
      return buildV5({ props: [pair] })
    }
    const at = (packet: v5.ConnectPacket, start: number, end: number) =>
      packet.bytes.subarray(start, end).toString('hex')
    expect(at(lengthBytes(127), 13, 15)).to.equal('7f26')
    expect(at(lengthBytes(128), 13, 16)).to.equal('800126')
    expect(at(lengthBytes(16383), 14, 17)).to.equal('ff7f26')
    expect(at(lengthBytes(16384), 14, 18)).to.equal('80800126')
    for (const size of [127, 128, 16383, 16384]) {
      const packet = lengthBytes(size)
      expect(decodeV5(packet.bytes).props).to.deep.equal(packet.props)
    }
  })

  it('does not follow changes of what it was built from', () => {
    const data = Buffer.from('before')
    const props = [property.authenticationMethod('m'), property.authenticationData(data)]
    const packet = buildV5({ props })
    data.fill(0)
    props.length = 0
    expect(packet.props).to.deep.equal([
      { id: 0x15, value: 'm' },
      { id: 0x16, value: Buffer.from('before') },
    ])
  })

  it('keeps U+FEFF at the start of a string [MQTT-1.5.4-3]', () => {
    const pair = property.userProperty('\uFEFFk', '\uFEFFv')
    const decoded = decodeV5(buildV5({ clientId: '\uFEFFc', userName: '\uFEFF', props: [pair] }).bytes)
    expect([decoded.clientId, decoded.userName]).to.deep.equal(['\uFEFFc', '\uFEFF'])
    expect(decoded.props).to.deep.equal([pair])
  })

  it('takes a packet far over 65,535 bytes, all of it properties', () => {
    const props = Array.from({ length: 5 }, (_, i) => property.userProperty(`${i}`, 'v'.repeat(65535)))
    const decoded = decodeV5(buildV5({ props }).bytes)
    expect(decoded.size).to.be.greaterThan(5 * 65535)
    expect(decoded.props).to.deep.equal(props)
  })
})

describe('Will', () => {
  it('fills in QoS 0, no retain and no properties', () => {
    const will = new Will({ topic: 't', message: '' })
    expect({ ...will }).to.deep.equal({
      topic: 't',
      message: Buffer.alloc(0),
      qos: 0,
      retain: false,
      props: [],
    })
  })

  it('gives a message string as a Buffer of UTF-8', () => {
    const { message } = new Will({ topic: 't', message: '€😀' })
    expect(Buffer.isBuffer(message)).to.equal(true)
    expect(message).to.deep.equal(hex('e282ac f09f9880'))
  })

  it('keeps a property list of its own', () => {
    const props = [property.contentType('a')]
    const will = new Will({ topic: 't', message: '', props })
    props.pop()
    expect(will.props).to.deep.equal([{ id: 3, value: 'a' }])
  })
})
