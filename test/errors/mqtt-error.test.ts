import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { errorTable } from '../../lib/errors/error-table.ts'
import type { FaultDetails } from '../../lib/errors/fault.ts'
import { MqttError } from '../../lib/errors/mqtt-error.ts'
import { bufferToPacketVariant, type ErrorCode } from '../../lib/packets/index.ts'
import { faultExamples, framed, MARKER } from '../support/faults.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { refusal } from '../support/thrown.ts'

const fault: FaultDetails = {
  field: 'clientId',
  offset: 12,
  protocolVersion: 4,
  expected: 'this',
  got: 'that',
}

describe('MqttError', () => {
  it('is an Error with its own name', () => {
    const error = new MqttError('client-id-empty', fault)
    expect(error).to.be.instanceOf(Error)
    expect(error.name).to.equal('MqttError')
    expect(`${error}`).to.equal('MqttError: clientId: expected this, got that (byte 12)')
    expect(error.stack).to.include('mqtt-error.test')
  })

  it('carries what is known of the fault', () => {
    const error = new MqttError('client-id-empty', {
      ...fault,
      protocolName: 'MQTT',
      protocolLevel: 4,
      looksLike: 'tls',
    })
    const { code, reasonCode, returnCode, protocolVersion, protocolName, protocolLevel } = error
    expect({ code, reasonCode, returnCode, protocolVersion, protocolName, protocolLevel }).to.deep.equal({
      code: 'client-id-empty',
      reasonCode: 0x85,
      returnCode: 2,
      protocolVersion: 4,
      protocolName: 'MQTT',
      protocolLevel: 4,
    })
    expect([error.offset, error.field, error.clause]).to.deep.equal([12, 'clientId', 'MQTT-3.1.3-8'])
    expect(error.looksLike).to.equal('tls')
  })

  it('does not even have the properties that are not known', () => {
    const error = new MqttError('will-qos', fault)
    for (const name of ['returnCode', 'protocolName', 'protocolLevel', 'looksLike']) {
      expect(name in error, name).to.equal(false)
    }
    expect(error.connack).to.equal(undefined)
  })

  it('gives all for a log as JSON, but the stack and the CONNACK', () => {
    const error = new MqttError('protocol-level', { ...fault, protocolName: 'MQTT', protocolLevel: 3 })
    expect(JSON.parse(JSON.stringify(error))).to.deep.equal({
      message: 'clientId: expected this, got that (byte 12)',
      name: 'MqttError',
      code: 'protocol-level',
      reasonCode: 0x84,
      returnCode: 1,
      protocolVersion: 4,
      offset: 12,
      field: 'clientId',
      clause: 'MQTT-3.1.2-2',
      protocolName: 'MQTT',
      protocolLevel: 3,
    })
  })

  it('names the clause of the version whose rules were applied', () => {
    const clause = (protocolVersion: 0 | 4 | 5) =>
      new MqttError('will-qos', { ...fault, protocolVersion }).clause
    expect([clause(4), clause(5), clause(0)]).to.deep.equal([
      'MQTT-3.1.2-14',
      'MQTT-3.1.2-12',
      'MQTT-3.1.2-12',
    ])
  })
})

describe('each code', () => {
  const notInBytes = ['connect-timeout', 'not-connect', 'second-connect', 'packet-too-large']

  it('has an example here, unless bytes alone cannot have the fault', () => {
    const shown = new Set<string>([...faultExamples.map(({ code }) => code), ...notInBytes])
    expect([...shown].sort()).to.deep.equal(Object.keys(errorTable).sort())
  })

  for (const { code, version, bytes, field, offset } of faultExamples) {
    it(`${code} names ${field} and byte ${offset} of ${version === 4 ? '3.1.1' : '5.0'}`, () => {
      for (const asked of [0, version] as const) {
        // AUTH is a type of its own unless the version is known to be 3.1.1.
        if (asked === 0 && bytes[0] === 0xf0) continue
        const error = refusal(() => bufferToPacketVariant(bytes, asked))
        expect([error.code, error.field, error.offset], error.message).to.deep.equal([code, field, offset])
        expect(error.message).to.match(/^[A-Za-z.]+: expected \S.*, got \S.* \(byte \d+\)$/)
        expect(
          error.message.startsWith(`${field}: `) && error.message.endsWith(` (byte ${offset})`),
        ).to.equal(true)
      }
    })
  }

  it('says nothing of what the fields hold, in any form', () => {
    for (const { code, bytes } of faultExamples) {
      const error = refusal(() => bufferToPacketVariant(bytes, bytes[0] === 0xf0 ? 4 : 0))
      for (const text of [error.message, JSON.stringify(error), inspect(error), `${error.stack}`]) {
        expect(text.includes(MARKER) || text.includes('M4'), `${code}: ${text}`).to.equal(false)
      }
    }
  })

  it('says nothing of another protocol name in its message, and gives it apart only if it is short text', () => {
    const named = (name: Buffer) => {
      const length = name.length.toString(16).padStart(4, '0')
      return refusal(() => bufferToPacketVariant(framed(0x10, `${length}${name.toString('hex')}04`)))
    }
    const short = named(Buffer.from(MARKER))
    expect(short.message).not.to.include(MARKER)
    expect([short.code, short.protocolName, short.protocolLevel]).to.deep.equal(['protocol-name', MARKER, 4])
    expect(named(Buffer.from(MARKER.repeat(6))).protocolName).to.equal(undefined)
    expect(named(Buffer.from([0xff, 0xfe])).protocolName).to.equal(undefined)
  })
})

describe('the protocol name and level in an error', () => {
  it('are absent until they are read', () => {
    const error = refusal(() => bufferToPacketVariant(hex(R3).subarray(0, 20)))
    expect([error.protocolName, error.protocolLevel, error.protocolVersion]).to.deep.equal([
      undefined,
      undefined,
      0,
    ])
  })

  it('are there when the fault comes later', () => {
    for (const { version, bytes, offset, code } of faultExamples) {
      if (offset < 9 || code === 'more-than-one-packet' || code === 'packet-incomplete') continue
      const error = refusal(() => bufferToPacketVariant(bytes))
      if (code.startsWith('protocol-')) continue
      expect([error.protocolName, error.protocolLevel], code).to.deep.equal(['MQTT', version])
      expect(error.protocolVersion, code).to.equal(version)
    }
  })
})

/** The reason code, the 3.1.1 return code and the clauses of 3.1.1 and 5.0, written out once more by hand. */
const malformed = 0x81
const expected: Readonly<Record<ErrorCode, readonly [number, number | undefined, string, string?]>> = {
  'connect-timeout': [0x80, undefined, '3.1.4'],
  'packet-incomplete': [malformed, undefined, 'MQTT-3.1.4-1'],
  'reserved-packet-type': [malformed, undefined, '2.2.1', '2.1.2'],
  'not-connect': [0x82, undefined, 'MQTT-3.1.0-1'],
  'second-connect': [0x82, undefined, 'MQTT-3.1.0-2'],
  'fixed-header-flags': [malformed, undefined, 'MQTT-2.2.2-1', 'MQTT-2.1.3-1'],
  'variable-byte-integer-too-long': [malformed, undefined, '2.2.3', '1.5.5'],
  'variable-byte-integer-not-shortest': [malformed, undefined, 'MQTT-1.5.5-1'],
  'packet-too-large': [0x95, undefined, '4.8', '3.2.2.2'],
  'field-past-end': [malformed, undefined, 'MQTT-3.1.4-1'],
  'bytes-left-over': [malformed, undefined, 'MQTT-3.1.4-1'],
  'more-than-one-packet': [malformed, undefined, 'MQTT-3.1.4-1'],
  'protocol-name': [0x84, undefined, 'MQTT-3.1.2-1'],
  'protocol-mqtt-3-1': [0x84, 1, 'MQTT-3.1.2-1'],
  'protocol-bridge-level': [0x84, 1, 'MQTT-3.1.2-2'],
  'protocol-level': [0x84, 1, 'MQTT-3.1.2-2'],
  'connect-flags-reserved': [malformed, undefined, 'MQTT-3.1.2-3'],
  'will-qos-without-will': [malformed, undefined, 'MQTT-3.1.2-13', 'MQTT-3.1.2-11'],
  'will-qos': [malformed, undefined, 'MQTT-3.1.2-14', 'MQTT-3.1.2-12'],
  'will-retain-without-will': [malformed, undefined, 'MQTT-3.1.2-15', 'MQTT-3.1.2-13'],
  'password-without-user-name': [malformed, undefined, 'MQTT-3.1.2-22'],
  'property-unknown': [malformed, undefined, '2.2.2.2'],
  'property-not-allowed-here': [malformed, undefined, '2.2.2.2'],
  'property-past-end': [malformed, undefined, '2.2.2.2'],
  'property-twice': [0x82, undefined, '3.1.2.11'],
  'will-property-twice': [0x82, undefined, '3.1.3.2'],
  'receive-maximum-zero': [0x82, undefined, '3.1.2.11.3'],
  'maximum-packet-size-zero': [0x82, undefined, '3.1.2.11.4'],
  'request-response-information': [0x82, undefined, '3.1.2.11.6'],
  'request-problem-information': [0x82, undefined, '3.1.2.11.7'],
  'authentication-data-without-method': [0x82, undefined, '3.1.2.11.10'],
  'payload-format-indicator': [malformed, undefined, '3.1.3.2.3'],
  'response-topic-empty': [0x82, undefined, 'MQTT-3.3.2-14'],
  'response-topic-wildcard': [0x82, undefined, 'MQTT-3.3.2-14'],
  'property-not-utf8': [malformed, undefined, 'MQTT-1.5.4-1'],
  'property-nul': [malformed, undefined, 'MQTT-1.5.4-2'],
  'user-property-not-utf8': [malformed, undefined, 'MQTT-1.5.7-1'],
  'user-property-nul': [malformed, undefined, 'MQTT-1.5.7-1'],
  'client-id-not-utf8': [0x85, undefined, 'MQTT-1.5.3-1', 'MQTT-1.5.4-1'],
  'client-id-nul': [0x85, undefined, 'MQTT-1.5.3-2', 'MQTT-1.5.4-2'],
  'client-id-empty': [0x85, 2, 'MQTT-3.1.3-8'],
  'will-topic-not-utf8': [0x90, undefined, 'MQTT-3.1.3-10', 'MQTT-3.1.3-11'],
  'will-topic-nul': [0x90, undefined, 'MQTT-3.1.3-10', 'MQTT-3.1.3-11'],
  'will-topic-empty': [0x90, undefined, 'MQTT-4.7.3-1'],
  'will-topic-wildcard': [0x90, undefined, 'MQTT-4.7.1-1', 'MQTT-4.7.0-1'],
  'user-name-not-utf8': [0x86, undefined, 'MQTT-3.1.3-11', 'MQTT-3.1.3-12'],
  'user-name-nul': [0x86, undefined, 'MQTT-3.1.3-11', 'MQTT-3.1.3-12'],
}

describe('the table of errors', () => {
  for (const [code, [reasonCode, returnCode, clause3, clause5 = clause3]] of Object.entries(expected)) {
    it(`gives ${code} its reason code, return code and clauses [${clause3}] [${clause5}]`, () => {
      const errorFor = (protocolVersion: 4 | 5) =>
        new MqttError(code as ErrorCode, { ...fault, protocolVersion })
      expect(errorFor(4).reasonCode).to.equal(reasonCode)
      expect(errorFor(4).returnCode).to.equal(returnCode)
      expect([errorFor(4).clause, errorFor(5).clause]).to.deep.equal([clause3, clause5])
    })
  }
})

describe('connack', () => {
  const answer = (code: ErrorCode, protocolName?: string, protocolLevel?: number) =>
    new MqttError(code, { ...fault, protocolName, protocolLevel }).connack?.toString('hex')

  it('is 20 02 00 and the return code for a 3.1.1 client where 3.1.1 has one, else nothing', () => {
    for (const [code, [, returnCode]] of Object.entries(expected)) {
      const bytes = returnCode === undefined ? undefined : `2002000${returnCode}`
      expect(answer(code as ErrorCode, 'MQTT', 4), code).to.equal(bytes)
    }
  })

  it('is 20 03 00, the reason and 00 for a 5.0 client', () => {
    for (const [code, [reasonCode]] of Object.entries(expected)) {
      expect(answer(code as ErrorCode, 'MQTT', 5), code).to.equal(`200300${reasonCode.toString(16)}00`)
    }
  })

  it('has the 5.0 shape with 0x84 for a level above 4, the 3.1.1 shape with 1 below', () => {
    for (const level of [6, 7, 0x84, 255])
      expect(answer('protocol-level', 'MQTT', level)).to.equal('2003008400')
    for (const level of [0, 1, 2, 3]) expect(answer('protocol-level', 'MQTT', level)).to.equal('20020001')
  })

  it('has the 3.1.1 shape with 1 for MQIsdp', () => {
    expect(answer('protocol-mqtt-3-1', 'MQIsdp', 3)).to.equal('20020001')
    expect(answer('protocol-bridge-level', 'MQIsdp', 0x83)).to.equal('20020001')
    expect(answer('protocol-mqtt-3-1', 'MQIsdp', 5)).to.equal('20020001')
  })

  it('is absent for any other name, and for what is not MQTT at all', () => {
    expect(answer('protocol-name', 'MQTX', 5)).to.equal(undefined)
    expect(answer('protocol-name')).to.equal(undefined)
    expect(refusal(() => bufferToPacketVariant(Buffer.from('GET / HTTP/1.1\r\n'))).connack).to.equal(
      undefined,
    )
    expect(refusal(() => bufferToPacketVariant(hex('16030100'), 4)).connack).to.equal(undefined)
  })

  it('answers each faulty packet in the shape of its own version', () => {
    for (const { code, version, bytes } of faultExamples) {
      const error = refusal(() => bufferToPacketVariant(bytes, bytes[0] === 0xf0 ? 4 : 0))
      if (error.protocolName === undefined) expect(error.connack, code).to.equal(undefined)
      else if (code.startsWith('protocol-')) continue
      else if (version === 5)
        expect(error.connack, code).to.deep.equal(hex(`200300${error.reasonCode.toString(16)}00`))
      else expect(error.connack, code).to.deep.equal(code === 'client-id-empty' ? hex('20020002') : undefined)
    }
  })

  it('is a Buffer of its own each time', () => {
    const error = refusal(() => bufferToPacketVariant(hex(R5), 4))
    error.connack!.fill(0)
    expect(error.connack).to.deep.equal(hex('2003008400'))
  })
})
