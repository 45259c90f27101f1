import { expect } from 'chai'
import type { v3_1_1, v5 } from '../../lib/packets/index.ts'
import { connect3, connect5 } from '../support/faults.ts'
import {
  allWays,
  build,
  decodeBy,
  describeRefusals,
  expectNotBuilt,
  expectRefused,
  refusalBy,
  refusalsOf,
  versionName,
} from './refusal.ts'
import { hexOf, malformedRules, nulRule, type StringField, stringFields } from './strings.ts'

type Connect = v3_1_1.ConnectPacket | v5.ConnectPacket

for (const field of stringFields) {
  const [code, clause] = field.notUtf8
  const version = versionName(field.version)
  const refusals = refusalsOf(malformedRules(field))

  describe(code, () => {
    it(`${clause} ${field.title} that is not well-formed UTF-8 is refused at its first bad byte (${version})`, async () => {
      for (const refusal of refusals) await expectRefused(refusal)
    })

    it(`${clause} ${field.title} with a lone surrogate cannot be built (${version})`, () => {
      const buildable = refusals.filter(({ fields }) => fields !== undefined)
      expect(buildable).to.have.lengthOf(3)
      for (const refusal of buildable) expectNotBuilt(refusal)
    })
  })
}

describeRefusals(refusalsOf(stringFields.map(nulRule)))

describe('client-id-not-utf8', () => {
  for (const field of stringFields) {
    if (field.field !== 'clientId') continue
    const version = versionName(field.version)
    it(`MQTT-3.1.3-4 two client ids that are not UTF-8 never become one string (${version})`, async () => {
      // A decoder that replaces what it cannot read gives U+FFFD U+FFFD for each of them.
      for (const content of ['fffe', 'c080', 'feff', '8081', 'f5f6']) {
        for (const way of allWays) {
          const error = await refusalBy(way, field.bytes(content), { protocolVersion: 0 })
          expect([error.code, error.reasonCode], content).to.deep.equal(['client-id-not-utf8', 0x85])
        }
      }
    })
  }
})

/** Expects a string to come through unchanged, decoded from bytes and built from fields. */
async function expectKept(field: StringField, text: string): Promise<void> {
  const bytes = field.bytes(hexOf(text))
  for (const way of allWays) {
    const packet = (await decodeBy[way](bytes, { protocolVersion: field.version })) as Connect
    expect(field.read(packet), `${way} ${bytes.toString('hex')}`).to.equal(text)
  }
  const built = build(field.version, field.fields(text))
  expect(built.bytes.toString('hex')).to.equal(bytes.toString('hex'))
  expect(field.read(built)).to.equal(text)
}

/** What the standards say a string should not hold: control characters and non-characters. */
const shouldNot = range(0x01, 0x1f) + range(0x7f, 0x9f) + range(0xfdd0, 0xfdef) + planeEnds()

/** All characters from one code point to another. */
function range(first: number, last: number): string {
  let text = ''
  for (let point = first; point <= last; point++) text += String.fromCodePoint(point)
  return text
}

/** U+FFFE and U+FFFF, and the last two code points of the other planes. */
function planeEnds(): string {
  let text = ''
  for (let plane = 0; plane <= 0x10; plane++)
    text += range(plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff)
  return text
}

describe('what a string may hold', () => {
  for (const field of stringFields) {
    const version = versionName(field.version)
    const keepsMark = field.version === 4 ? 'MQTT-1.5.3-3' : 'MQTT-1.5.4-3'
    const section = field.version === 4 ? '1.5.3' : '1.5.4'

    it(`${keepsMark} U+FEFF in ${field.title} is data, at the start and within (${version})`, async () => {
      for (const text of ['\uFEFF', '\uFEFFa', 'a\uFEFF', '\uFEFF\uFEFF']) await expectKept(field, text)
    })

    it(`${section} ${field.title} may hold control characters and non-characters (${version})`, async () => {
      const characters = [...shouldNot]
      for (let at = 0; at < characters.length; at += 16) {
        await expectKept(field, characters.slice(at, at + 16).join(''))
      }
    })

    it(`${section} ${field.title} may hold any other character (${version})`, async () => {
      for (const text of [
        '\u00ff',
        '\u07ff',
        '\u0800',
        '\ud7ff',
        '\ue000',
        '\u{10000}',
        '\u{10fffd}',
        '😀',
      ]) {
        await expectKept(field, text)
      }
    })
  }
})

describe('a will message', () => {
  const notText = ['ff', 'c080', 'eda080', '00']

  it('3.1.3.2.3 a will message is not checked against payload format indicator 1 (5.0)', async () => {
    for (const message of notText) {
      const length = (message.length / 2).toString(16).padStart(4, '0')
      const bytes = connect5('06', '', `0001 61 02 01 01 0001 61 ${length} ${message}`)
      for (const way of allWays) {
        const packet = (await decodeBy[way](bytes, { protocolVersion: 0 })) as v5.ConnectPacket
        expect(packet.will?.message.toString('hex')).to.equal(message)
        expect(packet.will?.props).to.deep.equal([{ id: 1, value: 1 }])
      }
      const will = { topic: 'a', message: Buffer.from(message, 'hex'), props: [{ id: 1, value: 1 }] as const }
      expect(build(5, { will }).bytes).to.deep.equal(bytes)
    }
  })

  it('3.1.3.3 a will message may be any bytes (3.1.1)', async () => {
    for (const message of notText) {
      const length = (message.length / 2).toString(16).padStart(4, '0')
      const bytes = connect3('06', `0001 61 0001 61 ${length} ${message}`)
      const packet = (await decodeBy.PacketDecoder(bytes, { protocolVersion: 0 })) as v3_1_1.ConnectPacket
      expect(packet.will?.message.toString('hex')).to.equal(message)
      expect(build(4, { will: { topic: 'a', message: Buffer.from(message, 'hex') } }).bytes).to.deep.equal(
        bytes,
      )
    }
  })
})
