import { expect } from 'chai'
import { OpaquePacket, type v3_1_1, type v5 } from '../../lib/index.ts'
import { connect3, connect5, framed } from '../support/faults.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse } from '../support/thrown.ts'
import {
  allWays,
  build,
  decodeBy,
  type Fields,
  refusalBy,
  streams,
  type Version,
  versionName,
} from './refusal.ts'

const A = '0001 61'

/** What only one version forbids, in a packet of the other. */
const accepted: readonly {
  readonly title: string
  readonly version: Version
  readonly bytes: Buffer
  /** The fields that are of interest, as the packet gives them and, if it is built of them alone, as it takes them. */
  readonly fields: Fields
  /** Whether the packet that is built of the fields has these very bytes. */
  readonly same?: false
}[] = [
  {
    title: 'MQTT-3.1.2-22 is a rule of 3.1.1 alone: a password without a user name',
    version: 5,
    bytes: connect5('42', '', `${A} 0001 70`),
    fields: { password: Buffer.from('p'), userName: undefined },
  },
  {
    title: 'MQTT-3.1.2-22 is a rule of 3.1.1 alone: an empty password without a user name',
    version: 5,
    bytes: connect5('42', '', `${A} 0000`),
    fields: { password: Buffer.alloc(0), userName: undefined },
  },
  {
    title: 'MQTT-3.1.3-8 is a rule of 3.1.1 alone: an empty client id without clean start',
    version: 5,
    bytes: connect5('00', '', '0000'),
    fields: { clientId: '', cleanStart: false },
  },
  {
    title: 'MQTT-3.1.3-8 an empty client id with clean session',
    version: 4,
    bytes: connect3('02', '0000'),
    fields: { clientId: '', cleanSession: true },
  },
  {
    title: 'MQTT-1.5.5-1 is a rule of 5.0 alone: a Remaining Length of two bytes where one would do',
    version: 4,
    bytes: hex(`108d00 00044d515454 04 02 003c ${A}`),
    fields: { clientId: 'a' },
    same: false,
  },
  {
    title: 'MQTT-1.5.5-1 is a rule of 5.0 alone: a Remaining Length of four bytes where one would do',
    version: 4,
    bytes: hex(`108d808000 00044d515454 04 02 003c ${A}`),
    fields: { clientId: 'a' },
    same: false,
  },
  {
    title: '3.1.2.11 properties are a part of 5.0 alone: a client id that looks like some',
    version: 4,
    bytes: connect3('02', '0005 2161012161'),
    fields: { clientId: '!a\u0001!a' },
  },
]

describe('the rules of one version', () => {
  for (const { title, version, bytes, fields, same = true } of accepted) {
    it(`${title} is accepted (${versionName(version)})`, async () => {
      for (const protocolVersion of [0, version] as const) {
        for (const way of allWays) {
          const packet = (await decodeBy[way](bytes, { protocolVersion })) as
            | v3_1_1.ConnectPacket
            | v5.ConnectPacket
          expect(packet.protocolVersion).to.equal(version)
          expect(packet.bytes.equals(bytes)).to.equal(true)
          for (const [name, value] of Object.entries(fields)) {
            expect(packet[name as 'clientId'], `${way}: ${name}`).to.deep.equal(value)
          }
        }
      }
      expect(build(version, fields).bytes.equals(bytes)).to.equal(same)
    })
  }

  it('2.1.2 control packet type 15 is AUTH, reserved in 3.1.1 alone, and passes (5.0)', async () => {
    for (const version of [0, 5] as const) {
      const packet = await decodeBy.bufferToPacketVariant(hex('f000'), { protocolVersion: version })
      expect(packet).to.be.instanceOf(OpaquePacket)
    }
  })

  it('3.1.3.2 will properties are misuse, not dropped, since only 5.0 has them (3.1.1)', () => {
    const will = { topic: 'a', message: 'a', props: [{ id: 0x18, value: 1 }] as const }
    expectMisuse(() => build(4, { will }), 'ERR_INVALID_ARG_VALUE', 'will.props')
    expect(build(4, { will: { ...will, props: [] } }).will?.props).to.deep.equal([])
    expect(build(5, { will }).will?.props).to.deep.equal(will.props)
  })

  it('3.1.2.11 CONNECT properties are misuse, not dropped, since only 5.0 has them (3.1.1)', () => {
    expectMisuse(() => build(4, { props: [] }), 'ERR_INVALID_ARG_VALUE', 'fields.props')
    expect(build(5, { props: [] }).clientId).to.equal('a')
  })
})

const MQTT = '0004 4d515454'
const MQISDP = '0006 4d5149736470'

describe('protocol name and level', () => {
  it('MQTT-3.1.2-2 MQIsdp, the level of a bridge, an unknown level and another name are four codes (3.1.1 and 5.0)', async () => {
    for (const [code, name, level] of [
      ['protocol-mqtt-3-1', MQISDP, '03'],
      ['protocol-bridge-level', MQISDP, '83'],
      ['protocol-bridge-level', MQTT, '83'],
      ['protocol-bridge-level', MQTT, '84'],
      ['protocol-level', MQTT, '03'],
      ['protocol-level', MQTT, '06'],
      ['protocol-level', MQTT, '85'],
      ['protocol-name', '0004 4d515458', '04'],
      ['protocol-name', '0004 4d515458', '84'],
    ] as const) {
      for (const asked of [0, 4, 5] as const) {
        const error = await refusalBy('readConnect', framed(0x10, `${name} ${level} 02 003c ${A}`), {
          protocolVersion: asked,
        })
        expect(error.code, `${name} ${level}`).to.equal(code)
        expect(error.reasonCode).to.equal(0x84)
      }
    }
  })
})

/** What a server may answer, byte by byte. */
const answers: readonly (readonly [
  what: string,
  answer: (level: number) => string | undefined,
  name: string,
])[] = [
  [
    'has the 3.1.1 shape with return code 1 below level 4, the 5.0 shape with 0x84 above',
    (level) => (level < 4 ? '20020001' : '2003008400'),
    MQTT,
  ],
  ['has the 3.1.1 shape with return code 1 for MQIsdp with any level', () => '20020001', MQISDP],
  ['is absent for any other name with any level', () => undefined, '0004 4d515458'],
]

describe('the CONNACK to answer with', () => {
  for (const [what, answer, name] of answers) {
    const clause = name === MQTT ? 'MQTT-3.1.2-2' : 'MQTT-3.1.2-1'
    it(`${clause} the CONNACK to answer with ${what} (3.1.1 and 5.0)`, async () => {
      for (let level = 0; level < 256; level++) {
        if (name === MQTT && (level === 4 || level === 5)) continue
        const hexLevel = level.toString(16).padStart(2, '0')
        const bytes = framed(0x10, `${name} ${hexLevel} 02 003c 00 ${A}`)
        const error = await refusalBy('bufferToPacketVariant', bytes, { protocolVersion: 0 })
        expect(error.connack?.toString('hex'), `level ${level}`).to.equal(answer(level))
        expect(error.protocolLevel).to.equal(level)
      }
    })
  }

  it('MQTT-3.1.2-2 the CONNACK to answer with has the shape of the version refused, not of the one accepted (3.1.1 and 5.0)', async () => {
    const options = (protocolVersion: Version) => ({ protocolVersion })
    const refused5 = await refusalBy('PacketDecoder', connect5('02', '', A), options(4))
    const refused3 = await refusalBy('PacketDecoder', connect3('02', A), options(5))
    expect(refused5.connack?.toString('hex')).to.equal('2003008400')
    expect(refused3.connack?.toString('hex')).to.equal('20020001')
  })

  for (const [what, looks, bytes, ways] of [
    ['TLS', 'tls', hex('16030100c8010000c40303'), allWays],
    ['HTTP', 'http', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), allWays],
    // Its P is a PUBACK, which only a stream that begins with a CONNECT can tell from one.
    ['PROXY protocol 1', 'proxy-v1', Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'), streams],
    ['PROXY protocol 2', 'proxy-v2', Buffer.from('\r\n\r\n\0\r\nQUIT\n!\x11', 'latin1'), allWays],
  ] as const) {
    it(`MQTT-3.1.0-1 the CONNACK to answer with is absent for ${what}, which is not MQTT at all (3.1.1 and 5.0)`, async () => {
      for (const way of ways) {
        for (const protocolVersion of [0, 4, 5] as const) {
          const error = await refusalBy(way, bytes, { protocolVersion })
          expect([error.connack, error.looksLike], `${way}: ${error}`).to.deep.equal([undefined, looks])
        }
      }
    })
  }
})
