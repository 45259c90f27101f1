import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { property, type v3_1_1, type v5 } from '../../lib/packets/index.ts'
import { buildV3, buildV5, decodeV3, decodeV5 } from '../support/packets.ts'
import { hex, R3 } from '../support/reference.ts'

function components(packet: v3_1_1.ConnectPacket | v5.ConnectPacket): string[] {
  return packet.constBufferSequence().map((component) => component.toString('hex'))
}

/** A property of every kind in both property lists. */
const everyKind: v5.ConnectPacketFields = {
  cleanStart: true,
  keepAlive: 10,
  clientId: 'cid',
  userName: 'un',
  password: 'pw',
  props: [
    property.requestProblemInformation(0),
    property.receiveMaximum(10),
    property.sessionExpiryInterval(1),
    property.authenticationMethod('m'),
    property.authenticationData('d'),
    property.userProperty('k', 'v'),
  ],
  will: {
    topic: 't',
    message: 'msg',
    qos: 1,
    retain: true,
    props: [
      property.payloadFormatIndicator(1),
      property.willDelayInterval(2),
      property.contentType('j'),
      property.correlationData('c'),
      property.userProperty('a', ''),
    ],
  },
}

const everyKindComponents = [
  '10', // fixed header
  '4f', // remaining length
  '00044d51545405', // protocol name with level
  'ee', // connect flags
  '000a', // keep alive
  '19', // property length
  ...['17', '00'], // request problem information: id, value
  ...['21', '000a'], // receive maximum: id, value
  ...['11', '00000001'], // session expiry interval: id, value
  ...['15', '0001', '6d'], // authentication method: id, length, value
  ...['16', '0001', '64'], // authentication data: id, length, value
  ...['26', '0001', '6b', '0001', '76'], // user property: id, key length, key, value length, value
  ...['0003', '636964'], // client id
  '15', // will property length
  ...['01', '01'], // payload format indicator
  ...['18', '00000002'], // will delay interval
  ...['03', '0001', '6a'], // content type
  ...['09', '0001', '63'], // correlation data
  ...['26', '0001', '61', '0000', ''], // user property with an empty value
  ...['0001', '74'], // will topic
  ...['0003', '6d7367'], // will message
  ...['0002', '756e'], // user name
  ...['0002', '7077'], // password
]

describe('constBufferSequence', () => {
  it('lists the components of a 3.1.1 packet with all fields', () => {
    const will = { topic: 'a/b', message: Buffer.from([0xff]), qos: 2, retain: true } as const
    const packet = buildV3({ keepAlive: 258, clientId: 'cid', will, userName: 'un', password: 'pw' })
    expect(components(packet)).to.deep.equal([
      '10', // fixed header
      '1f', // remaining length
      '00044d51545404', // protocol name with level
      'f6', // connect flags
      '0102', // keep alive
      ...['0003', '636964'], // client id
      ...['0003', '612f62'], // will topic
      ...['0001', 'ff'], // will message
      ...['0002', '756e'], // user name
      ...['0002', '7077'], // password
    ])
    expect(packet.numOfConstBufferSequence).to.equal(15)
  })

  it('lists only what is there in the smallest packets', () => {
    expect(components(buildV3({ clientId: '' }))).to.deep.equal([
      ...['10', '0c', '00044d51545404', '02', '0000', '0000', ''],
    ])
    expect(components(buildV5({ clientId: '' }))).to.deep.equal([
      ...['10', '0d', '00044d51545405', '02', '0000', '00', '0000', ''],
    ])
  })

  it('lists the components of a 5.0 packet with every kind of property value', () => {
    const packet = buildV5(everyKind)
    expect(components(packet)).to.deep.equal(everyKindComponents)
    expect(packet.numOfConstBufferSequence).to.equal(everyKindComponents.length)
    expect(packet.bytes.toString('hex')).to.equal(everyKindComponents.join(''))
  })

  it('lists the same components for a packet that was built and for one that was decoded', () => {
    expect(components(decodeV5(buildV5(everyKind).bytes))).to.deep.equal(everyKindComponents)
  })

  it('keeps an empty component for each empty content', () => {
    const packet = buildV3({ clientId: '', userName: '', password: '', will: { topic: 't', message: '' } })
    expect(components(packet).slice(5)).to.deep.equal([
      '0000',
      '',
      '0001',
      '74',
      '0000',
      '',
      '0000',
      '',
      '0000',
      '',
    ])
  })

  it('lists a remaining length and a property length of several bytes as one component each', () => {
    const packet = buildV5({ props: [property.userProperty('', 'x'.repeat(200))] })
    const list = components(packet)
    expect(list[1]).to.equal('dc01')
    expect(list[5]).to.equal('cd01')
    expect(decodeV3(hex(R3)).numOfConstBufferSequence).to.equal(11)
  })

  it('are empty if somebody has transferred the memory of the packet', () => {
    const bytes = Uint8Array.from(hex(R3))
    const packet = decodeV3(bytes)
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    expect(components(packet).join('')).to.equal('')
    expect(packet.password?.length ?? 0).to.equal(0)
  })

  it('show no other memory if somebody has changed the Remaining Length', () => {
    const memory = Buffer.alloc(200, 0x5a)
    const bytes = memory.subarray(100, 100 + hex(R3).length)
    bytes.set(hex(R3))
    const packet = decodeV3(bytes)
    bytes.fill(0xff, 1, 5)
    const inside = (view: Uint8Array) =>
      view.length === 0 ||
      (view.byteOffset >= bytes.byteOffset &&
        view.byteOffset + view.length <= bytes.byteOffset + bytes.length)
    expect(packet.constBufferSequence().every(inside)).to.equal(true)
  })
})
