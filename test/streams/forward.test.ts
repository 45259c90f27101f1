import { once } from 'node:events'
import type net from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Forwarded, forward } from '../../lib/index.ts'
import { shortTimers } from '../support/short-timers.ts'
import { activeTimers, expectMisuse, overTcp, received, settle, until } from './support.ts'
import { transports } from './transports.ts'

const MIB = 1024 * 1024

/** A pattern that repeats at no usual chunk size, so lost or moved bytes show. */
const pattern = Buffer.from(Array.from({ length: 4099 }, (_, i) => (i * 7) ^ (i >> 4)))
const bytesOf = (length: number, seed = 1) => Buffer.alloc(length, pattern.subarray(seed))

type Ends = { client: Duplex; server: Duplex; result: Promise<Forwarded>; stall: () => void }

/** A client and a server, with two joined connections in between. */
async function joined(
  over: (typeof transports)[number][1],
  test: (ends: Ends) => Promise<void>,
): Promise<void> {
  await over(async (client, front, stall) => {
    await over(async (back, server) => {
      for (const end of [client, server]) end.on('error', () => undefined)
      await test({ client, server, result: forward(front, back), stall })
    })
  })
}

/** Sends chunks one by one, then ends. */
async function send(to: Duplex, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    if (!to.write(chunk)) await once(to, 'drain')
    if (chunk.length % 3 === 0) await settle(1)
  }
}

for (const [transport, over] of transports) {
  describe(`forward: over ${transport}`, () => {
    it('passes on the bytes of both directions, however they are split, and resolves with their numbers', async () => {
      const sizes = fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 6 })
      await fc.assert(
        fc.asyncProperty(sizes, sizes, fc.boolean(), async (up, down, clientFirst) => {
          await joined(over, async ({ client, server, result }) => {
            const sent = [up, down].map((each, seed) => each.map((size) => bytesOf(size, seed)))
            const all = [received(server, sum(up)), received(client, sum(down))]
            if (sum(up) === 0) server.resume()
            if (sum(down) === 0) client.resume()
            await Promise.all([send(client, sent[0]!), send(server, sent[1]!)])
            const got = await Promise.all(all.filter((_, at) => sum([up, down][at]!) > 0))
            const wanted = sent.map((chunks) => Buffer.concat(chunks)).filter(({ length }) => length > 0)
            expect(got.map((bytes, at) => bytes.equals(wanted[at]!))).to.deep.equal(wanted.map(() => true))
            for (const end of [client, server]) end.resume()
            for (const end of clientFirst ? [client, server] : [server, client]) end.end()
            expect(await result).to.deep.equal({ fromClient: sum(up), fromServer: sum(down) })
          })
        }),
        { numRuns: 12 },
      )
    })

    it('delivers what one side has sent before it ended, and ends the other', async () => {
      for (const from of ['client', 'server'] as const) {
        await joined(over, async (ends) => {
          const [sender, receiver] =
            from === 'client' ? [ends.client, ends.server] : [ends.server, ends.client]
          const all = received(receiver)
          sender.resume()
          sender.end(bytesOf(2 * MIB))
          expect((await all).equals(bytesOf(2 * MIB))).to.equal(true)
          receiver.end()
          const { fromClient, fromServer } = await ends.result
          expect([fromClient, fromServer]).to.deep.equal(from === 'client' ? [2 * MIB, 0] : [0, 2 * MIB])
        })
      }
    })

    it('buffers little if the receiver does not read, and goes on when it does', async () => {
      await joined(over, async ({ client, server, result }) => {
        let sent = 0
        const chunk = bytesOf(64 * 1024)
        const total = 400 * chunk.length
        server.pause()
        const done = (async () => {
          while (sent < total) {
            sent += chunk.length
            if (!client.write(chunk)) await once(client, 'drain')
          }
          client.end()
        })()
        let before = -1
        while (before !== sent) {
          before = sent
          await new Promise((resolve) => setTimeout(resolve, 60))
        }
        expect(sent).to.be.below(total)
        let length = 0
        server.on('data', (bytes) => {
          length += bytes.length
        })
        server.on('end', () => server.end())
        for (const end of [client, server]) end.resume()
        await done
        expect(await result).to.deep.equal({ fromClient: total, fromServer: 0 })
        expect(length).to.equal(total)
      })
    })

    for (const how of ['destroy()', 'destroy(error)'] as const) {
      it(`ends the other side after a ${how} of one`, async () => {
        for (const name of ['front', 'back'] as const) {
          await over(async (client, front) => {
            await over(async (back, server) => {
              for (const end of [client, server]) end.on('error', () => undefined)
              const [near, far, mine] = name === 'front' ? [client, server, front] : [server, client, back]
              const result = forward(front, back)
              const all = received(far)
              near.write('hello')
              await received(far, 5)
              mine.destroy(how === 'destroy()' ? undefined : new Error('cable cut'))
              await all
              far.end()
              await result
              expect([front.destroyed, back.destroyed]).to.deep.equal([true, true])
            })
          })
        }
      })
    }

    it('resolves if a stream was destroyed before', async () => {
      for (const which of [0, 1, 2]) {
        await over(async (client, front) => {
          await over(async (back, server) => {
            for (const end of [client, server]) end.on('error', () => undefined).resume()
            for (const end of [client, server]) end.on('end', () => end.end())
            if (which !== 1) front.destroy()
            if (which !== 0) back.destroy()
            if (which === 2) await settle(20)
            expect(await forward(front, back)).to.deep.equal({ fromClient: 0, fromServer: 0 })
          })
        })
      }
    })
  })
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

describe('forward: half-open connections', () => {
  for (const [transport, over] of transports.filter(([name]) => name !== 'WebSocket')) {
    it(`still delivers the answer to a client that has ended, over ${transport}`, async () => {
      await joined(over, async ({ client, server, result }) => {
        client.allowHalfOpen = server.allowHalfOpen = true
        const question = received(server)
        const answer = received(client)
        client.end('question')
        expect(`${await question}`).to.equal('question')
        await settle(20)
        server.end('answer')
        expect(`${await answer}`).to.equal('answer')
        expect(await result).to.deep.equal({ fromClient: 8, fromServer: 6 })
      })
    })
  }

  it('does so for the sockets of a server without allowHalfOpen', async () => {
    await overTcp(async (client, front) => {
      await overTcp(async (back, server) => {
        client.allowHalfOpen = server.allowHalfOpen = true
        const result = forward(front, back)
        const question = received(server)
        const answer = received(client)
        client.end('question')
        await question
        await settle(20)
        server.end('answer')
        expect(`${await answer}`).to.equal('answer')
        await result
      })
    })
  })

  it('passes on an end that was there before the call', async () => {
    await overTcp(
      async (client, front) => {
        await overTcp(
          async (back, server) => {
            client.end()
            front.resume()
            await once(front, 'end')
            const result = forward(front, back)
            const all = received(server)
            client.resume()
            await all
            server.end('answer')
            expect(await result).to.deep.equal({ fromClient: 0, fromServer: 6 })
          },
          { allowHalfOpen: true },
        )
      },
      { allowHalfOpen: true },
    )
  })
})

describe('forward: connections that break', () => {
  it('delivers what the client sent before it reset the connection, and ends the server', async () => {
    await joined(transports[0]![1], async ({ client, server, result }) => {
      const all = received(server)
      client.write('will follows')
      await settle(20)
      ;(client as net.Socket).resetAndDestroy()
      expect(`${await all}`).to.equal('will follows')
      server.end()
      expect(await result).to.deep.equal({ fromClient: 12, fromServer: 0 })
    })
  })

  it('delivers what waited for a slow receiver when its sender failed', async () => {
    let take: (() => void) | undefined
    const written: string[] = []
    const sender = new Duplex({ read: () => undefined, write: (_chunk, _encoding, callback) => callback() })
    const receiver = new Duplex({
      read: () => undefined,
      writableHighWaterMark: 1,
      write(chunk, _encoding, callback) {
        written.push(`${chunk}`)
        take = callback
      },
      final(callback) {
        written.push('end')
        callback()
        this.push(null)
      },
    })
    const result = forward(sender, receiver)
    for (const chunk of ['a', 'b', 'c']) sender.push(chunk)
    await settle()
    expect([written, sender.readableLength]).to.deep.equal([['a'], 2])
    sender.destroy(new Error('write failed'))
    for (let i = 0; i < 4; i++) {
      await settle()
      take?.()
    }
    expect(await result).to.deep.equal({ fromClient: 3, fromServer: 0 })
    expect(written.join('')).to.equal('abcend')
  })

  it('destroys a receiver that makes no progress for 30 seconds after the sender is gone', async () => {
    await overTcp(async (client, front) => {
      await overTcp(async (back, server) => {
        client.on('error', () => undefined)
        server.pause()
        const result = forward(front, back)
        client.write(bytesOf(32 * MIB))
        await until(() => back.writableNeedDrain && front.isPaused())
        const delays = await shortTimers(async () => {
          front.destroy()
          await result
        })
        expect(delays).to.include(30_000)
        expect(back.destroyed).to.equal(true)
      })
    })
  })

  // A message of a WebSocket is one chunk, however large it is. Only the handle of a socket knows how much of it is left.
  const left = [4, 3, 2, 1, 0]
  const handles = {
    TCP: (sizes: number[]) => ({ writeQueueSize: sizes.shift() ?? 0 }),
    // What is encrypted counts until all of it is taken.
    TLS: (sizes: number[]) => ({ writeQueueSize: 5, _parent: { writeQueueSize: sizes.shift() ?? 0 } }),
  }
  for (const [transport, handle] of Object.entries(handles)) {
    it(`keeps a receiver as long as the operating system takes a part of one large chunk, after the sender is gone (${transport})`, async () => {
      const sender = new Duplex({ read: () => undefined, write: (_chunk, _encoding, callback) => callback() })
      const receiver = new Duplex({ read: () => undefined, write: () => undefined })
      const sizes = [...left]
      Object.defineProperty(receiver, '_handle', { get: () => handle(sizes) })
      const result = forward(sender, receiver)
      sender.push(bytesOf(5 * MIB))
      await until(() => receiver.writableLength > 0)
      const delays = await shortTimers(async () => {
        sender.destroy()
        await result
      })
      expect(delays.filter((delay) => delay === 30_000)).to.have.length(left.length)
      expect(receiver.destroyed).to.equal(true)
    })
  }

  it('destroys a side that never ends after the other one is gone', async () => {
    await joined(transports[0]![1], async ({ client, server, result }) => {
      server.allowHalfOpen = true
      server.resume()
      await shortTimers(async () => {
        ;(client as net.Socket).resetAndDestroy()
        await result
      })
    })
  })

  it('resolves for streams that never say that they are closed', async () => {
    const never = () => new Duplex({ read: () => undefined, write: () => undefined, emitClose: false })
    await shortTimers(async () => {
      const [client, server] = [never(), never()]
      const result = forward(client, server)
      client.emit('error', new Error('cable cut'))
      expect(await result).to.deep.equal({ fromClient: 0, fromServer: 0 })
    })
    await shortTimers(async () => {
      const [client, server] = [never(), new Duplex({ read: () => undefined, write: () => undefined })]
      const result = forward(client, server)
      client.destroy()
      server.destroy()
      expect(await result).to.deep.equal({ fromClient: 0, fromServer: 0 })
    })
  })

  it('reads a stream that still has a readable listener', async () => {
    const written: string[] = []
    const client = new Duplex({ read: () => undefined, write: () => undefined })
    const server = new Duplex({
      read: () => undefined,
      write: (chunk, _encoding, callback) => {
        written.push(`${chunk}`)
        callback()
      },
    })
    client.on('readable', () => {})
    void forward(client, server)
    client.push('hello')
    await settle()
    expect(written).to.deep.equal(['hello'])
    client.destroy()
    server.destroy()
  })

  it('resolves for a stream whose write throws', async () => {
    const client = new PassThrough()
    const server = new Duplex({
      read: () => undefined,
      write: () => {
        throw new Error('thrown by write')
      },
    })
    const result = forward(client, server)
    client.write('hello')
    await shortTimers(() => result)
    expect([client.destroyed, server.destroyed]).to.deep.equal([true, true])
  })

  it('leaves no timer behind', async () => {
    await settle()
    const before = activeTimers()
    await joined(transports[0]![1], async ({ client, server, result }) => {
      server.resume()
      server.on('end', () => server.end())
      client.destroy()
      await result
    })
    await settle()
    expect(activeTimers()).to.equal(before)
  })
})

describe('forward: misuse', () => {
  const stream = new PassThrough()
  for (const [name, client, server, code] of [
    ['no client', undefined, stream, 'ERR_INVALID_ARG_TYPE'],
    ['no server', stream, undefined, 'ERR_INVALID_ARG_TYPE'],
    ['a server that is options', stream, { port: 1883 }, 'ERR_INVALID_ARG_TYPE'],
    ['the same stream twice', stream, stream, 'ERR_INVALID_ARG_VALUE'],
    ['a client with an encoding', new PassThrough({ encoding: 'hex' }), stream, 'ERR_INVALID_ARG_VALUE'],
    ['a server with an encoding', stream, new PassThrough({ encoding: 'utf8' }), 'ERR_INVALID_ARG_VALUE'],
  ] as const) {
    it(`throws for ${name} with ${code}, and leaves the streams alone`, () => {
      expectMisuse(() => forward(client as never, server as never), TypeError, code)
      expect([stream.listenerCount('data'), stream.listenerCount('error')]).to.deep.equal([0, 0])
    })
  }
})
