import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { type Explanation, explain } from '../../lib/explain/index.ts'
import {
  type MqttError,
  OpaquePacket,
  type PacketVariant,
  property,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/packets/index.ts'
import { connect3, connect5, framed } from '../support/faults.ts'
import { buildV3, buildV5 } from '../support/packets.ts'
import { hex, R3 } from '../support/reference.ts'
import { expectMisuse } from '../support/thrown.ts'
import { told, valueIn } from './support.ts'

describe('explain', () => {
  it('gives a row for each field and each length of R3', () => {
    const explanation = explain(hex(R3))
    expect(told(explanation)).to.deep.equal([
      [0, 'fixedHeader', 'CONNECT'],
      [1, 'remainingLength', '48 bytes'],
      [2, 'protocolName length', '4 bytes'],
      [4, 'protocolName', '"MQTT"'],
      [8, 'protocolLevel', '4 (MQTT 3.1.1)'],
      [9, 'connectFlags', '0xc2'],
      [10, 'keepAlive', '60 s'],
      [12, 'clientId length', '11 bytes'],
      [14, 'clientId', '"sensor-0042"'],
      [25, 'userName length', '6 bytes'],
      [27, 'userName', '"device"'],
      [33, 'password length', '15 bytes'],
      [35, 'password', '*****'],
    ])
    expect(explanation.packet).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect('error' in explanation).to.equal(false)
    expect(explanation.rows[2]).to.deep.equal({
      offset: 2,
      length: 2,
      field: 'protocolName',
      part: 'length',
      hex: '00 04',
      value: '4 bytes',
      clause: '3.1.2.1',
    })
  })

  it('names each CONNECT property, its unit and its section', () => {
    const { bytes } = buildV5({
      props: [
        property.sessionExpiryInterval(0xffffffff),
        property.receiveMaximum(20),
        property.maximumPacketSize(1000),
        property.topicAliasMaximum(0),
        property.requestResponseInformation(1),
        property.requestProblemInformation(0),
        property.authenticationMethod('m'),
        property.authenticationData('d'),
        property.userProperty('k', 'v'),
      ],
    })
    const rows = explain(bytes).rows.filter(({ field }) => field.startsWith('props'))
    expect(rows.map(({ field, part, value, clause }) => [field.slice(6), part, value, clause])).to.deep.equal(
      [
        ['sessionExpiryInterval', 'id', 'session expiry interval', '3.1.2.11.2'],
        ['sessionExpiryInterval', 'value', '4294967295 s', '3.1.2.11.2'],
        ['receiveMaximum', 'id', 'receive maximum', '3.1.2.11.3'],
        ['receiveMaximum', 'value', '20', '3.1.2.11.3'],
        ['maximumPacketSize', 'id', 'maximum packet size', '3.1.2.11.4'],
        ['maximumPacketSize', 'value', '1000 bytes', '3.1.2.11.4'],
        ['topicAliasMaximum', 'id', 'topic alias maximum', '3.1.2.11.5'],
        ['topicAliasMaximum', 'value', '0', '3.1.2.11.5'],
        ['requestResponseInformation', 'id', 'request response information', '3.1.2.11.6'],
        ['requestResponseInformation', 'value', '1', '3.1.2.11.6'],
        ['requestProblemInformation', 'id', 'request problem information', '3.1.2.11.7'],
        ['requestProblemInformation', 'value', '0', '3.1.2.11.7'],
        ['authenticationMethod', 'id', 'authentication method', '3.1.2.11.9'],
        ['authenticationMethod', 'length', '1 byte', '3.1.2.11.9'],
        ['authenticationMethod', 'value', '"m"', '3.1.2.11.9'],
        ['authenticationData', 'id', 'authentication data', '3.1.2.11.10'],
        ['authenticationData', 'length', '1 byte', '3.1.2.11.10'],
        ['authenticationData', 'value', '*****', '3.1.2.11.10'],
        ['userProperty', 'id', 'user property', '3.1.2.11.8'],
        ['userProperty', 'key length', '1 byte', '3.1.2.11.8'],
        ['userProperty', 'key', '"k"', '3.1.2.11.8'],
        ['userProperty', 'value length', '1 byte', '3.1.2.11.8'],
        ['userProperty', 'value', '"v"', '3.1.2.11.8'],
      ],
    )
  })

  it('names each will property, its unit and its section', () => {
    const props = [
      property.willDelayInterval(30),
      property.payloadFormatIndicator(1),
      property.messageExpiryInterval(9),
      property.contentType('c'),
      property.responseTopic('r'),
      property.correlationData(Buffer.from([0, 0xff])),
      property.userProperty('', 'v'),
    ]
    const { rows } = explain(buildV5({ will: { topic: 't', message: 'm', props } }).bytes)
    const values = rows.filter(({ field, part }) => field.startsWith('will.props.') && part === 'value')
    expect(values.map(({ field, value, clause }) => [field.slice(11), value, clause])).to.deep.equal([
      ['willDelayInterval', '30 s', '3.1.3.2.2'],
      ['payloadFormatIndicator', '1 (string)', '3.1.3.2.3'],
      ['messageExpiryInterval', '9 s', '3.1.3.2.4'],
      ['contentType', '"c"', '3.1.3.2.5'],
      ['responseTopic', '"r"', '3.1.3.2.6'],
      ['correlationData', '2 bytes of binary data', '3.1.3.2.7'],
      ['userProperty', '"v"', '3.1.3.2.8'],
    ])
    const zero = buildV5({ will: { topic: 't', message: 'm', props: [property.payloadFormatIndicator(0)] } })
    expect(valueIn(explain(zero.bytes), 'will.props.payloadFormatIndicator', 'value')).to.equal('0 (binary)')
  })

  it('names each CONNACK property, its unit and its section', () => {
    const props = [
      property.sessionExpiryInterval(1),
      property.receiveMaximum(2),
      property.maximumQos(1),
      property.retainAvailable(0),
      property.maximumPacketSize(5),
      property.assignedClientIdentifier('c'),
      property.topicAliasMaximum(7),
      property.reasonString('r'),
      property.userProperty('k', 'v'),
      property.wildcardSubscriptionAvailable(1),
      property.subscriptionIdentifierAvailable(0),
      property.sharedSubscriptionAvailable(1),
      property.serverKeepAlive(30),
      property.responseInformation('i'),
      property.serverReference('s'),
      property.authenticationMethod('m'),
      property.authenticationData('d'),
    ]
    const { bytes } = new v5.ConnackPacket({ sessionPresent: true, reasonCode: 0, props })
    const { rows } = explain(bytes, { protocolVersion: 5 })
    expect(told(explain(bytes, { protocolVersion: 5 })).slice(2, 5)).to.deep.equal([
      [2, 'acknowledgeFlags', '0x01'],
      [3, 'reasonCode', '0x00 (success)'],
      [4, 'propertyLength', '60 bytes'],
    ])
    expect(rows[2]?.bits?.map(({ bits, name, value }) => `${bits} ${name} ${value}`)).to.deep.equal([
      '7-1 reserved 0000000',
      '0 session present 1',
    ])
    const values = rows.filter(({ part }) => part === 'value')
    expect(values.map(({ field, value, clause }) => [field.slice(6), value, clause])).to.deep.equal([
      ['sessionExpiryInterval', '1 s', '3.2.2.3.2'],
      ['receiveMaximum', '2', '3.2.2.3.3'],
      ['maximumQos', '1', '3.2.2.3.4'],
      ['retainAvailable', '0', '3.2.2.3.5'],
      ['maximumPacketSize', '5 bytes', '3.2.2.3.6'],
      ['assignedClientIdentifier', '"c"', '3.2.2.3.7'],
      ['topicAliasMaximum', '7', '3.2.2.3.8'],
      ['reasonString', '"r"', '3.2.2.3.9'],
      ['userProperty', '"v"', '3.2.2.3.10'],
      ['wildcardSubscriptionAvailable', '1', '3.2.2.3.11'],
      ['subscriptionIdentifierAvailable', '0', '3.2.2.3.12'],
      ['sharedSubscriptionAvailable', '1', '3.2.2.3.13'],
      ['serverKeepAlive', '30 s', '3.2.2.3.14'],
      ['responseInformation', '"i"', '3.2.2.3.15'],
      ['serverReference', '"s"', '3.2.2.3.16'],
      ['authenticationMethod', '"m"', '3.2.2.3.17'],
      ['authenticationData', '*****', '3.2.2.3.18'],
    ])
  })

  it('explains a CONNACK of 3.1 and 3.1.1 with its return code', () => {
    const rows = (protocolVersion: 3 | 4, wire: string) =>
      explain(hex(wire), { protocolVersion }).rows.map(({ field, value, clause }) => [field, value, clause])
    expect(rows(4, '20020005').slice(2)).to.deep.equal([
      ['acknowledgeFlags', '0x00', '3.2.2.1'],
      ['returnCode', '5 (not authorized)', '3.2.2.3'],
    ])
    expect(rows(3, '20020002')).to.deep.equal([
      ['fixedHeader', 'CONNACK', '2.1'],
      ['remainingLength', '2 bytes', '2.1'],
      ['acknowledgeFlags', '0x00', '3.2'],
      ['returnCode', '2 (identifier rejected)', '3.2'],
    ])
    expect(rows(4, '20020006').at(-1)).to.deep.equal(['returnCode', '6, unknown', '3.2.2.3'])
  })

  it('explains MQTT 3.1, whose document has one section about CONNECT, and the bridge bit', () => {
    const { bytes } = new v3_1.ConnectPacket({
      cleanSession: true,
      keepAlive: 5,
      clientId: 'a',
      userName: 'u',
    })
    const { rows } = explain(bytes, { allow: ['protocol-mqtt-3-1'] })
    expect(rows.slice(2).map(({ value, clause }) => [value, clause])).to.deep.equal([
      ['6 bytes', '3.1'],
      ['"MQIsdp"', '3.1'],
      ['3 (MQTT 3.1)', '3.1'],
      ['0x82', '3.1'],
      ['5 s', '3.1'],
      ['1 byte', '3.1'],
      ['"a"', '3.1'],
      ['1 byte', '3.1'],
      ['"u"', '3.1'],
    ])
    const { bits } = rows.find(({ field }) => field === 'connectFlags')!
    expect(bits?.map(({ clause }) => clause)).to.deep.equal(new Array(7).fill('3.1'))
    const bridge = buildV3({ bridge: true })
    const allowed = explain(bridge.bytes, { allow: ['protocol-bridge-level'] })
    expect(valueIn(allowed, 'protocolLevel')).to.equal('132 (MQTT 3.1.1, bridge bit)')
    expect(allowed.summary[1]).to.deep.equal(['text', `${bridge}`])
    expect(`${bridge}`).to.include(',br:1')
    expect(valueIn(explain(bridge.bytes), 'protocolLevel')).to.equal('132 (MQTT 3.1.1, bridge bit)')
  })

  it('names a property with an identifier of two bytes, if allow permits it', () => {
    const bytes = connect5('02', '9100 00000005', '0001 63')
    const rows = explain(bytes, { allow: ['variable-byte-integer-not-shortest'] }).rows.slice(8, 10)
    expect(rows.map(({ part, value }) => [part, value])).to.deep.equal([
      ['id', 'session expiry interval'],
      ['value', '5 s'],
    ])
    expect(valueIn(explain(connect5('02', '7f', '0001 63')), 'props', 'id')).to.equal('0x7f, unknown')
  })

  it('explains the connect flags bit by bit, in the words of each version', () => {
    const bits = (bytes: Buffer) => explain(bytes).rows.find(({ field }) => field === 'connectFlags')?.bits
    const will = '0001 74 0000'
    expect(bits(connect3('f6', `0001 63 ${will} 0000 0000`))).to.deep.equal([
      { bits: '7', name: 'user name flag', value: '1', clause: '3.1.2.8' },
      { bits: '6', name: 'password flag', value: '1', clause: '3.1.2.9' },
      { bits: '5', name: 'will retain', value: '1', clause: '3.1.2.7' },
      { bits: '4-3', name: 'will QoS', value: '2 (exactly once)', clause: '3.1.2.6' },
      { bits: '2', name: 'will flag', value: '1', clause: '3.1.2.5' },
      { bits: '1', name: 'clean session', value: '1', clause: '3.1.2.4' },
      { bits: '0', name: 'reserved', value: '0', clause: '3.1.2.3' },
    ])
    const v5Bits = bits(connect5('0c', '', `0001 63 00 ${will}`))!
    expect(v5Bits.map(({ name, value }) => `${name} ${value}`)).to.include.members([
      'will QoS 1 (at least once)',
      'clean start 0',
    ])
    expect(bits(connect3('1e', '0001 63'))?.[3]?.value).to.equal('3 (no QoS)')
  })

  it('shows the existing part of a truncated field', () => {
    const cut = (bytes: Buffer) => told(explain(bytes, { secrets: true })).slice(-2)
    expect(cut(framed(0x10, '0004 4d515454 04 02 00'))).to.deep.equal([
      [9, 'connectFlags', '0x02'],
      [10, 'keepAlive', 'cut short'],
    ])
    expect(cut(connect3('02', '0007 6d34'))).to.deep.equal([
      [12, 'clientId length', '7 bytes'],
      [14, 'clientId', '"m4" (2 of 7 bytes)'],
    ])
    expect(cut(connect3('02', '00'))).to.deep.equal([
      [10, 'keepAlive', '60 s'],
      [12, 'clientId length', 'cut short'],
    ])
    expect(cut(connect3('02', ''))[1]).to.deep.equal([12, 'clientId', 'cut short'])
    expect(cut(hex('10ff'))[1]).to.deep.equal([1, 'remainingLength', 'cut short'])
    expect(cut(hex('10ffffffff01'))).to.deep.equal([
      [1, 'remainingLength', 'goes on after 4 bytes'],
      [5, 'notRead', '1 byte'],
    ])
    expect(cut(connect5('02', '91', ''))[1]).to.deep.equal([13, 'props id', 'cut short'])
    expect(cut(connect5('02', '15', ''))[1]).to.deep.equal([
      14,
      'props.authenticationMethod value',
      'cut short',
    ])
    expect(told(explain(connect5('02', '21 00', ''))).slice(-1)).to.deep.equal([
      [14, 'props.receiveMaximum value', 'cut short'],
    ])
  })

  it('explains packets other than CONNECT: fixed header, packet identifier, body', () => {
    const publish = explain(hex('3b0a 0003 616263 1234 686921'))
    expect(told(publish)).to.deep.equal([
      [0, 'fixedHeader', 'PUBLISH'],
      [1, 'remainingLength', '10 bytes'],
      [2, 'topicName length', '3 bytes'],
      [4, 'topicName', '*****'],
      [7, 'packetId', '4660'],
      [9, 'body', '3 bytes, not decoded'],
    ])
    expect(publish.packet).to.be.instanceOf(OpaquePacket)
    expect(publish.rows[0]?.bits?.map(({ name, value }) => `${name}: ${value}`)).to.deep.equal([
      'packet type: 3 PUBLISH',
      'DUP flag: 1',
      'QoS: 1 (at least once)',
      'retain: 1',
    ])
    expect(publish.rows.at(-1)).to.include({ clause: '3.3', hex: '** ** **' })
    expect(told(explain(hex('c000')))).to.deep.equal([
      [0, 'fixedHeader', 'PINGREQ'],
      [1, 'remainingLength', '0 bytes'],
    ])
    expect(told(explain(hex('8205 0007 000000'))).slice(2)).to.deep.equal([
      [2, 'packetId', '7'],
      [4, 'body', '3 bytes, not decoded'],
    ])
  })

  it('names the sections of the version: the packet’s own, else the one asked for, else 5.0', () => {
    const clause = (bytes: Buffer, protocolVersion: 0 | 4 | 5) =>
      explain(bytes, { protocolVersion }).rows[0]?.clause
    expect(clause(hex(R3), 0)).to.equal('2.2')
    expect([clause(hex('c000'), 4), clause(hex('c000'), 5), clause(hex('c000'), 0)]).to.deep.equal([
      '2.2',
      '2.1.1',
      '2.1.1',
    ])
  })

  it('escapes what cannot be seen, quotes, and what could turn or break the line', () => {
    const { bytes } = buildV5({ clientId: 'a\r\n"\\\u009b\u202e\u2028\ufeff😀é' })
    expect(valueIn(explain(bytes), 'clientId')).to.equal('"a\\r\\n\\"\\\\\\u009b\\u202e\\u2028\\ufeff😀é"')
  })

  it('cuts long content and tells its length', () => {
    const { bytes } = buildV5({ clientId: 'x'.repeat(70_00), password: Buffer.alloc(100) })
    const explanation = explain(bytes)
    expect(valueIn(explanation, 'clientId')).to.equal(`"${'x'.repeat(60)}"… (7000 bytes)`)
    const long = explanation.rows.find(({ field, part }) => field === 'clientId' && part === undefined)
    expect(long?.hex.split(' ')).to.have.lengthOf(32)
    expect(long?.hex).to.match(/^(78 ){24}…( 78){7}$/)
    const astral = buildV5({ clientId: '😀'.repeat(61) })
    expect(valueIn(explain(astral.bytes), 'clientId')).to.equal(`"${'😀'.repeat(60)}"… (244 bytes)`)
  })

  it('has either a packet or an error, and the types say so', () => {
    for (const [wire, name] of [
      [R3, 'packet'],
      ['c0', 'error'],
    ] as const) {
      const explanation: Explanation = explain(hex(wire))
      expect(Object.keys(explanation).sort()).to.deep.equal([name, 'packets', 'rows'].sort())
      if (explanation.error === undefined) explanation.packet satisfies PacketVariant
      else explanation.error satisfies MqttError
      if (explanation.packet === undefined) explanation.error satisfies MqttError
      // @ts-expect-error It may be an error.
      explanation.packet satisfies PacketVariant
    }
  })

  it('shows the part of a string before its fault', () => {
    const value = (payload: string) => valueIn(explain(connect3('06', payload)), 'will.topic')
    expect(value('0001 63 0003 61622b 0000')).to.equal('"ab", then 0x2b')
    expect(value('0001 63 0003 2b6162 0000')).to.equal('0x2b, then 2 bytes not shown')
  })

  it('gives JSON with the packet, or the error and the CONNACK to answer with', () => {
    const valid = JSON.parse(JSON.stringify(explain(hex(R3))))
    expect(Object.keys(valid)).to.deep.equal(['valid', 'rows', 'packet'])
    expect(valid.valid).to.equal(true)
    expect(valid.packet).to.include({ clientId: 'sensor-0042', hasPassword: true })
    const invalid = JSON.parse(JSON.stringify(explain(connect5('03', '', '0000'))))
    expect(Object.keys(invalid)).to.deep.equal(['valid', 'rows', 'error', 'connack'])
    expect(invalid.error).to.include({ code: 'connect-flags-reserved', offset: 9 })
    expect(invalid.connack).to.equal('2003008100')
    expect(JSON.parse(JSON.stringify(explain(connect3('03', '0000'))))).not.to.have.property('connack')
  })

  it('shares the memory of the bytes with the packet, and takes any Uint8Array', () => {
    const bytes = new Uint8Array(hex(R3))
    expect(explain(bytes).packet?.bytes.buffer).to.equal(bytes.buffer)
  })
})

describe('misuse of explain', () => {
  const call =
    (...args: unknown[]) =>
    () =>
      (explain as (...args: unknown[]) => unknown)(...args)
  const bytes = hex(R3)

  it('invalid bytes, invalid options, each option with a wrong type or value', () => {
    for (const wrong of [undefined, null, R3, [1], bytes.buffer, 5]) {
      expectMisuse(call(wrong), 'ERR_INVALID_ARG_TYPE', 'bytes')
    }
    for (const wrong of [null, 'x', 5]) expectMisuse(call(bytes, wrong), 'ERR_INVALID_ARG_TYPE', 'options')
    for (const wrong of [6, '5', null]) {
      expectMisuse(call(bytes, { protocolVersion: wrong }), 'ERR_INVALID_ARG_VALUE', 'protocolVersion')
    }
    expectMisuse(call(bytes, { allow: 'client-id-empty' }), 'ERR_INVALID_ARG_TYPE', 'allow')
    expectMisuse(call(bytes, { allow: ['will-qos'] }), 'ERR_INVALID_ARG_VALUE', 'allow: will-qos')
    for (const wrong of [1, 'yes', null]) {
      expectMisuse(call(bytes, { secrets: wrong }), 'ERR_INVALID_ARG_TYPE', 'secrets')
    }
  })
})
