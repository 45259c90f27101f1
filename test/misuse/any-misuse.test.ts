import { type Duplex, PassThrough } from 'node:stream'
import { expect } from 'chai'
import * as library from '../../lib/index.ts'
import { fromMqttPacket, toMqttPacket } from '../../lib/interop/mqtt-packet.ts'
import { encodeUnchecked } from '../../lib/testing/index.ts'
import { buildV3, buildV3_1, buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { CallersError, hostileValues } from './hostile-values.ts'

const { v3_1, v3_1_1, v5, property, Will, MqttError } = library
const r3 = hex(R3)
const r5 = hex(R5)
const connack5 = hex('2003000000')

/** A call with a value that may be invalid. Streams that it creates are closed afterwards. */
type Taker = (value: never) => unknown

const open = new Set<Duplex>()

function stream(bytes: Uint8Array = r3): Duplex {
  const source = new PassThrough().on('error', () => {})
  source.end(bytes)
  open.add(source)
  return source
}

/** Calls with an object in which one of these members has the value. */
function members(what: string, names: readonly string[], given: object, take: Taker): [string, Taker][] {
  return names.map((name) => [`${what}.${name}`, (value) => take({ ...given, [name]: value } as never)])
}

const reading = ['protocolVersion', 'allow', 'maximumPacketSize', 'from']
const will = { topic: 't', message: 'm' }
const connect3 = { cleanSession: true, keepAlive: 0, clientId: 'c' }
const connect5 = { cleanStart: true, keepAlive: 0, clientId: 'c' }
const willOf = (packet: (will: never) => unknown, what: string): [string, Taker][] => [
  [`${what}.will`, packet],
  ...members(`${what}.will`, ['topic', 'message', 'qos', 'retain', 'props'], will, packet),
]

/** Writes to a stream, and waits for the outcome. */
function written(target: Duplex, value: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    target
      .on('error', reject)
      .on('close', resolve)
      .on('data', () => {})
    target.write(value)
    target.end()
  })
}

const packet3 = buildV3()
const packet5 = buildV5({ will, props: [property.userProperty('k', 'v')] })

/** Every parameter, option and field of the public API. */
const takers: readonly (readonly [string, Taker])[] = [
  ['decode', (value) => library.decode(value)],
  ['decode of a packet, options', (value) => library.decode(r3, value)],
  ...members('decode', [...reading, 'packetIdBytes'], {}, (options) => library.decode(r3, options)),
  ['decode, one code', (value) => library.decode(r3, { allow: [value] })],
  ['bufferToPacketVariant', (value) => library.bufferToPacketVariant(value)],
  ['bufferToPacketVariant, version', (value) => library.bufferToPacketVariant(r3, value)],
  ['bufferToPacketVariant, options', (value) => library.bufferToPacketVariant(r3, 4, value)],
  ['bufferToBasicPacketVariant, version', (value) => library.bufferToBasicPacketVariant(r3, value)],
  ['bufferToBasicPacketVariant, options', (value) => library.bufferToBasicPacketVariant(r3, 4, value)],
  ['PacketParser', (value) => new library.PacketParser(value)],
  ...members('PacketParser', [...reading, 'connection'], {}, (options) => new library.PacketParser(options)),
  ['PacketParser.push', (value) => [...new library.PacketParser().push(value)]],
  ['PacketDecoder', (value) => new library.PacketDecoder(value)],
  ...members(
    'PacketDecoder',
    [...reading, 'connection', 'errors', 'readableHighWaterMark', 'signal'],
    {},
    (options) => new library.PacketDecoder(options),
  ),
  ['PacketDecoder.write', (value) => written(new library.PacketDecoder() as unknown as Duplex, value)],
  ['ConnectEncoder', (value) => new library.ConnectEncoder(value)],
  ...members(
    'ConnectEncoder',
    ['writableHighWaterMark', 'signal'],
    {},
    (options) => new library.ConnectEncoder(options),
  ),
  ['ConnectEncoder.write', (value) => written(new library.ConnectEncoder() as unknown as Duplex, value)],
  ['readConnect', (value) => library.readConnect(value)],
  ['readConnect, options', (value) => library.readConnect(stream(), value)],
  ...members('readConnect', [...reading, 'timeout', 'signal'], {}, (options) =>
    library.readConnect(stream(), options),
  ),
  ['readPacket', (value) => library.readPacket(value)],
  ['readPacket, options', (value) => library.readPacket(stream(), value)],
  ['readConnack', (value) => library.readConnack(value, packet5)],
  ['readConnack, connect', (value) => library.readConnack(stream(connack5), value)],
  ['readConnack, options', (value) => library.readConnack(stream(connack5), packet5, value)],
  ...members('readConnack', ['allow', 'maximumPacketSize', 'timeout', 'signal'], {}, (options) =>
    library.readConnack(stream(connack5), packet5, options),
  ),
  ['forward, client', (value) => library.forward(value, stream())],
  ['forward, server', (value) => library.forward(stream(), value)],
  ['refuse', (value) => library.refuse(value)],
  ['refuse, answer', (value) => library.refuse(stream(), value, { linger: 1 })],
  ['refuse, options', (value) => library.refuse(stream(), undefined, value)],
  ...members('refuse', ['linger'], {}, (options) => library.refuse(stream().destroy(), undefined, options)),
  ['connack, to', (value) => library.connack(value, 0)],
  ['connack, code', (value) => library.connack(5, value)],
  ['connack, options', (value) => library.connack(5, 0, value)],
  ...members(
    'connack',
    [
      ...['sessionPresent', 'assignedClientId', 'serverKeepAlive', 'reasonString', 'serverReference'],
      ...['userProperties', 'props'],
    ],
    {},
    (options) => library.connack(5, 0, options),
  ),
  ['connack, options of 3.1.1', (value) => library.connack(4, 0, value)],
  ['connack, a user property', (value) => library.connack(5, 0, { userProperties: [value] })],
  ['connack, a key', (value) => library.connack(5, 0, { userProperties: [[value, 'v']] })],
  ['connack, a value', (value) => library.connack(5, 0, { userProperties: [['k', value]] })],
  ['connack, a property', (value) => library.connack(5, 0, { props: [value] })],
  ['disconnect, to', (value) => library.disconnect(value, 0)],
  ['disconnect, code', (value) => library.disconnect(5, value)],
  ['disconnect, options', (value) => library.disconnect(5, 0, value)],
  ...members('disconnect', ['reasonString', 'serverReference', 'userProperties', 'props'], {}, (options) =>
    library.disconnect(5, 0, options),
  ),
  ['v3_1.ConnectPacket', (value) => new v3_1.ConnectPacket(value)],
  ...members(
    'v3_1.ConnectPacket',
    ['cleanSession', 'keepAlive', 'clientId'],
    connect3,
    (fields) => new v3_1.ConnectPacket(fields),
  ),
  ...members(
    'v3_1.ConnectPacket',
    ['userName', 'bridge'],
    connect3,
    (fields) => new v3_1.ConnectPacket(fields),
  ),
  ...members(
    'v3_1.ConnectPacket',
    ['password'],
    { ...connect3, userName: 'u' },
    (fields) => new v3_1.ConnectPacket(fields),
  ),
  ['v3_1_1.ConnectPacket', (value) => new v3_1_1.ConnectPacket(value)],
  ...willOf((given) => new v3_1_1.ConnectPacket({ ...connect3, will: given }), 'v3_1_1.ConnectPacket'),
  ['v5.ConnectPacket', (value) => new v5.ConnectPacket(value)],
  ...members(
    'v5.ConnectPacket',
    ['cleanStart', 'keepAlive', 'clientId', 'will', 'userName', 'password', 'props'],
    connect5,
    (fields) => new v5.ConnectPacket(fields),
  ),
  ...willOf((given) => new v5.ConnectPacket({ ...connect5, will: given }), 'v5.ConnectPacket'),
  ['v5.ConnectPacket, a property', (value) => new v5.ConnectPacket({ ...connect5, props: [value] })],
  ...members(
    'a property',
    ['id', 'value'],
    { id: 0x21, value: 1 },
    (item) => new v5.ConnectPacket({ ...connect5, props: [item] }),
  ),
  ...members(
    'a user property',
    ['key', 'value'],
    { id: 0x26, key: 'k', value: 'v' },
    (item) => new v5.ConnectPacket({ ...connect5, props: [item] }),
  ),
  ...members(
    'authentication data',
    ['value'],
    { id: 0x16 },
    (item) => new v5.ConnectPacket({ ...connect5, props: [property.authenticationMethod('m'), item] }),
  ),
  ['v3_1.ConnackPacket', (value) => new v3_1.ConnackPacket(value)],
  ['v3_1_1.ConnackPacket', (value) => new v3_1_1.ConnackPacket(value)],
  ['v5.ConnackPacket', (value) => new v5.ConnackPacket(value)],
  ...members(
    'v5.ConnackPacket',
    ['sessionPresent', 'reasonCode', 'props'],
    { sessionPresent: false, reasonCode: 0 },
    (fields) => new v5.ConnackPacket(fields),
  ),
  ...members(
    'v3_1.ConnackPacket',
    ['sessionPresent', 'returnCode'],
    { returnCode: 0 },
    (fields) => new v3_1.ConnackPacket(fields),
  ),
  ['v5.AuthPacket', (value) => new v5.AuthPacket(value)],
  ...members(
    'v5.AuthPacket',
    ['reasonCode', 'props'],
    { reasonCode: 0x18 },
    (fields) => new v5.AuthPacket(fields),
  ),
  ['v5.DisconnectPacket', (value) => new v5.DisconnectPacket(value)],
  ...members('v5.DisconnectPacket', ['reasonCode', 'props'], {}, (fields) => new v5.DisconnectPacket(fields)),
  ['v3_1.DisconnectPacket', (value) => new v3_1.DisconnectPacket(value)],
  ['v3_1_1.DisconnectPacket', (value) => new v3_1_1.DisconnectPacket(value)],
  ['OpaquePacket', (value) => new (library.OpaquePacket as never as new (bytes: never) => unknown)(value)],
  ['MqttError', (value) => new (MqttError as never as new (fault: never) => unknown)(value)],
  ['Will', (value) => `${new Will(value)}`],
  ...members('Will', ['topic', 'message', 'qos', 'retain', 'props'], will, (fields) => `${new Will(fields)}`),
  ['Will, a property', (value) => `${new Will({ ...will, props: [value] })}`],
  ['with', (value) => packet5.with(value)],
  ...members(
    'with',
    ['cleanStart', 'keepAlive', 'clientId', 'will', 'userName', 'password', 'props'],
    {},
    (changes) => packet5.with(changes),
  ),
  ['with, options', (value) => packet5.with({}, value)],
  ...members('with', ['allow'], {}, (options) => packet5.with({}, options)),
  ['withoutSecrets', (value) => packet5.withoutSecrets(value)],
  ['property', (value) => packet5.property(value)],
  ['userProperties', (value) => packet5.userProperties(value)],
  ['equals', (value) => packet5.equals(value)],
  ['compare', (value) => packet5.compare(value)],
  ['will.property', (value) => packet5.will!.property(value)],
  ['will.userProperties', (value) => packet5.will!.userProperties(value)],
  ...Object.entries(property).flatMap(([name, make]): [string, Taker][] => [
    [`property.${name}`, (value) => (make as (first: never, second: never) => unknown)(value, 'v' as never)],
  ]),
  ['property.userProperty, value', (value) => property.userProperty('k', value)],
  ['explain', (value) => `${library.explain(value)}`],
  ['explain, options', (value) => library.explain(r3, value)],
  ...members(
    'explain',
    ['protocolVersion', 'allow', 'from', 'secrets'],
    {},
    (options) => `${library.explain(r5, options)}`,
  ),
  ['diagnose', (value) => library.diagnose(value).headline.length],
  ['diagnose, options', (value) => library.diagnose(r3, value)],
  ...members('diagnose', ['protocolVersion', 'allow', 'from'], {}, (options) =>
    library.diagnose(r5, options),
  ),
  ...members('diagnose of nothing valid', ['protocolVersion', 'allow', 'from'], {}, (options) =>
    library.diagnose(hex('100200'), options),
  ),
  ['bytesFromText', (value) => library.bytesFromText(value)],
  ['propertyName', (value) => library.propertyName(value)],
  ['reasonCodeName', (value) => library.reasonCodeName(value)],
  ['toMqttPacket', (value) => toMqttPacket(value)],
  ['fromMqttPacket', (value) => fromMqttPacket(value)],
  ['fromMqttPacket, options', (value) => fromMqttPacket({ cmd: 'connack', returnCode: 0 }, value)],
  ...members('fromMqttPacket', ['protocolVersion'], {}, (options) =>
    fromMqttPacket({ cmd: 'connack', returnCode: 0 }, options),
  ),
  ...members('fromMqttPacket', Object.keys(toMqttPacket(packet5)), toMqttPacket(packet5), (object) =>
    fromMqttPacket(object),
  ),
  ...members(
    'fromMqttPacket, a CONNACK',
    [...Object.keys(toMqttPacket(library.connack(5, 0))), 'returnCode', 'messageId'],
    { cmd: 'connack', reasonCode: 0 },
    (object) => fromMqttPacket(object),
  ),
  ...members('fromMqttPacket, an AUTH', ['reasonCode', 'properties'], { cmd: 'auth' }, (object) =>
    fromMqttPacket(object),
  ),
  ...members('fromMqttPacket, a DISCONNECT', ['reasonCode', 'properties'], { cmd: 'disconnect' }, (object) =>
    fromMqttPacket(object),
  ),
  ...members(
    'fromMqttPacket, a will',
    ['topic', 'payload', 'qos', 'retain', 'properties'],
    { topic: 't' },
    (given) => fromMqttPacket({ cmd: 'connect', protocolVersion: 5, will: given }),
  ),
  ...members(
    'fromMqttPacket, properties',
    [
      'receiveMaximum',
      'authenticationMethod',
      'authenticationData',
      'userProperties',
      'requestResponseInformation',
    ],
    {},
    (properties) => fromMqttPacket({ cmd: 'connect', protocolVersion: 5, properties }),
  ),
  [
    'fromMqttPacket, a user property',
    (value) =>
      fromMqttPacket({ cmd: 'connect', protocolVersion: 5, properties: { userProperties: { k: value } } }),
  ],
  ['encodeUnchecked, class', (value) => encodeUnchecked(value, {})],
  ['encodeUnchecked, fields', (value) => encodeUnchecked(v5.ConnectPacket, value)],
  ['new v5.ConnectPacket, a key', (value) => new v5.ConnectPacket(connect5 as never, value as never)],
  ...[buildV3_1(), packet3].map((packet): [string, Taker] => [
    `with of version ${packet.protocolVersion}`,
    (value) => packet.with(value),
  ]),
]

const kinds: Readonly<Record<string, typeof TypeError | typeof RangeError>> = {
  ERR_INVALID_ARG_TYPE: TypeError,
  ERR_INVALID_ARG_VALUE: TypeError,
  ERR_OUT_OF_RANGE: RangeError,
}

/** The reason why an error is neither the library's nor the caller's, or `undefined`. */
function objection(error: unknown): string | undefined {
  if (error instanceof MqttError || error instanceof CallersError) return undefined
  const { code, stack } = error as { code?: string; stack?: string }
  const isMisuse = code !== undefined && code in kinds && error instanceof kinds[code]!
  // Streams report these errors themselves. Writing null is an error in every stream.
  const isOfStream = code === 'ERR_STREAM_NULL_VALUES' || code === 'ERR_STREAM_PREMATURE_CLOSE'
  return isMisuse || isOfStream ? undefined : `${stack}`
}

describe('misuse', () => {
  const uncaught: unknown[] = []
  const note = (error: unknown): void => {
    uncaught.push(error)
  }
  before(() => {
    process.on('unhandledRejection', note)
  })
  after(() => {
    process.removeListener('unhandledRejection', note)
  })

  for (const [taker, take] of takers) {
    it(`of ${taker} is an error with a code`, async () => {
      const problems: string[] = []
      for (const [what, create] of Object.entries(hostileValues)) {
        try {
          await take(create() as never)
        } catch (error) {
          const problem = objection(error)
          if (problem !== undefined) problems.push(`${what}: ${problem}`)
        }
        for (const each of open) each.destroy()
        open.clear()
      }
      await new Promise(setImmediate)
      expect(uncaught.splice(0)).to.deep.equal([])
      expect(problems.join('\n')).to.equal('')
    })
  }

  it('is tried with each function and class', () => {
    const tried = takers.map(([what]) => what)
    const missing = Object.entries(library)
      .filter(
        ([name, member]) => typeof member === 'function' && !tried.some((what) => what.startsWith(name)),
      )
      .map(([name]) => name)
    expect(missing).to.deep.equal([])
  })
})
