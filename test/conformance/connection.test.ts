import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { decode, MqttError, readConnect } from '../../lib/index.ts'
import { byte, connect, packet, versionNames, versions } from './rule.ts'
import { decodeStream, told } from './ways.ts'

/* The rules of connections, and the answers of a server. */

const MQTT = '0004 4d515454'
const MQISDP = '0006 4d5149736470'

describe('a connection', () => {
  for (const version of versionNames) {
    const { label, level } = versions[version]
    const section = version === 'v3_1' ? '3.1' : '3.1.4'
    it(`${section} refuses a CONNECT that is not complete in time: connect-timeout (${label})`, async () => {
      const { bytes } = packet(connect('02 K % A'), version)
      for (const length of [0, 1, 7, bytes.length - 1]) {
        const socket = new PassThrough()
        socket.write(bytes.subarray(0, length))
        const error = await readConnect(socket, { timeout: 1, protocolVersion: level }).catch(
          (thrown) => thrown,
        )
        expect(told(error)).to.deep.equal({
          ...{ code: 'connect-timeout', reasonCode: 0x80, returnCode: undefined, clause: section },
          ...{ field: 'remainingLength', offset: length, protocolVersion: level, looksLike: undefined },
          ...{ protocolName: undefined, protocolLevel: undefined, connack: undefined },
        })
        expect(socket.destroyed).to.equal(false)
      }
    })
  }

  for (const version of versionNames) {
    it(`of MQTT ${versions[version].label} has one CONNECT, and any other packets after it`, async () => {
      const { level } = versions[version]
      const first = packet(connect('02 K % A'), version).bytes
      for (const others of ['', 'c000', 'c000 30 03 000161 e000']) {
        const middle = packet(others, version).bytes
        const all = Buffer.concat([first, middle, first, middle])
        const { packets, error } = await decodeStream(all, { connection: true, protocolVersion: level })
        expect(Buffer.concat(packets.map(({ bytes }) => bytes))).to.deep.equal(Buffer.concat([first, middle]))
        expect(error).to.be.instanceOf(MqttError).with.property('code', 'second-connect')
      }
    })
  }
})

/** The error for a CONNECT with this protocol name and level. */
function errorOf(name: string, level: number, protocolVersion: 0 | 3 | 4 | 5 = 0): MqttError {
  const { bytes } = packet(`10 L ${name} ${byte(level)} 02 K 00 A`, 'v5')
  try {
    decode(bytes, { protocolVersion })
  } catch (error) {
    return error as MqttError
  }
  throw new Error(`accepted level ${level}`)
}

describe('the CONNACK to answer with', () => {
  for (const [what, name, answer] of [
    [
      'has the 3.1.1 shape with return code 1 below level 4, the 5.0 shape with 0x84 above',
      MQTT,
      (level: number) => (level < 4 ? '20020001' : '2003008400'),
    ],
    ['has the 3.1.1 shape with return code 1 for MQIsdp with any level', MQISDP, () => '20020001'],
    ['is absent for any other name with any level', '0004 4d515458', () => undefined],
  ] as const) {
    it(what, () => {
      for (let level = 0; level < 256; level++) {
        if (name === MQTT && (level === 4 || level === 5)) continue
        const { connack, protocolLevel } = errorOf(name, level)
        expect(connack?.toString('hex'), `level ${level}`).to.equal(answer(level))
        expect(protocolLevel).to.equal(level)
      }
    })
  }

  it('has the shape of the version refused, not of the one accepted', () => {
    expect(errorOf(MQTT, 5, 4).connack?.toString('hex')).to.equal('2003008400')
    expect(errorOf(MQTT, 4, 5).connack?.toString('hex')).to.equal('20020001')
    expect(errorOf(MQTT, 4, 3).connack?.toString('hex')).to.equal('20020001')
  })

  it('to an accepted bridge is that of its version', () => {
    const { bytes } = packet(`10 L ${MQTT} 84 00 K 0000`, 'v3_1_1')
    expect(() => decode(bytes, { allow: ['protocol-bridge-level'] }))
      .to.throw(MqttError)
      .that.satisfies(({ connack }: MqttError) => connack?.toString('hex') === '20020002')
  })

  it('is absent for what is not MQTT, and the error says what it looks like', async () => {
    for (const [looksLike, text] of [
      ['tls', '\x16\x03\x01\0\xc8\x01\0\0\xc4\x03\x03'],
      ['http', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
      ['proxy-v1', 'PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'],
      ['proxy-v2', '\r\n\r\n\0\r\nQUIT\n!\x11'],
    ] as const) {
      for (const protocolVersion of [0, 3, 4, 5] as const) {
        const { error } = await decodeStream(Buffer.from(text, 'latin1'), { protocolVersion })
        expect(error).to.include({ looksLike, connack: undefined })
      }
    }
  })

  it('is absent for bytes that could be a packet but look like another protocol, and that are cut', () => {
    for (const [looksLike, text] of [
      ['http', 'POST / HTTP/1.1\r\n'],
      ['proxy-v1', 'PROXY TCP4'],
      [undefined, 'P'],
      [undefined, '\x10\x0d'],
    ] as const) {
      expect(() => decode(Buffer.from(text, 'latin1')))
        .to.throw(MqttError)
        .that.satisfies((error: MqttError) => error.looksLike === looksLike && error.connack === undefined)
        .with.property('code', 'packet-incomplete')
    }
  })
})
