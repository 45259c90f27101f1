import { PassThrough, Readable, Writable } from 'node:stream'
import * as nodeStreams from 'node:stream/promises'
import { expect } from 'chai'
import readableStream from 'readable-stream'
import { type DecodedPacket, decode, MqttError, PacketDecoder, type PacketVariant } from '../../lib/index.ts'
import { refusal } from '../support/thrown.ts'
import {
  byteByByte,
  MALFORMED,
  overTcp,
  PINGREQ,
  R3,
  R5,
  rejection,
  settle,
  uncaught,
  until,
} from './support.ts'

const sizes = (packets: DecodedPacket[]) => packets.map((packet) => (packet as PacketVariant).size)
const repeated = (times: number) => Buffer.concat(Array<Buffer>(times).fill(R3))

describe('PacketDecoder: back-pressure', () => {
  for (const highWaterMark of [undefined, 1, 3, 16]) {
    const most = highWaterMark ?? 16

    it(`holds at most ${most} packets while nobody reads (readableHighWaterMark ${highWaterMark}), and loses none`, async () => {
      const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: highWaterMark })
      let called = 0
      decoder.write(repeated(100), () => called++)
      decoder.write(repeated(50), () => called++)
      await settle()
      expect(decoder.readableLength).to.equal(most)
      expect(called).to.equal(0)

      const packets: DecodedPacket[] = []
      decoder.on('data', (packet) => packets.push(packet))
      await until(() => packets.length === 150)
      await settle()
      expect(called).to.equal(2)
      expect(packets).to.have.length(150)
    })
  }

  it('decodes no more than there is room for: a later error shows only when reading gets there', async () => {
    const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 2 })
    let error: Error | undefined
    decoder.on('error', (e) => {
      error = e
    })
    decoder.write(Buffer.concat([R3, R3, R3, MALFORMED]))
    await settle()
    expect(error).to.equal(undefined)
    for (let i = 0; i < 3; i++) {
      expect(decoder.read()?.size).to.equal(R3.length)
      await settle()
    }
    expect(error).to.be.instanceof(MqttError)
  })

  it('gives one packet for each read, in readable handlers too', async () => {
    const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 1 })
    decoder.end(Buffer.concat([R3, R5, R3]))
    const read: number[] = []
    decoder.on('readable', () => {
      for (let packet = decoder.read(); packet !== null; packet = decoder.read()) read.push(packet.size)
    })
    await nodeStreams.finished(decoder)
    expect(read).to.deep.equal([R3.length, R5.length, R3.length])
  })

  it('calls back at once for a chunk that is used up', async () => {
    const decoder = new PacketDecoder({ connection: false })
    await new Promise<void>((resolve, reject) => {
      decoder.write(R3.subarray(0, 20), (error) => (error ? reject(error) : resolve()))
    })
    expect(decoder.readableLength).to.equal(0)
    decoder.destroy()
  })

  it('resumes after every pause', async () => {
    const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 2 })
    let count = 0
    decoder.on('data', () => {
      count++
      decoder.pause()
      setImmediate(() => decoder.resume())
    })
    decoder.end(repeated(40))
    await nodeStreams.finished(decoder)
    expect(count).to.equal(40)
  })

  it('stops its source, so that a socket is not read on', async () => {
    await overTcp(async (client, socket) => {
      const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 4 })
      const total = 400_000
      client.end(repeated(total))
      socket.pipe(decoder)
      await until(() => socket.isPaused())
      await settle(20)
      expect(socket.isPaused()).to.equal(true)
      expect(decoder.readableLength).to.equal(4)
      expect(socket.bytesRead).to.be.below((total * R3.length) / 2)
      let count = 0
      decoder.on('data', () => count++)
      await nodeStreams.finished(decoder)
      expect(count).to.equal(total)
    })
  })

  it('ends after the last packet is read, not before', async () => {
    const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 1 })
    let ended = false
    decoder.on('end', () => {
      ended = true
    })
    decoder.end(Buffer.concat([R3, R5]))
    await settle()
    expect(ended).to.equal(false)
    const packets: DecodedPacket[] = []
    for await (const packet of decoder) packets.push(packet)
    expect(sizes(packets)).to.deep.equal([R3.length, R5.length])
    expect(ended).to.equal(true)
  })
})

describe('PacketDecoder: as any stream', () => {
  it('is read by async iteration', async () => {
    const packets: DecodedPacket[] = []
    for await (const packet of Readable.from(byteByByte(Buffer.concat([R3, R5]))).pipe(
      new PacketDecoder({ connection: false }),
    )) {
      packets.push(packet as unknown as DecodedPacket)
    }
    expect(sizes(packets)).to.deep.equal([R3.length, R5.length])
  })

  it('throws its error into async iteration', async () => {
    const decoder = new PacketDecoder({ connection: false })
    const read = (async () => {
      for await (const _ of decoder) expect.fail('no packet')
    })()
    decoder.write(MALFORMED)
    expect(await rejection(read))
      .to.be.instanceof(MqttError)
      .with.property('code', 'connect-flags-reserved')
  })

  it('is destroyed when async iteration is left', async () => {
    const decoder = new PacketDecoder({ connection: false })
    decoder.write(repeated(40))
    for await (const _ of decoder) break
    expect(decoder.destroyed).to.equal(true)
  })

  const libraries: [string, typeof nodeStreams][] = [
    ['node:stream/promises', nodeStreams],
    ['readable-stream', (readableStream as unknown as { promises: typeof nodeStreams }).promises],
  ]
  for (const [name, { pipeline, finished }] of libraries) {
    const collector = (packets: DecodedPacket[]) =>
      new Writable({
        objectMode: true,
        write: (packet, _, callback) => {
          packets.push(packet)
          callback()
        },
      })

    it(`works in a pipeline of ${name}`, async () => {
      const packets: DecodedPacket[] = []
      await pipeline(
        Readable.from(byteByByte(Buffer.concat([R3, R5]))),
        new PacketDecoder({ connection: false }) as unknown as NodeJS.ReadWriteStream,
        collector(packets),
      )
      expect(sizes(packets)).to.deep.equal([R3.length, R5.length])
    })

    it(`makes a pipeline of ${name} fail and be torn down with its error`, async () => {
      const source = new PassThrough()
      const decoder = new PacketDecoder({ connection: false })
      const packets: DecodedPacket[] = []
      const destination = collector(packets)
      const run = pipeline(source, decoder as unknown as NodeJS.ReadWriteStream, destination)
      source.write(R3)
      await until(() => packets.length === 1)
      source.write(MALFORMED)
      expect(await rejection(run))
        .to.be.instanceof(MqttError)
        .with.property('code', 'connect-flags-reserved')
      expect([source.destroyed, decoder.destroyed, destination.destroyed]).to.deep.equal([true, true, true])
    })

    it(`makes a pipeline of ${name} fail when the source ends in mid-packet`, async () => {
      const run = pipeline(
        Readable.from([R3.subarray(0, 30)]),
        new PacketDecoder({ connection: false }) as unknown as NodeJS.ReadWriteStream,
        collector([]),
      )
      expect(await rejection(run))
        .to.be.instanceof(MqttError)
        .with.property('code', 'packet-incomplete')
    })

    it(`is finished for ${name} after its end, and with its error`, async () => {
      const good = new PacketDecoder({ connection: false })
      good.resume()
      good.end(R3)
      await finished(good as unknown as NodeJS.ReadWriteStream)
      const bad = new PacketDecoder({ connection: false })
      bad.resume()
      bad.end(MALFORMED)
      expect(await rejection(finished(bad as unknown as NodeJS.ReadWriteStream))).to.be.instanceof(MqttError)
    })
  }

  it('gives no packet after destroy() in a data handler', async () => {
    for (const [reason, turns] of [
      [undefined, 0],
      [new Error('enough'), 0],
      [undefined, 3],
      [new Error('enough'), 3],
    ] as const) {
      const decoder = new PacketDecoder({ connection: false })
      const events: string[] = []
      let count = 0
      decoder.on('data', () => {
        events.push('data')
        if (++count === 2) decoder.destroy(reason)
      })
      decoder.on('error', () => events.push('error'))
      decoder.on('end', () => events.push('end'))
      const closed = new Promise((resolve) => decoder.on('close', resolve))
      // The stream flows only after some turns. Then 'data' is emitted during the decoding of a chunk.
      await settle(turns)
      decoder.write(repeated(20))
      await closed
      await settle()
      expect(events).to.deep.equal(reason ? ['data', 'data', 'error'] : ['data', 'data'])
    }
  })

  it('lets an exception of a data listener out of write()', async () => {
    const decoder = new PacketDecoder({ connection: false })
    const boom = new Error('boom')
    const errors: Error[] = []
    decoder.on('error', (error) => errors.push(error))
    decoder.on('data', () => {
      throw boom
    })
    await settle()
    expect(() => decoder.write(R3)).to.throw(boom)
    await settle()
    expect(errors).to.deep.equal([])
    expect(decoder.errored).to.equal(null)
  })

  it('lets an MqttError thrown by a data listener out of write() too', async () => {
    for (const errors of ['destroy', 'push'] as const) {
      const decoder = new PacketDecoder({ connection: false, errors })
      const boom = refusal(() => decode(PINGREQ.subarray(0, 1)))
      let count = 0
      decoder.on('data', () => {
        count++
        throw boom
      })
      await settle()
      expect(() => decoder.write(R3)).to.throw(boom)
      expect(decoder.errored).to.equal(null)
      expect(count).to.equal(1)
    }
  })

  it('leaves an exception of a data listener that reads on after a stop uncaught', async () => {
    const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 1 })
    const boom = new Error('boom')
    const errors: Error[] = []
    decoder.on('error', (error) => errors.push(error))
    decoder.write(repeated(3))
    await settle()
    let count = 0
    const thrown = await uncaught(() => {
      decoder.on('data', () => {
        if (++count === 2) throw boom
      })
    })
    expect(thrown).to.equal(boom)
    await settle()
    expect(errors).to.deep.equal([])
    expect(decoder.errored).to.equal(null)
  })
})
