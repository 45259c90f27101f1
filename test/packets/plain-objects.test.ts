import { PassThrough } from 'node:stream'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import {
  bufferToPacketVariant,
  ConnectEncoder,
  connack,
  decode,
  explain,
  PacketDecoder,
  PacketParser,
  readConnect,
  readPacket,
  refuse,
  v3_1,
  v3_1_1,
  v5,
  Will,
} from '../../lib/index.ts'
import { fromMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { thrown } from '../support/thrown.ts'

const r3 = hex(R3)
const _r5 = hex(R5)
const connect = { keepAlive: 0, clientId: 'c' }

function stream(): PassThrough {
  const source = new PassThrough()
  source.end(r3)
  return source
}

/** Everything that takes an object of options or fields, nested ones included, with a valid object of that kind. */
const takers: Readonly<Record<string, readonly [(given: never) => unknown, object]>> = {
  'the options of decode': [(options) => decode(r3, options), { maximumPacketSize: 100 }],
  'the options of bufferToPacketVariant': [
    (options) => bufferToPacketVariant(r3, 0, options),
    { maximumPacketSize: 100 },
  ],
  'the options of PacketParser': [(options) => new PacketParser(options), { maximumPacketSize: 100 }],
  'the options of PacketDecoder': [(options) => new PacketDecoder(options), { maximumPacketSize: 100 }],
  'the options of ConnectEncoder': [(options) => new ConnectEncoder(options), { writableHighWaterMark: 1 }],
  'the options of readConnect': [(options) => readConnect(stream(), options), { maximumPacketSize: 100 }],
  'the options of readPacket': [(options) => readPacket(stream(), options), { maximumPacketSize: 100 }],
  'the options of refuse': [(options) => refuse(new PassThrough(), undefined, options), { linger: 0 }],
  'the options of connack': [(options) => connack(5, 0, options), { serverKeepAlive: 1 }],
  'the options of explain': [(options) => explain(r3, options), { secrets: true }],
  'the options of fromMqttPacket': [
    (options) => fromMqttPacket({ cmd: 'connack', returnCode: 0 }, options),
    { protocolVersion: 3 },
  ],
  'the fields of v3_1.ConnectPacket': [
    (fields) => new v3_1.ConnectPacket(fields),
    { cleanSession: true, ...connect },
  ],
  'the fields of v3_1_1.ConnectPacket': [
    (fields) => new v3_1_1.ConnectPacket(fields),
    { cleanSession: true, ...connect },
  ],
  'the fields of v5.ConnectPacket': [
    (fields) => new v5.ConnectPacket(fields),
    { cleanStart: true, ...connect },
  ],
  'the fields of v3_1.ConnackPacket': [(fields) => new v3_1.ConnackPacket(fields), { returnCode: 0 }],
  'the fields of v3_1_1.ConnackPacket': [
    (fields) => new v3_1_1.ConnackPacket(fields),
    { sessionPresent: false, returnCode: 0 },
  ],
  'the fields of v5.ConnackPacket': [
    (fields) => new v5.ConnackPacket(fields),
    { sessionPresent: false, reasonCode: 0 },
  ],
  'the changes of a 3.1 CONNECT': [(changes) => buildV3_1().with(changes), { keepAlive: 1 }],
  'the changes of a 3.1.1 CONNECT': [(changes) => buildV3().with(changes), { keepAlive: 1 }],
  'the changes of a 5.0 CONNECT': [(changes) => buildV5().with(changes), { keepAlive: 1 }],
  'the changes of a CONNACK': [(changes) => connack(5, 0).with(changes), { reasonCode: 0x87 }],
  'the fields of Will': [(fields) => new Will(fields), { topic: 't', message: 'm' }],
  'a will': [(will) => buildV5({ will }), { topic: 't', message: 'm' }],
  'a property': [(item) => buildV5({ props: [item] }), { id: 0x21, value: 1 }],
  'a user property': [(item) => buildV5({ props: [item] }), { id: 0x26, key: 'k', value: 'v' }],
  'a property of a will': [
    (item) => buildV5({ will: { topic: 't', message: 'm', props: [item] } }),
    { id: 2, value: 1 },
  ],
  'a property of connack': [(item) => connack(5, 0, { props: [item] }), { id: 0x21, value: 1 }],
  'a will of mqtt-packet': [(will) => fromMqttPacket({ cmd: 'connect', will }), { topic: 't', payload: 'm' }],
  'properties of mqtt-packet': [
    (properties) => fromMqttPacket({ cmd: 'connect', protocolVersion: 5, properties }),
    { receiveMaximum: 1 },
  ],
  'user properties of mqtt-packet': [
    (userProperties) =>
      fromMqttPacket({ cmd: 'connect', protocolVersion: 5, properties: { userProperties } }),
    { key: 'value' },
  ],
}

class Config {
  readonly own: object
  constructor(own: object) {
    this.own = own
    Object.assign(this, own)
    delete (this as { own?: object }).own
  }
}

/** Objects with inherited members, some or all of which would be ignored. */
const inheriting: Readonly<Record<string, (members: object) => object>> = {
  'inherits its members from an object': (members) => Object.create(members),
  'inherits from an object without a prototype': (members) =>
    Object.create(Object.assign(Object.create(null), members)),
  'is an instance of a class': (members) => new Config(members),
  'is a Map': (members) => new Map(Object.entries(members)),
  'is an array': () => [],
}

const plain: Readonly<Record<string, (members: object) => object>> = {
  'has no prototype': (members) => Object.assign(Object.create(null), members),
  'is of another realm': (members) => Object.assign(runInNewContext('({})'), members),
  'is frozen': (members) => Object.freeze({ ...members }),
  'is a structured clone': (members) => structuredClone(members),
}

for (const [taker, [call, members]] of Object.entries(takers)) {
  describe(`${taker}: own members count`, () => {
    for (const [name, make] of Object.entries(inheriting)) {
      it(`is misuse if it ${name}`, async () => {
        let error: unknown
        try {
          await call(make(members) as never)
        } catch (caught) {
          error = caught
        }
        expect(error).to.be.instanceOf(TypeError).and.have.property('code', 'ERR_INVALID_ARG_TYPE')
        expect((error as Error).message).to.match(/plain object|an object, not an array|properties, such as/)
      })
    }
    for (const [name, make] of Object.entries(plain)) {
      it(`is accepted if it ${name}`, async () => {
        await call(make(members) as never)
      })
    }
  })
}

describe("an object of mqtt-packet's parser, which has a class", () => {
  it('is accepted, and only its own members count', () => {
    class Packet {
      cmd = 'connect'
      clientId = 'c'
      get password() {
        return 'secret'
      }
    }
    expect(fromMqttPacket(new Packet() as never).password).to.equal(undefined)
  })
})

describe('a Will', () => {
  const fields = { topic: 't', message: 'm' }

  it('is not built with a property that MQTT does not have', () => {
    for (const id of [0, 4, 0x7e, 0x7f]) {
      const error = thrown(() => new Will({ ...fields, props: [{ id, value: 1 } as never] }))
      expect(error).to.be.instanceOf(TypeError).and.include({ code: 'ERR_INVALID_ARG_VALUE' })
      expect(error.message).to.equal('will.props: must be identifiers of known properties')
    }
  })

  it('is unaffected by changes of the properties that it was built from or that it returns', () => {
    const item = { id: 2, value: 1 }
    const will = new Will({ ...fields, props: [item as never] })
    const before = `${will} ${JSON.stringify(will)} ${inspect(will)}`
    item.id = 0x7e
    thrown(() => (will.props as unknown[]).push({ id: 0x7e }))
    thrown(() => Object.assign(will.props[0]!, { id: 0x7e }))
    expect(`${will} ${JSON.stringify(will)} ${inspect(will)}`).to.equal(before)
  })

  it('has a property whose identifier was read once', () => {
    let reads = 0
    const item = {
      get id() {
        return reads++ === 0 ? 2 : 0x7e
      },
      value: 1,
    }
    const will = new Will({ ...fields, props: [item as never] })
    expect(`${will}`).to.contain('id:message_expiry_interval')
  })
})

describe('an object of another realm', () => {
  it('has no members that the realm has added to all of its objects', () => {
    const withMembers = (members: object, own: string): never =>
      runInNewContext(`Object.assign(Object.prototype, members); (${own})`, { members }) as never
    const fields = withMembers(
      { password: 'p', userName: 'u' },
      "{ cleanStart: true, keepAlive: 1, clientId: 'c' }",
    )
    expect(`${new v5.ConnectPacket(fields)}`).to.equal('v5::connect{cid:c,ka:1,cs:1}')
    const options = withMembers({ allow: ['connect-flags-reserved'] }, '{}')
    expect(() => decode(hex('100d00044d5154540403003c000163'), options)).to.throw('connectFlags')
    const item = withMembers({ key: 'k' }, "{ id: 0x26, value: 'v' }")
    expect(() => buildV5({ props: [item] })).to.throw(TypeError)
  })
})
