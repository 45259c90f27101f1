import { getEventListeners } from 'node:events'
import { type Duplex, PassThrough, Writable } from 'node:stream'
import { expect } from 'chai'
import { MqttError, PacketDecoder, type ReadPacketOptions, readConnect } from '../../lib/index.ts'
import {
  activeTimers,
  byteByByte,
  MALFORMED,
  PINGREQ,
  PUBLISH,
  R3,
  R5,
  received,
  rejection,
  settle,
  until,
} from './support.ts'
import { transports } from './transports.ts'

/** Pieces that no CONNECT begins with, all different, so that a lost or moved piece shows. */
const following = Buffer.concat([
  PUBLISH,
  PINGREQ,
  Buffer.from(Array.from({ length: 500 }, (_, i) => i & 0xff)),
])
const later = Buffer.alloc(100_000, 0xdd)

/** The ways to go on reading. */
const ways: [string, (socket: Duplex) => Promise<Buffer>][] = [
  ["'data'", (socket) => received(socket)],
  ['pipe', (socket) => received(socket.pipe(new PassThrough()))],
  [
    'pipe to a slow Writable',
    (socket) =>
      new Promise((resolve) => {
        const chunks: Buffer[] = []
        const slow = new Writable({
          highWaterMark: 100,
          write(chunk, _encoding, callback) {
            chunks.push(chunk)
            setImmediate(callback)
          },
        })
        socket.pipe(slow).on('finish', () => resolve(Buffer.concat(chunks)))
      }),
  ],
  [
    'async iteration',
    async (socket) => {
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  ],
]

for (const [transport, over] of transports) {
  describe(`readConnect: over ${transport}`, () => {
    for (const [way, rest] of ways) {
      it(`leaves exactly the bytes after the CONNECT, which continue to flow with ${way}`, async () => {
        for (const turns of [0, 5]) {
          await over(async (client, socket) => {
            client.write(Buffer.concat([R5, following]))
            const packet = await readConnect(socket)
            expect(packet.bytes.equals(R5)).to.equal(true)
            // Reading may go on at once or later.
            await settle(turns)
            const all = rest(socket)
            client.end(later)
            expect((await all).equals(Buffer.concat([following, later]))).to.equal(true)
          })
        }
      })
    }

    it('takes a CONNECT that comes byte by byte, and the next bytes are the next to be read', async () => {
      await over(async (client, socket) => {
        const result = readConnect(socket)
        for (const byte of byteByByte(R3)) {
          client.write(byte)
          await settle(1)
        }
        expect((await result).bytes.equals(R3)).to.equal(true)
        client.end(following)
        expect((await received(socket)).equals(following)).to.equal(true)
      })
    })

    it('can be followed by a PacketDecoder', async () => {
      await over(async (client, socket) => {
        client.write(Buffer.concat([R3, R5, R3.subarray(0, 20)]))
        await readConnect(socket)
        const sizes: number[] = []
        socket.pipe(new PacketDecoder({ connection: false })).on('data', (packet) => sizes.push(packet.size))
        client.write(R3.subarray(20))
        await until(() => sizes.length === 2)
        expect(sizes).to.deep.equal([R5.length, R3.length])
      })
    })

    it('can still answer after it has rejected', async () => {
      await over(async (client, socket) => {
        client.write(Buffer.from(R5.map((byte, at) => (at === 10 ? 0xef : byte))))
        const error = await rejection(readConnect(socket))
        expect(error).to.be.instanceof(MqttError)
        socket.end((error as unknown as MqttError).connack)
        expect((await received(client)).toString('hex')).to.equal('2003008100')
      })
    })

    type Ending = [
      name: string,
      code: string | undefined,
      act: (client: Duplex, socket: Duplex, abort: () => void) => void,
      options?: ReadPacketOptions,
    ]
    const endings: Ending[] = [
      ['success', undefined, (client) => client.write(R3)],
      ['success with following bytes', undefined, (client) => client.write(Buffer.concat([R3, following]))],
      ['a malformed packet', 'connect-flags-reserved', (client) => client.write(MALFORMED)],
      ['a timeout half-way', 'connect-timeout', (client) => client.write(R3.subarray(0, 9)), { timeout: 20 }],
      ['an abort', 'ABORT_ERR', (_client, _socket, abort) => abort()],
      ['an end half-way', 'packet-incomplete', (client) => client.end(R3.subarray(0, 9))],
      ['an error', 'EXAMPLE', (_client, socket) => socket.destroy(failure())],
      ['a close', 'ERR_STREAM_PREMATURE_CLOSE', (_client, socket) => socket.destroy()],
    ]
    for (const [name, code, act, options] of endings) {
      it(`leaves no listener and no timer after ${name}`, async () => {
        await over(async (client, socket) => {
          await settle() // mocha sets its own timer in the next tick
          socket.on('error', () => undefined)
          const controller = new AbortController()
          const { signal } = controller
          // Compares the listeners themselves, because a stream may remove some of its own, as ws does after an error.
          const known = new Set(listeners(socket))
          const timers = activeTimers()
          const result = readConnect(socket, { signal, ...options }).then(
            () => undefined,
            (error) => (error.name === 'AbortError' ? 'ABORT_ERR' : error.code),
          )
          expect(getEventListeners(signal, 'abort')).to.have.length(1)
          await settle()
          act(client, socket, () => controller.abort())
          expect(await result).to.equal(code)
          await settle()
          expect(listeners(socket).filter((listener) => !known.has(listener))).to.deep.equal([])
          expect(getEventListeners(signal, 'abort')).to.have.length(0)
          expect(activeTimers()).to.equal(timers)
        })
      })
    }
  })
}

function failure(): Error {
  return Object.assign(new Error('cable cut'), { code: 'EXAMPLE' })
}

function listeners(socket: Duplex): unknown[] {
  return socket.eventNames().flatMap((name) => socket.rawListeners(name))
}
