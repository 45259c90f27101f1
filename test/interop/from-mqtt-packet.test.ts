import { expect } from 'chai'
import fc from 'fast-check'
import mqttPacket from 'mqtt-packet'
import { type ConnectInput, fromMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { usual } from '../support/arbitraries.ts'
import { expectRefusal, thrown } from '../support/thrown.ts'
import { connackInput, connectInput } from './inputs.ts'
import { SEED } from './packets.ts'

const from = (object: unknown, options?: object) => () => fromMqttPacket(object as ConnectInput, options)
const connect = (members: object) => from({ cmd: 'connect', clientId: 'c', ...members })
const connect5 = (members: object) => connect({ protocolVersion: 5, ...members })
const connack = (members: object, options?: object) => from({ cmd: 'connack', ...members }, options)

describe('fromMqttPacket', () => {
  it('gives the bytes that mqtt-packet writes for a CONNECT', () => {
    fc.assert(
      fc.property(connectInput, (object) => {
        const { bytes } = fromMqttPacket(object)
        expect(bytes.toString('hex')).to.equal(mqttPacket.generate(object).toString('hex'))
      }),
      { seed: SEED, numRuns: usual(1000) },
    )
  })

  it('gives the bytes that mqtt-packet writes for a CONNACK', () => {
    fc.assert(
      fc.property(connackInput, ([object, protocolVersion]) => {
        const { bytes } = fromMqttPacket(object, { protocolVersion })
        expect(bytes.toString('hex')).to.equal(
          mqttPacket.generate(object, { protocolVersion }).toString('hex'),
        )
      }),
      { seed: SEED, numRuns: usual(500) },
    )
  })

  it('returns the class of the version', () => {
    const versions = [
      [{ protocolId: 'MQIsdp', protocolVersion: 3 }, v3_1.ConnectPacket],
      [{}, v3_1_1.ConnectPacket],
      [{ protocolVersion: 5 }, v5.ConnectPacket],
    ] as const
    for (const [members, Packet] of versions) expect(connect(members)()).to.be.instanceOf(Packet)
  })

  it('takes a CONNACK with a reason code as 5.0, and one with a return code as 3.1.1', () => {
    expect(connack({ reasonCode: 0 })()).to.be.instanceOf(v5.ConnackPacket)
    expect(connack({ returnCode: 0 })()).to.be.instanceOf(v3_1_1.ConnackPacket)
    expect(connack({ returnCode: 0 }, { protocolVersion: 0 })()).to.be.instanceOf(v3_1_1.ConnackPacket)
    expect(connack({ returnCode: 0 }, { protocolVersion: 3 })()).to.be.instanceOf(v3_1.ConnackPacket)
    expect(connack({ returnCode: 0, reasonCode: 0x87 }, { protocolVersion: 5 })()).to.include({
      reasonCode: 0x87,
    })
  })

  it('writes what mqtt-packet cannot: an empty client id or a password alone in 5.0, no user properties', () => {
    for (const members of [
      { clientId: '', clean: false },
      { password: 'p' },
      { properties: { userProperties: {} } },
      { properties: { userProperties: { a: [] } } },
    ]) {
      expect(connect5(members)()).to.be.instanceOf(v5.ConnectPacket)
    }
  })
})

describe('fromMqttPacket refuses what the standard forbids, with the error of decoding', () => {
  const cases: [code: string, field: string, action: () => unknown][] = [
    ['protocol-name', 'protocolName', connect({ protocolId: 'MQTX' })],
    ['protocol-level', 'protocolLevel', connect({ protocolId: 'MQTT', protocolVersion: 3 })],
    ['protocol-level', 'protocolLevel', connect({ protocolId: 'MQIsdp', protocolVersion: 5 })],
    ['protocol-level', 'protocolLevel', connect({ protocolId: 'MQIsdp' })],
    ['protocol-level', 'protocolLevel', connect({ protocolVersion: 6 })],
    ['protocol-level', 'protocolLevel', connect5({ bridgeMode: true })],
    ['client-id-empty', 'clientId', connect({ clientId: '', clean: false })],
    [
      'client-id-too-long',
      'clientId',
      connect({ protocolId: 'MQIsdp', protocolVersion: 3, clientId: 'c'.repeat(24) }),
    ],
    ['client-id-not-utf8', 'clientId', connect({ clientId: 'a\ud800' })],
    ['client-id-not-utf8', 'clientId', connect({ clientId: Buffer.from([0x61, 0xff, 0x61]) })],
    ['client-id-nul', 'clientId', connect({ clientId: Buffer.from([0x61, 0, 0xff]) })],
    ['user-name-not-utf8', 'userName', connect({ username: Buffer.from([0xc0]) })],
    ['password-without-user-name', 'connectFlags', connect({ password: 'p' })],
    ['will-topic-empty', 'will.topic', connect({ will: { topic: '' } })],
    ['will-topic-wildcard', 'will.topic', connect({ will: { topic: '#' } })],
    ['will-qos', 'connectFlags', connect({ will: { topic: 't', qos: 3 } })],
    ['property-twice', 'props.receiveMaximum', connect5({ properties: { receiveMaximum: [1, 2] } })],
    ['receive-maximum-zero', 'props.receiveMaximum', connect5({ properties: { receiveMaximum: 0 } })],
    ['property-not-allowed-here', 'props.contentType', connect5({ properties: { contentType: '' } })],
    [
      'property-not-allowed-here',
      'props.subscriptionIdentifier',
      connect5({ properties: { subscriptionIdentifier: 1 } }),
    ],
    [
      'property-not-allowed-here',
      'will.props.reasonString',
      connect5({ will: { topic: 't', properties: { reasonString: '' } } }),
    ],
    ['user-property-nul', 'props.userProperty', connect5({ properties: { userProperties: { a: '\0' } } })],
    ['connack-code', 'returnCode', connack({ returnCode: 6 })],
    ['connack-code', 'reasonCode', connack({ reasonCode: 1 })],
    ['session-present-with-error', 'acknowledgeFlags', connack({ sessionPresent: true, returnCode: 5 })],
    ['maximum-qos', 'props.maximumQos', connack({ reasonCode: 0, properties: { maximumQoS: 2 } })],
  ]
  for (const [code, field, action] of cases)
    it(`${code} in ${field}`, () => void expectRefusal(action, code, field))

  it('at the byte that decoding gives', () => {
    const error = expectRefusal(
      connect({ clientId: Buffer.from([0x61, 0xff, 0x61]) }),
      'client-id-not-utf8',
      'clientId',
    )
    expect(error.offset).to.equal(15)
    expect(thrown(connect({ protocolVersion: 6 }))).to.include({
      protocolName: 'MQTT',
      protocolLevel: 6,
      offset: 8,
    })
  })
})
