import { expect } from 'chai'
import { decode, type ErrorCode, MqttError } from '../../lib/index.ts'
import { packet, type VersionName, versions } from './rule.ts'
import { build } from './ways.ts'

/** Part of a packet in two forms: valid, and breaking the rule of this code. */
type Part = readonly [valid: string, invalid?: string, code?: ErrorCode]

const name: Part = ['0004 4d515454', '0004 4d515458', 'protocol-name']
const will: readonly Part[] = [['0001 74', '0001 23', 'will-topic-wildcard'], ['0001 6d']]
const credentials: readonly Part[] = [
  ['0001 75', '0001 00', 'user-name-nul'],
  ['0001 70'],
  ['', '00', 'bytes-left-over'],
]

/** The parts of packets in wire order. Valid and invalid forms have equal length. */
const packets: readonly (readonly [what: string, VersionName, readonly Part[]])[] = [
  [
    'a 3.1 CONNECT',
    'v3_1',
    [
      ['10', '11', 'fixed-header-flags'],
      ['0006 4d5149736470', '0006 4d5149736471', 'protocol-name'],
      ['03', '06', 'protocol-level'],
      ['c6', 'de', 'will-qos'],
      ['003c'],
      [`0018 ${'c3a9'.repeat(12)}`, `0018 ${'61'.repeat(24)}`, 'client-id-too-long'],
      ...will,
      ...credentials,
    ],
  ],
  [
    'a 3.1 CONNECT with an invalid client id',
    'v3_1',
    [
      ['10'],
      ['0006 4d5149736470 03 c6 003c'],
      ['0001 61', '0001 ff', 'client-id-not-utf8'],
      ...will,
      ...credentials,
    ],
  ],
  [
    'a 3.1.1 CONNECT',
    'v3_1_1',
    [
      ['10', '11', 'fixed-header-flags'],
      name,
      ['04', '06', 'protocol-level'],
      ['c6', 'c7', 'connect-flags-reserved'],
      ['003c'],
      ['0001 61', '0001 ff', 'client-id-not-utf8'],
      ...will,
      ...credentials,
    ],
  ],
  [
    'a 5.0 CONNECT',
    'v5',
    [
      ['10', '11', 'fixed-header-flags'],
      name,
      ['05', '06', 'protocol-level'],
      ['c6', 'de', 'will-qos'],
      ['003c 09'],
      ['21 0001', '21 0000', 'receive-maximum-zero'],
      ['15 0001 61', '15 0001 80', 'property-not-utf8'],
      ['17 01', '17 02', 'request-problem-information'],
      ['0001 61', '0001 00', 'client-id-nul'],
      ['02'],
      ['01 00', '01 07', 'payload-format-indicator'],
      ...will,
      ...credentials,
    ],
  ],
  [
    'a 5.0 CONNACK',
    'v5',
    [
      ['20', '21', 'fixed-header-flags'],
      ['00', '02', 'acknowledge-flags-reserved'],
      ['00', '01', 'connack-code'],
      ['06'],
      ['24 01', '24 02', 'maximum-qos'],
      ['1f 0001 61', '1f 0001 ff', 'property-not-utf8'],
      ['', '00', 'bytes-left-over'],
    ],
  ],
]

function codeOf(wire: string, version: VersionName): string | undefined {
  try {
    decode(packet(wire, version).bytes, { protocolVersion: versions[version].level })
  } catch (error) {
    if (error instanceof MqttError) return error.code
    throw error
  }
  return undefined
}

describe('the first error in wire order', () => {
  for (const [what, version, parts] of packets) {
    it(`is the one reported in ${what}, whichever others follow it`, () => {
      const breakable = parts.filter(([, invalid]) => invalid !== undefined)
      for (let chosen = 0; chosen < 2 ** breakable.length; chosen++) {
        const broken = breakable.filter((_, at) => (chosen >> at) & 1)
        const [first, ...rest] = parts.map((part) => (broken.includes(part) ? part[1] : part[0]))
        expect(codeOf(`${first} L ${rest.join(' ')}`, version), broken.join()).to.equal(broken[0]?.[2])
      }
    })
  }

  for (const [what, code, wire] of [
    [
      'a Remaining Length that is not the shortest and bit 0',
      'variable-byte-integer-not-shortest',
      '10 8e00 P 03 K 00 A',
    ],
    ['a property twice and an invalid value', 'property-twice', '10 L P 02 K {21 0001 21 0001 19 02} A'],
    [
      'an invalid value and the same property twice',
      'receive-maximum-zero',
      '10 L P 02 K {21 0000 21 0000} A',
    ],
    ['an unknown property and one of the will', 'property-unknown', '10 L P 02 K {7f 03 A} A'],
    ['a property of another packet that is cut', 'property-not-allowed-here', '10 L P 02 K {1f 00ff} A'],
    ['a property twice, the second time cut', 'property-twice', '10 L P 02 K {19 01 19} A'],
    [
      'authentication data alone and an invalid client id',
      'authentication-data-without-method',
      '10 L P 02 K {16 A} 0001 ff',
    ],
    ['a wildcard and invalid UTF-8', 'response-topic-wildcard', '10 L P 06 K % A {08 0002 2bff} A A'],
    ['invalid UTF-8 and a wildcard', 'property-not-utf8', '10 L P 06 K % A {08 0002 ff2b} A A'],
    ['a string past the end that is not UTF-8', 'field-past-end', '10 L P 02 K % 0003 ffff'],
    ['session present with an unknown code', 'connack-code', '20 L 01 01 00'],
  ] as const) {
    it(`of ${what} is ${code}`, () => {
      expect(codeOf(wire, 'v5')).to.equal(code)
    })
  }

  it('in the connect flags is the first in the standard', () => {
    const codes = ['7b', '7a', '62', '42'].map((flags) => codeOf(`10 L P ${flags} K A`, 'v3_1_1'))
    expect(codes).to.deep.equal([
      'connect-flags-reserved',
      'will-qos-without-will',
      'will-retain-without-will',
      'password-without-user-name',
    ])
  })

  it('is the one that a constructor reports', () => {
    const will = { topic: '#', message: '' }
    const first = (fields: object) => {
      expect(() => build('v3_1_1', 'connect', fields)).to.throw(MqttError)
      try {
        return build('v3_1_1', 'connect', fields)
      } catch (error) {
        return (error as MqttError).code
      }
    }
    expect(first({ clientId: '\0', will, userName: '\0' })).to.equal('client-id-nul')
    expect(first({ will, userName: '\0' })).to.equal('will-topic-wildcard')
    expect(first({ will: { ...will, qos: 3 }, password: '' })).to.equal('will-qos')
    expect(first({ will, password: '' })).to.equal('password-without-user-name')
    expect(first({ cleanSession: false, clientId: '', userName: '\ud800' })).to.equal('client-id-empty')
  })
})
