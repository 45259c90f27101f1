import { Writable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import readableStream from 'readable-stream'
import { ConnectEncoder, v3_1_1 } from '../../lib/index.ts'
import { listenerCounts, settle } from './support.ts'

const packets = Array.from(
  { length: 8 },
  (_, n) => new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: n, clientId: 'c'.repeat(1 + 3 * n) }),
)

interface Sink {
  readonly stream: Writable
  readonly chunks: Buffer[]
  /** True once it's unpiped or destroyed. */
  gone: boolean
}

function makeSink(library: 'node' | 'readable-stream', slow: boolean): Sink {
  const chunks: Buffer[] = []
  const Base =
    library === 'node' ? Writable : (readableStream as unknown as { Writable: typeof Writable }).Writable
  const stream = new Base({
    highWaterMark: slow ? 10 : 16_384,
    write(chunk, _encoding, callback) {
      chunks.push(chunk)
      if (slow) setImmediate(callback)
      else callback()
    },
  })
  stream.on('error', () => undefined)
  return { stream, chunks, gone: false }
}

const sinks = fc.array(fc.tuple(fc.constantFrom('node', 'readable-stream'), fc.boolean()), {
  minLength: 1,
  maxLength: 3,
})
const action = fc.constantFrom('unpipe', 'unpipe while it writes', 'destroy', 'destroy with an error')
/** Steps: packets to write, a destination with an action, and true to end the tick. */
const steps = fc.array(
  fc.tuple(fc.nat(4), fc.option(fc.tuple(fc.nat(2), action), { freq: 4 }), fc.boolean()),
  {
    maxLength: 12,
  },
)

function leave(encoder: ConnectEncoder, sink: Sink, how: string): void {
  sink.gone = true
  const stream = sink.stream as never
  if (how === 'unpipe') encoder.unpipe(stream)
  else if (how === 'unpipe while it writes') {
    const unpipe = () => encoder.unpipe(stream)
    encoder.prependOnceListener('data', unpipe)
    encoder.once('end', () => encoder.removeListener('data', unpipe))
  } else sink.stream.destroy(how === 'destroy' ? undefined : new Error('cable cut'))
}

describe('ConnectEncoder: piped to several destinations that come and go', () => {
  it('leaves each uncorked at the end of the tick, and gives those that stay every packet in order', async () => {
    await fc.assert(
      fc.asyncProperty(sinks, steps, async (kinds, program) => {
        const encoder = new ConnectEncoder({ writableHighWaterMark: 1000 })
        encoder.on('error', () => undefined)
        const all = kinds.map(([library, slow]) => makeSink(library as 'node', slow))
        for (const sink of all) encoder.pipe(sink.stream)
        const written: string[] = []
        for (const [count, change, endsTick] of program) {
          for (let i = 0; i < count; i++) {
            const packet = packets[written.length % packets.length]!
            encoder.write(packet)
            written.push(packet.bytes.toString('hex'))
          }
          // Writing to a destination between its `destroy()` and its `'close'` would stall any pipe for good.
          const destroys = change?.[1].startsWith('destroy')
          if (destroys) await settle(1)
          const sink = all[change?.[0] ?? -1]
          if (sink !== undefined && !sink.gone) leave(encoder, sink, change![1])
          if (!endsTick && !destroys) continue
          await settle(1)
          expect(all.map(({ stream }) => stream.writableCorked)).to.deep.equal(all.map(() => 0))
        }
        const staying = all.filter(({ gone }) => !gone)
        encoder.end()
        await settle(written.length + 10)
        expect(all.map(({ stream }) => stream.writableCorked)).to.deep.equal(all.map(() => 0))
        for (const { stream, chunks } of staying) {
          expect(stream.writableFinished).to.equal(true)
          expect(chunks.map((chunk) => chunk.toString('hex'))).to.deep.equal(written)
        }
        if (staying.length > 0) expect(listenerCounts(encoder)).to.not.have.property('data')
      }),
      { numRuns: 300 },
    )
  })

  it('leaves a destination uncorked that is unpiped or destroyed in the tick in which packets are written', async () => {
    for (const how of ['unpipe', 'unpipe while it writes', 'destroy', 'destroy with an error']) {
      const encoder = new ConnectEncoder()
      const sink = makeSink('node', true)
      encoder.pipe(sink.stream)
      await settle()
      encoder.write(packets[0]!)
      leave(encoder, sink, how)
      encoder.write(packets[1]!)
      // A microtask later, because everything written in this tick is gathered until then.
      await null
      expect(sink.stream.writableCorked, how).to.equal(0)
    }
  })

  it('still gathers for one of two encoders when the other is unpiped from their destination', async () => {
    const calls: number[] = []
    const destination = new Writable({
      writev: (chunks, callback) => {
        calls.push(chunks.length)
        callback()
      },
    })
    const [first, second] = [new ConnectEncoder(), new ConnectEncoder()]
    first.pipe(destination)
    second.pipe(destination)
    first.unpipe(destination as never)
    for (const packet of packets) second.write(packet)
    await settle()
    expect(calls).to.deep.equal([packets.length])
  })
})
