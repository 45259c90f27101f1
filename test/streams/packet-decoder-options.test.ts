import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import {
  type ConnectPacket,
  ControlPacketType,
  MqttError,
  OpaquePacket,
  PacketDecoder,
  type PacketDecoderOptions,
  ProtocolVersion,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import {
  byteByByte,
  DISCONNECT,
  decode,
  expectMisuse,
  framed,
  inTwo,
  MALFORMED,
  outcome,
  outcomes,
  PINGREQ,
  PUBLISH,
  R3,
  R5,
  settle,
} from './support.ts'

const connect3 = `ConnectPacket ${R3.toString('hex')}`
const connect5 = `ConnectPacket ${R5.toString('hex')}`
const auth = Buffer.from('f008180615000361' + '6263', 'hex')
/** A DISCONNECT with reason code "server shutting down" and a reason string. */
const disconnect5 = Buffer.from('e0068b041f00016d', 'hex')
const opaque = (bytes: Buffer) => `OpaquePacket ${bytes.toString('hex')}`

describe('PacketDecoder: options', () => {
  const misuse: [string, unknown, typeof TypeError | typeof RangeError, string][] = [
    ['options null', null, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['options a string', 'session', TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['protocolVersion 6', { protocolVersion: 6 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ["protocolVersion '5'", { protocolVersion: '5' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['protocolVersion null', { protocolVersion: null }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ["maximumPacketSize '100'", { maximumPacketSize: '100' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['maximumPacketSize null', { maximumPacketSize: null }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['maximumPacketSize 0', { maximumPacketSize: 0 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['maximumPacketSize -1', { maximumPacketSize: -1 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['maximumPacketSize 1.5', { maximumPacketSize: 1.5 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['maximumPacketSize NaN', { maximumPacketSize: Number.NaN }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['maximumPacketSize -Infinity', { maximumPacketSize: -Infinity }, RangeError, 'ERR_OUT_OF_RANGE'],
    ["from 'broker'", { from: 'broker' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['from null', { from: null }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['connection 1', { connection: 1 }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ["connection 'false'", { connection: 'false' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['connection null', { connection: null }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ["errors 'ignore'", { errors: 'ignore' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['errors true', { errors: true }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['allow a string', { allow: 'client-id-empty' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['allow true', { allow: true }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    [
      'allow with a code that no one may relax',
      { allow: ['not-connect'] },
      TypeError,
      'ERR_INVALID_ARG_VALUE',
    ],
    ['allow with an unknown code', { allow: ['anything'] }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['readableHighWaterMark -1', { readableHighWaterMark: -1 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ["readableHighWaterMark 'x'", { readableHighWaterMark: 'x' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['signal null', { signal: null }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['signal an AbortController', { signal: new AbortController() }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['a misspelt maximumPacketSize', { maxPacketSize: 100 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['an option of readConnect', { timeout: 100 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    [
      'an option that streams have and this has not',
      { autoDestroy: false },
      TypeError,
      'ERR_INVALID_ARG_VALUE',
    ],
  ]
  for (const [name, options, type, code] of misuse) {
    it(`refuses ${name} with a ${type.name} ${code}`, () => {
      expectMisuse(() => new PacketDecoder(options as PacketDecoderOptions), type, code)
    })
  }

  it('leaves nothing behind for any of them: no listener on the signal, and no stream with an error of its own', async () => {
    const { signal } = new AbortController()
    for (const [name, options] of misuse) {
      if (typeof options !== 'object' || options === null || 'signal' in options) continue
      for (const given of [signal, AbortSignal.abort()])
        expect(() => new PacketDecoder({ ...options, signal: given } as never), name).to.throw()
    }
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
    // The error of a stream without listeners would fail this test.
    await settle()
  })

  it('takes every option given as undefined as its default', async () => {
    const options = {
      protocolVersion: undefined,
      maximumPacketSize: undefined,
      from: undefined,
      connection: undefined,
      errors: undefined,
      allow: undefined,
      readableHighWaterMark: undefined,
      signal: undefined,
    } satisfies Record<keyof PacketDecoderOptions, undefined>
    expect(await outcomes([R3, PINGREQ, R5], options)).to.deep.equal([
      connect3,
      'OpaquePacket c000',
      'destroyed: second-connect fixedHeader 0',
    ])
  })

  it('takes both versions by default, and then only the one asked for', async () => {
    expect(await outcomes([R3, R5])).to.deep.equal([connect3, connect5])
    expect(await outcomes([R3, R5], { protocolVersion: ProtocolVersion.undetermined })).to.deep.equal([
      connect3,
      connect5,
    ])
    const level = 'destroyed: protocol-level protocolLevel'
    expect(await outcomes([R3, R5], { protocolVersion: ProtocolVersion.v3_1_1 })).to.deep.equal([
      connect3,
      `${level} 9`,
    ])
    expect(await outcomes([R5, R3], { protocolVersion: ProtocolVersion.v5 })).to.deep.equal([
      connect5,
      `${level} 8`,
    ])
  })

  it('takes packets of exactly maximumPacketSize and refuses larger ones', async () => {
    expect(await outcomes([R3], { maximumPacketSize: R3.length })).to.deep.equal([connect3])
    expect(await outcomes([R3], { maximumPacketSize: R3.length - 1 })).to.deep.equal([
      'destroyed: packet-too-large remainingLength 1',
    ])
  })

  it('refuses over 65,536 bytes by default and takes 65,536', async () => {
    const ofSize = (size: number) =>
      new v3_1_1.ConnectPacket({
        cleanSession: true,
        keepAlive: 0,
        clientId: 'c'.repeat(100),
        userName: 'u'.repeat(100),
        password: Buffer.alloc(size - 4 - 10 - 102 - 102 - 2),
      }).bytes
    expect(ofSize(65_536).length).to.equal(65_536)
    expect((await decode([ofSize(65_536)])).packets).to.have.length(1)
    const { packets, error } = await decode([ofSize(65_537)])
    expect(packets).to.deep.equal([])
    expect(error).to.be.instanceof(MqttError).with.property('code', 'packet-too-large')
  })

  for (const [name, header] of [
    ['one byte', Buffer.from([0x10, 100])],
    ['two bytes', Buffer.from([0x10, 0x80, 0x01])],
    ['three bytes', Buffer.from([0x10, 0x80, 0x80, 0x01])],
    ['four bytes', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])],
  ] as const) {
    it(`refuses too large a Remaining Length of ${name} on the byte that completes it, not before`, async () => {
      const decoder = new PacketDecoder({ connection: false, maximumPacketSize: 60 })
      const error = new Promise<Error>((resolve) => decoder.on('error', resolve))
      for (const byte of byteByByte(header.subarray(0, -1))) {
        decoder.write(byte)
        expect(decoder.errored).to.equal(null)
      }
      decoder.write(header.subarray(-1))
      expect(await error)
        .to.be.instanceof(MqttError)
        .with.property('code', 'packet-too-large')
    })
  }

  it('takes Infinity for any size that MQTT has', async () => {
    const decoder = new PacketDecoder({ connection: false, maximumPacketSize: Number.POSITIVE_INFINITY })
    decoder.on('error', () => undefined)
    decoder.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0x00, 0x04]))
    expect(decoder.errored).to.equal(null)
    decoder.destroy()
  })

  it('relaxes the rules that allow names, and no other', async () => {
    const lines = await outcomes([MALFORMED], { allow: ['connect-flags-reserved'] })
    expect(lines).to.deep.equal([`ConnectPacket ${MALFORMED.toString('hex')}`])
    expect(await outcomes([MALFORMED], { allow: ['client-id-empty'] })).to.deep.equal([
      'destroyed: connect-flags-reserved connectFlags 9',
    ])
  })
})

describe('PacketDecoder: connection false, a sequence of CONNECT packets', () => {
  it('takes any number of CONNECT packets of either version', async () => {
    expect(await outcomes([R3, R3, R5, R3])).to.deep.equal([connect3, connect3, connect5, connect3])
  })

  it('refuses any other packet, after a CONNECT too [MQTT-3.1.0-1]', async () => {
    for (let type = 0x20; type <= 0xf0; type += 0x10) {
      const first = type === 0x60 || type === 0x80 || type === 0xa0 ? type | 2 : type
      const lines = await outcomes([R3, Buffer.from([first, 0])])
      expect(lines).to.deep.equal([connect3, 'destroyed: not-connect fixedHeader 0'])
    }
  })
})

describe('PacketDecoder: connection true', () => {
  const later = [PUBLISH, PINGREQ, DISCONNECT]

  /** Packets after a CONNECT, and their outcome. */
  const connections: readonly (readonly [Buffer, string, readonly (readonly [string, Buffer])[]])[] = [
    [
      R3,
      connect3,
      [
        ['OpaquePacket', PUBLISH],
        ['OpaquePacket', PINGREQ],
        ['DisconnectPacket', DISCONNECT],
      ],
    ],
    [
      R5,
      connect5,
      [
        ['AuthPacket', auth],
        ['OpaquePacket', PINGREQ],
        ['DisconnectPacket', disconnect5],
      ],
    ],
  ]
  for (const [first, connect, packets] of connections) {
    it(`gives the ${connect.slice(0, 24)}… first and every later packet in its version, however split`, async () => {
      const expected = [connect, ...packets.map(([name, bytes]) => `${name} ${bytes.toString('hex')}`)]
      const bytes = Buffer.concat([first, ...packets.map(([, bytes]) => bytes)])
      for (let at = 0; at <= bytes.length; at++) {
        expect(await outcomes(inTwo(bytes, at), { connection: true }), `split at ${at}`).to.deep.equal(
          expected,
        )
      }
      expect(await outcomes(byteByByte(bytes), { connection: true })).to.deep.equal(expected)
    })
  }

  it('refuses what only the other side sends, on its first byte if its type is enough', async () => {
    const lines = (...chunks: readonly Buffer[]) => outcomes(chunks, { connection: true, from: 'client' })
    expect(await lines(R5, auth, disconnect5)).to.deep.equal([
      connect5,
      `AuthPacket ${auth.toString('hex')}`,
      'destroyed: wrong-sender reasonCode 2',
    ])
    const fromServer = { connection: true, from: 'server', protocolVersion: 4 } as const
    for (const first of [0xe0, 0x10]) {
      expect(await outcomes([Buffer.from('20020000', 'hex'), Buffer.of(first)], fromServer)).to.deep.equal([
        'ConnackPacket 20020000',
        'destroyed: wrong-sender fixedHeader 0',
      ])
    }
  })

  it('gives later packets with type, flags and packet identifier', async () => {
    const { packets } = await decode([R5, PUBLISH, PINGREQ], { connection: true })
    const [connect, publish, pingreq] = packets as [ConnectPacket, OpaquePacket, OpaquePacket]
    expect(connect).to.be.instanceof(v5.ConnectPacket)
    expect(publish).to.be.instanceof(OpaquePacket)
    expect(publish.type).to.equal(ControlPacketType.publish)
    expect(publish.flags).to.equal(2)
    expect(publish.packetId).to.equal(7)
    expect(pingreq.type).to.equal(ControlPacketType.pingreq)
    expect(pingreq.packetId).to.equal(undefined)
  })

  it('refuses a second CONNECT [MQTT-3.1.0-2]', async () => {
    for (const second of [R3, R5]) {
      expect(await outcomes([R3, PINGREQ, second], { connection: true })).to.deep.equal([
        connect3,
        opaque(PINGREQ),
        'destroyed: second-connect fixedHeader 0',
      ])
    }
  })

  it('refuses a second CONNECT on its first byte', async () => {
    const decoder = new PacketDecoder({ connection: true })
    const error = new Promise<Error>((resolve) => decoder.on('error', resolve))
    decoder.write(R3)
    expect(decoder.errored).to.equal(null)
    decoder.write(R3.subarray(0, 1))
    expect(outcome(await error)).to.equal('second-connect fixedHeader 0')
  })

  it('refuses a first packet that is not a CONNECT [MQTT-3.1.0-1]', async () => {
    for (const first of later) {
      expect(await outcomes([first, R3], { connection: true })).to.deep.equal([
        'destroyed: not-connect fixedHeader 0',
      ])
    }
  })

  it('applies the maximum and the checks of the fixed header to later packets too', async () => {
    const big = framed(Buffer.alloc(200), 2, 0x30)
    expect(await outcomes([R3, big], { connection: true, maximumPacketSize: 100 })).to.deep.equal([
      connect3,
      'destroyed: packet-too-large remainingLength 1',
    ])
    expect(await outcomes([R3, Buffer.from([0xc1, 0])], { connection: true })).to.deep.equal([
      connect3,
      'destroyed: fixed-header-flags fixedHeader 0',
    ])
    expect(await outcomes([R3, Buffer.from([0x62, 1, 7])], { connection: true })).to.deep.equal([
      connect3,
      'destroyed: field-past-end packetId 2',
    ])
  })

  it("goes by the CONNECT's version: AUTH is reserved in 3.1.1 and a packet in 5.0", async () => {
    expect(await outcomes([R5, auth], { connection: true })).to.deep.equal([
      connect5,
      `AuthPacket ${auth.toString('hex')}`,
    ])
    expect(await outcomes([R3, auth], { connection: true })).to.deep.equal([
      connect3,
      'destroyed: reserved-packet-type fixedHeader 0',
    ])
  })

  it('still waits for the CONNECT after a malformed one that was pushed', async () => {
    const lines = await outcomes([MALFORMED, PINGREQ, R3, PINGREQ], { connection: true, errors: 'push' })
    expect(lines).to.deep.equal([
      'connect-flags-reserved connectFlags 9',
      'not-connect fixedHeader 0',
      connect3,
      opaque(PINGREQ),
    ])
  })
})
