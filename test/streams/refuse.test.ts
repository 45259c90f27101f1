import { once } from 'node:events'
import type net from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import { expect } from 'chai'
import {
  ConnectReasonCode,
  connack,
  decode,
  PacketDecoder,
  PacketParser,
  type RefuseOptions,
  readConnect,
  refuse,
} from '../../lib/index.ts'
import type { Refusal } from '../../lib/streams/refuse.ts'
import { shortTimers } from '../support/short-timers.ts'
import { refusal } from '../support/thrown.ts'
import {
  activeTimers,
  expectMisuse,
  MALFORMED,
  overTcp,
  R3,
  R5,
  received,
  rejection,
  settle,
  uncaught,
  until,
} from './support.ts'
import { transports } from './transports.ts'

const packet = decode(R5)
const busy = connack(5, ConnectReasonCode.serverBusy, { reasonString: 'try later' })
const malformed5 = refusal(() => decode(Buffer.from(R5.map((byte, at) => (at === 10 ? 0xef : byte)))))
const malformed3 = refusal(() => decode(MALFORMED))
const answers: readonly [name: string, answer: Refusal, hex: string][] = [
  ['an MqttError with a CONNACK', malformed5, '2003008100'],
  ['an MqttError without a CONNACK', malformed3, ''],
  ['an error that is not an MqttError', new Error('the database does not answer'), ''],
  ['a packet', busy, busy.bytes.toString('hex')],
  ['a Buffer', Buffer.from('20020005', 'hex'), '20020005'],
  ['a Uint8Array', Uint8Array.of(0x20, 2, 0, 3), '20020003'],
  ['nothing', undefined, ''],
]
const MIB = Buffer.alloc(1024 * 1024, 0xc0)
const start = () => performance.now()

for (const [transport, over] of transports) {
  describe(`refuse: over ${transport}`, () => {
    for (const [name, answer, hex] of answers) {
      it(`sends ${name} and resolves when the socket is closed`, async () => {
        await over(async (client, socket) => {
          await settle()
          const timers = activeTimers()
          const all = received(client)
          client.on('end', () => client.end())
          client.write(R5)
          await readConnect(socket)
          await refuse(socket, answer)
          expect(socket.closed).to.equal(true)
          expect((await all).toString('hex')).to.equal(hex)
          await settle()
          expect(activeTimers()).to.equal(timers)
        })
      })
    }

    it('loses nothing of the answer when the client sends 1 MiB after its CONNECT, and reads only then', async () => {
      await over(async (client, socket) => {
        const errors: Error[] = []
        client.on('error', (error) => errors.push(error))
        client.write(R5)
        const sent = new Promise((resolve) => client.write(MIB, resolve))
        await readConnect(socket)
        const closed = refuse(socket, busy, { linger: 5000 })
        await sent
        const all = received(client)
        client.on('end', () => client.end())
        expect((await all).toString('hex')).to.equal(busy.bytes.toString('hex'))
        await closed
        expect(errors).to.deep.equal([])
      })
    })

    it('destroys the socket after linger if the client neither reads nor closes', async () => {
      await over(async (client, socket, stall) => {
        client.write(R5)
        await readConnect(socket)
        client.on('error', () => undefined)
        stall()
        const from = start()
        await refuse(socket, Buffer.alloc(4 * MIB.length), { linger: 40 })
        expect(socket.destroyed).to.equal(true)
        expect(start() - from).to.be.within(39, 3000)
      })
    })

    it('resolves for a socket that is destroyed or closed already', async () => {
      await over(async (client, socket) => {
        client.on('error', () => undefined)
        socket.destroy()
        await refuse(socket, busy)
        expect(socket.closed).to.equal(true)
        expect(await shortTimers(() => refuse(socket, busy))).to.deep.equal([])
      })
    })

    it('resolves when the socket fails meanwhile', async () => {
      await over(async (client, socket) => {
        client.on('error', () => undefined)
        const refused = refuse(socket, busy)
        socket.destroy(new Error('cable cut'))
        await refused
        // Errors after the end are ignored too.
        socket.emit('error', new Error('late'))
        expect(socket.closed).to.equal(true)
      })
    })
  })
}

describe('refuse: half-closed sockets', () => {
  it('discards the input of a socket that flows, but has lost its data listener', async () => {
    await overTcp(
      async (client, socket) => {
        client.write(R5)
        await once(socket, 'data')
        const refused = refuse(socket, busy, { linger: 60_000 })
        client.resume()
        client.end(MIB)
        await refused
        expect(socket.bytesRead).to.equal(R5.length + MIB.length)
      },
      { allowHalfOpen: true },
    )
  })

  it('still answers a client that has ended', async () => {
    await overTcp(
      async (client, socket) => {
        client.end(R5)
        await readConnect(socket)
        const all = received(client)
        await refuse(socket, busy)
        expect((await all).toString('hex')).to.equal(busy.bytes.toString('hex'))
      },
      { allowHalfOpen: true },
    )
  })

  it('sends everything that the server has ended with itself, and nothing after it', async () => {
    await overTcp(async (client, socket) => {
      const goodbye = Buffer.alloc(4 * MIB.length, 'goodbye')
      socket.end(goodbye)
      const refused = refuse(socket, busy, { linger: 5000 })
      expect((await received(client)).equals(goodbye)).to.equal(true)
      await refused
    })
  })

  it('destroys a socket that the server has ended itself, if the client does not', async () => {
    await overTcp(async (client, socket) => {
      client.allowHalfOpen = true
      client.resume()
      socket.end()
      await once(client, 'end')
      await refuse(socket, busy, { linger: 20 })
      expect(socket.destroyed).to.equal(true)
    })
  })

  it('resolves when the client resets the connection', async () => {
    await overTcp(async (client, socket) => {
      client.write(R5)
      await readConnect(socket)
      client.resetAndDestroy()
      await refuse(socket, busy)
      expect(socket.closed).to.equal(true)
    })
  })

  it('destroys the socket of a client that keeps sending, linger after the call', async () => {
    await overTcp(async (client, socket) => {
      client.on('error', () => undefined)
      const trickle = setInterval(() => client.write(R3), 5)
      client.allowHalfOpen = true
      try {
        const from = start()
        await refuse(socket, busy, { linger: 60 })
        expect(start() - from).to.be.within(59, 3000)
      } finally {
        clearInterval(trickle)
      }
    })
  })
})

describe('refuse: a socket with a reader', () => {
  /** Ways to read until a malformed packet arrives, and to refuse the socket then. */
  const readers: Record<string, (socket: net.Socket, refuseOnce: (error: Error) => void) => void> = {
    'a PacketDecoder': (socket, refuseOnce) => {
      socket
        .pipe(new PacketDecoder({ connection: false }))
        .on('error', refuseOnce)
        .resume()
    },
    'another stream': (socket, refuseOnce) => {
      const sink = socket.pipe(new PassThrough())
      for (const event of ['data', 'end']) sink.on(event, () => refuseOnce(new Error(event)))
    },
    'a PacketDecoder that nobody reads': (socket, refuseOnce) => {
      const decoder = socket.pipe(new PacketDecoder({ connection: true, readableHighWaterMark: 1 }))
      setImmediate(() => refuseOnce(new Error(`${decoder.readableLength} packets`)))
    },
    "a PacketParser in a 'data' listener": (socket, refuseOnce) => {
      const parser = new PacketParser({ connection: false })
      socket.on('data', (chunk) => {
        try {
          for (const _ of parser.push(chunk));
        } catch (error) {
          refuseOnce(error as Error)
        }
      })
    },
    "a 'readable' listener": (socket, refuseOnce) => {
      socket.on('readable', () => refuseOnce(new Error('enough')))
    },
    'somebody who has paused it': (socket, refuseOnce) => {
      socket.once('data', () => {
        socket.pause()
        refuseOnce(new Error('enough'))
      })
    },
    readConnect: (socket, refuseOnce) => {
      const read = () => readConnect(socket)
      void rejection(read().then(read).then(read)).then(refuseOnce)
    },
  }
  for (const [name, read] of Object.entries(readers)) {
    it(`gets nothing more, and the client its answer: ${name}`, async () => {
      await overTcp(async (client, socket) => {
        let refused: Promise<void> | undefined
        let calls = 0
        read(socket, () => {
          calls++
          refused ??= refuse(socket, busy)
        })
        const errors: Error[] = []
        client.on('error', (error) => errors.push(error))
        client.write(Buffer.concat([R5, R5, MALFORMED]))
        await settle(5)
        client.write(MIB)
        expect((await received(client)).toString('hex')).to.equal(busy.bytes.toString('hex'))
        await refused
        expect(calls).to.equal(1)
        expect(errors).to.deep.equal([])
      })
    })
  }
})

describe('refuse: any Duplex', () => {
  it('ignores the error that the socket was destroyed with in the same tick', async () => {
    const error = await uncaught((done) => {
      const socket = new PassThrough()
      socket.destroy(new Error('cable cut'))
      void refuse(socket, busy)
        .then(() => settle())
        .then(done)
    })
    expect(error).to.equal(undefined)
    await overTcp(async (_client, socket) => {
      const failed = once(socket, 'error')
      socket.destroy(new Error('cable cut'))
      await refuse(socket, busy)
      expect((await failed)[0]).to.have.property('message', 'cable cut')
      expect(socket.closed).to.equal(true)
    })
  })

  it('resolves at once if the socket fails, even if it does not destroy itself then', async () => {
    const socket = new Duplex({
      autoDestroy: false,
      read: () => undefined,
      write: (_chunk, _encoding, callback) => callback(new Error('cable cut')),
    })
    await refuse(socket, busy, { linger: 60_000 })
    expect(socket.destroyed).to.equal(true)
  })

  it('resolves if its write throws, if it never says that it is closed, or never is', async () => {
    const odd: Record<string, Duplex> = {
      throws: new Duplex({
        read: () => undefined,
        write: () => {
          throw new Error('thrown by write')
        },
      }),
      'closes without an event': new Duplex({
        read: () => undefined,
        write: (_chunk, _encoding, callback) => callback(),
        emitClose: false,
      }),
      'never closes': new Duplex({ read: () => undefined, write: () => undefined, destroy: () => undefined }),
    }
    for (const [name, socket] of Object.entries(odd)) {
      await shortTimers(() => refuse(socket, busy))
      expect(socket.destroyed, name).to.equal(true)
    }
    for (const write of [() => undefined, odd['throws']!.write]) {
      const socket = new Duplex({ read: () => undefined, write: write as never })
      let calls = 0
      socket.destroy = () => {
        calls++
        throw new Error('thrown by destroy')
      }
      await shortTimers(() => refuse(socket, busy))
      expect(calls).to.be.above(0)
    }
  })

  it('waits 1,000 ms for the client by default, and as long for the end of a socket that it has destroyed', async () => {
    const never = () => new Duplex({ read: () => undefined, write: () => undefined, emitClose: false })
    expect(await shortTimers(() => refuse(never(), busy))).to.deep.equal([1000, 1000])
    expect(await shortTimers(() => refuse(never(), busy, { linger: 0 }))).to.deep.equal([0, 1000])
  })

  it('discards what is written after the call, so that the answer is not lost', async () => {
    const sent: string[] = []
    const isSent: (() => void)[] = []
    const socket = new Duplex({
      read: () => undefined,
      write(chunk, _encoding, callback) {
        sent.push(chunk.toString())
        isSent.push(callback)
      },
    })
    const source = new PassThrough()
    source.pipe(socket)
    socket.write('earlier')
    const refused = refuse(socket, Buffer.from('answer'), { linger: 60_000 })
    source.write('piped')
    const isDiscarded = new Promise((resolve) => socket.write('written', resolve))
    const isEndDiscarded = new Promise<void>((resolve) => socket.end('last', resolve))
    expect(socket.end()).to.equal(socket)
    await settle()
    await isDiscarded
    await isEndDiscarded
    for (let next = isSent.shift(); next !== undefined; next = isSent.shift()) {
      next()
      await settle()
    }
    socket.push(null)
    await refused
    expect(sent).to.deep.equal(['earlier', 'answer'])
  })

  it('discards what is written after the client has ended its side, while it still reads', async () => {
    await overTcp(async (client, socket) => {
      client.pause()
      socket.write(Buffer.alloc(8 * MIB.length))
      const refused = refuse(socket, busy, { linger: 20_000 })
      client.end()
      await until(() => socket.readableEnded)
      const written = new Promise((resolve) => socket.write(R5, resolve))
      expect(await written).to.equal(undefined)
      const all = await received(client.resume())
      expect(all.length).to.equal(8 * MIB.length + busy.bytes.length)
      await refused
    })
  })

  it('can be called twice: the first answer is sent', async () => {
    await overTcp(async (client, socket) => {
      const all = received(client)
      await Promise.all([refuse(socket, busy), refuse(socket, packet)])
      expect((await all).equals(busy.bytes)).to.equal(true)
    })
  })
})

describe('refuse: misuse', () => {
  const wrong: readonly [name: string, socket: unknown, answer: unknown, options: unknown, code: string][] = [
    ['no socket', undefined, busy, {}, 'ERR_INVALID_ARG_TYPE'],
    ['a socket that is an object', {}, busy, {}, 'ERR_INVALID_ARG_TYPE'],
    ['an answer null', undefined, null, {}, 'ERR_INVALID_ARG_TYPE'],
    ['an answer that is a string', undefined, 'go away', {}, 'ERR_INVALID_ARG_TYPE'],
    ['an answer that is fields', undefined, { reasonCode: 0x87 }, {}, 'ERR_INVALID_ARG_TYPE'],
    ['options null', undefined, busy, null, 'ERR_INVALID_ARG_TYPE'],
    ['an unknown option', undefined, busy, { timeout: 10 }, 'ERR_INVALID_ARG_VALUE'],
    ["linger '10'", undefined, busy, { linger: '10' }, 'ERR_INVALID_ARG_TYPE'],
    ['linger -1', undefined, busy, { linger: -1 }, 'ERR_OUT_OF_RANGE'],
    ['linger NaN', undefined, busy, { linger: Number.NaN }, 'ERR_OUT_OF_RANGE'],
    ['linger 2 ** 31', undefined, busy, { linger: 2 ** 31 }, 'ERR_OUT_OF_RANGE'],
    ['linger Infinity', undefined, busy, { linger: Number.POSITIVE_INFINITY }, 'ERR_OUT_OF_RANGE'],
  ]
  for (const [name, socket, answer, options, code] of wrong) {
    it(`throws for ${name} with ${code}, and leaves the socket alone`, () => {
      const own = new PassThrough()
      const to = name.includes('socket') ? socket : own
      const type = code === 'ERR_OUT_OF_RANGE' ? RangeError : TypeError
      const run = () => refuse(to as Duplex, answer as Refusal, options as RefuseOptions)
      expectMisuse(run, type, code)
      expect([own.writable, own.destroyed, own.listenerCount('error')]).to.deep.equal([true, false, 0])
    })
  }
})
