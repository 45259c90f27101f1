import { Buffer } from 'node:buffer'
import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { format, inspect } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { decode, MqttError, PacketParser, property, v5, Will } from '../../lib/index.ts'
import { outcome } from '../property/rebuild.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { faultExamples } from '../support/faults.ts'
import { kinds } from '../support/kinds.ts'
import { buildV3, buildV3_1, buildV5, decodeV3, decodeV5 } from '../support/packets.ts'
import { hex, R5 } from '../support/reference.ts'

const SECRET = 'hunter2-SECRET'
const secretBytes = Buffer.from(SECRET)

/** The forms in which a text may show a secret. */
const encodings = [
  SECRET,
  secretBytes.toString('hex'),
  secretBytes.toString('base64').slice(0, 12),
  [...secretBytes].slice(0, 5).join(', '),
  [...secretBytes].slice(0, 5).join(','),
  [...secretBytes].slice(0, 5).join(',\n'),
  inspect(secretBytes).slice(8, 20),
]

const authentication = [property.authenticationMethod('SCRAM-SHA-1'), property.authenticationData(SECRET)]

/** A packet with a secret in each field that can hold one. Nothing else in the packet resembles the secret. */
const packet5 = buildV5({
  userName: 'user',
  password: SECRET,
  props: authentication,
  will: { topic: 't', message: 'm' },
})

const secretive: readonly (readonly [string, object])[] = [
  ['v5.ConnectPacket', packet5],
  ['v5.ConnectPacket that was decoded', decodeV5(packet5.bytes)],
  ['v5.ConnectPacket out of a parser', [...new PacketParser({ connection: false }).push(packet5.bytes)][0]!],
  ['v3_1_1.ConnectPacket', buildV3({ userName: 'u', password: SECRET })],
  ['v3_1_1.ConnectPacket that was decoded', decodeV3(buildV3({ userName: 'u', password: SECRET }).bytes)],
  ['v3_1.ConnectPacket', buildV3_1({ userName: 'u', password: SECRET })],
  ['v5.ConnackPacket', new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0, props: authentication })],
]

/** The output of a `Console`. */
function printed(print: (console: Console) => void): string {
  const chunks: string[] = []
  const stdout = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  print(new Console({ stdout }))
  return chunks.join('')
}

/** Serialises as pino does: the object's own enumerable properties, and the object under a key. */
function likePino(value: object): string {
  const own = Object.entries(value).map(([key, one]) => `"${key}":${JSON.stringify(one)}`)
  return `{"level":30,${own.join()},"packet":${JSON.stringify(value)}}`
}

/** Serialises as winston does, by copying the object into the log record. */
function likeWinston(value: object): string {
  const record = Object.assign({}, value, { level: 'info', message: 'm' })
  return (
    JSON.stringify(record) +
    inspect(record, { depth: 9 }) +
    format('%o %O %j %s', record, record, record, record)
  )
}

const everything = { depth: 99, showHidden: true, getters: true, maxStringLength: null, maxArrayLength: null }

const forms: readonly (readonly [string, (value: object) => string])[] = [
  ['toString', String],
  ['JSON.stringify', (value) => JSON.stringify({ value, list: [value] })],
  ['inspect', (value) => inspect(value) + inspect({ list: [value] }, { depth: 99 })],
  ['inspect with everything on', (value) => inspect(value, everything)],
  [
    'inspect without its own form',
    (value) => inspect(value, { customInspect: false, showHidden: false, depth: 99 }),
  ],
  ['format', (value) => format('%s %o %O %j', value, value, value, value)],
  ['a spread object', (value) => inspect({ ...value }, everything) + JSON.stringify({ ...value })],
  [
    'Object.entries',
    (value) => inspect([Object.entries(value), Object.keys(value), Object.values(value)], everything),
  ],
  [
    'for in',
    (value) => {
      let text = ''
      for (const key in value) text += `${key} ${inspect(value[key as never], everything)}`
      return text
    },
  ],
  [
    'console.log, dir and table',
    (value) =>
      printed((to) => {
        to.log(value)
        to.dir(value, { showHidden: false, customInspect: false, depth: 9 })
        to.table(value)
        to.table([value])
      }),
  ],
  ['pino', likePino],
  ['winston', likeWinston],
  [
    'an assertion error',
    (value) => {
      try {
        expect(value).to.equal('something else')
      } catch (error) {
        return inspect(error, { depth: 9 })
      }
      return ''
    },
  ],
]

describe('secrets', () => {
  for (const [form, print] of forms) {
    it(`do not show in ${form}`, () => {
      for (const [name, value] of secretive) {
        const text = print(value)
        for (const encoded of encodings) expect(text, name).not.to.include(encoded)
      }
    })
  }

  it('do not show in any form of an error that has the bytes of the packet', () => {
    const bytes = Buffer.from(packet5.bytes)
    bytes[9]! |= 1
    const parser = new PacketParser({ connection: false })
    expect(() => [...parser.push(bytes)])
      .to.throw(MqttError)
      .with.property('bytes')
      .that.deep.equals(bytes)
    try {
      parser.end()
    } catch (error) {
      for (const [form, print] of forms)
        for (const encoded of encodings) expect(print(error as Error), form).not.to.include(encoded)
    }
  })

  it('are replaced by ***** whatever their length or, in JSON, by members that no value can be, and other fields are shown', () => {
    for (const print of [String, JSON.stringify, (value: object) => inspect(value, { depth: 9 })]) {
      const shown = print === String ? /\*{5}/ : /"?hasPassword"?: ?true|"?redacted"?: ?true/
      for (const [name, value] of secretive) expect(print(value), name).to.match(shown)
      expect(print(packet5)).to.include('SCRAM-SHA-1')
      const [empty, filled] = ['', SECRET].map((password) => buildV3({ userName: 'u', password }))
      expect(print(empty!)).to.equal(print(filled!))
    }
  })

  it('are returned by their accessors', () => {
    expect(`${packet5.password}`).to.equal(SECRET)
    expect(packet5.toFields().password).to.deep.equal(secretBytes)
  })
})

describe('packets and wills', () => {
  it('have no enumerable own properties', () => {
    const { will } = decodeV5(hex(R5))
    const opaque = decode(hex('c000'))
    for (const value of [
      ...secretive.map(([, value]) => value),
      will!,
      new Will({ topic: 't', message: 'm' }),
      opaque,
    ]) {
      expect(Reflect.ownKeys(value)).to.deep.equal([])
      const inherited: string[] = []
      for (const key in value) inherited.push(key)
      expect(inherited).to.deep.equal([])
      expect(JSON.stringify({ ...value })).to.equal('{}')
    }
  })
})

describe('messages of errors', () => {
  /** The message without its offset, which differs between the packets. */
  const said = (error: Error) => error.message.replace(/ \(byte \d+\)$/, '')

  it('are the same for all contents and lengths of a secret', () => {
    const messages = new Set<string>()
    const start = hex('10 27 0004 4d515454 04 c2 0000 0001 63 0001 75')
    for (let length = 0; length < 0x10000; length += 251) {
      const password = Buffer.from([
        length >> 8,
        length & 0xff,
        ...secretBytes,
        ...secretBytes.subarray(0, 8),
      ])
      const result = outcome(Buffer.concat([start, password.subarray(0, 0x29 - start.length)]))
      if (result instanceof MqttError) messages.add(said(result))
    }
    expect(Array.from(messages, (message) => message.split(':')[0]).sort()).to.deep.equal([
      'bytesLeftOver',
      'password',
    ])
    for (const message of messages) expect(message).not.to.match(/\d/)
  })

  it('are few for any bytes: they hold nothing that is derived from the contents', () => {
    const messages = new Map<string, Set<string>>()
    const note = (error: MqttError) => {
      const key = `${error.code} ${error.field} ${error.protocolVersion}`
      messages.set(key, (messages.get(key) ?? new Set()).add(said(error)))
    }
    const valid = fc.oneof(
      ...kinds.map(({ fields, build, version }) =>
        fields.map((some) => [build(some).bytes, version] as const),
      ),
    )
    fc.assert(
      fc.property(valid, fc.nat(), fc.nat({ max: 255 }), ([bytes, version], at, byte) => {
        const changed = Buffer.from(bytes)
        changed[2 + (at % (bytes.length - 2))] = byte
        const result = outcome(changed, version)
        if (result instanceof MqttError) note(result)
      }),
      { ...runs, numRuns: usual(6000) },
    )
    for (const { bytes, version } of faultExamples) note(outcome(bytes, version) as MqttError)
    expect(messages.size).to.be.greaterThan(60)
    for (const [key, texts] of messages)
      expect(texts.size, `${key}: ${[...texts].join(' | ')}`).to.be.below(4)
  })

  it('of misuse and of broken rules do not repeat a value', () => {
    for (const fields of [
      { clientId: `${SECRET}\0` },
      { userName: `${SECRET}\ud800` },
      { password: `${SECRET}\ud800` },
      { password: { secret: SECRET } },
      { will: { topic: `${SECRET}#`, message: SECRET } },
      { will: SECRET },
      { keepAlive: SECRET },
      { props: [{ id: 0x26, key: `${SECRET}\0`, value: SECRET }] },
      { props: [property.authenticationData(SECRET)] },
      { password: SECRET.repeat(9000) },
    ]) {
      try {
        buildV5(fields as never)
        expect.fail('expected an error')
      } catch (error) {
        const text = inspect(error, { depth: 9 }) + JSON.stringify(error)
        expect(text)
          .not.to.include(SECRET)
          .and.not.to.match(/126000|got \d/)
      }
    }
  })
})
