import { expect } from 'chai'
import {
  type ConnectPacket,
  decode,
  explain,
  MqttError,
  OpaquePacket,
  v3_1,
  type v5,
} from '../../lib/index.ts'
import { connect, hexOf, packet, prefixed, type VersionName, versionNames, versions, will } from './rule.ts'
import { fieldOf, lists, properties } from './rules/properties.ts'
import { stringFields } from './rules/strings.ts'
import { accepting, build, decodeStream, least, plain } from './ways.ts'

/** Expects a packet to be accepted in all ways, to read as these fields, and to be what a constructor makes of them. */
async function expectAccepted(
  version: VersionName,
  wire: string,
  changes: object,
  isSame = true,
  allow: readonly string[] = [],
): Promise<void> {
  const { level } = versions[version]
  const { bytes } = packet(wire, version)
  const isConnack = bytes[0] === 0x20
  const built = build(version, isConnack, changes)
  const expected = { ...least(version, isConnack), ...(version === 'v5' && { props: [] }), ...changes }
  const first = isConnack ? packet(connect('02 K % A'), version).bytes : Buffer.alloc(0)
  for (const protocolVersion of isConnack ? [level] : ([0, level] as const)) {
    const options = { protocolVersion, ...accepting(version, allow) }
    const all = Buffer.concat([first, bytes])
    const { packets, error } = await decodeStream(all, { ...options, connection: isConnack })
    if (error !== undefined) throw error
    const exact = { ...options, maximumPacketSize: bytes.length }
    for (const found of [decode(bytes, exact), explain(bytes, options).packet, packets.at(-1)]) {
      expect(found?.bytes.toString('hex')).to.equal(bytes.toString('hex'))
      expect(found).to.be.instanceOf(built.constructor)
      expect(plain((found as ConnectPacket).toFields())).to.deep.equal(plain(expected))
    }
  }
  const { rows } = explain(bytes, { ...accepting(version, allow), protocolVersion: level })
  expect(rows.map(({ field }) => field)).to.include.members(isConnack ? connackRows[version] : connectRows)
  expect(built.bytes.equals(bytes), built.bytes.toString('hex')).to.equal(isSame)
}

/** Fields that every explanation has a row for. */
const connectRows =
  'fixedHeader remainingLength protocolName protocolLevel connectFlags keepAlive clientId'.split(' ')
const connackRows = {
  v3_1: ['fixedHeader', 'remainingLength', 'acknowledgeFlags', 'returnCode'],
  v3_1_1: ['fixedHeader', 'remainingLength', 'acknowledgeFlags', 'returnCode'],
  v5: ['fixedHeader', 'remainingLength', 'acknowledgeFlags', 'reasonCode', 'propertyLength'],
}

/** What only some versions forbid, or what looks as if it were forbidden. */
const accepted: readonly (readonly [VersionName, string, string, string, object, boolean?])[] = [
  ['v5', 'MQTT-3.1.2-22', 'a password without a user name', connect('42 K 00 A A'), { password: 'a' }],
  [
    'v5',
    'MQTT-3.1.2-22',
    'an empty password without a user name',
    connect('42 K 00 A 0000'),
    { password: '' },
  ],
  [
    'v5',
    'MQTT-3.1.3-8',
    'an empty client id without clean start',
    connect('00 K 00 0000'),
    { cleanStart: false, clientId: '' },
  ],
  ['v3_1_1', 'MQTT-3.1.3-8', 'an empty client id with clean session', connect('02 K 0000'), { clientId: '' }],
  [
    'v3_1_1',
    'MQTT-3.1.3-5',
    'a client id of more than 23 characters',
    connect(`02 K 0018 ${'61'.repeat(24)}`),
    { clientId: 'a'.repeat(24) },
  ],
  [
    'v5',
    'MQTT-3.1.3-5',
    'a client id of more than 23 characters',
    connect(`02 K 00 0018 ${'61'.repeat(24)}`),
    { clientId: 'a'.repeat(24) },
  ],
  [
    'v3_1',
    '3.1',
    'a client id of 23 characters',
    connect(`02 K 0017 ${'61'.repeat(23)}`),
    { clientId: 'a'.repeat(23) },
  ],
  [
    'v3_1',
    '3.1',
    'a client id of 23 characters of several bytes',
    connect(`02 K 0045 ${'e282ac'.repeat(23)}`),
    { clientId: '€'.repeat(23) },
  ],
  ['v3_1', '3.1', 'bit 0 of the connect flags', connect('03 K A'), {}, false],
  ['v3_1', '3.1', 'will QoS without a will', connect('1a K A'), {}, false],
  ['v3_1', '3.1', 'will retain without a will', connect('22 K A'), {}, false],
  ['v3_1', '3.1', 'a user name flag without a user name', connect('82 K A'), {}, false],
  ['v3_1', '3.1', 'both flags without user name and password', connect('c2 K A'), {}, false],
  ['v3_1', '3.1', 'a password flag without a password', connect('c2 K A A'), { userName: 'a' }, false],
  ['v3_1', '3.1', 'a will before an absent user name', connect('86 K A A A'), will({}), false],
  [
    'v3_1',
    '3.1',
    'user name and password',
    connect('c2 K A A 0002 0062'),
    { userName: 'a', password: '\0b' },
  ],
  ['v3_1', '2.1', 'a Remaining Length of two bytes where one is enough', '10 8f00 P 02 K A', {}, false],
  [
    'v3_1_1',
    'MQTT-1.5.5-1',
    'a Remaining Length of two bytes where one is enough',
    '10 8d00 P 02 K A',
    {},
    false,
  ],
  [
    'v3_1_1',
    'MQTT-1.5.5-1',
    'a Remaining Length of four bytes where one is enough',
    '10 8d808000 P 02 K A',
    {},
    false,
  ],
  ['v3_1_1', '3.2.1', 'a CONNACK whose Remaining Length has two bytes', '20 8200 00 00', {}, false],
  [
    'v3_1_1',
    '3.1.2.11',
    'a client id that looks like a property list',
    connect('02 K 0005 2161012161'),
    { clientId: '!a\u0001!a' },
  ],
  ['v3_1', '3.2', 'anything in the reserved byte of a CONNACK', '20 L ff 05', { returnCode: 5 }, false],
  ['v3_1', '3.2', 'every return code, 0 to 5', '20 L 00 05', { returnCode: 5 }],
  ['v3_1_1', 'MQTT-3.2.2-4', 'session present with return code 0', '20 L 01 00', { sessionPresent: true }],
  ['v5', 'MQTT-3.2.2-6', 'session present with reason code 0', '20 L 01 00 00', { sessionPresent: true }],
  [
    'v5',
    '3.1.2.11.10',
    'authentication data before its method',
    connect('02 K {16 A 15 A} A'),
    { props: [fieldOf(0x16, Buffer.from('a')), fieldOf(0x15, 'a')] },
  ],
  [
    'v5',
    '2.2.2.1',
    'a property list of 128 bytes',
    connect(`02 K {26 0001 61 007a ${'62'.repeat(122)}} A`),
    { props: [{ id: 0x26, key: 'a', value: 'b'.repeat(122) }] },
  ],
  [
    'v5',
    '3.1.3.2.3',
    'a will message that is not UTF-8, although its properties say so',
    connect('06 K % A {01 01} A 0001 ff'),
    will({ message: Buffer.of(255), props: [fieldOf(1, 1)] }),
  ],
  [
    'v3_1_1',
    '3.1.3.3',
    'a will message of any bytes',
    connect('06 K A A 0003 ff00c0'),
    will({ message: Buffer.from('ff00c0', 'hex') }),
  ],
  [
    'v3_1_1',
    'MQTT-4.7.1-1',
    'a will topic before a length whose first byte is that of a wildcard',
    connect(`06 K A 0002 c3a9 2300 ${'61'.repeat(0x2300)}`),
    will({ topic: 'é', message: 'a'.repeat(0x2300) }),
  ],
]

describe('what decode, PacketDecoder, explain and constructors accept', () => {
  for (const [version, clause, what, wire, fields, isSame] of accepted) {
    it(`${clause} accepts ${what} (${versions[version].label})`, () =>
      expectAccepted(version, wire, fields, isSame))
  }

  for (const { letter, owner, wire, fields, section } of lists) {
    it(`${section} accepts each property that ${owner} can have, once (5.0)`, async () => {
      for (const [name, id, letters, value, read] of properties) {
        if (!letters.includes(letter)) continue
        const method = name === 'authenticationData' ? '15 A ' : ''
        const item = [...(method ? [fieldOf(0x15, 'a')] : []), fieldOf(id, read)]
        await expectAccepted('v5', wire(`${method}${Buffer.of(id).toString('hex')} ${value}`), fields(item))
      }
    })

    it(`${section} accepts all properties of ${owner} together, and user properties several times (5.0)`, async () => {
      const own = properties.filter(([, , letters]) => letters.includes(letter))
      const all = own.map(
        ([, id, , value, read]) => [`${Buffer.of(id).toString('hex')} ${value}`, fieldOf(id, read)] as const,
      )
      const twice = [...all, ['26 A A', fieldOf(0x26, 'a')] as const]
      await expectAccepted(
        'v5',
        wire(twice.map(([hex]) => hex).join(' ')),
        fields(twice.map(([, item]) => item)),
      )
    })
  }

  it('3.2.2.2 accepts each reason code of a CONNACK (5.0)', async () => {
    const codes = '00 80 81 82 83 84 85 86 87 88 89 8a 8c 90 95 97 99 9a 9b 9c 9d 9f'.split(' ')
    for (const code of codes) {
      await expectAccepted('v5', `20 L 00 ${code} 00`, { reasonCode: Number.parseInt(code, 16) })
    }
  })

  it('3.2.2.3 accepts each return code of a CONNACK (3.1.1)', async () => {
    for (let code = 0; code < 6; code++)
      await expectAccepted('v3_1_1', `20 L 00 0${code}`, { returnCode: code })
  })

  it('2.1.2 accepts control packet type 15, which is AUTH (5.0)', () => {
    for (const protocolVersion of [0, 5] as const) {
      expect(decode(Buffer.from('f000', 'hex'), { protocolVersion })).to.be.instanceOf(OpaquePacket)
    }
  })

  for (const version of ['v3_1', 'v3_1_1'] as const) {
    const { label, level, header } = versions[version]
    const bridge = `10 L ${header.slice(0, -2)}${(level | 0x80).toString(16)} 02 K A`
    const clause = version === 'v3_1' ? '3.1' : 'MQTT-3.1.2-2'
    it(`${clause} accepts the bridge bit if allow names it, and keeps it (${label})`, async () => {
      await expectAccepted(version, bridge, { bridge: true }, true, ['protocol-bridge-level'])
      const again = build(version, false, { bridge: true }).with({ keepAlive: 60 } as never)
      expect(again.bytes.toString('hex')).to.equal(packet(bridge, version).bytes.toString('hex'))
    })
  }
})

describe('a CONNACK', () => {
  it('of MQTT 3.1 does not tell whether there is a session', () => {
    expect(new v3_1.ConnackPacket({ returnCode: 0 }).bytes.toString('hex')).to.equal('20020000')
    expect(() => build('v3_1', true, { sessionPresent: true }))
      .to.throw(TypeError, 'sessionPresent: expected false in MQTT 3.1')
      .with.property('code', 'ERR_INVALID_ARG_VALUE')
  })

  it('is an OpaquePacket unless the version is given, and is not looked into', () => {
    for (const wire of ['20 02 0000', '20 03 000000', '20 02 ff ff', '20 00']) {
      const { bytes } = packet(wire, 'v5')
      const found = decode(bytes)
      expect(found).to.be.instanceOf(OpaquePacket)
      expect([found.type, found.bytes]).to.deep.equal([0x20, bytes])
      const { packet: explained } = explain(bytes)
      expect(explained).to.be.instanceOf(OpaquePacket)
    }
  })

  it('is read in the version of the CONNECT before it', async () => {
    for (const version of versionNames) {
      const wires = [connect('02 K % A'), '20 L 00 00 %'].map((wire) => packet(wire, version).bytes)
      const options = { ...accepting(version), connection: true }
      const { packets, error } = await decodeStream(Buffer.concat(wires), options)
      expect(error).to.equal(undefined)
      expect(packets.map((found) => (found as v5.ConnackPacket).protocolVersion)).to.deep.equal([
        versions[version].level,
        versions[version].level,
      ])
    }
  })
})

/** What the standards say a string should not contain, and the ends of the ranges of what it may contain. */
const characters = [
  ...range(0x01, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0xfdd0, 0xfdef),
  ...Array.from({ length: 0x11 }, (_, plane) =>
    range(plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff),
  ).flat(),
  ...[0xff, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0x10000, 0x3ffff, 0x40000, 0xfffff],
  ...[0x100000, 0x10fffd, 0x1f600],
]

/** All code points from one to another. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

describe('what a string may contain', () => {
  for (const version of versionNames) {
    const { label } = versions[version]
    const [section, mark] = {
      v3_1: ['3.1', '3.1'],
      v3_1_1: ['1.5.3', 'MQTT-1.5.3-3'],
      v5: ['1.5.4', 'MQTT-1.5.4-3'],
    }[version] as [string, string]

    const expectKept = async (text: string) => {
      for (const { notUtf8, wire, fields } of stringFields) {
        if (version in notUtf8[1]) await expectAccepted(version, wire(prefixed(hexOf(text))), fields(text))
      }
    }

    it(`${mark} accepts U+FEFF in every string, at the start and within, as data (${label})`, async () => {
      for (const text of ['\uFEFF', '\uFEFFa', 'a\uFEFF', '\uFEFF\uFEFF']) await expectKept(text)
    })

    it(`${section} accepts control characters, non-characters and all others in every string (${label})`, async () => {
      for (let at = 0; at < characters.length; at += 20) {
        await expectKept(String.fromCodePoint(...characters.slice(at, at + 20)))
      }
    })
  }

  for (const version of ['v3_1_1', 'v5'] as const) {
    it(`MQTT-3.1.3-4 refuses client ids that would all be the same if invalid bytes were replaced (${versions[version].label})`, () => {
      for (const content of ['fffe', 'c080', 'feff', '8081', 'f5f6']) {
        const { bytes } = packet(connect(`02 K % ${prefixed(content)}`), version)
        expect(() => decode(bytes), content)
          .to.throw(MqttError)
          .with.property('reasonCode', 0x85)
      }
    })
  }
})
