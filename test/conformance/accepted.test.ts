import { expect } from 'chai'
import { type ConnectPacket, decode, explain, MqttError, OpaquePacket, v3_1, v5 } from '../../lib/index.ts'
import {
  connect,
  hexOf,
  isNameless,
  packet,
  prefixed,
  type TypeName,
  typeOf,
  type VersionName,
  versionNames,
  versions,
} from './rule.ts'
import { accepted } from './rules/accepted.ts'
import { stringFields } from './rules/strings.ts'
import { accepting, build, decodeStream, least, plain } from './ways.ts'

/** Expects every way of decoding to accept a packet and to return these fields, and a constructor to rebuild it from them. */
async function expectAccepted(
  version: VersionName,
  wire: string,
  changes: object,
  isSame = true,
  allow: readonly string[] = [],
): Promise<void> {
  const { level } = versions[version]
  const { bytes } = packet(wire, version)
  const type = typeOf(bytes)
  const isLater = isNameless(type)
  const built = build(version, type, changes)
  const expected = { ...least(version, type), ...(version === 'v5' && { props: [] }), ...changes }
  const first = isLater ? packet(connect('02 K % A'), version).bytes : Buffer.alloc(0)
  for (const protocolVersion of isLater ? [level] : ([0, level] as const)) {
    const options = { protocolVersion, ...accepting(version, allow) }
    const all = Buffer.concat([first, bytes])
    const maximumPacketSize = Math.max(bytes.length, first.length)
    const { packets, error } = await decodeStream(all, {
      ...options,
      maximumPacketSize,
      connection: isLater,
    })
    if (error !== undefined) throw error
    const exact = { ...options, maximumPacketSize: bytes.length }
    for (const found of [decode(bytes, exact), explain(bytes, options).packet, packets.at(-1)]) {
      expect(found?.bytes.toString('hex')).to.equal(bytes.toString('hex'))
      expect(found).to.be.instanceOf(built.constructor)
      expect(plain((found as ConnectPacket).toFields())).to.deep.equal(plain(expected))
    }
  }
  const { rows } = explain(bytes, { ...accepting(version, allow), protocolVersion: level })
  expect(rows.map(({ field }) => field)).to.include.members(rowsOf(type, version, bytes))
  expect(built.bytes.equals(bytes), built.bytes.toString('hex')).to.equal(isSame)
}

/** The fields that have a row in every explanation of this packet type. */
function rowsOf(type: TypeName, version: VersionName, { length }: Buffer): string[] {
  const header = ['fixedHeader', 'remainingLength']
  if (type === 'connect')
    return [...header, 'protocolName', 'protocolLevel', 'connectFlags', 'keepAlive', 'clientId']
  const fields = version === 'v5' ? ['reasonCode', 'propertyLength'] : ['returnCode']
  if (type === 'connack') return [...header, 'acknowledgeFlags', ...fields]
  // A short DISCONNECT has no fields.
  return [...header, ...(version === 'v5' ? fields.slice(0, length - 2) : [])]
}

describe('what decode, PacketDecoder, explain and constructors accept', () => {
  for (const { version, clause, what, wire, fields, isSame } of accepted) {
    it(`${clause} accepts ${what} (${versions[version].label})`, () =>
      expectAccepted(version, wire, fields, isSame))
  }

  it('2.1.2 accepts control packet type 15, which is AUTH (5.0)', () => {
    const { bytes } = packet('f0 L 18 {15 A}', 'v5')
    expect(decode(bytes, { protocolVersion: 5 })).to.be.instanceOf(v5.AuthPacket)
    expect(decode(bytes)).to.be.instanceOf(OpaquePacket)
  })

  for (const version of ['v3_1', 'v3_1_1'] as const) {
    const { label, level, header } = versions[version]
    const bridge = `10 L ${header.slice(0, -2)}${(level | 0x80).toString(16)} 02 K A`
    const clause = version === 'v3_1' ? '3.1' : 'MQTT-3.1.2-2'
    it(`${clause} accepts the bridge bit if allow names it, and keeps it (${label})`, async () => {
      await expectAccepted(version, bridge, { bridge: true }, true, ['protocol-bridge-level'])
      const again = build(version, 'connect', { bridge: true }).with({ keepAlive: 60 } as never)
      expect(again.bytes.toString('hex')).to.equal(packet(bridge, version).bytes.toString('hex'))
    })
  }
})

describe('DISCONNECT and AUTH', () => {
  it('are an OpaquePacket unless the version is given, and are not looked into', () => {
    for (const wire of [
      'e0 00',
      'e0 01 ff',
      'e0 05 00 ff ff ff ff',
      'f0 00',
      'f0 02 ff ff',
      'f0 L 18 {15 A}',
    ]) {
      const { bytes } = packet(wire, 'v5')
      const found = decode(bytes)
      expect(found).to.be.instanceOf(OpaquePacket)
      expect([found.type, found.bytes]).to.deep.equal([bytes[0], bytes])
    }
  })
})

describe('a CONNACK', () => {
  it('of MQTT 3.1 does not tell whether there is a session', () => {
    expect(new v3_1.ConnackPacket({ returnCode: 0 }).bytes.toString('hex')).to.equal('20020000')
    expect(() => build('v3_1', 'connack', { sessionPresent: true }))
      .to.throw(TypeError, 'sessionPresent: must be false in MQTT 3.1')
      .with.property('code', 'ERR_INVALID_ARG_VALUE')
  })

  it('is an OpaquePacket to decode unless the version is given, and is not looked into', () => {
    for (const wire of ['20 02 0000', '20 03 000000', '20 02 ff ff', '20 00']) {
      const { bytes } = packet(wire, 'v5')
      const found = decode(bytes)
      expect(found).to.be.instanceOf(OpaquePacket)
      expect([found.type, found.bytes]).to.deep.equal([0x20, bytes])
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

/** Characters that the standards advise against, and both ends of the permitted ranges. */
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
