import type net from 'node:net'
import { Duplex, PassThrough, Readable } from 'node:stream'
import { expect } from 'chai'
import * as readableStream from 'readable-stream'
import {
  ConnectEncoder,
  type ConnectPacket,
  PacketDecoder,
  readConnect,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import { SHARED_SIZE } from '../../lib/packets/partial-packet.ts'
import {
  byteByByte,
  MALFORMED,
  overTcp,
  PINGREQ,
  PUBLISH,
  R3,
  R5,
  received,
  rejection,
  settle,
  until,
} from './support.ts'

const same = (packet: ConnectPacket, bytes: Buffer) => expect(packet.bytes.equals(bytes)).to.equal(true)
/** Bytes that no CONNECT begins with, so that parsing them as one would fail. */
const following = Buffer.concat([PUBLISH, PINGREQ, Buffer.alloc(200, 0xee)])

describe('readConnect: over TCP', () => {
  it('resolves with the CONNECT of either version', async () => {
    for (const [bytes, type] of [
      [R3, v3_1_1.ConnectPacket],
      [R5, v5.ConnectPacket],
    ] as const) {
      await overTcp(async (client, socket) => {
        client.write(bytes)
        const packet = await readConnect(socket)
        expect(packet).to.be.instanceof(type)
        same(packet, bytes)
      })
    }
  })

  it('resolves when the bytes come one by one', async () => {
    await overTcp(async (client, socket) => {
      const packet = readConnect(socket)
      for (const byte of byteByByte(R5)) {
        client.write(byte)
        await settle(1)
      }
      same(await packet, R5)
    })
  })

  const ways: [string, (socket: net.Socket) => Promise<Buffer>][] = [
    ["'data'", (socket) => received(socket)],
    ['pipe', (socket) => received(socket.pipe(new PassThrough()))],
    [
      'async iteration',
      async (socket) => {
        const chunks: Buffer[] = []
        for await (const chunk of socket) chunks.push(chunk)
        return Buffer.concat(chunks)
      },
    ],
    [
      'readable and read()',
      (socket) =>
        new Promise((resolve) => {
          const chunks: Buffer[] = []
          socket.on('readable', () => {
            for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) chunks.push(chunk)
          })
          socket.on('end', () => resolve(Buffer.concat(chunks)))
        }),
    ],
  ]
  for (const [name, rest] of ways) {
    it(`leaves exactly the bytes after the CONNECT, to be read by ${name}`, async () => {
      for (const later of [false, true]) {
        await overTcp(async (client, socket) => {
          const more = Buffer.alloc(1000, 0xdd)
          client.write(Buffer.concat([R3, following]))
          same(await readConnect(socket), R3)
          // Reading may go on at once or later.
          if (later) await settle(10)
          client.end(more)
          expect((await rest(socket)).equals(Buffer.concat([following, more]))).to.equal(true)
        })
      }
    })

    it(`leaves the bytes after the CONNECT if the client has ended already, to be read by ${name}`, async () => {
      await overTcp(async (client, socket) => {
        client.end(Buffer.concat([R3, following]))
        await until(() => client.bytesWritten > 0 && client.writableFinished)
        await settle(10)
        same(await readConnect(socket), R3)
        expect((await rest(socket)).equals(following)).to.equal(true)
      })
    })
  }

  it('leaves the bytes after a CONNECT that is split anywhere', async () => {
    const bytes = Buffer.concat([R3, PINGREQ])
    for (let at = 1; at < bytes.length; at += 7) {
      await overTcp(async (client, socket) => {
        const packet = readConnect(socket)
        client.write(bytes.subarray(0, at))
        await until(() => socket.bytesRead === at)
        client.end(bytes.subarray(at))
        same(await packet, R3)
        expect((await received(socket)).equals(PINGREQ)).to.equal(true)
      })
    }
  })

  it('reads one CONNECT after another from the same stream', async () => {
    await overTcp(async (client, socket) => {
      client.write(Buffer.concat([R3, R5, R3]))
      same(await readConnect(socket), R3)
      same(await readConnect(socket), R5)
      same(await readConnect(socket), R3)
    })
  })

  it('can be followed by a pipe to another server: a gateway that reads the CONNECT and forwards all', async () => {
    await overTcp(async (device, gateway) => {
      await overTcp(async (upstream, broker) => {
        device.end(Buffer.concat([R5, following]))
        const all = received(broker)
        const packet = await readConnect(gateway)
        const encoder = new ConnectEncoder()
        encoder.pipe(upstream, { end: false })
        encoder.end(packet)
        await new Promise((resolve) => encoder.on('end', resolve))
        gateway.pipe(upstream)
        expect((await all).equals(Buffer.concat([R5, following]))).to.equal(true)
      })
    })
  })

  it('can be followed by a PacketDecoder for the rest', async () => {
    await overTcp(async (client, socket) => {
      client.write(Buffer.concat([R3, R5, R5]))
      same(await readConnect(socket), R3)
      const packets: ConnectPacket[] = []
      socket.pipe(new PacketDecoder({ connection: false })).on('data', (packet) => packets.push(packet))
      await until(() => packets.length === 2)
      for (const packet of packets) same(packet, R5)
    })
  })

  for (const [name, first, options] of [
    ['', R3, {}],
    [' when it rejects', MALFORMED, {}],
    [' when it times out', Buffer.alloc(0), { timeout: 5 }],
  ] as const) {
    it(`leaves a socket paused that was paused from the beginning${name}`, async () => {
      await overTcp(
        async (client, socket) => {
          expect(socket.isPaused()).to.equal(true)
          client.write(first)
          await readConnect(socket, options).catch(() => undefined)
          expect(socket.isPaused()).to.equal(true)
          await settle()
          expect(socket.isPaused()).to.equal(true)
          let flowed = 0
          socket.on('data', (chunk) => {
            flowed += chunk.length
          })
          client.write(following)
          await settle(10)
          expect(flowed, 'bytes that flow before resume()').to.equal(0)
          socket.resume()
          await until(() => flowed === following.length)
        },
        { pauseOnConnect: true },
      )
    })
  }

  it('leaves other sockets unpaused: data flows as soon as somebody listens', async () => {
    await overTcp(async (client, socket) => {
      expect(socket.isPaused()).to.equal(false)
      client.write(Buffer.concat([R3, following]))
      same(await readConnect(socket), R3)
      await settle()
      expect(socket.isPaused()).to.equal(false)
      expect((await received(socket, following.length)).equals(following)).to.equal(true)
    })
  })

  it('leaves a stream unpaused whenever the signal is aborted, also for the next call', async () => {
    for (const wait of [() => Promise.resolve(), () => new Promise((resolve) => setTimeout(resolve, 1))]) {
      const stream = new PassThrough()
      const controller = new AbortController()
      const aborted = rejection(readConnect(stream, { signal: controller.signal }))
      await wait()
      controller.abort()
      await aborted
      expect(stream.isPaused()).to.equal(false)
      const packet = readConnect(stream)
      stream.write(Buffer.concat([R3, following]))
      same(await packet, R3)
      expect((await received(stream, following.length)).equals(following)).to.equal(true)
    }
  })

  it('reads bytes that are buffered already', async () => {
    await overTcp(
      async (client, socket) => {
        client.write(R3.subarray(0, 20))
        socket.read(0)
        await until(() => socket.readableLength === 20)
        const packet = readConnect(socket)
        client.write(Buffer.concat([R3.subarray(20), following]))
        same(await packet, R3)
        expect((await received(socket.resume(), following.length)).equals(following)).to.equal(true)
      },
      { pauseOnConnect: true },
    )
  })

  it('reads a whole CONNECT that is buffered already, on a socket whose client has gone', async () => {
    await overTcp(async (client, socket) => {
      client.end(R3)
      socket.read(0)
      await until(() => socket.readableLength === R3.length)
      await settle(10)
      same(await readConnect(socket), R3)
    })
  })
})

describe('readConnect: from other streams', () => {
  const libraries = [
    ['node:stream', { PassThrough, Duplex, Readable }],
    [
      'readable-stream',
      readableStream as unknown as {
        PassThrough: typeof PassThrough
        Duplex: typeof Duplex
        Readable: typeof Readable
      },
    ],
  ] as const
  for (const [name, streams] of libraries) {
    it(`reads from a PassThrough of ${name} and leaves the rest`, async () => {
      const stream = new streams.PassThrough()
      stream.write(R3.subarray(0, 10))
      const packet = readConnect(stream)
      stream.end(Buffer.concat([R3.subarray(10), following]))
      same(await packet, R3)
      expect((await received(stream)).equals(following)).to.equal(true)
    })

    it(`reads from a Duplex of ${name} that gives several chunks in one tick`, async () => {
      const pieces = [R5.subarray(0, 3), R5.subarray(3, 100), R5.subarray(100), following]
      const stream = new streams.Duplex({
        read() {
          this.push(pieces.shift() ?? null)
        },
        write: (_chunk, _encoding, callback) => callback(),
      })
      same(await readConnect(stream), R5)
      expect((await received(stream)).equals(following)).to.equal(true)
    })

    it(`reads from a Readable of ${name} in object mode, with empty and Uint8Array chunks`, async () => {
      const stream = new streams.Readable({ objectMode: true, read: () => undefined })
      const packet = readConnect(stream)
      for (const chunk of [Buffer.alloc(0), Uint8Array.from(R3.subarray(0, 5)), Buffer.alloc(0)])
        stream.push(chunk)
      await settle()
      stream.push(Buffer.concat([R3.subarray(5), PINGREQ]))
      stream.push(PUBLISH)
      stream.push(null)
      same(await packet, R3)
      expect((await received(stream)).equals(Buffer.concat([PINGREQ, PUBLISH]))).to.equal(true)
    })

    it(`gives no packet's memory a chunk of 64 KiB to keep alive, from ${name}`, async () => {
      const stream = new streams.PassThrough()
      const chunk = Buffer.alloc(65_536)
      R3.copy(chunk)
      stream.write(chunk)
      expect((await readConnect(stream)).bytes.buffer.byteLength).to.be.at.most(SHARED_SIZE)
      expect(stream.readableLength).to.equal(chunk.length - R3.length)
    })
  }
})
