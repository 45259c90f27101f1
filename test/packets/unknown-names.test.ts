import { expect } from 'chai'
import {
  bufferToPacketVariant,
  ConnectEncoder,
  connack,
  decode,
  explain,
  MqttError,
  OpaquePacket,
  PacketDecoder,
  PacketParser,
  readConnect,
  v3_1,
  v3_1_1,
  v5,
  Will,
} from '../../lib/index.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { hex, R3 } from '../support/reference.ts'
import { thrown } from '../support/thrown.ts'

/** The message about a misused name. */
function messageOf(action: () => unknown): string {
  const error = thrown(action)
  expect(error).to.be.instanceOf(TypeError).and.to.have.property('code', 'ERR_INVALID_ARG_VALUE')
  return error.message
}

describe('an unknown field', () => {
  const will = { topic: 't', message: 'm' }
  const packets = { v3_1: buildV3_1(), v3_1_1: buildV3(), v5: buildV5() }
  const cases: ['v3_1' | 'v3_1_1' | 'v5', string, string][] = [
    ['v5', 'username', 'userName'],
    ['v3_1', 'username', 'userName'],
    ['v3_1_1', 'keepalive', 'keepAlive'],
    ['v3_1_1', 'clean', 'cleanSession'],
    ['v3_1', 'clean', 'cleanSession'],
    ['v5', 'clean', 'cleanStart'],
    ['v5', 'cleanSession', 'cleanStart'],
    ['v3_1_1', 'cleanStart', 'cleanSession'],
    ['v5', 'properties', 'props'],
    ['v3_1_1', 'bridgeMode', 'bridge'],
    ['v5', 'clientID', 'clientId'],
    ['v5', 'clientid', 'clientId'],
    ['v5', 'pasword', 'password'],
    ['v5', 'Will', 'will'],
  ]

  for (const [version, name, suggestion] of cases) {
    it(`${name} of a ${version}.ConnectPacket suggests ${suggestion}`, () => {
      const packet = packets[version]
      const expected = `Unknown field '${name}'. Did you mean '${suggestion}'?`
      const construct = packet.constructor as new (fields: object) => object
      expect(messageOf(() => new construct({ ...packet.toFields(), [name]: undefined }))).to.equal(expected)
      expect(messageOf(() => packet.with({ [name]: 1 } as never))).to.equal(expected)
    })
  }

  it('of a will suggests the names of a will', () => {
    for (const build of [
      (given: object) => new Will(given as never),
      (given: object) => buildV5({ will: given as never }),
    ]) {
      const message = (name: string) => messageOf(() => build({ ...will, [name]: 'x' }))
      expect(message('payload')).to.equal("Unknown field 'will.payload'. Did you mean 'message'?")
      expect(message('QoS')).to.equal("Unknown field 'will.QoS'. Did you mean 'qos'?")
      expect(message('properties')).to.equal("Unknown field 'will.properties'. Did you mean 'props'?")
    }
  })

  it('that the class determines, or that the version does not have, says so', () => {
    for (const name of ['protocolId', 'protocolVersion', 'cmd']) {
      const message = messageOf(() => buildV5({ [name]: 'MQTT' } as never))
      expect(message).to.match(
        new RegExp(`^Unknown field '${name}'\\. The class determines it: .*v5\\.ConnectPacket\\.$`),
      )
    }
    for (const name of ['props', 'properties']) {
      const message = messageOf(() => buildV3({ [name]: [] } as never))
      expect(message).to.equal(`Unknown field '${name}'. Only MQTT 5.0 has properties.`)
    }
  })

  it('that resembles no other lists the known names, and never a value', () => {
    const message = messageOf(() => buildV5({ quux: 'hunter2' } as never))
    expect(message).to.equal(
      "Unknown field 'quux'. Known names: cleanStart, keepAlive, clientId, will, userName, password, props.",
    )
  })
})

describe('an unknown option', () => {
  const calls: [string, (options: never) => unknown][] = [
    ['decode', (options) => decode(hex(R3), options)],
    ['bufferToPacketVariant', (options) => bufferToPacketVariant(hex(R3), 0, options)],
    ['PacketParser', (options) => new PacketParser(options)],
    ['PacketDecoder', (options) => new PacketDecoder(options)],
    ['ConnectEncoder', (options) => new ConnectEncoder(options)],
    ['explain', (options) => explain(hex(R3), options)],
    ['connack', (options) => connack(5, 0, options)],
  ]

  for (const [name, call] of calls) {
    it(`of ${name} is refused`, () => {
      expect(messageOf(() => call({ quux: 1 } as never))).to.match(
        /^Unknown option 'quux'\. Known names: \w+/,
      )
    })
  }

  it('suggests the nearest name', () => {
    for (const [name, suggestion] of [
      ['maxPacketSize', 'maximumPacketSize'],
      ['allowed', 'allow'],
      ['strict', 'allow'],
      ['session', 'connection'],
    ] as const) {
      const message = messageOf(() => new PacketParser({ [name]: 1 } as never))
      expect(message).to.equal(`Unknown option '${name}'. Did you mean '${suggestion}'?`)
    }
  })
})

describe('a constructor without arguments', () => {
  it('throws a TypeError with a code, or needs none', () => {
    const classes = [
      ...[v3_1.ConnectPacket, v3_1_1.ConnectPacket, v5.ConnectPacket, Will, OpaquePacket, MqttError],
      ...[v3_1.ConnackPacket, v3_1_1.ConnackPacket, v5.ConnackPacket],
    ] as unknown as (new () => object)[]
    for (const Class of classes) {
      const error = thrown(() => new Class())
      expect(error).to.be.instanceOf(TypeError).and.to.have.property('code', 'ERR_INVALID_ARG_TYPE')
    }
    expect([
      new PacketParser({ connection: false }),
      new PacketDecoder({ connection: false }),
      new ConnectEncoder(),
    ]).to.have.length(3)
  })

  it('and a function without arguments', async () => {
    for (const call of [decode, explain, connack, bufferToPacketVariant] as unknown as (() => unknown)[]) {
      expect(thrown(call))
        .to.have.property('code')
        .that.matches(/^ERR_INVALID_ARG/)
    }
    const error = await (readConnect as unknown as () => Promise<unknown>)().catch((thrown) => thrown)
    expect(error).to.have.property('code', 'ERR_INVALID_ARG_TYPE')
  })
})
