import { expect } from 'chai'
import fc from 'fast-check'
import { fromMqttPacket, toMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { decode, type Property, property, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { usual } from '../support/arbitraries.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse } from '../support/thrown.ts'
import { parsed } from './mqtt-packet.ts'
import { type ConnackPacket, type ConnectPacket, connackPacket, connectPacket, SEED } from './packets.ts'

const connect5 = (props: Property[]) =>
  new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', props })
const pairs = (...list: [string, string][]) => list.map(([key, value]) => property.userProperty(key, value))
const userProperties = (...list: [string, string][]) =>
  toMqttPacket(connect5(pairs(...list))).properties!.userProperties!

/** True if mqtt-packet's parser loses a value: an empty one, followed by another value of the same key. */
function isLossy(packet: ConnectPacket | ConnackPacket): boolean {
  if (packet.protocolVersion !== 5) return false
  const lists = [packet.props, 'will' in packet ? (packet.will?.props ?? []) : []]
  return lists.some((props) => {
    const user = props.filter((item) => 'key' in item)
    return user.some(
      ({ key, value }, i) => value === '' && user.slice(i + 1).some((item) => item.key === key),
    )
  })
}

describe('toMqttPacket', () => {
  it('gives the object that mqtt-packet reads in the bytes, member by member', () => {
    fc.assert(
      fc.property(fc.oneof(connectPacket, connackPacket), (packet) => {
        fc.pre(!isLossy(packet))
        expect(toMqttPacket(packet)).to.deep.equal({ ...parsed(packet.bytes, packet.protocolVersion) })
      }),
      { seed: SEED, numRuns: usual(1000) },
    )
  })

  it('gives the members in the order in which mqtt-packet adds them', () => {
    const packet = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 1,
      clientId: 'c',
      will: { topic: 't', message: 'm', props: [property.willDelayInterval(1)] },
      userName: 'u',
      password: 'p',
      props: [property.receiveMaximum(1)],
    })
    const names = (object: object): string[] =>
      Object.entries(object).flatMap(([name, value]) => [name, ...(name === 'will' ? names(value) : [])])
    expect(names(toMqttPacket(packet))).to.deep.equal(names(parsed(packet.bytes, 5)))
  })

  it('gives binary data as views of the packet', () => {
    const packet = new v3_1_1.ConnectPacket({
      cleanSession: true,
      keepAlive: 0,
      clientId: 'c',
      userName: 'u',
      password: 'secret',
    })
    expect(toMqttPacket(packet).password!.buffer).to.equal(packet.bytes.buffer)
  })

  it('refuses what is not a ConnectPacket or a ConnackPacket', () => {
    const opaque = decode(hex('c000'))
    for (const packet of [
      opaque,
      undefined,
      null,
      {},
      'connect',
      connect5([]).toFields(),
      connect5([]).bytes,
    ]) {
      expectMisuse(() => toMqttPacket(packet as never), 'ERR_INVALID_ARG_TYPE', 'packet')
    }
  })
})

describe('user properties in toMqttPacket', () => {
  it('are strings for one value and arrays for more', () => {
    expect({ ...userProperties(['a', '1'], ['b', '2'], ['a', '3'], ['a', '3']) }).to.deep.equal({
      a: ['1', '3', '3'],
      b: '2',
    })
  })

  it('keep an empty value before another one, which mqtt-packet forgets', () => {
    const packet = connect5(pairs(['a', ''], ['a', '1']))
    expect({ ...toMqttPacket(packet).properties!.userProperties }).to.deep.equal({ a: ['', '1'] })
    const theirs = parsed(packet.bytes, 5) as { properties?: { userProperties?: object } }
    expect({ ...theirs.properties?.userProperties }).to.deep.equal({ a: '1' })
  })

  it('have no prototype, so that every key is a key', () => {
    const object = userProperties(['__proto__', 'p'], ['constructor', 'c'], ['toString', 't'])
    expect(Object.getPrototypeOf(object)).to.equal(null)
    expect(Object.entries(object)).to.deep.equal([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['toString', 't'],
    ])
  })
})

describe('a packet with more than mqtt-packet accepts', () => {
  const cases: [string, string, object, object][] = [
    [
      'a 3.1 CONNECT that ends before its user name and password has neither',
      '100f 0006 4d5149736470 03 c2 003c 0001 63',
      { protocolVersion: 3 },
      { clientId: 'c', clean: true },
    ],
    [
      'flags that 3.1 ignores are ignored: the reserved bit, will QoS and will retain without a will',
      '100f 0006 4d5149736470 03 3b 003c 0001 63',
      { protocolVersion: 3 },
      { clientId: 'c', clean: true },
    ],
    [
      'a relaxed payload format indicator of 2 is true',
      '1016 0004 4d515454 05 06 003c 00 0001 63 02 0102 0001 74 0000',
      { allow: ['payload-format-indicator'] },
      {
        will: {
          retain: false,
          qos: 0,
          properties: { payloadFormatIndicator: true },
          topic: 't',
          payload: Buffer.alloc(0),
        },
      },
    ],
    [
      'a relaxed empty will topic is empty',
      '1012 0004 4d515454 04 06 003c 0001 63 0000 0001 6d',
      { allow: ['will-topic-empty'] },
      { will: { retain: false, qos: 0, topic: '', payload: Buffer.from('m') } },
    ],
    [
      'the reserved byte of a 3.1 CONNACK is not session present',
      '2002 01 00',
      { protocolVersion: 3 },
      { sessionPresent: false },
    ],
  ]
  for (const [title, bytes, options, members] of cases) {
    it(title, () => {
      const object = toMqttPacket(decode(hex(bytes), options) as ConnectPacket | ConnackPacket)
      expect({ ...object, ...members }).to.deep.equal(object)
      expect(object).not.to.have.any.keys('username', 'password')
    })
  }
})

describe('a round trip through mqtt-packet’s shape', () => {
  /** The packet with its properties in the object's order: user properties together, and grouped by key. */
  function rearranged(packet: ConnectPacket | ConnackPacket): ConnectPacket | ConnackPacket {
    if (!(packet instanceof v5.ConnectPacket || packet instanceof v5.ConnackPacket)) return packet
    const changed = packet.with({ props: inTheirOrder(packet.props) })
    if (!(changed instanceof v5.ConnectPacket) || changed.will === undefined) return changed
    return changed.with({ will: { ...changed.will.toFields(), props: inTheirOrder(changed.will.props) } })
  }

  function inTheirOrder(props: readonly Property[]): Property[] {
    const user = props.filter((item) => 'key' in item)
    // Objects list array indices first, in ascending order.
    const keys = Object.keys(Object.fromEntries(user.map(({ key }) => [key, 0])))
    const sorted = keys.flatMap((key) => user.filter((item) => item.key === key))
    return props.flatMap((item): readonly Property[] =>
      item === user[0] ? sorted : 'key' in item ? [] : [item],
    )
  }

  it('keeps every packet that the shape can hold, byte by byte', () => {
    fc.assert(
      fc.property(fc.oneof(connectPacket, connackPacket), (some) => {
        const packet = rearranged(some)
        const { protocolVersion } = packet
        const again = fromMqttPacket(toMqttPacket(packet), { protocolVersion })
        expect(again.bytes.toString('hex')).to.equal(packet.bytes.toString('hex'))
        expect(again.protocolVersion).to.equal(protocolVersion)
      }),
      { seed: SEED, numRuns: usual(600) },
    )
  })

  it('changes nothing but the order of user properties in any other packet', () => {
    fc.assert(
      fc.property(fc.oneof(connectPacket, connackPacket), (packet) => {
        const { protocolVersion } = packet
        const object = toMqttPacket(packet)
        const again = fromMqttPacket(object, { protocolVersion })
        expect(toMqttPacket(again)).to.deep.equal(object)
        expect(again.bytes.toString('hex')).to.equal(rearranged(packet).bytes.toString('hex'))
      }),
      { seed: SEED + 1, numRuns: usual(600) },
    )
  })

  it('keeps the version of a CONNACK only if it is given', () => {
    const packet = new v3_1.ConnackPacket({ returnCode: 0 })
    expect(fromMqttPacket(toMqttPacket(packet), { protocolVersion: 3 })).to.be.instanceOf(v3_1.ConnackPacket)
    expect(fromMqttPacket(toMqttPacket(packet))).to.be.instanceOf(v3_1_1.ConnackPacket)
  })
})
