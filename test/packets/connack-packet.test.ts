import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  type ConnackOptions,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  decode,
  OpaquePacket,
  ProtocolVersion,
  property,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse, expectRefusal } from '../support/thrown.ts'

/* The rules of CONNACK are tested in test/conformance. */

describe('ConnackPacket', () => {
  it('encodes its fields', () => {
    expect(new v3_1.ConnackPacket({ returnCode: 5 }).bytes).to.deep.equal(hex('20020005'))
    expect(new v3_1_1.ConnackPacket({ sessionPresent: true, returnCode: 0 }).bytes).to.deep.equal(
      hex('20020100'),
    )
    expect(new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0x87 }).bytes).to.deep.equal(
      hex('2003008700'),
    )
    const props = [property.serverKeepAlive(30), property.reasonString('é')]
    const packet = new v5.ConnackPacket({ sessionPresent: true, reasonCode: 0, props })
    expect(packet.bytes).to.deep.equal(hex('200b 01 00 08 13001e 1f0002c3a9'))
    expect([packet.type, v5.ConnackPacket.type]).to.deep.equal([0x20, ControlPacketType.connack])
  })

  it('is an OpaquePacket unless the version is given, because it does not name its version', () => {
    const bytes = hex('20020100')
    expect(decode(bytes)).to.be.instanceOf(OpaquePacket)
    expect(decode(bytes, { protocolVersion: 3 })).to.be.instanceOf(v3_1.ConnackPacket)
    expect(decode(bytes, { protocolVersion: 4 })).to.be.instanceOf(v3_1_1.ConnackPacket)
    expectRefusal(() => decode(bytes, { protocolVersion: 5 }), 'field-past-end', 'propertyLength', 4)
    expect(decode(hex('2003010000'), { protocolVersion: 5 })).to.be.instanceOf(v5.ConnackPacket)
  })

  it('of 3.1 has a reserved byte where later versions say whether the session is present', () => {
    const packet = decode(hex('2002ff00'), { protocolVersion: 3 }) as v3_1.ConnackPacket
    expect([packet.sessionPresent, packet.returnCode]).to.deep.equal([false, 0])
    expectMisuse(
      () => new v3_1.ConnackPacket({ sessionPresent: true as never, returnCode: 0 }),
      'ERR_INVALID_ARG_VALUE',
      'sessionPresent',
    )
  })

  it('of 3.1 shows no session in its text and JSON, whatever is in the reserved byte', () => {
    const packet = decode(hex('20020100'), { protocolVersion: ProtocolVersion.v3_1 })
    expect(`${packet}`).to.equal('v3_1::connack{rc:accepted,sp:0}')
    expect(packet.toJSON()).to.have.property('sessionPresent', false)
  })

  it('is misused with fields of the wrong type, out of range, or of another version', () => {
    const build = (fields: unknown) => () => new v5.ConnackPacket(fields as never)
    const buildOld = (fields: unknown) => () => new v3_1_1.ConnackPacket(fields as never)
    for (const wrong of [undefined, null, 'fields', 7]) {
      expectMisuse(build(wrong), 'ERR_INVALID_ARG_TYPE', 'fields')
      expectMisuse(buildOld(wrong), 'ERR_INVALID_ARG_TYPE', 'fields')
    }
    expectMisuse(build({ reasonCode: 0 }), 'ERR_INVALID_ARG_TYPE', 'sessionPresent')
    expectMisuse(build({ sessionPresent: 1, reasonCode: 0 }), 'ERR_INVALID_ARG_TYPE', 'sessionPresent')
    expectMisuse(build({ sessionPresent: false }), 'ERR_INVALID_ARG_TYPE', 'reasonCode')
    expectMisuse(build({ sessionPresent: false, reasonCode: 256 }), 'ERR_OUT_OF_RANGE', 'reasonCode')
    expectMisuse(build({ sessionPresent: false, reasonCode: 0, props: {} }), 'ERR_INVALID_ARG_TYPE', 'props')
    expectMisuse(buildOld({ sessionPresent: false, returnCode: -1 }), 'ERR_OUT_OF_RANGE', 'returnCode')
    expectMisuse(buildOld({ reasonCode: 0 }), 'ERR_INVALID_ARG_VALUE', "Unknown field 'reasonCode'")
    expectMisuse(build({ returnCode: 0 }), 'ERR_INVALID_ARG_VALUE', "Unknown field 'returnCode'")
    expectRefusal(
      build({ sessionPresent: true, reasonCode: 0x87 }),
      'session-present-with-error',
      'acknowledgeFlags',
      2,
    )
    expectRefusal(build({ sessionPresent: false, reasonCode: 1 }), 'connack-code', 'reasonCode', 3)
    expectRefusal(buildOld({ sessionPresent: false, returnCode: 6 }), 'connack-code', 'returnCode', 3)
  })

  it('has its components in constBufferSequence', () => {
    const packet = new v5.ConnackPacket({
      sessionPresent: true,
      reasonCode: 0,
      props: [property.userProperty('k', '')],
    })
    expect(packet.constBufferSequence().map((part) => part.toString('hex'))).to.deep.equal([
      ...['20', '09', '01', '00', '06', '26', '0001', '6b', '0000', ''],
    ])
  })
})

describe('connack', () => {
  const levels = [ProtocolVersion.v3_1, ProtocolVersion.v3_1_1] as const

  it('answers in the version of the CONNECT, or in the one given', () => {
    expect(connack(buildV3_1(), 0)).to.be.instanceOf(v3_1.ConnackPacket)
    expect(connack(buildV3(), 0)).to.be.instanceOf(v3_1_1.ConnackPacket)
    expect(connack(buildV5(), 0)).to.be.instanceOf(v5.ConnackPacket)
    expect(connack(ProtocolVersion.v5, 0x87).bytes).to.deep.equal(hex('2003008700'))
  })

  it('is undefined for a version that is not determined, as in errors about bytes that are not MQTT', () => {
    expect(connack(ProtocolVersion.undetermined, 0x84)).to.equal(undefined)
    expectMisuse(() => connack(6 as 5, 0x84), 'ERR_INVALID_ARG_VALUE', 'to')
  })

  it('translates reason codes into the return codes of 3.1 and 3.1.1, or into nothing', () => {
    const table: Record<number, number[]> = {
      0: [0x00],
      1: [0x84],
      2: [0x85],
      3: [0x88, 0x89, 0x97, 0x9c, 0x9d, 0x9f],
      4: [0x86],
      5: [0x87, 0x8a, 0x8c],
    }
    for (const reasonCode of Object.values(ConnectReasonCode)) {
      const returnCode = Object.keys(table).find((code) => table[Number(code)]!.includes(reasonCode))
      for (const level of levels) {
        const expected = returnCode && Buffer.from([0x20, 2, 0, Number(returnCode)])
        expect(connack(level, reasonCode)?.bytes, `${reasonCode}`).to.deep.equal(expected)
      }
      expect(connack(5, reasonCode).reasonCode).to.equal(reasonCode)
    }
  })

  it('writes the options as properties for 5.0, and ignores them for earlier versions', () => {
    const options: ConnackOptions = {
      sessionPresent: true,
      assignedClientId: 'id',
      serverKeepAlive: 30,
      reasonString: 'why',
      serverReference: 'other:1883',
      userProperties: new Map([['k', 'v']]),
      props: [property.maximumQos(1)],
    }
    const packet = connack(5, 0, options)
    expect([packet.sessionPresent, packet.props]).to.deep.equal([
      true,
      [
        property.assignedClientIdentifier('id'),
        property.serverKeepAlive(30),
        property.reasonString('why'),
        property.serverReference('other:1883'),
        property.userProperty('k', 'v'),
        property.maximumQos(1),
      ],
    ])
    expect(connack(4, 0, options)?.bytes).to.deep.equal(hex('20020100'))
    expect(connack(3, 0, options)?.bytes).to.deep.equal(hex('20020000'))
  })

  it('is misused with what is not a version, a reason code or an option', () => {
    const call = connack as (...args: unknown[]) => unknown
    for (const wrong of [-1, 6, 1.5]) expectMisuse(() => call(wrong, 0), 'ERR_INVALID_ARG_VALUE', 'to')
    for (const wrong of [undefined, null, '5', {}])
      expectMisuse(() => call(wrong, 0), 'ERR_INVALID_ARG_TYPE', 'to')
    for (const wrong of [1, '0', undefined])
      expectMisuse(() => call(5, wrong), 'ERR_INVALID_ARG_VALUE', 'reasonCode')
    expectMisuse(() => call(5, 0, null), 'ERR_INVALID_ARG_TYPE', 'options')
    expectMisuse(
      () => call(4, 0, { sessionpresent: true }),
      'ERR_INVALID_ARG_VALUE',
      "Unknown option 'sessionpresent'",
    )
    expectMisuse(() => call(4, 0, { sessionPresent: 1 }), 'ERR_INVALID_ARG_TYPE', 'sessionPresent')
    for (const wrong of ['kv', 5, null]) {
      expectMisuse(() => call(5, 0, { userProperties: wrong }), 'ERR_INVALID_ARG_TYPE', 'userProperties')
    }
    expectMisuse(() => call(5, 0, { userProperties: ['kv'] }), 'ERR_INVALID_ARG_TYPE', 'userProperties')
    expectMisuse(() => call(5, 0, { userProperties: [null] }), 'ERR_INVALID_ARG_TYPE', 'userProperties')
    expectMisuse(() => call(5, 0, { props: {} }), 'ERR_INVALID_ARG_TYPE', 'props')
    expectMisuse(() => call(5, 0, { reasonString: 7 }), 'ERR_INVALID_ARG_TYPE', 'props.reasonString')
    expectRefusal(
      () => call(5, 0x87, { sessionPresent: true }),
      'session-present-with-error',
      'acknowledgeFlags',
    )
  })
})
