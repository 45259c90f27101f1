import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { explain } from '../../lib/explain/index.ts'
import { property } from '../../lib/packets/index.ts'
import { connect3, connect5, faultExamples, framed } from '../support/faults.ts'
import { buildV3, buildV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { allThatIsSaid, withByte } from './support.ts'

const SECRET = 'hunter2-SECRET'
const secretHex = Buffer.from(SECRET).toString('hex')

function expectHidden(bytes: Uint8Array, options = {}): void {
  const said = allThatIsSaid(explain(bytes, options)) + inspect(explain(bytes, options))
  expect(said).not.to.include(SECRET)
  expect(said).not.to.include(secretHex)
}

const packets = {
  'a 3.1.1 packet': buildV3({ userName: 'u', password: SECRET }).bytes,
  'a 3.1.1 packet with a will': buildV3({
    userName: 'user',
    password: SECRET,
    will: { topic: 'a/b', message: 'gone' },
  }).bytes,
  'a 5.0 packet with properties and a will': buildV5({
    password: SECRET,
    props: [property.authenticationMethod('PLAIN'), property.authenticationData(SECRET)],
    will: { topic: 'a/b', message: 'gone', props: [property.correlationData('1')] },
  }).bytes,
  'a 5.0 packet with a user property behind the authentication data': buildV5({
    userName: 'user',
    password: SECRET,
    props: [
      property.authenticationMethod('PLAIN'),
      property.authenticationData(SECRET),
      property.userProperty('a', 'b'),
    ],
  }).bytes,
}

describe('explain hides password and authentication data', () => {
  for (const [what, bytes] of Object.entries(packets)) {
    it(`of ${what}, in rows, hex, text, JSON and inspect, unless asked`, () => {
      expectHidden(bytes)
      const said = allThatIsSaid(explain(bytes, { secrets: true }))
      expect(said).to.include(SECRET)
      expect(said).to.include(secretHex)
      expect(said).not.to.include('** ')
    })

    it(`of ${what} cut anywhere, with or without a Remaining Length that fits`, () => {
      for (let end = 0; end < bytes.length; end++) {
        expectHidden(bytes.subarray(0, end))
        expectHidden(Buffer.concat([Buffer.from([0x10, Math.max(end - 2, 0)]), bytes.subarray(2, end)]))
      }
    })

    it(`of ${what} with any byte before the secret changed, if that does not make another packet of it`, function () {
      this.timeout(60_000)
      for (let at = 0; at < bytes.lastIndexOf(SECRET); at++) {
        // Each bit on its own, one more, one less, and values that are ids, lengths and NUL.
        const was = bytes[at]!
        const flipped = Array.from({ length: 8 }, (_, bit) => was ^ (1 << bit))
        for (const value of [...flipped, was + 1, was - 1, 0, 0x0a, 0x0e, 0x26, 0xc4, 0xe6, 0xff]) {
          const changed = withByte(bytes, at, value & 0xff)
          // A packet that is valid may be one in which the secret is the will message.
          if (explain(changed).error !== undefined) expectHidden(changed)
        }
      }
    })
  }

  it('behind a fault, whatever it is', () => {
    for (const { bytes } of faultExamples) expectHidden(Buffer.concat([bytes, Buffer.from(SECRET)]))
    const prefixed = `000e${secretHex}`
    expectHidden(connect3('c2', `0001ff 0001 75 ${prefixed}`))
    expectHidden(connect3('02', `0001 63 ${prefixed}`))
    expectHidden(connect3('c2', `0001 63 0001 75 00ff${secretHex}`))
    expectHidden(connect5('02', `16 ${prefixed}`, '0000'))
    expectHidden(connect5('02', `16 00ff${secretHex}`, '0000'))
  })

  it('in what need not be text, if there is a fault: a will message, a long protocol name that is another', () => {
    const topic = '0001 74'
    expectHidden(connect3('86', `0001 63 ${topic} 000e${secretHex} 0001 00`))
    expectHidden(connect5('86', '', `0001 63 11 09 000e${secretHex} ${topic} 0000 0001 ff`))
    expectHidden(framed(0x10, `0024 ${'78'.repeat(22)} ${secretHex} 04 02 003c 0000`))
  })

  it('in a string that has swallowed it with a wrong length', () => {
    const bytes = connect3('c2', `0015 61 0001 75 000e${secretHex} 00`)
    expectHidden(bytes)
    const { value, fault } = explain(bytes).rows.at(-1)!
    expect([value, fault]).to.deep.equal(['*****', true])
  })

  it('in bytes left over that are allowed, and in the bodies of CONNACK and AUTH', () => {
    const options = { allow: ['bytes-left-over'] }
    expectHidden(connect3('02', `0001 63 ${secretHex}`), options)
    for (const first of ['20', 'f0']) expectHidden(hex(`${first}0e${secretHex}`))
    expect(allThatIsSaid(explain(hex(`f00e${secretHex}`), { secrets: true }))).to.include(secretHex)
  })

  it('but tells their lengths, and shows everything else of a valid packet', () => {
    for (const [wire, hidden] of [
      [R3, 15],
      [R5, 15],
    ] as const) {
      const { rows } = explain(hex(wire))
      const password = rows.filter(({ hex }) => hex.includes('*'))
      expect(password.map(({ field, length, value }) => [field, length, value])).to.deep.equal([
        ['password', hidden, '*****'],
      ])
    }
  })
})
