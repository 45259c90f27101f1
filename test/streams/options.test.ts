import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import {
  ConnectEncoder,
  decode,
  PacketDecoder,
  PacketParser,
  type RelaxableCode,
  readConnect,
  readPacket,
  refuse,
  v3_1,
} from '../../lib/index.ts'
import { MALFORMED, outcome, outcomes, PINGREQ, R3, rejection, settle } from './support.ts'

/** Calls that throw or reject if the options are invalid. */
const calls: Record<string, (options: never) => unknown> = {
  PacketDecoder: (options) => new PacketDecoder(options),
  PacketParser: (options) => new PacketParser(options),
  ConnectEncoder: (options) => new ConnectEncoder(options),
  readConnect: (options) => readConnect(new PassThrough(), options),
  readPacket: (options) => readPacket(new PassThrough(), options),
  refuse: (options) => refuse(new PassThrough(), undefined, options),
}

async function failure(name: string, options: unknown): Promise<Error> {
  return rejection((async () => calls[name]!(options as never))())
}

describe('the options of streams and parser', () => {
  for (const [name, misspelt, known] of [
    ['PacketDecoder', 'maxPacketSize', 'maximumPacketSize'],
    ['PacketDecoder', 'session', 'connection'],
    ['PacketDecoder', 'highWaterMark', 'readableHighWaterMark'],
    ['PacketDecoder', 'error', 'errors'],
    ['PacketParser', 'maximumPacketsize', 'maximumPacketSize'],
    ['PacketParser', 'allows', 'allow'],
    ['ConnectEncoder', 'highWaterMark', 'writableHighWaterMark'],
    ['ConnectEncoder', 'Signal', 'signal'],
    ['readConnect', 'timeOut', 'timeout'],
    ['readPacket', 'protocolversion', 'protocolVersion'],
    ['refuse', 'lingers', 'linger'],
  ] as const) {
    it(`${name} refuses ${misspelt} and suggests ${known}`, async () => {
      const error = await failure(name, { [misspelt]: undefined })
      expect(error).to.be.instanceof(TypeError).with.property('code', 'ERR_INVALID_ARG_VALUE')
      expect(error.message).to.equal(`Unknown option '${misspelt}'. Did you mean '${known}'?`)
    })
  }

  for (const name of Object.keys(calls)) {
    it(`${name} lists its options if none is similar`, async () => {
      const { message } = await failure(name, { zzz: 1 })
      expect(message).to.match(/^Unknown option 'zzz'\. Known names: \w+(, \w+)*\.$/)
    })
  }

  it('are own properties: members of Object.prototype are no options', async () => {
    const prototype = Object.prototype as { allow?: unknown; connection?: unknown }
    Object.assign(prototype, { allow: ['connect-flags-reserved'], connection: true })
    try {
      expect(await outcomes([MALFORMED], {})).to.have.length(1)
      expect(() => [...new PacketParser({ connection: false }).push(MALFORMED)]).to.throw()
      expect(() => [...new PacketParser({ connection: false }).push(Buffer.concat([R3, PINGREQ]))]).to.throw()
      const stream = new PassThrough()
      stream.write(MALFORMED)
      expect(await rejection(readConnect(stream, {}))).to.have.property('code', 'connect-flags-reserved')
    } finally {
      delete prototype.allow
      delete prototype.connection
    }
  })
})

describe('allow', () => {
  /** An iterable that can be read only once. */
  function* codes(): Generator<RelaxableCode> {
    yield 'protocol-mqtt-3-1'
    yield 'connect-flags-reserved'
  }
  const { bytes: old } = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: 'c' })

  it('is read once, so that an iterator is enough', async () => {
    for (const connection of [false, true]) {
      const all = connection ? [MALFORMED, PINGREQ] : [old, MALFORMED, old]
      const expected = all.map((bytes) => outcome(decode(bytes, { allow: [...codes()] })))
      expect(await outcomes(all, { allow: codes(), connection })).to.deep.equal(expected)
      const parser = new PacketParser({ allow: codes(), connection })
      expect(all.flatMap((bytes) => [...parser.push(bytes)]).map(outcome)).to.deep.equal(expected)
    }
    for (const read of [readConnect, readPacket]) {
      const stream = new PassThrough()
      stream.write(MALFORMED)
      expect((await read(stream, { allow: codes() })).size).to.equal(MALFORMED.length)
    }
  })
})

describe('one AbortSignal for many', () => {
  it('gets one listener, and no warning of a leak, from a hundred that wait; then none', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    try {
      const controller = new AbortController()
      const { signal } = controller
      const waits = Array.from({ length: 25 }, () => [
        rejection(readConnect(new PassThrough(), { signal })),
        rejection(readPacket(new PassThrough(), { signal })),
      ]).flat()
      const streams = Array.from({ length: 25 }, () => [
        new PacketDecoder({ connection: false, signal }),
        new ConnectEncoder({ signal }),
      ]).flat()
      for (const stream of streams) stream.on('error', () => undefined)
      await settle()
      expect(getEventListeners(signal, 'abort')).to.have.length(1)
      for (const stream of streams.slice(0, 20)) stream.destroy()
      expect(getEventListeners(signal, 'abort')).to.have.length(1)
      const reason = new Error('shutting down')
      controller.abort(reason)
      expect(new Set(await Promise.all(waits))).to.deep.equal(new Set([reason]))
      expect(streams.every(({ destroyed }) => destroyed)).to.equal(true)
      expect(getEventListeners(signal, 'abort')).to.have.length(0)
      await settle()
      expect(warnings).to.deep.equal([])
    } finally {
      process.removeListener('warning', onWarning)
    }
  })

  it('gets a new listener once all of them have finished', async () => {
    const controller = new AbortController()
    const { signal } = controller
    new PacketDecoder({ connection: false, signal }).destroy()
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
    const decoder = new PacketDecoder({ connection: false, signal })
    decoder.on('error', () => undefined)
    controller.abort()
    expect(decoder.destroyed).to.equal(true)
  })
})

describe('lib/streams', () => {
  it('uses no private state of streams', () => {
    const folder = new URL('../../lib/streams/', import.meta.url)
    for (const file of readdirSync(folder)) {
      expect(readFileSync(new URL(file, folder), 'utf8'), file).not.to.match(
        /_(readable|writable)State|_events\b/,
      )
    }
  })
})
