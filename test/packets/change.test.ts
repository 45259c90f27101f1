import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { property, v3_1_1, v5, Will } from '../../lib/packets/index.ts'
import { fieldsV3, fieldsV5, runs } from '../support/arbitraries.ts'
import { buildV3, buildV5, decodeV3, decodeV5, fieldsOfV3, fieldsOfV5 } from '../support/packets.ts'
import { fieldsOfR3, fieldsOfR5, hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse, expectRefusal, thrown } from '../support/thrown.ts'

describe('with', () => {
  it('gives an equal packet for no changes, of the same class', () => {
    expect(decodeV3(hex(R3)).with({}).bytes.toString('hex')).to.equal(R3)
    expect(decodeV5(hex(R5)).with({}).bytes.toString('hex')).to.equal(R5)
    expect(buildV3().with({})).to.be.instanceOf(v3_1_1.ConnectPacket)
    expect(buildV5().with({})).to.be.instanceOf(v5.ConnectPacket)
  })

  it('keeps everything of any 3.1.1 packet', () => {
    fc.assert(
      fc.property(fieldsV3, (fields) => {
        const packet = new v3_1_1.ConnectPacket(fields)
        expect(packet.with({}).equals(packet)).to.equal(true)
        const changed = packet.with({ clientId: 'changed' })
        expect(fieldsOfV3(changed)).to.deep.equal({ ...fieldsOfV3(packet), clientId: 'changed' })
      }),
      runs,
    )
  })

  it('keeps everything of any 5.0 packet, the order of all properties included', () => {
    fc.assert(
      fc.property(fieldsV5, (fields) => {
        const packet = new v5.ConnectPacket(fields)
        expect(packet.with({}).equals(packet)).to.equal(true)
        const changed = packet.with({ keepAlive: 7 })
        expect(fieldsOfV5(changed)).to.deep.equal({ ...fieldsOfV5(packet), keepAlive: 7 })
      }),
      runs,
    )
  })

  it('leaves the old packet as it is', () => {
    const packet = decodeV5(hex(R5))
    packet.with({ clientId: 'other', props: [] })
    expect(packet.bytes.toString('hex')).to.equal(R5)
    expect(packet.clientId).to.equal('sensor-0042')
  })

  it('changes each field of a 3.1.1 packet alone', () => {
    const packet = new v3_1_1.ConnectPacket(fieldsOfR3)
    const before = fieldsOfV3(packet)
    for (const changes of [
      { cleanSession: false },
      { keepAlive: 61 },
      { clientId: 'other' },
      { userName: '' },
      { password: Buffer.from([0]) },
      { password: undefined },
    ]) {
      expect(fieldsOfV3(packet.with(changes))).to.deep.equal({ ...before, ...changes })
    }
    const willed = packet.with({ will: { topic: 't', message: 'm', qos: 2 } })
    expect(fieldsOfV3(willed.with({ will: undefined }))).to.deep.equal(before)
    expect(willed.will).to.deep.equal(new Will({ topic: 't', message: 'm', qos: 2 }))
  })

  it('changes each field of a 5.0 packet alone', () => {
    const packet = new v5.ConnectPacket(fieldsOfR5)
    const before = fieldsOfV5(packet)
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
      expect(fieldsOfV5(packet.with(changes)), JSON.stringify(changes)).to.deep.equal({
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

  it('refuses unknown names and what is no object', () => {
    expectMisuse(
      () => buildV3().with({ username: 'x' } as never),
      'ERR_INVALID_ARG_VALUE',
      'changes.username',
    )
    expectMisuse(() => buildV3().with({ props: [] } as never), 'ERR_INVALID_ARG_VALUE', 'changes.props')
    expectMisuse(
      () => buildV5().with({ cleanSession: true } as never),
      'ERR_INVALID_ARG_VALUE',
      'changes.cleanSession',
    )
    expectMisuse(() => buildV5().with(undefined as never), 'ERR_INVALID_ARG_TYPE', 'changes')
    expectMisuse(() => buildV5().with('x' as never), 'ERR_INVALID_ARG_TYPE', 'changes')
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
    ['v3_1_1.ConnectPacket', buildV3, [...common, 'cleanSession']],
    ['v5.ConnectPacket', buildV5, [...common, 'cleanStart', 'props']],
  ] as const) {
    for (const accessor of accessors) {
      it(`${name}.${accessor} cannot be assigned to`, () => {
        // Not `packet.x = 1`: that throws in strict code only, this throws anywhere.
        const error = thrown(() => Object.assign(build(), { [accessor]: 1 }))
        expect(error).to.be.instanceOf(TypeError)
      })
    }
  }

  it('does not let a change of what an accessor gave reach the packet', () => {
    const packet = decodeV5(hex(R5))
    ;(packet.props as unknown[]).length = 0
    ;(packet.will as { topic: string }).topic = 'changed'
    ;(packet.will!.props as unknown[]).length = 0
    expect(packet.with({}).bytes.toString('hex')).to.equal(R5)
    expect(packet.props).to.have.lengthOf(4)
    expect(packet.will?.topic).to.equal('devices/sensor-0042/status')
  })
})
