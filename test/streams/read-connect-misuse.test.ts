import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { type ReadPacketOptions, readConnect } from '../../lib/index.ts'
import { R3, rejection } from './support.ts'

describe('readConnect: misuse', () => {
  const stream = (): NodeJS.ReadableStream => new PassThrough()

  for (const [name, socket] of [
    ['undefined', undefined],
    ['null', null],
    ['an object', {}],
    ['bytes', R3],
    ['a stream that cannot take bytes back', { read: () => null, on: () => undefined }],
  ] as const) {
    it(`rejects ${name} for a stream with a TypeError ERR_INVALID_ARG_TYPE`, async () => {
      const error = await rejection(readConnect(socket as never))
      expect(error).to.be.instanceof(TypeError).with.property('code', 'ERR_INVALID_ARG_TYPE')
    })
  }

  const misuse: [string, unknown, typeof TypeError | typeof RangeError, string][] = [
    ['options null', null, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['options a number', 1000, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ["timeout '1000'", { timeout: '1000' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['timeout null', { timeout: null }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['timeout 0', { timeout: 0 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['timeout -1', { timeout: -1 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['timeout NaN', { timeout: Number.NaN }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['timeout 2 ** 31', { timeout: 2 ** 31 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['timeout -Infinity', { timeout: -Infinity }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['signal an object', { signal: {} }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['signal an AbortController', { signal: new AbortController() }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    [
      'signal with nothing but throwIfAborted',
      { signal: { throwIfAborted: () => undefined } },
      TypeError,
      'ERR_INVALID_ARG_TYPE',
    ],
    [
      'signal that cannot be listened to',
      { signal: { aborted: false, throwIfAborted: () => undefined } },
      TypeError,
      'ERR_INVALID_ARG_TYPE',
    ],
    ["signal 'SIGTERM'", { signal: 'SIGTERM' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['protocolVersion 6', { protocolVersion: 6 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ["protocolVersion '4'", { protocolVersion: '4' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ["maximumPacketSize '1'", { maximumPacketSize: '1' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['maximumPacketSize 0', { maximumPacketSize: 0 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['maximumPacketSize 0.5', { maximumPacketSize: 0.5 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['a misspelt maximumPacketSize', { maxPacketSize: 100 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['an option of PacketDecoder', { connection: true }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    [
      "from 'server', because a server sends no CONNECT",
      { from: 'server' },
      TypeError,
      'ERR_INVALID_ARG_VALUE',
    ],
    ['allow a string', { allow: 'client-id-empty' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['allow with an unknown code', { allow: ['all'] }, TypeError, 'ERR_INVALID_ARG_VALUE'],
  ]
  for (const [name, options, type, code] of misuse) {
    it(`rejects ${name} with a ${type.name} ${code}, and reads nothing`, async () => {
      const socket = stream() as PassThrough
      socket.write(R3)
      const error = await rejection(readConnect(socket, options as ReadPacketOptions))
      expect(error).to.be.instanceof(type).with.property('code', code)
      expect(socket.readableLength).to.equal(R3.length)
    })
  }

  it('takes every option given as undefined as its default', async () => {
    const socket = stream() as PassThrough
    socket.write(R3)
    const none = {
      protocolVersion: undefined,
      maximumPacketSize: undefined,
      from: undefined,
      allow: undefined,
      timeout: undefined,
      signal: undefined,
    } satisfies Record<keyof ReadPacketOptions, undefined>
    expect((await readConnect(socket, none)).size).to.equal(R3.length)
  })

  it('names the options that there are when it refuses one', async () => {
    const error = await rejection(readConnect(stream() as PassThrough, { maxPacketSize: 1 } as never))
    expect(error.message).to.equal("Unknown option 'maxPacketSize'. Did you mean 'maximumPacketSize'?")
  })

  it('rejects a stream with an encoding with a TypeError', async () => {
    for (const encoding of ['utf8', 'latin1', 'hex'] as const) {
      const socket = stream() as PassThrough
      socket.setEncoding(encoding)
      const result = rejection(readConnect(socket))
      socket.write(R3)
      expect(await result)
        .to.be.instanceof(TypeError)
        .with.property('code', 'ERR_INVALID_ARG_TYPE')
      expect(socket.listenerCount('readable')).to.equal(0)
    }
  })

  it('rejects a stream of objects with a TypeError', async () => {
    const socket = new PassThrough({ objectMode: true })
    socket.write({ bytes: R3 })
    const error = await rejection(readConnect(socket))
    expect(error).to.be.instanceof(TypeError).with.property('code', 'ERR_INVALID_ARG_TYPE')
  })
})
