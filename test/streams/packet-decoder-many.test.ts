import nodeStream, { pipeline } from 'node:stream'
import { Buffer } from 'buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import * as readableStream from 'readable-stream'
import { PacketDecoder } from '../../lib/index.ts'
import { R3, settle } from './support.ts'

const libraries = { node: nodeStream, 'readable-stream': readableStream as unknown as typeof nodeStream }
type Library = keyof typeof libraries

/** Writes the chunks by hand, by piping, or through a `pipeline`. */
async function give(
  decoder: PacketDecoder,
  chunks: Buffer[],
  from: Library | 'pipeline' | 'hand',
): Promise<void> {
  if (from === 'hand') {
    for (const chunk of chunks) {
      if (decoder.write(chunk)) continue
      await new Promise((resolve) => decoder.once('drain', resolve))
    }
    decoder.end()
    return
  }
  const { Readable } = libraries[from === 'pipeline' ? 'node' : from]
  const source = Readable.from(chunks, { objectMode: false })
  if (from === 'pipeline') pipeline(source, new nodeStream.PassThrough(), decoder as never, () => undefined)
  else source.pipe(decoder)
}

/** Ways to read with occasional pauses. Each resolves with the number of packets. */
const readers: Record<string, (decoder: PacketDecoder, pauses: () => boolean) => Promise<number>> = {
  async iteration(decoder, pauses) {
    let count = 0
    for await (const _packet of decoder) {
      count++
      if (pauses()) await settle(1)
    }
    return count
  },

  data(decoder, pauses) {
    let count = 0
    decoder.on('data', () => {
      count++
      if (!pauses()) return
      decoder.pause()
      setImmediate(() => decoder.resume())
    })
    return new Promise((resolve) => decoder.on('end', () => resolve(count)))
  },

  readable(decoder, pauses) {
    let count = 0
    const readAll = (): void => {
      while (decoder.read() !== null) {
        count++
        if (!pauses()) continue
        setImmediate(readAll)
        return
      }
    }
    decoder.on('readable', readAll)
    return new Promise((resolve) => decoder.on('end', () => resolve(count)))
  },

  pipe(decoder, pauses) {
    let count = 0
    const sink = new nodeStream.Writable({
      objectMode: true,
      highWaterMark: 2,
      write(_packet, _encoding, callback) {
        count++
        if (pauses()) setImmediate(callback)
        else callback()
      },
    })
    decoder.pipe(sink)
    return new Promise((resolve) => sink.on('finish', () => resolve(count)))
  },
}

describe('PacketDecoder: any source, any reader', () => {
  it('gives every packet, never stops, and never holds more than one chunk beside its packets', async function () {
    this.timeout(60_000)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('node', 'readable-stream', 'pipeline', 'hand'),
        fc.constantFrom(...Object.keys(readers)),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
        async (count, sizes, readableHighWaterMark, from, reader, rhythm) => {
          const all = Buffer.concat(new Array(count).fill(Buffer.from(R3)))
          const chunks: Buffer[] = []
          for (let at = 0; at < all.length; at += chunks.at(-1)!.length) {
            const size = sizes[chunks.length % sizes.length]!
            chunks.push(Buffer.from(all.subarray(at, at + size)))
          }
          const largest = Math.max(...chunks.map((chunk) => chunk.length))
          const decoder = new PacketDecoder({ connection: false, readableHighWaterMark })
          let most = 0
          let beat = 0
          const pauses = (): boolean => {
            most = Math.max(most, decoder.writableLength)
            return rhythm[beat++ % rhythm.length]!
          }
          const read = readers[reader]!(decoder, pauses)
          void give(decoder, chunks, from as 'hand')
          const hangs = new Promise<string>((resolve) => setTimeout(resolve, 5000, 'it hangs').unref())
          expect(await Promise.race([read, hangs])).to.equal(count)
          expect(most).to.be.at.most(largest)
        },
      ),
      { numRuns: 200 },
    )
  })
})
