import { inspect } from 'node:util'
import { expect } from 'chai'
import { type DecodeOptions, decode, MqttError, v3_1, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { connect, packet, prefixed, type VersionName, versions } from '../conformance/rule.ts'
import { allRules } from '../conformance/rules/index.ts'
import { accepting } from '../conformance/ways.ts'
import { hiddenCodePoints } from '../support/hidden-characters.ts'

/** The error for invalid bytes. */
function errorOf(
  bytes: Uint8Array,
  version?: VersionName,
  { maximumPacketSize, from }: Pick<DecodeOptions, 'maximumPacketSize' | 'from'> = {},
): MqttError {
  const protocolVersion = version === undefined ? 0 : versions[version].level
  try {
    decode(bytes, { protocolVersion, maximumPacketSize, from })
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
  throw new Error('expected an error, but nothing was thrown')
}

const emptyClientId = packet(connect('00 K 0000'), 'v3_1_1').bytes
const bridge = packet('10 L 0004 4d515454 84 02 K A', 'v3_1_1').bytes

describe('MqttError', () => {
  it('is an Error with a name, a message and a stack', () => {
    const error = errorOf(emptyClientId)
    expect(error).to.be.instanceOf(Error)
    expect(`${error}`).to.equal('MqttError: clientId: must not be empty without clean session (byte 12)')
    expect(error.stack).to.include('mqtt-error.test')
  })

  it('gives everything for a log as JSON, except the stack and the CONNACK', () => {
    expect(JSON.parse(JSON.stringify(errorOf(bridge)))).to.deep.equal({
      message: 'protocolLevel: marks a bridge, which is not accepted here (byte 8)',
      name: 'MqttError',
      code: 'protocol-bridge-level',
      reasonCode: 0x84,
      returnCode: 1,
      protocolVersion: 0,
      offset: 8,
      field: 'protocolLevel',
      clause: 'MQTT-3.1.2-2',
      protocolName: 'MQTT',
      protocolLevel: 0x84,
    })
  })

  it('leaves out properties that are unknown', () => {
    const error = errorOf(Buffer.of(0, 0))
    for (const name of ['returnCode', 'protocolName', 'protocolLevel', 'looksLike']) {
      expect(name in error, name).to.equal(false)
    }
    expect(error.connack).to.equal(undefined)
  })

  it('cannot be constructed outside the library', () => {
    const Public = MqttError as unknown as new (fault: unknown) => MqttError
    for (const fault of ['will-qos', {}, undefined]) {
      expect(() => new Public(fault))
        .to.throw(TypeError)
        .with.property('code', 'ERR_INVALID_ARG_TYPE')
    }
  })

  it('gives each caller its own copy of the CONNACK', () => {
    const error = errorOf(emptyClientId)
    error.connack!.fill(0)
    expect(error.connack?.toString('hex')).to.equal('20020002')
  })

  it('leaves Error.stackTraceLimit as it was', () => {
    const { stackTraceLimit } = Error
    try {
      for (const limit of [0, 1, 50]) {
        Error.stackTraceLimit = limit
        errorOf(emptyClientId)
        expect(Error.stackTraceLimit).to.equal(limit)
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  })

  it('gives another protocol name apart from its message, and only if it is short text', () => {
    const named = (name: Buffer) =>
      errorOf(packet(`10 L ${prefixed(name.toString('hex'))} 04`, 'v3_1_1').bytes)
    expect(named(Buffer.from('M4RK3R'))).to.include({ protocolName: 'M4RK3R', protocolLevel: 4 })
    expect(named(Buffer.from('M4RK3R')).message).not.to.include('M4RK3R')
    expect(named(Buffer.from('x'.repeat(33))).protocolName).to.equal(undefined)
    expect(named(Buffer.of(0xff, 0xfe)).protocolName).to.equal(undefined)
  })

  it('is printed and logged without invisible characters, or any that a terminal acts on', () => {
    for (const code of hiddenCodePoints) {
      const character = String.fromCodePoint(code)
      const error = errorOf(
        packet(`10 L ${prefixed(Buffer.from(`M${character}T`).toString('hex'))} 04`, 'v3_1_1').bytes,
      )
      expect(error.protocolName).to.equal(`M${character}T`)
      for (const shown of [inspect(error), inspect({ error }), JSON.stringify(error)]) {
        const line = shown.split('\n').findLast((each) => each.includes('protocolName'))!
        expect(line, code.toString(16)).to.match(/^[ -~]*$/)
        expect(line).to.match(/M\\(\\?u[0-9a-f]{4}|\\?[bfnrtv]|x[0-9A-F]{2})/)
      }
    }
  })

  it('is logged so that a name that contains an escape differs from the character', () => {
    const logged = (name: string) =>
      JSON.stringify(
        errorOf(packet(`10 L ${prefixed(Buffer.from(name).toString('hex'))} 04`, 'v3_1_1').bytes),
      )
    expect(logged('M\\u202eT')).not.to.equal(logged('M\u202eT'))
    expect(JSON.parse(logged('MQTTX'))).to.include({ protocolName: 'MQTTX' })
  })
})

/** Contents for every field that can hold text or binary data. Different seeds give different contents of equal length. */
function secretFields(seed: string): { clientId: string; userName: string; password: string; will: object } {
  const text = (name: string) => `${name}${seed.repeat(4)}`
  return {
    clientId: text('c'),
    userName: text('u'),
    password: text('p'),
    will: { topic: text('t'), message: text('m') },
  }
}

function secretPackets(seed: string): [VersionName, Buffer][] {
  const fields = secretFields(seed)
  const text = seed.repeat(4)
  const pair = { id: 0x26, key: text, value: text } as const
  const least = { keepAlive: 1, ...fields } as never as v5.ConnectPacketFields
  const inWill = {
    ...fields.will,
    props: [{ id: 0x03, value: text }, { id: 0x09, value: Buffer.from(text) }, pair],
  }
  const own = [{ id: 0x15, value: text }, { id: 0x16, value: Buffer.from(text) }, pair] as const
  const code = { sessionPresent: false, reasonCode: 0 } as const
  return [
    ['v3_1', new v3_1.ConnectPacket({ ...least, cleanSession: true } as never).bytes],
    ['v3_1_1', new v3_1_1.ConnectPacket({ ...least, cleanSession: true } as never).bytes],
    ['v5', new v5.ConnectPacket({ ...least, cleanStart: true, will: inWill as never, props: own }).bytes],
    ['v5', new v5.ConnackPacket({ ...code, props: [...own, { id: 0x1f, value: text }] }).bytes],
  ]
}

describe('a message of an MqttError', () => {
  it('is one sentence with the field and the offset', () => {
    for (const { bytes, version, ways, options, field, offset } of allRules) {
      if (ways !== undefined || options.allow !== undefined) continue
      const { message } = errorOf(bytes, version, options)
      expect(message).to.match(/^[A-Za-z.]+: [a-z]\S*( \S+)+ \(byte \d+\)$/)
      // Messages say what's wrong in words, without "expected X, got Y".
      expect(message).not.to.match(/\bexpected\b|\bgot\b|undefined|\.{2}|\s\(byte \d+\).*\(byte/)
      expect([message.startsWith(`${field}: `), message.endsWith(` (byte ${offset})`)]).to.deep.equal([
        true,
        true,
      ])
    }
  })

  it('says which values a property can have', () => {
    const message = (list: string) => errorOf(packet(connect(`02 K {${list}} A`), 'v5').bytes).message
    expect(message('19 02')).to.equal('props.requestResponseInformation: must be 0 or 1 (byte 14)')
    expect(message('21 0000')).to.equal('props.receiveMaximum: must not be 0 (byte 14)')
  })

  it('says whether there are any bytes', () => {
    expect(errorOf(Buffer.alloc(0)).message).to.equal('remainingLength: there are no bytes (byte 0)')
    expect(errorOf(Buffer.of(0x10, 2, 0)).message).to.equal(
      'remainingLength: the packet is not complete (byte 3)',
    )
  })

  it('depends on the field and the code, not on what the packet contains', () => {
    const messages = new Map<string, string>()
    for (const { bytes, version, what, ways, options, field, code } of allRules) {
      if (ways !== undefined || options.allow !== undefined) continue
      const { message } = errorOf(bytes, version, options)
      // Packets from the same row of a table differ only in their contents.
      const key = [code, field, version, what].join()
      const withoutOffset = message.replace(/ \(byte \d+\)$/, '')
      expect(withoutOffset, key).to.equal(messages.get(key) ?? withoutOffset)
      messages.set(key, withoutOffset)
    }
    expect(messages.size).to.be.greaterThan(100)
  })

  it('contains no field contents, and nothing derived from them', () => {
    const one = secretPackets('xQ')
    const other = secretPackets('7\u0001')
    let compared = 0
    for (const [index, [version, bytes]] of one.entries()) {
      const twin = other[index]![1]
      expect(twin).to.have.lengthOf(bytes.length)
      for (let at = 0; at < bytes.length; at++) {
        // Bytes that differ between the packets are contents, so they're left alone.
        if (bytes[at] !== twin[at]) continue
        for (const value of [
          0x00,
          0x01,
          0x02,
          0x23,
          0x7f,
          0x80,
          0xfe,
          0xff,
          bytes[at]! ^ 1,
          bytes[at]! + 1,
        ]) {
          const [error, same] = [bytes, twin].map((original) => {
            const mutated = Buffer.from(original)
            mutated[at] = value
            return outcome(mutated, version)
          })
          // A wrong length makes the check read contents as lengths, and then even the field can differ.
          if (error === undefined || same === undefined || error.offset !== same.offset) continue
          if (error.code !== same.code) continue
          expect(error.message).to.equal(same.message)
          compared++
          for (const text of [error.message, JSON.stringify(error), inspect(error), `${error.stack}`]) {
            expect(text).not.to.include('xQ')
          }
        }
      }
    }
    expect(compared).to.be.greaterThan(1000)
  })
})

function outcome(bytes: Buffer, version: VersionName): MqttError | undefined {
  try {
    decode(bytes, { ...accepting(version), protocolVersion: versions[version].level })
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
  return undefined
}
