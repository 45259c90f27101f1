import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { property, v3_1_1, v5, Will } from '../../lib/packets/index.ts'
import { fieldsOf } from '../support/kinds.ts'
import { buildV3, buildV5, decodeV3, decodeV5 } from '../support/packets.ts'
import { fieldsOfR3, fieldsOfR5, hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal, thrown } from '../support/thrown.ts'

describe('with', () => {
  it('gives an equal packet for no changes, of the same class', () => {
    expect(decodeV3(hex(R3)).with({}).bytes.toString('hex')).to.equal(R3)
    expect(decodeV5(hex(R5)).with({}).bytes.toString('hex')).to.equal(R5)
    expect(buildV3().with({})).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect(buildV5().with({})).to.be.instanceOf(v5.ConnectPacket)
  })

  it('leaves the old packet as it is', () => {
    const packet = decodeV5(hex(R5))
    packet.with({ clientId: 'other', props: [] })
    expect(packet.bytes.toString('hex')).to.equal(R5)
    expect(packet.clientId).to.equal('sensor-0042')
  })

  it('changes each field of a 3.1.1 packet alone', () => {
    const packet = new v3_1_1.ConnectPacket(fieldsOfR3)
    const before = fieldsOf(packet)
    for (const changes of [
      { cleanSession: false },
      { keepAlive: 61 },
      { clientId: 'other' },
      { userName: '' },
      { password: Buffer.from([0]) },
      { password: undefined },
    ]) {
      expect(fieldsOf(packet.with(changes))).to.deep.equal({ ...before, ...changes })
    }
    const willed = packet.with({ will: { topic: 't', message: 'm', qos: 2 } })
    expect(fieldsOf(willed.with({ will: undefined }))).to.deep.equal(before)
    expect(willed.will?.toFields()).to.deep.equal(new Will({ topic: 't', message: 'm', qos: 2 }).toFields())
  })

  it('changes each field of a 5.0 packet alone', () => {
    const packet = new v5.ConnectPacket(fieldsOfR5)
    const before = fieldsOf(packet)
    for (const changes of [
      { cleanStart: false },
      { keepAlive: 0 },
      { clientId: '' },
      { userName: undefined },
      { password: undefined },
      { will: undefined },
      { props: [property.userProperty('b', '2'), property.userProperty('a', '1')] },
      { props: [] },
    ]) {
      expect(fieldsOf(packet.with(changes)), JSON.stringify(changes)).to.deep.equal({
        ...before,
        ...changes,
      })
    }
    expect(packet.with({ props: undefined }).props).to.deep.equal([])
  })

  it('removes all optional fields given as undefined', () => {
    const none = { will: undefined, userName: undefined, password: undefined }
    expect(decodeV3(hex(R3)).with(none).bytes).to.deep.equal(
      hex('10 17 0004 4d515454 04 02 003c 000b 73656e736f722d30303432'),
    )
    expect(decodeV5(hex(R5)).with({ ...none, props: undefined }).bytes).to.deep.equal(
      hex('10 18 0004 4d515454 05 02 003c 00 000b 73656e736f722d30303432'),
    )
  })

  it('refuses the removal of a field that every packet has', () => {
    expectMisuse(
      () => buildV3().with({ cleanSession: undefined as never }),
      'ERR_INVALID_ARG_TYPE',
      'cleanSession',
    )
    expectMisuse(() => buildV3().with({ keepAlive: undefined as never }), 'ERR_INVALID_ARG_TYPE', 'keepAlive')
    expectMisuse(
      () => buildV5().with({ cleanStart: undefined as never }),
      'ERR_INVALID_ARG_TYPE',
      'cleanStart',
    )
    expectMisuse(() => buildV5().with({ clientId: undefined as never }), 'ERR_INVALID_ARG_TYPE', 'clientId')
  })

  it('applies the rules to the result [MQTT-3.1.2-22] [MQTT-3.1.3-8]', () => {
    const packet = decodeV3(hex(R3))
    expectRefusal(() => packet.with({ userName: undefined }), 'password-without-user-name', 'connectFlags')
    expectRefusal(() => packet.with({ clientId: '', cleanSession: false }), 'client-id-empty', 'clientId')
  })

  it('refuses unknown names and what is not an object', () => {
    expectMisuse(
      () => buildV3().with({ username: 'x' } as never),
      'ERR_INVALID_ARG_VALUE',
      "Unknown field 'username'",
    )
    expectMisuse(
      () => buildV3().with({ props: [] } as never),
      'ERR_INVALID_ARG_VALUE',
      "Unknown field 'props'",
    )
    expectMisuse(
      () => buildV5().with({ cleanSession: true } as never),
      'ERR_INVALID_ARG_VALUE',
      "Unknown field 'cleanSession'",
    )
    expectMisuse(() => buildV5().with(undefined as never), 'ERR_INVALID_ARG_TYPE', 'fields')
    expectMisuse(() => buildV5().with('x' as never), 'ERR_INVALID_ARG_TYPE', 'fields')
  })

  it('gives a packet of its own memory', () => {
    const wire = hex(R5)
    const changed = decodeV5(wire).with({})
    wire.fill(0)
    expect(changed.bytes.toString('hex')).to.equal(R5)
  })
})

describe('immutability', () => {
  const common = [
    ...['type', 'protocolVersion', 'keepAlive', 'clientId', 'will', 'userName', 'password'],
    ...['bytes', 'size', 'numOfConstBufferSequence'],
  ]
  for (const [name, build, accessors] of [
    ['v3_1_1.ConnectPacket', buildV3, [...common, 'cleanSession', 'bridge']],
    ['v5.ConnectPacket', buildV5, [...common, 'cleanStart', 'props']],
  ] as const) {
    for (const accessor of accessors) {
      it(`${name}.${accessor} cannot be assigned to`, () => {
        // `packet.x = 1` would throw only in strict code, but this always throws.
        const error = thrown(() => Object.assign(build(), { [accessor]: 1 }))
        expect(error).to.be.instanceOf(TypeError)
      })
    }
  }

  it('does not let a change of what an accessor has returned reach the packet', () => {
    const packet = decodeV5(hex(R5))
    ;(packet.props as unknown[]).length = 0
    ;(packet.will!.props as unknown[]).length = 0
    expect(packet.with({}).bytes.toString('hex')).to.equal(R5)
    expect(packet.props).to.have.lengthOf(4)
    expect(packet.will?.topic).to.equal('devices/sensor-0042/status')
  })
})
