import { expect } from 'chai'
import fc from 'fast-check'
import { type ConnackInput, type ConnectInput, fromMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { MqttError } from '../../lib/packets/index.ts'
import { usual } from '../support/arbitraries.ts'
import { thrown } from '../support/thrown.ts'
import { connackInput, connectInput } from './inputs.ts'
import { SEED } from './packets.ts'

const TYPE = 'ERR_INVALID_ARG_TYPE'
const VALUE = 'ERR_INVALID_ARG_VALUE'
const RANGE = 'ERR_OUT_OF_RANGE'

const from = (object: unknown, options?: unknown) => (): unknown =>
  fromMqttPacket(object as never, options as never)
const connect = (members: object) => from({ cmd: 'connect', clientId: 'c', ...members })
const connect5 = (members: object) => connect({ protocolVersion: 5, ...members })
const will = (members: object) => connect({ will: { topic: 't', ...members } })
const props = (properties: unknown) => connect5({ properties })
const connack = (members: object, options?: object) => from({ cmd: 'connack', ...members }, options)

type Case = readonly [message: string, action: () => unknown]

/** Expects an error with this code and exactly this message. */
function expectMisuse(code: string, cases: readonly Case[]): void {
  for (const [message, action] of cases) {
    it(message, () => {
      const error = thrown(action) as Error & { code?: string }
      expect(error).to.be.instanceOf(code === RANGE ? RangeError : TypeError)
      expect(`${error.code} ${error.message}`).to.equal(`${code} ${message}`)
    })
  }
}

describe('fromMqttPacket refuses another kind of object', () => {
  expectMisuse(TYPE, [
    ['object: must be an object, not null', from(null)],
    ['object: must be an object, not undefined', from(undefined)],
    ['object: must be an object, not a string', from('connect')],
    ["cmd: must be 'connect', 'connack', 'auth' or 'disconnect', not undefined", from({})],
    ["cmd: must be 'connect', 'connack', 'auth' or 'disconnect', not a number", from({ cmd: 1 })],
  ])
  expectMisuse(VALUE, [
    [
      "cmd: must be 'connect', 'connack', 'auth' or 'disconnect'",
      from({ cmd: 'publish', topic: 't', payload: 'm' }),
    ],
    ['topic: must be null: that of the will is will.topic', connect({ topic: 't' })],
    ['payload: must be null: that of the will is will.payload', connect({ payload: 'm' })],
    ['qos: must be 0: that of the will is will.qos', connect({ qos: 1 })],
    ['retain: must be false: that of the will is will.retain', connect({ retain: true })],
    ['dup: must be false', connect({ dup: true })],
  ])
})

describe('fromMqttPacket suggests the name for a wrong one', () => {
  expectMisuse(VALUE, [
    ["Unknown field 'userName'. Did you mean 'username'?", connect({ userName: 'u' })],
    ["Unknown field 'keepAlive'. Did you mean 'keepalive'?", connect({ keepAlive: 1 })],
    ["Unknown field 'clientID'. Did you mean 'clientId'?", connect({ clientID: 'c' })],
    ["Unknown field 'cleanSession'. Did you mean 'clean'?", connect({ cleanSession: true })],
    ["Unknown field 'cleanStart'. Did you mean 'clean'?", connect5({ cleanStart: true })],
    ["Unknown field 'bridge'. Did you mean 'bridgeMode'?", connect({ bridge: true })],
    ["Unknown field 'props'. Did you mean 'properties'?", connect5({ props: [] })],
    ["Unknown field 'will.message'. Did you mean 'payload'?", will({ message: 'm' })],
    [
      "Unknown field 'properties.userProperty'. Did you mean 'userProperties'?",
      props({ userProperty: { a: '1' } }),
    ],
    [
      "Unknown field 'properties.maximumQos'. Did you mean 'maximumQoS'?",
      connack({ reasonCode: 0, properties: { maximumQos: 1 } }),
    ],
    [
      "Unknown field 'clientId'. Known names: cmd, sessionPresent, returnCode, reasonCode, properties, retain, qos, dup, length, topic, payload, messageId.",
      connack({ clientId: 'c', returnCode: 0 }),
    ],
    ["Unknown option 'version'. Known names: protocolVersion.", connack({ returnCode: 0 }, { version: 5 })],
  ])
})

describe('fromMqttPacket refuses values of the wrong type', () => {
  expectMisuse(TYPE, [
    ['protocolId: must be a string, not a number', connect({ protocolId: 4 })],
    ['protocolVersion: must be a number, not a string', connect({ protocolVersion: '4' })],
    ['bridgeMode: must be a boolean, not a number', connect({ bridgeMode: 1 })],
    ['clean: must be a boolean, not null', connect({ clean: null })],
    ['keepalive: must be a number, not a string', connect({ keepalive: '60' })],
    ['clientId: must be a string, not null', connect({ clientId: null })],
    ['password: must be a string or a Uint8Array, not a number', connect({ username: 'u', password: 5 })],
    ['length: must be a number, not a string', connect({ length: '1' })],
    ['messageId: must be a number, not a string', connect({ messageId: '1' })],
    ['will: must be an object, not a string', connect({ will: 'topic' })],
    ['will.topic: must be a string, not undefined', connect({ will: {} })],
    ['will.retain: must be a boolean, not a number', will({ retain: 1 })],
    ['will.payload: must be a string or a Uint8Array, not an object', will({ payload: {} })],
    ['properties: must be an object, not null', props(null)],
    ['properties: must be an object, not an array', props([])],
    [
      'properties.requestProblemInformation: must be a boolean, not a number',
      props({ requestProblemInformation: 1 }),
    ],
    ['properties.receiveMaximum: must be a number, not an array', props({ receiveMaximum: [] })],
    [
      'properties.authenticationMethod: must be a string, not a Uint8Array',
      props({ authenticationMethod: Buffer.from('m') }),
    ],
    ['properties.userProperties: must be an object, not a string', props({ userProperties: 'a=1' })],
    ['properties.userProperties: must be a string, not a number', props({ userProperties: { a: 1 } })],
    [
      'properties.userProperties: must be a string, not undefined',
      props({ userProperties: { a: undefined } }),
    ],
    ['returnCode: must be a number, not undefined', connack({ sessionPresent: false })],
    ['sessionPresent: must be a boolean, not a number', connack({ sessionPresent: 1, returnCode: 0 })],
    ['options: must be an object, not a number', from({ cmd: 'connack', returnCode: 0 }, 5)],
  ])
})

describe('fromMqttPacket refuses values that no packet can hold', () => {
  expectMisuse(RANGE, [
    ['protocolVersion: must be an integer from 0 to 127', connect({ protocolVersion: 131 })],
    ['keepalive: must be an integer from 0 to 65535', connect({ keepalive: 65536 })],
    ['clientId: must be at most 65535 bytes long', connect({ clientId: 'é'.repeat(32768) })],
    ['username: must be at most 65535 bytes long', connect({ username: Buffer.alloc(65536, 'u') })],
    ['will.qos: must be an integer from 0 to 3', will({ qos: 4 })],
    ['properties.receiveMaximum: must be an integer from 0 to 65535', props({ receiveMaximum: 1.5 })],
    [
      'properties.userProperties: must be at most 65535 bytes long',
      props({ userProperties: { ['k'.repeat(65536)]: '' } }),
    ],
    ['returnCode: must be an integer from 0 to 255', connack({ returnCode: 256 })],
  ])
  expectMisuse(VALUE, [
    [
      'password: must be a string without lone surrogates, or bytes',
      connect({ username: 'u', password: '\udfff' }),
    ],
  ])
})

describe('fromMqttPacket refuses what another version has', () => {
  expectMisuse(VALUE, [
    ['properties: must be absent in MQTT 3.1.1', connect({ properties: { receiveMaximum: 1 } })],
    ['will.properties: must be absent in MQTT 3.1.1', will({ properties: { contentType: '' } })],
    [
      'properties: must be absent in MQTT 3.1.1',
      connack({ returnCode: 0, properties: { receiveMaximum: 1 } }),
    ],
    [
      'sessionPresent: must be false in MQTT 3.1',
      connack({ sessionPresent: true, returnCode: 0 }, { protocolVersion: 3 }),
    ],
    [
      'options.protocolVersion: must be the version, because there are a returnCode and a reasonCode',
      connack({ returnCode: 0, reasonCode: 0 }),
    ],
    [
      'protocolVersion: must be one of ProtocolVersion: 3, 4 or 5',
      connack({ returnCode: 0 }, { protocolVersion: 6 }),
    ],
  ])
})

describe('whatever fromMqttPacket is given', () => {
  const anything = fc.oneof(
    fc.anything({ withTypedArray: true, withNullPrototype: true, withBigInt: true }),
    fc.constantFrom(
      0,
      1,
      3,
      4,
      5,
      256,
      65536,
      -1,
      0.5,
      '',
      'text',
      '\ud800',
      '\0',
      true,
      false,
      null,
      undefined,
    ),
    fc.constantFrom([], {}, [1], ['a'], Buffer.from('text'), Buffer.of(0xff)),
  )
  const path = fc.oneof(
    fc.constantFrom(
      'protocolId',
      'protocolVersion',
      'bridgeMode',
      'clean',
      'keepalive',
      'clientId',
      'username',
    ),
    fc.constantFrom('password', 'will', 'properties', 'sessionPresent', 'returnCode', 'reasonCode', 'topic'),
    fc.constantFrom('will.topic', 'will.payload', 'will.qos', 'will.retain', 'will.properties'),
    fc.constantFrom('properties.receiveMaximum', 'properties.userProperties', 'properties.userProperties.a'),
    fc.constantFrom('properties.authenticationData', 'properties.requestProblemInformation'),
  )
  const valid = fc.oneof(
    connectInput,
    connackInput.map(([object]) => object),
  )

  /** A copy of the object with one value replaced. */
  function changed(object: object, [name, ...rest]: string[], value: unknown): object {
    const inner = (object as Record<string, unknown>)[name!]
    const next = typeof inner === 'object' && inner !== null ? inner : {}
    return { ...object, [name!]: rest.length === 0 ? value : changed(next, rest, value) }
  }

  it('throws its documented errors and nothing else', () => {
    const outcomes = new Set<string>()
    fc.assert(
      fc.property(valid, path, anything, (object, place, value) => {
        try {
          fromMqttPacket(changed(object, place.split('.'), value) as ConnectInput | ConnackInput)
          outcomes.add('packet')
        } catch (error) {
          outcomes.add(
            error instanceof MqttError ? 'MqttError' : String((error as { code?: string }).code ?? error),
          )
        }
      }),
      { seed: SEED, numRuns: usual(2000) },
    )
    expect([...outcomes]).to.have.members(['packet', 'MqttError', TYPE, VALUE, RANGE])
  })

  it('is read once, member by member', () => {
    const reads: string[] = []
    const object: ConnectInput = {
      cmd: 'connect',
      protocolVersion: 5,
      clientId: 'c',
      username: 'u',
      will: { topic: 't' },
      properties: { receiveMaximum: 1 },
    }
    const get = (target: ConnectInput, name: string | symbol): unknown => {
      reads.push(String(name))
      return Reflect.get(target, name)
    }
    fromMqttPacket(new Proxy(object, { get }))
    expect(reads).to.deep.equal([...new Set(reads)])
  })
})
