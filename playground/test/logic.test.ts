import { expect } from 'chai'
import fc from 'fast-check'
import { errorTable } from '../../lib/errors/error-table.ts'
import { bytesFromText, explain } from '../../lib/explain/index.ts'
import { ControlPacketType, connack, v3_1_1, v5 } from '../../lib/packets/index.ts'
import { runs } from '../../test/support/arbitraries.ts'
import { type FieldPacket, kinds } from '../../test/support/kinds.ts'
import { errorExamples } from '../build.ts'
import { differencesOf } from '../src/differences.ts'
import { examples } from '../src/examples.ts'
import { build, emptyForm, type FormValues, valuesOf } from '../src/form-values.ts'
import { formats } from '../src/formats.ts'
import { fragmentOf, linkOf, views } from '../src/link.ts'
import { kindOf, namesFor } from '../src/properties.ts'
import { asTheySay, explainOptions, isRelaxable, type VersionChoice } from '../src/read-as.ts'
import { bytesOfMaskedHex, hiddenIndices, masked, maskedHex } from '../src/secrets.ts'

const anyPacket: fc.Arbitrary<FieldPacket> = fc.oneof(
  ...kinds.map(({ fields, build }) => fields.map((given) => build(given))),
)
const few = { ...runs, numRuns: 150 }

function choiceOf({ protocolVersion }: FieldPacket): VersionChoice {
  return ({ 3: '3.1', 4: '3.1.1', 5: '5' } as const)[protocolVersion]
}

function asOf(packet: FieldPacket) {
  return { version: choiceOf(packet), allow: ['protocol-bridge-level'] as const }
}

describe('the form', () => {
  it('rebuilds each packet of each version from its own inputs', () => {
    fc.assert(
      fc.property(anyPacket, (packet) => {
        const built = build(valuesOf(packet as Parameters<typeof valuesOf>[0]))
        expect(built.mistakes.size).to.equal(0)
        expect(built.packet!.bytes.toString('hex')).to.equal(packet.bytes.toString('hex'))
      }),
      few,
    )
  })

  it('offers each property where the standard has it, with the right kind of input', () => {
    expect(namesFor('props')).to.have.lengthOf(9).and.to.include('receiveMaximum')
    expect(namesFor('will.props')).to.have.lengthOf(7).and.to.include('willDelayInterval')
    expect(namesFor('connack.props')).to.have.lengthOf(17).and.to.include('maximumQos')
    expect(kindOf('receiveMaximum')).to.equal('number')
    expect(kindOf('contentType')).to.equal('text')
    expect(kindOf('correlationData')).to.equal('binary')
    expect(kindOf('userProperty')).to.equal('pair')
  })

  const will = { topic: 't', message: 'm', qos: 0, retain: false, props: [] }
  const entry = (name: 'receiveMaximum', value: string) => ({ name, key: '', value })
  for (const [title, values, paths] of [
    ['a keep alive that is no number', { keepAlive: 'x' }, ['keepAlive']],
    ['a keep alive that is too large', { keepAlive: '65536' }, ['keepAlive']],
    ['a client id with U+0000', { clientId: 'a\0' }, ['clientId']],
    ['an empty client id and a session', { version: '3.1.1', clientId: '', clean: false }, ['clientId']],
    ['a client id of 24 characters', { version: '3.1', clientId: 'c'.repeat(24) }, ['clientId']],
    ['a password without a user name', { version: '3.1.1', password: 'p' }, ['password']],
    ['a password in wrong hex', { password: 'hex:0' }, ['password']],
    ['a will topic with a wildcard', { will: { ...will, topic: 'a/#' } }, ['will.topic']],
    ['a will message that is too long', { will: { ...will, message: 'm'.repeat(65_536) } }, ['will.message']],
    ['a receive maximum of 0', { props: [entry('receiveMaximum', '0')] }, ['props.0']],
    [
      'a property twice',
      { props: [entry('receiveMaximum', '1'), entry('receiveMaximum', '2')] },
      ['props.1'],
    ],
    [
      'a will property out of range',
      { will: { ...will, props: [{ name: 'payloadFormatIndicator', key: '', value: '2' }] } },
      ['will.props.0'],
    ],
    [
      'authentication data without a method',
      { props: [{ name: 'authenticationData', key: '', value: 'x' }] },
      ['props.0'],
    ],
    [
      'a session present and a refusal',
      { kind: 'connack', sessionPresent: true, code: 0x87 },
      ['sessionPresent'],
    ],
    [
      'a property of a CONNACK out of range',
      { kind: 'connack', connackProps: [{ name: 'maximumQos', key: '', value: '2' }] },
      ['connack.props.0'],
    ],
    [
      'several at once',
      {
        keepAlive: '',
        clientId: '\0',
        userName: '\0',
        will: { ...will, topic: '' },
        props: [entry('receiveMaximum', '0')],
      },
      ['clientId', 'keepAlive', 'props.0', 'userName', 'will.topic'],
    ],
  ] as readonly (readonly [string, Partial<FormValues>, readonly string[]])[]) {
    it(`shows at its input: ${title}`, () => {
      const { packet, mistakes } = build({ ...emptyForm, ...values })
      expect(packet).to.equal(undefined)
      expect([...mistakes.keys()].sort()).to.deep.equal(paths)
      // Either misuse, or a broken rule with its clause.
      for (const mistake of mistakes.values())
        expect(mistake).to.match(/^Must be |^[A-Z].* \((MQTT-)?\d[\d.-]+\)$/)
    })
  }
})

describe('what is given away', () => {
  it('contains no secret, and is explained like the packet', () => {
    fc.assert(
      fc.property(anyPacket, (packet) => {
        const as = asOf(packet)
        const { bytes, isAlike } = masked(packet.bytes, as)
        expect(isAlike).to.equal(true)
        expect(bytes.length).to.equal(packet.size)
        if (packet.type !== ControlPacketType.connect || packet.password === undefined) return
        expect(`${Buffer.from(bytes.subarray(bytes.length - packet.password.length))}`).to.match(/^\**$/)
        const { packet: read } = explain(bytes, explainOptions(as))
        expect(`${read}`).to.equal(`${packet}`)
      }),
      few,
    )
  })

  it('contains no secret of a packet that is cut or changed, whatever the error', () => {
    const secret = 'S3CRET'
    const will = { topic: 't', message: 'm' }
    const packets = [
      new v3_1_1.ConnectPacket({
        cleanSession: true,
        keepAlive: 1,
        clientId: 'c',
        will,
        userName: 'u',
        password: secret,
      }),
      new v5.ConnectPacket({
        cleanStart: true,
        keepAlive: 1,
        clientId: 'c',
        will,
        userName: 'u',
        password: secret,
      }),
    ]
    let alike = 0
    let all = 0
    for (const { bytes } of packets) {
      for (let at = 0; at < bytes.length; at++) {
        for (const value of [0x00, 0x05, 0xff]) {
          const changed = Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte))
          const given = masked(changed, asTheySay)
          all++
          if (given.isAlike) alike++
          expect(Buffer.from(given.bytes).includes(secret), `byte ${at}`).to.equal(false)
        }
        const cut = masked(bytes.subarray(0, at), asTheySay)
        expect(Buffer.from(cut.bytes).includes(secret.slice(0, 3))).to.equal(false)
      }
    }
    // After a length that may be wrong, later lengths are hidden too. The error can then be different, and the page says so.
    expect(alike / all).to.be.above(0.75)
  })

  it('comes back from hex in which hidden bytes are stars', () => {
    fc.assert(
      fc.property(anyPacket, (packet) => {
        const hidden = hiddenIndices(explain(packet.bytes, explainOptions(asOf(packet))))
        const text = maskedHex(packet.bytes, hidden)
        if (hidden.size === 0) return
        const secrets = [...hidden].map((i) => packet.bytes[i]!)
        expect(Buffer.from(bytesOfMaskedHex(text, secrets)!).equals(packet.bytes)).to.equal(true)
      }),
      few,
    )
    expect(bytesOfMaskedHex('10 00', [])).to.equal(undefined)
    expect(bytesOfMaskedHex('** is a star', [1])).to.equal(undefined)
  })
})

describe('links and copies', () => {
  it('a link brings back the view, the packets and how to read them', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 })
    const as = fc.record({
      version: fc.constantFrom('' as const, '3.1' as const, '3.1.1' as const, '5' as const),
      allow: fc.subarray(['bytes-left-over' as const, 'will-topic-empty' as const]),
    })
    fc.assert(
      fc.property(fc.constantFrom(...views), bytes, bytes, as, (view, a, b, as) => {
        const link = { view, packets: view === 'compare' ? [a, b] : [a], as }
        expect(linkOf(fragmentOf(link))).to.deep.equal(link)
      }),
      few,
    )
  })

  it('any fragment is a link', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const fragment of [text, `#explain=${text}`, `#build=10&version=${text}&allow=${text}`]) {
          const { view, packets, as } = linkOf(fragment)
          expect(views).to.include(view)
          expect(packets.every((packet) => packet instanceof Uint8Array)).to.equal(true)
          expect(as.allow.every(isRelaxable)).to.equal(true)
        }
      }),
      few,
    )
  })

  it('a fragment has at most two streams, because thousands of them would stop the page', () => {
    expect(linkOf(`#explain=${'c0.'.repeat(16_000)}`).packets).to.deep.equal([
      Uint8Array.of(0xc0),
      Uint8Array.of(0xc0),
    ])
  })

  it('each form of a copy is read again by bytesFromText', () => {
    fc.assert(
      fc.property(anyPacket, ({ bytes }) => {
        for (const format of Object.values(formats)) {
          const text = format(bytes)
          const array = text.slice(text.search(/[[{]/))
          expect(
            bytesFromText(format === formats.hex ? text : array.replace(/\)\n$/, '')).equals(bytes),
          ).to.equal(true)
        }
      }),
      few,
    )
  })
})

describe('the examples of errors', () => {
  it('cause the error that they show, for each code that bytes alone can cause', () => {
    const found = errorExamples()
    const without = Object.keys(errorTable).filter((code) => !Object.hasOwn(found, code))
    expect(without).to.have.members([
      'connect-timeout',
      'not-connect',
      'second-connect',
      'not-connack',
      'second-connack',
      'wrong-sender',
      'packet-too-large',
      'more-than-one-packet',
    ])
    for (const [code, [hex, version = '3.1.1']] of Object.entries(found)) {
      const options = explainOptions({ version: version as VersionChoice, allow: [] })
      expect(explain(Buffer.from(hex, 'hex'), options).error?.code).to.equal(code)
    }
  })
})

describe('the comparison', () => {
  const side = (packet: FieldPacket) => ({
    bytes: packet.bytes,
    explanation: explain(packet.bytes, explainOptions(asOf(packet))),
  })

  it('finds no difference between a packet and itself', () => {
    fc.assert(
      fc.property(anyPacket, (packet) => {
        expect(differencesOf(side(packet), side(packet)).every(({ isSame }) => isSame)).to.equal(true)
      }),
      few,
    )
  })

  it('finds what was changed, removed and added, also what is hidden', () => {
    const fields = { cleanSession: true, keepAlive: 60, clientId: 'a', userName: 'u', password: 'one' }
    const one = new v3_1_1.ConnectPacket(fields)
    const differences = (other: FieldPacket) =>
      differencesOf(side(one), side(other))
        .filter(({ isSame }) => !isSame)
        .map(({ field, a, b }) => `${a === undefined ? '+' : b === undefined ? '-' : '~'}${field}`)
    expect(differences(one.with({ keepAlive: 30 }))).to.deep.equal(['~keepAlive'])
    expect(differences(one.with({ password: 'two' }))).to.deep.equal(['~password'])
    const shorter = one.with({ password: undefined, will: { topic: 't', message: 'm' } })
    expect(differences(shorter)).to.deep.equal([
      '~remainingLength',
      '~connectFlags',
      '+will.topic',
      '+will.message',
      '-password',
    ])
  })
})

describe('the examples', () => {
  const codes = new Map<string, string | undefined>()

  for (const { title, hex, version = '' } of examples) {
    it(`show what they are about: ${title}`, () => {
      const { error } = explain(Buffer.from(hex, 'hex'), explainOptions({ version, allow: [] }))
      codes.set(title, error?.code)
      // The page accepts MQTT 3.1; the load balancer doesn't.
      const isValid = /^(Nothing is wrong with this one|The load balancer disconnects old devices)$/.test(
        title,
      )
      expect(error === undefined).to.equal(isValid)
      expect(error?.code).not.to.be.oneOf(['packet-incomplete', 'more-than-one-packet'])
    })
  }

  it('are of many kinds', () => {
    expect(new Set(codes.values()).size).to.be.at.least(12)
  })

  it('the answer to a CONNECT of 5.0 can be built for each reason code', () => {
    const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '' })
    expect(connack(packet, 0x87).bytes.toString('hex')).to.equal('2003008700')
  })
})
