import { PassThrough, Readable, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import {
  bufferToPacketVariant,
  ConnectEncoder,
  type ConnectEncoderOptions,
  PacketDecoder,
  type PacketVariant,
  v3_1_1,
} from '../../lib/index.ts'
import { expectMisuse, listenerCounts, PINGREQ, PUBLISH, R3, R5, settle, until } from './support.ts'

const connect3 = bufferToPacketVariant(R3)
const connect5 = bufferToPacketVariant(R5)
const publish = bufferToPacketVariant(PUBLISH)
const pingreq = bufferToPacketVariant(PINGREQ)

/** A packet with its number as client id. */
const numbered = (n: number) =>
  new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: `client ${n}` })

/** A Writable that records the calls to `write` and `writev` with their chunks. */
class Recorder extends Writable {
  readonly calls: string[] = []
  readonly chunks: Buffer[] = []
  get bytes(): Buffer {
    return Buffer.concat(this.chunks)
  }
  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.calls.push('write')
    this.chunks.push(chunk)
    callback()
  }
  override _writev(chunks: { chunk: Buffer }[], callback: () => void): void {
    this.calls.push(`writev ${chunks.length}`)
    this.chunks.push(...chunks.map(({ chunk }) => chunk))
    callback()
  }
}

describe('ConnectEncoder', () => {
  it('gives one chunk per packet, in order, for an OpaquePacket too', async () => {
    const encoder = new ConnectEncoder()
    const chunks: Buffer[] = []
    encoder.on('data', (chunk) => chunks.push(chunk))
    for (const packet of [connect5, publish, connect3, pingreq]) encoder.write(packet)
    encoder.end()
    await finished(encoder)
    expect(chunks.map((chunk) => chunk.toString('hex'))).to.deep.equal(
      [R5, PUBLISH, R3, PINGREQ].map((bytes) => bytes.toString('hex')),
    )
  })

  it("gives the packet's own bytes, not a copy", () => {
    const encoder = new ConnectEncoder()
    encoder.write(connect3)
    expect(encoder.read()?.buffer).to.equal(connect3.bytes.buffer)
  })

  for (const [name, value] of [
    ['bytes', R3],
    ['a string', 'connect'],
    ['fields', { cleanSession: true, keepAlive: 0, clientId: 'c' }],
    ['an object with bytes', { bytes: R3 }],
    ['undefined', undefined],
    ['a number', 0],
    ['an error of a decoder', new Error('malformed')],
  ] as const) {
    it(`ends with a TypeError if ${name} is written`, async () => {
      const encoder = new ConnectEncoder()
      const chunks: Buffer[] = []
      encoder.on('data', (chunk) => chunks.push(chunk))
      const error = new Promise<Error>((resolve) => encoder.on('error', resolve))
      const closed = new Promise((resolve) => encoder.on('close', resolve))
      encoder.write(connect3)
      encoder.write(value as never)
      encoder.write(connect5)
      expect(await error)
        .to.be.instanceof(TypeError)
        .with.property('code', 'ERR_INVALID_ARG_TYPE')
      await closed
      expect(chunks).to.deep.equal([R3])
    })
  }

  it('refuses null with a TypeError', () => {
    expectMisuse(() => new ConnectEncoder().write(null as never), TypeError, 'ERR_STREAM_NULL_VALUES')
  })

  for (const [name, options, code] of [
    ['options null', null, 'ERR_INVALID_ARG_TYPE'],
    ['options a number', 16, 'ERR_INVALID_ARG_TYPE'],
    ['writableHighWaterMark -1', { writableHighWaterMark: -1 }, 'ERR_INVALID_ARG_VALUE'],
    ["writableHighWaterMark 'x'", { writableHighWaterMark: 'x' }, 'ERR_INVALID_ARG_VALUE'],
    ['signal null', { signal: null }, 'ERR_INVALID_ARG_TYPE'],
    ['signal an object', { signal: {} }, 'ERR_INVALID_ARG_TYPE'],
    ['highWaterMark, which does not say of which side', { highWaterMark: 4 }, 'ERR_INVALID_ARG_VALUE'],
  ] as const) {
    it(`refuses ${name} with a TypeError ${code}`, () => {
      expectMisuse(() => new ConnectEncoder(options as unknown as ConnectEncoderOptions), TypeError, code)
    })
  }

  it('counts packets for writableHighWaterMark, 16 by default', () => {
    expect(new ConnectEncoder().writableHighWaterMark).to.equal(16)
    expect(new ConnectEncoder({ writableHighWaterMark: 3 }).writableHighWaterMark).to.equal(3)
    const none = { writableHighWaterMark: undefined, signal: undefined }
    expect(new ConnectEncoder(none).writableHighWaterMark).to.equal(16)
  })
})

describe('ConnectEncoder: piped', () => {
  it('gives packets written in one tick to writev at once', async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    encoder.pipe(destination)
    await settle()
    for (let i = 0; i < 5; i++) encoder.write(numbered(i))
    await settle()
    expect(destination.calls).to.deep.equal(['writev 5'])
    encoder.write(connect3)
    encoder.write(connect5)
    await settle()
    expect(destination.calls).to.deep.equal(['writev 5', 'writev 2'])
  })

  it('gives packets written in the tick of pipe to writev at once', async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    encoder.pipe(destination)
    encoder.write(connect3)
    encoder.write(connect5)
    encoder.write(publish)
    await settle()
    expect(destination.calls).to.deep.equal(['writev 3'])
    expect(destination.bytes.equals(Buffer.concat([R3, R5, PUBLISH]))).to.equal(true)
  })

  it('gives a single packet to write', async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    encoder.pipe(destination)
    for (const packet of [connect3, connect5]) {
      encoder.write(packet)
      await settle()
    }
    expect(destination.calls).to.deep.equal(['write', 'write'])
  })

  it('ends in the tick of the last packets: all of them arrive, in one writev', async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    encoder.pipe(destination)
    encoder.write(connect3)
    encoder.write(connect5)
    encoder.end(pingreq)
    await finished(destination)
    expect(destination.calls).to.deep.equal(['writev 3'])
    expect(destination.bytes.equals(Buffer.concat([R3, R5, PINGREQ]))).to.equal(true)
    expect(destination.writableCorked).to.equal(0)
  })

  it('does not end a destination piped to with end: false, and leaves it uncorked', async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    expect(encoder.pipe(destination, { end: false })).to.equal(destination)
    encoder.end(connect3)
    await settle()
    expect(destination.bytes.equals(R3)).to.equal(true)
    expect(destination.writableEnded).to.equal(false)
    expect(destination.writableCorked).to.equal(0)
  })

  it("respects the destination's own cork", async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    encoder.pipe(destination)
    await settle()
    destination.cork()
    encoder.write(connect3)
    await settle()
    expect(destination.calls).to.deep.equal([])
    expect(destination.writableCorked).to.equal(1)
    destination.uncork()
    await settle()
    expect(destination.calls).to.deep.equal(['write'])
  })

  it('leaves no listener after unpipe, and the destination uncorked', async () => {
    for (const unpipe of [
      (encoder: ConnectEncoder, destination: Writable) => encoder.unpipe(destination as never),
      (encoder: ConnectEncoder) => encoder.unpipe(),
    ]) {
      const destination = new Recorder()
      const encoder = new ConnectEncoder()
      const before = [listenerCounts(encoder), listenerCounts(destination)]
      encoder.pipe(destination)
      await settle()
      encoder.write(connect3)
      unpipe(encoder, destination)
      await settle()
      expect([listenerCounts(encoder), listenerCounts(destination)]).to.deep.equal(before)
      expect(destination.writableCorked).to.equal(0)
      expect(destination.bytes.equals(R3)).to.equal(true)
      encoder.write(connect5)
      await settle()
      expect(destination.bytes.equals(R3)).to.equal(true)
    }
  })

  it('leaves no listener when the destination is destroyed', async () => {
    const destination = new Recorder()
    const encoder = new ConnectEncoder()
    const before = listenerCounts(encoder)
    encoder.pipe(destination)
    encoder.write(connect3)
    await settle()
    destination.destroy()
    await settle()
    expect(listenerCounts(encoder)).to.deep.equal(before)
  })

  it('continues with one of two destinations when the other is unpiped', async () => {
    const [first, second] = [new Recorder(), new Recorder()]
    const encoder = new ConnectEncoder()
    encoder.pipe(first)
    encoder.pipe(second)
    await settle()
    encoder.write(connect3)
    encoder.write(connect5)
    await settle()
    encoder.unpipe(first as never)
    encoder.write(publish)
    encoder.write(pingreq)
    await settle()
    expect(first.calls).to.deep.equal(['writev 2'])
    expect(second.calls).to.deep.equal(['writev 2', 'writev 2'])
  })

  it('pipes to a destination without cork', async () => {
    const destination = new PassThrough()
    Object.assign(destination, { cork: undefined, uncork: undefined })
    const encoder = new ConnectEncoder()
    encoder.pipe(destination)
    encoder.end(connect3)
    const chunks: Buffer[] = []
    for await (const chunk of destination) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(R3)).to.equal(true)
  })

  it('is stopped by a slow destination, and everything arrives in order once that continues', async () => {
    const chunks: Buffer[] = []
    let release: (() => void) | undefined
    let blocked = true
    const destination = new Writable({
      highWaterMark: 100,
      write(chunk, _encoding, callback) {
        chunks.push(chunk)
        if (blocked) release = callback
        else setImmediate(callback)
      },
    })
    const encoder = new ConnectEncoder({ writableHighWaterMark: 4 })
    encoder.pipe(destination)
    let written = 0
    while (written < 20_000 && encoder.write(numbered(written++))) {
      if (written % 10 === 0) await settle(1)
    }
    expect(written).to.be.below(20_000)
    expect(encoder.writableNeedDrain).to.equal(true)
    expect(chunks).to.have.length(1)
    expect(destination.writableLength).to.be.below(500)
    expect(encoder.readableLength).to.be.below(encoder.readableHighWaterMark + 100)
    expect(encoder.writableLength).to.be.at.most(4)

    const drained = new Promise((resolve) => encoder.once('drain', resolve))
    blocked = false
    release?.()
    await drained
    encoder.end()
    await finished(destination)
    const all = Array.from({ length: written }, (_, i) => numbered(i).bytes)
    expect(Buffer.concat(chunks).equals(Buffer.concat(all))).to.equal(true)
  })

  it('works in a pipeline after a decoder: the same bytes come out', async () => {
    const destination = new Recorder()
    const bytes = Buffer.concat([R3, PUBLISH, PINGREQ])
    await pipeline(
      Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]),
      new PacketDecoder({ connection: true }) as unknown as NodeJS.ReadWriteStream,
      new ConnectEncoder() as unknown as NodeJS.ReadWriteStream,
      destination,
    )
    expect(destination.bytes.equals(bytes)).to.equal(true)
    expect(destination.calls).to.deep.equal(['writev 3'])
  })

  it('is read by async iteration', async () => {
    const encoder = new ConnectEncoder()
    encoder.write(connect3)
    encoder.end(connect5)
    const chunks: Buffer[] = []
    for await (const chunk of encoder) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(Buffer.concat([R3, R5]))).to.equal(true)
  })

  it('fails in a pipeline when it receives an error object of a decoder', async () => {
    const source = Readable.from([new Error('malformed')] as unknown as PacketVariant[])
    const run = pipeline(source, new ConnectEncoder() as unknown as NodeJS.ReadWriteStream, new Recorder())
    let thrown: unknown
    await run.catch((error) => {
      thrown = error
    })
    expect(thrown).to.be.instanceof(TypeError)
    await until(() => source.destroyed)
  })
})
