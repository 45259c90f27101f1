import type { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bufferToPacketVariant, type ErrorCode } from '../../lib/packets/index.ts'
import { framed } from '../support/faults.ts'
import { hex } from '../support/reference.ts'
import { refusal } from '../support/thrown.ts'
import { withProps, withWillProps } from './property-rules.ts'
import { allWays, build, refusalBy } from './refusal.ts'

/** A part of a packet: as it should be, or with a fault of this code at this field. */
type Part = readonly [good: string, faulty?: string, code?: ErrorCode, field?: string]

/** What a packet says of itself before its Remaining Length. */
const first: Part = ['10', '11', 'fixed-header-flags', 'fixedHeader']

/** The parts of a 3.1.1 packet in wire order; a fault keeps the length of its part. */
const parts3: readonly Part[] = [
  ['0004 4d515454', '0004 4d515458', 'protocol-name', 'protocolName'],
  ['04', '06', 'protocol-level', 'protocolLevel'],
  ['c6', 'c7', 'connect-flags-reserved', 'connectFlags'],
  ['003c'],
  ['0001 61', '0001 ff', 'client-id-not-utf8', 'clientId'],
  ['0001 74', '0001 23', 'will-topic-wildcard', 'will.topic'],
  ['0001 6d'],
  ['0001 75', '0001 00', 'user-name-nul', 'userName'],
  ['0001 70'],
  ['', '00', 'bytes-left-over', 'bytesLeftOver'],
]

/** The parts of a 5.0 packet in wire order. */
const parts5: readonly Part[] = [
  ['0004 4d515454', '0004 4d515458', 'protocol-name', 'protocolName'],
  ['05', '06', 'protocol-level', 'protocolLevel'],
  ['c6', 'de', 'will-qos', 'connectFlags'],
  ['003c'],
  ['09'],
  ['21 0001', '21 0000', 'receive-maximum-zero', 'props.receiveMaximum'],
  ['15 0001 61', '15 0001 80', 'property-not-utf8', 'props.authenticationMethod'],
  ['17 01', '17 02', 'request-problem-information', 'props.requestProblemInformation'],
  ['0001 61', '0001 00', 'client-id-nul', 'clientId'],
  ['02'],
  ['01 00', '01 07', 'payload-format-indicator', 'will.props.payloadFormatIndicator'],
  ['0001 74', '0001 2b', 'will-topic-wildcard', 'will.topic'],
  ['0001 6d'],
  ['0001 75', '0001 ff', 'user-name-not-utf8', 'userName'],
  ['0001 70'],
  ['', '00', 'bytes-left-over', 'bytesLeftOver'],
]

/** Every choice of parts to be faulty, each with the first fault in it; none of them without one. */
function* choices(parts: readonly Part[]): Generator<{ bytes: Buffer; expected: Part }> {
  const all = [first, ...parts]
  const breakable = all.flatMap((part, at) => (part[1] === undefined ? [] : [at]))
  for (let chosen = 1; chosen < 2 ** breakable.length; chosen++) {
    const isFaulty = (at: number) => breakable.includes(at) && (chosen >> breakable.indexOf(at)) & 1
    const [head, ...body] = all.map((part, at) => (isFaulty(at) ? part[1]! : part[0]))
    const expected = all.find((_, at) => isFaulty(at))!
    yield { bytes: framed(Number.parseInt(head!, 16), body.join('')), expected }
  }
}

describe('the first fault in wire order', () => {
  for (const [name, parts] of [
    ['3.1.1', parts3],
    ['5.0', parts5],
  ] as const) {
    it(`is the one that is reported, whichever others follow it (${name})`, () => {
      let seen = 0
      const codes = new Set<string>()
      for (const { bytes, expected } of choices(parts)) {
        const error = refusal(() => bufferToPacketVariant(bytes))
        expect([error.code, error.field], bytes.toString('hex')).to.deep.equal([expected[2], expected[3]])
        codes.add(error.code)
        seen++
      }
      expect(seen).to.equal(2 ** codes.size - 1)
      expect(codes.size).to.be.greaterThan(7)
    })

    it(`is only there where a part is faulty: the same packet without faults is accepted (${name})`, () => {
      const good = framed(0x10, parts.map(([part]) => part).join(''))
      expect(bufferToPacketVariant(good).bytes).to.equal(good)
    })
  }

  const twoFaults: readonly (readonly [what: string, code: ErrorCode, offset: number, bytes: Buffer])[] = [
    [
      'a Remaining Length not in its shortest form and connect flags bit 0',
      'variable-byte-integer-not-shortest',
      1,
      hex('108e00 00044d515454 05 03 003c 00 0001 61'),
    ],
    [
      'a property twice and a value out of its limits behind it',
      'property-twice',
      16,
      withProps('21 0001 21 0001 19 02'),
    ],
    [
      'a value out of its limits and the same property twice',
      'receive-maximum-zero',
      14,
      withProps('21 0000 21 0000'),
    ],
    ['an unknown property and one of the will behind it', 'property-unknown', 13, withProps('7f 03 0001 61')],
    [
      'a property of another packet, with a value that is cut short',
      'property-not-allowed-here',
      13,
      withProps('1f 00ff'),
    ],
    ['the same property twice, the second cut short', 'property-twice', 15, withProps('19 01 19')],
    [
      'authentication data without a method and a client id that is not UTF-8',
      'authentication-data-without-method',
      13,
      framed(0x10, '00044d515454 05 02 003c 04 16 0001 61 0001 ff'),
    ],
    [
      'a wildcard and behind it a byte that is not UTF-8 in one response topic',
      'response-topic-wildcard',
      20,
      withWillProps('08 0002 2bff'),
    ],
    [
      'a byte that is not UTF-8 and behind it a wildcard in one response topic',
      'property-not-utf8',
      20,
      withWillProps('08 0002 ff2b'),
    ],
    [
      'a string that runs past its end and is not UTF-8',
      'field-past-end',
      12,
      framed(0x10, '00044d515454 04 02 003c 0003 ffff'),
    ],
  ]

  for (const [what, code, offset, bytes] of twoFaults) {
    it(`of ${what} is ${code}`, async () => {
      for (const way of allWays) {
        const error = await refusalBy(way, bytes, { protocolVersion: 0 })
        expect([error.code, error.offset], way).to.deep.equal([code, offset])
      }
    })
  }

  it('in the connect flags is the one that comes first in the standard', () => {
    const flagsOf = (flags: string) =>
      refusal(() => bufferToPacketVariant(framed(0x10, `00044d515454 04 ${flags} 003c 0001 61`))).code
    expect([flagsOf('7b'), flagsOf('7a'), flagsOf('62'), flagsOf('42')]).to.deep.equal([
      'connect-flags-reserved',
      'will-qos-without-will',
      'will-retain-without-will',
      'password-without-user-name',
    ])
  })

  it('is reported to a constructor, too', () => {
    const bad = { topic: '#', message: '' }
    const first = (fields: object) => refusal(() => build(4, fields)).code
    expect(first({ clientId: '\0', will: bad, userName: '\0' })).to.equal('client-id-nul')
    expect(first({ will: bad, userName: '\0' })).to.equal('will-topic-wildcard')
    expect(first({ will: { ...bad, qos: 3 }, password: '' })).to.equal('will-qos')
    expect(first({ will: bad, password: '' })).to.equal('password-without-user-name')
    expect(first({ cleanSession: false, clientId: '', userName: '\ud800' })).to.equal('client-id-empty')
  })
})
