import { PassThrough, Readable } from 'node:stream'
import { expect } from 'chai'
import {
  ConnectReasonCode,
  connack,
  type OpaquePacket,
  ProtocolVersion,
  type ReadPacketOptions,
  readConnect,
  readPacket,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import {
  activeTimers,
  byteByByte,
  framed,
  inTwo,
  listenerCounts,
  MALFORMED,
  outcome,
  overTcp,
  PINGREQ,
  PUBLISH,
  R3,
  R5,
  received,
  rejection,
  settle,
} from './support.ts'
import { transports } from './transports.ts'

const { v3_1: V3_1, v3_1_1: V3_1_1, v5: V5 } = ProtocolVersion
const CONNACK3 = Buffer.from('20020005', 'hex')
const CONNACK5 = connack(V5, ConnectReasonCode.success, {
  serverKeepAlive: 30,
  assignedClientId: 'auto-1',
}).bytes
/** With reason code 0x18 and an authentication method. */
const AUTH = Buffer.from('f008180615000361' + '6263', 'hex')
const DISCONNECT5 = Buffer.from('e00187', 'hex')
const following = Buffer.concat([PUBLISH, PINGREQ, Buffer.alloc(300, 0xee)])

function streamOf(...chunks: Uint8Array[]): PassThrough {
  const stream = new PassThrough()
  for (const chunk of chunks) stream.write(chunk)
  return stream
}

describe('readPacket', () => {
  for (const [name, bytes, protocolVersion, type] of [
    ['a CONNACK of 5.0', CONNACK5, V5, v5.ConnackPacket],
    ['a CONNACK of 3.1.1', CONNACK3, V3_1_1, v3_1_1.ConnackPacket],
    ['a CONNACK of 3.1', CONNACK3, V3_1, v3_1.ConnackPacket],
    ['a CONNECT of any version', R5, undefined, v5.ConnectPacket],
    ['a CONNECT of the version asked for', R3, V3_1_1, v3_1_1.ConnectPacket],
  ] as const) {
    it(`reads ${name}, however the bytes are split, and leaves the following bytes unread`, async () => {
      const all = Buffer.concat([bytes, following])
      const splits = [[all], [bytes, following], byteByByte(all)]
      for (let at = 1; at < bytes.length + 2; at++) splits.push(inTwo(all, at))
      for (const chunks of splits) {
        const stream = new PassThrough()
        const result = readPacket(stream, { protocolVersion })
        for (const chunk of chunks) {
          stream.write(chunk)
          if (chunks.length < 3) await settle(1)
        }
        const packet = await result
        expect(packet).to.be.instanceof(type)
        expect(packet.bytes.equals(bytes)).to.equal(true)
        stream.end()
        expect((await received(stream)).equals(following)).to.equal(true)
      }
    })
  }

  it('reads a CONNACK of unknown version as an OpaquePacket', async () => {
    expect(outcome(await readPacket(streamOf(CONNACK3)))).to.equal('OpaquePacket 20020005')
    expect(outcome(await readPacket(streamOf(CONNACK5)))).to.equal(`OpaquePacket ${CONNACK5.toString('hex')}`)
  })

  it('reads the AUTH packets that come before a CONNACK of 5.0, one for each call', async () => {
    const stream = streamOf(Buffer.concat([AUTH, AUTH, CONNACK5, following]))
    const options = { protocolVersion: V5 } as const
    for (let i = 0; i < 2; i++) {
      const auth = (await readPacket(stream, options)) as OpaquePacket
      expect([auth.type, auth.bytes.equals(AUTH)]).to.deep.equal([0xf0, true])
    }
    const answer = (await readPacket(stream, options)) as v5.ConnackPacket
    expect(answer.reasonCode).to.equal(ConnectReasonCode.success)
    expect(stream.read().equals(following)).to.equal(true)
  })

  it('holds little of what a fast peer sends, however many packets are read one by one', async () => {
    // Like a socket with data: each read from it brings another chunk.
    const chunk = Buffer.concat(new Array<Buffer>(20_000).fill(PINGREQ))
    const stream = new Readable({ read: () => setImmediate(() => stream.push(chunk)) })
    let most = 0
    for (let i = 0; i < 200; i++) {
      expect((await readPacket(stream)).type).to.equal(0xc0)
      await settle()
      most = Math.max(most, stream.readableLength)
    }
    expect(most).to.be.below(500_000)
  })

  it('reads any other packet, such as the DISCONNECT of a server', async () => {
    const stream = streamOf(Buffer.concat([DISCONNECT5, PINGREQ, R5]))
    const types: number[] = []
    for (let i = 0; i < 3; i++) types.push((await readPacket(stream, { protocolVersion: V5 })).type)
    expect(types).to.deep.equal([0xe0, 0xc0, 0x10])
  })

  it('reads a CONNECT of 3.1 if allowed', async () => {
    const { bytes } = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })
    for (const read of [readPacket, readConnect]) {
      expect(await rejection(read(streamOf(bytes)))).to.have.property('code', 'protocol-mqtt-3-1')
      for (const options of [{ allow: ['protocol-mqtt-3-1'] as const }, { protocolVersion: V3_1 }]) {
        expect(await read(streamOf(bytes), options)).to.be.instanceof(v3_1.ConnectPacket)
      }
    }
  })

  const tooLarge = framed(Buffer.alloc(70_000), 3, 0x30).subarray(0, 4)
  const failures: readonly [name: string, bytes: Buffer, code: string, options?: ReadPacketOptions][] = [
    [
      'a malformed CONNACK',
      Buffer.from('20020200', 'hex'),
      'acknowledge-flags-reserved',
      { protocolVersion: V3_1_1 },
    ],
    ['a CONNACK of 5.0 for 3.1.1', CONNACK5, 'bytes-left-over', { protocolVersion: V3_1_1 }],
    ['a CONNACK of 3.1.1 for 5.0', CONNACK3, 'connack-code', { protocolVersion: V5 }],
    ['AUTH, which 3.1.1 does not have', AUTH, 'reserved-packet-type', { protocolVersion: V3_1_1 }],
    ['a reserved packet type', Buffer.of(0x01), 'reserved-packet-type'],
    ['wrong flags', Buffer.of(0x21), 'fixed-header-flags'],
    ['a CONNECT by a server', Buffer.of(0x10), 'wrong-sender', { from: 'server' }],
    ['TLS', Buffer.from('160301', 'hex'), 'fixed-header-flags'],
    ['a malformed CONNECT', MALFORMED, 'connect-flags-reserved'],
    ['a Remaining Length of five bytes', Buffer.from('2080808080', 'hex'), 'variable-byte-integer-too-long'],
    ['a packet that is too large', tooLarge, 'packet-too-large'],
    ['a packet that is larger than asked for', PUBLISH, 'packet-too-large', { maximumPacketSize: 8 }],
    ['nothing in time', Buffer.alloc(0), 'connect-timeout', { timeout: 5 }],
    ['a part of a packet in time', CONNACK5.subarray(0, 5), 'connect-timeout', { timeout: 5 }],
  ]
  for (const [name, bytes, code, options] of failures) {
    it(`rejects ${name} with ${code}, and leaves no listener and no timer`, async () => {
      await settle()
      const stream = new PassThrough()
      const before = [listenerCounts(stream), activeTimers()]
      const result = rejection(readPacket(stream, { timeout: 5000, ...options }))
      stream.write(bytes)
      const error = await result
      expect(error).to.have.property('code', code)
      if (code === 'connect-timeout') {
        const at = `(byte ${bytes.length})`
        expect(error.message).to.equal(`remainingLength: no complete packet has arrived within 5 ms ${at}`)
      }
      await settle()
      expect([listenerCounts(stream), activeTimers()]).to.deep.equal(before)
      expect(stream.writable).to.equal(true)
    })
  }

  it('rejects with packet-incomplete at the end of the stream, and the socket can still be written to', async () => {
    for (const length of [0, 1, 2, CONNACK5.length - 1]) {
      await overTcp(
        async (server, socket) => {
          const result = rejection(readPacket(socket, { protocolVersion: V5 }))
          server.end(CONNACK5.subarray(0, length))
          expect(await result).to.include({ code: 'packet-incomplete', offset: length })
          const all = received(server)
          socket.end(PINGREQ)
          expect((await all).equals(PINGREQ)).to.equal(true)
        },
        { allowHalfOpen: true },
      )
    }
  })

  it('rejects misuse as readConnect does', async () => {
    for (const options of [{ protocolVersion: 6 }, { connection: true }, { timeout: 0 }, null]) {
      const stream = streamOf(R3)
      const [one, other] = await Promise.all([
        rejection(readPacket(stream, options as ReadPacketOptions)),
        rejection(readConnect(stream, options as ReadPacketOptions)),
      ])
      expect(one).not.to.have.property('field')
      expect([one.name, one.code, one.message]).to.deep.equal([other.name, other.code, other.message])
      expect(stream.readableLength).to.equal(R3.length)
    }
  })
})

for (const [transport, over] of transports) {
  it(`readPacket over ${transport}: a gateway reads the answer of a server, and the rest still flows`, async () => {
    await over(async (server, socket) => {
      server.write(Buffer.concat([AUTH, CONNACK5, following]))
      const options = { protocolVersion: V5 } as const
      expect((await readPacket(socket, options)).type).to.equal(0xf0)
      expect(await readPacket(socket, options)).to.be.instanceof(v5.ConnackPacket)
      const all = received(socket)
      server.end(R3)
      expect((await all).equals(Buffer.concat([following, R3]))).to.equal(true)
    })
  })
}
