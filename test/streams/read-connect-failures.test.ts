import { getEventListeners } from 'node:events'
import type net from 'node:net'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { MqttError, type ReadPacketOptions, readConnect } from '../../lib/index.ts'
import { shortTimers } from '../support/short-timers.ts'
import {
  activeTimers,
  byteByByte,
  listenerCounts,
  MALFORMED,
  overTcp,
  PINGREQ,
  R3,
  R5,
  received,
  rejection,
  settle,
  until,
} from './support.ts'

/** R3 and R5 with one byte changed. */
const changed = (bytes: Buffer, at: number, to: number) =>
  Buffer.from(bytes.map((b, i) => (i === at ? to : b)))
const emptyClientId = Buffer.from('100c00044d515454040000000000', 'hex')

describe('readConnect: what is refused', () => {
  for (const [name, bytes, code, connack] of [
    ['a malformed CONNECT of 3.1.1', MALFORMED, 'connect-flags-reserved', undefined],
    ['a malformed CONNECT of 5.0', changed(R5, 10, 0xef), 'connect-flags-reserved', '2003008100'],
    ['an empty client id without clean session', emptyClientId, 'client-id-empty', '20020002'],
    ['protocol level 6', changed(R3, 8, 6), 'protocol-level', '2003008400'],
    ['protocol level 3 under the name MQTT', changed(R3, 8, 3), 'protocol-level', '20020001'],
    ['another packet', PINGREQ, 'not-connect', undefined],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'not-connect', undefined],
  ] as const) {
    it(`rejects ${name} with ${code} and can still answer`, async () => {
      await overTcp(async (client, socket) => {
        const answer = received(client)
        client.write(bytes)
        const error = await rejection(readConnect(socket))
        expect(error).to.be.instanceof(MqttError).with.property('code', code)
        expect(socket.destroyed).to.equal(false)
        expect((error as unknown as MqttError).connack?.toString('hex')).to.equal(connack)
        socket.end((error as unknown as MqttError).connack ?? '')
        expect((await answer).toString('hex')).to.equal(connack ?? '')
      })
    })
  }

  it('rejects on the byte that is wrong, without waiting for more', async () => {
    const stream = new PassThrough()
    const result = rejection(readConnect(stream, { timeout: Number.POSITIVE_INFINITY }))
    stream.write(Buffer.from([0x1f]))
    expect(await result).to.include({ code: 'fixed-header-flags' })
  })

  it('waits for the bytes that tell another protocol', async () => {
    const stream = new PassThrough()
    const result = rejection(readConnect(stream, { timeout: Number.POSITIVE_INFINITY }))
    for (const byte of byteByByte(Buffer.from('GET '))) stream.write(byte)
    expect(await result).to.include({ code: 'not-connect', looksLike: 'http' })
  })

  it('rejects a Remaining Length that continues after its fourth byte, on that byte', async () => {
    const stream = new PassThrough()
    let settled = false
    const result = rejection(readConnect(stream, { timeout: Number.POSITIVE_INFINITY })).finally(() => {
      settled = true
    })
    for (const byte of [0x10, 0x80, 0x80, 0x80]) {
      stream.write(Buffer.of(byte))
      await settle()
      expect(settled).to.equal(false)
    }
    stream.write(Buffer.of(0x80))
    expect(await result).to.have.property('code', 'variable-byte-integer-too-long')
  })

  it('rejects too large a packet as soon as its fixed header is there', async () => {
    const stream = new PassThrough()
    const options = { maximumPacketSize: 100, timeout: Number.POSITIVE_INFINITY }
    const result = rejection(readConnect(stream, options))
    for (const byte of byteByByte(R5.subarray(0, 3))) stream.write(byte)
    expect(await result)
      .to.be.instanceof(MqttError)
      .with.property('code', 'packet-too-large')
  })

  it('rejects a version that is not asked for, and takes what allow names', async () => {
    const other = new PassThrough()
    other.write(R3)
    expect(await rejection(readConnect(other, { protocolVersion: 5 }))).to.have.property(
      'code',
      'protocol-level',
    )
    const relaxed = new PassThrough()
    relaxed.write(MALFORMED)
    const packet = await readConnect(relaxed, { allow: ['connect-flags-reserved'] })
    expect(packet.bytes.equals(MALFORMED)).to.equal(true)
  })
})

describe('readConnect: the timeout', () => {
  it('rejects a silent client with connect-timeout', async () => {
    await overTcp(async (_client, socket) => {
      const error = await rejection(readConnect(socket, { timeout: 20 }))
      expect(error).to.be.instanceof(MqttError).and.include({ code: 'connect-timeout', offset: 0 })
      expect(socket.destroyed).to.equal(false)
    })
  })

  it('runs to the complete packet, not to the next byte: a client that trickles is rejected', async () => {
    const stream = new PassThrough()
    const bytes = byteByByte(R5)
    // Sending all bytes would take over a second, without a pause of 100 ms anywhere.
    const trickle = setInterval(() => stream.write(bytes.shift() ?? Buffer.alloc(0)), 10)
    stream.write(bytes.shift())
    try {
      const error = await rejection(readConnect(stream, { timeout: 100 }))
      expect(error).to.have.property('code', 'connect-timeout')
      expect(error.offset).to.be.above(0).and.below(R5.length)
    } finally {
      clearInterval(trickle)
    }
  })

  it('is 10 seconds by default, the one given, or none for Infinity', async () => {
    const delays = await shortTimers(async () => {
      for (const timeout of [undefined, 1, 2_147_483_647, Number.POSITIVE_INFINITY]) {
        const stream = new PassThrough()
        stream.write(R3)
        await readConnect(stream, { timeout })
      }
    })
    expect(delays).to.deep.equal([10_000, 1, 2_147_483_647])
  })
})

describe('readConnect: the signal', () => {
  it('rejects with the reason of a signal that is aborted already, and reads nothing', async () => {
    const reason = new Error('shutting down')
    const stream = new PassThrough()
    stream.write(R3)
    expect(await rejection(readConnect(stream, { signal: AbortSignal.abort(reason) }))).to.equal(reason)
    expect(stream.readableLength).to.equal(R3.length)
  })

  it('rejects with the reason of a signal that is aborted later, any value', async () => {
    for (const reason of [new Error('shutting down'), 'a string', { an: 'object' }]) {
      await overTcp(async (client, socket) => {
        const controller = new AbortController()
        const result = rejection(readConnect(socket, { signal: controller.signal }))
        client.write(R3.subarray(0, 20))
        await until(() => socket.bytesRead === 20)
        await settle()
        controller.abort(reason)
        expect(await result).to.equal(reason)
        expect(socket.destroyed).to.equal(false)
      })
    }
  })

  it('rejects with an AbortError when no reason is given', async () => {
    const controller = new AbortController()
    const result = rejection(readConnect(new PassThrough(), { signal: controller.signal }))
    controller.abort()
    expect(await result).to.have.property('name', 'AbortError')
  })

  it('is unaffected by an abort afterwards', async () => {
    const controller = new AbortController()
    const stream = new PassThrough()
    stream.write(R3)
    const packet = await readConnect(stream, { signal: controller.signal })
    controller.abort(new Error('too late'))
    await settle()
    expect(packet.bytes.equals(R3)).to.equal(true)
  })
})

describe('readConnect: a stream that does not go on', () => {
  it('rejects with packet-incomplete when the client ends half-way, and can say how far it came', async () => {
    for (const length of [0, 1, 2, 20, R3.length - 1]) {
      await overTcp(async (client, socket) => {
        const result = rejection(readConnect(socket))
        client.end(R3.subarray(0, length))
        const error = await result
        expect(error).to.be.instanceof(MqttError).and.include({ code: 'packet-incomplete', offset: length })
      })
    }
  })

  it('rejects with packet-incomplete when the stream has ended already, read or unread', async () => {
    const unread = new PassThrough()
    unread.end()
    await settle()
    expect(await rejection(readConnect(unread))).to.have.property('code', 'packet-incomplete')
    const kept = new PassThrough({ autoDestroy: false })
    kept.end()
    const read = new PassThrough()
    read.end()
    for (const stream of [kept, read]) {
      stream.resume()
      await until(() => stream.readableEnded)
      await settle()
      expect(await rejection(readConnect(stream))).to.have.property('code', 'packet-incomplete')
    }
  })

  it('rejects with the error that the stream is destroyed with half-way', async () => {
    for (const length of [0, 20]) {
      const stream = new PassThrough()
      const reason = new Error('cable cut')
      stream.write(R3.subarray(0, length))
      const result = rejection(readConnect(stream))
      await settle()
      stream.destroy(reason)
      expect(await result).to.equal(reason)
    }
  })

  it('rejects with the error of a connection that is reset', async () => {
    await overTcp(async (client, socket) => {
      const result = rejection(readConnect(socket))
      client.resetAndDestroy()
      expect(await result).to.have.property('code', 'ECONNRESET')
    })
  })

  it('rejects with ERR_STREAM_PREMATURE_CLOSE when the stream is destroyed without an error', async () => {
    const before = new PassThrough()
    before.destroy()
    expect(await rejection(readConnect(before))).to.have.property('code', 'ERR_STREAM_PREMATURE_CLOSE')
    await overTcp(async (client, socket) => {
      const result = rejection(readConnect(socket))
      client.write(R3.subarray(0, 20))
      await until(() => socket.bytesRead === 20)
      socket.destroy()
      expect(await result).to.have.property('code', 'ERR_STREAM_PREMATURE_CLOSE')
    })
  })

  it('rejects with the error that the stream was destroyed with before', async () => {
    const stream = new PassThrough()
    const reason = new Error('cable cut')
    stream.on('error', () => undefined)
    stream.destroy(reason)
    expect(await rejection(readConnect(stream))).to.equal(reason)
    await settle()
    expect(await rejection(readConnect(stream))).to.equal(reason)
  })
})

describe('readConnect: what it leaves', () => {
  type Outcome = [
    name: string,
    act: (client: net.Socket, socket: net.Socket, abort: () => void) => void,
    options?: ReadPacketOptions,
  ]
  const outcomes: Outcome[] = [
    ['success', (client) => client.write(R3)],
    ['success with following bytes', (client) => client.write(Buffer.concat([R3, PINGREQ]))],
    ['success without a timeout', (client) => client.write(R3), { timeout: Number.POSITIVE_INFINITY }],
    ['a malformed packet', (client) => client.write(MALFORMED)],
    ['a timeout', () => undefined, { timeout: 5 }],
    ['an abort', (_client, _socket, abort) => abort()],
    ['an end half-way', (client) => client.end(R3.subarray(0, 20))],
    ['an error', (_client, socket) => socket.destroy(new Error('cable cut'))],
    ['a close', (_client, socket) => socket.destroy()],
    ['misuse', () => undefined, { timeout: 0 }],
  ]
  for (const [name, act, options] of outcomes) {
    it(`is no listener and no timer after ${name}`, async () => {
      await overTcp(
        async (client, socket) => {
          // A listener of the application, which must not be removed.
          socket.on('error', () => undefined)
          const controller = new AbortController()
          const { signal } = controller
          signal.addEventListener('abort', () => undefined)
          const before = [listenerCounts(socket), getEventListeners(signal, 'abort').length, activeTimers()]
          const result = readConnect(socket, { signal, ...options }).catch(() => undefined)
          act(client, socket, () => controller.abort())
          await result
          await settle()
          const after = [listenerCounts(socket), getEventListeners(signal, 'abort').length, activeTimers()]
          expect(after).to.deep.equal(before)
        },
        { allowHalfOpen: true },
      )
    })
  }

  it('is no listener on a stream that was ended, destroyed or aborted before', async () => {
    const ended = new PassThrough()
    ended.end()
    ended.resume()
    await until(() => ended.closed)
    const destroyed = new PassThrough()
    destroyed.destroy()
    for (const [stream, options] of [
      [ended, {}],
      [destroyed, {}],
      [new PassThrough(), { signal: AbortSignal.abort() }],
    ] as const) {
      await settle()
      const before = [listenerCounts(stream), activeTimers()]
      await rejection(readConnect(stream, options))
      expect([listenerCounts(stream), activeTimers()]).to.deep.equal(before)
    }
  })
})
