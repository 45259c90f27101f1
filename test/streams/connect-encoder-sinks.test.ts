import * as nodeStream from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import * as readableStream from 'readable-stream'
import { ConnectEncoder, v3_1_1 } from '../../lib/index.ts'
import { settle } from './support.ts'

/** Packets are numbered by client id. */
const packet = (id: number) =>
  new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 0, clientId: `${id}` })
const CLIENT_ID_AT = 14
const idOf = (bytes: Buffer) => Number(bytes.toString('latin1', CLIENT_ID_AT))

/** Moments at which a sink may call back. */
const moments: readonly ('first' | ((callback: () => void) => unknown))[] = [
  'first',
  (callback) => callback(),
  queueMicrotask,
  process.nextTick,
  setImmediate,
]

/** A sink that writes to its own encoder. */
interface Program {
  /** Packets written in the first tick. */
  readonly first: number
  /** Packets that the sink writes on arrival of packet 0, 1, 2, and so on. */
  readonly answers: readonly number[]
  /** The moment at which a write calls back, as an index into `moments`, by the write's first packet. */
  readonly done: readonly number[]
  readonly highWaterMark: number
  /** True if the sink ends the encoder with the last packet. */
  readonly ends: boolean
}

const MOST = 12

/** Runs a program, and returns the packets that arrived and the number written. */
async function run(encoder: nodeStream.Transform, module: typeof nodeStream, program: Program) {
  const { first, answers, done, highWaterMark, ends } = program
  const arrived: number[] = []
  let written = first
  const take = (chunks: Buffer[], callback: () => void) => {
    const when = moments[done[idOf(chunks[0]!) % done.length]!]!
    if (when === 'first') callback()
    for (const id of chunks.map(idOf)) {
      arrived.push(id)
      for (let i = 0; i < (answers[id] ?? 0) && written < MOST; i++) encoder.write(packet(written++))
      if (ends && written === MOST && !encoder.writableEnded) encoder.end()
    }
    if (when !== 'first') when(callback)
  }
  const sink = new module.Writable({
    highWaterMark,
    write: (chunk, _encoding, callback) => take([chunk], callback),
    writev: (chunks, callback) =>
      take(
        chunks.map(({ chunk }) => chunk),
        callback,
      ),
  })
  encoder.pipe(sink)
  for (let id = 0; id < first; id++) encoder.write(packet(id))
  await settle(3 * MOST)
  return { arrived, written }
}

const programs: fc.Arbitrary<Program> = fc.record({
  first: fc.integer({ min: 1, max: 4 }),
  answers: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: MOST, maxLength: MOST }),
  done: fc.array(fc.nat(moments.length - 1), { minLength: 4, maxLength: 4 }),
  highWaterMark: fc.constantFrom(1, 60, 16_384),
  ends: fc.boolean(),
})

const transform = () =>
  new nodeStream.Transform({
    writableObjectMode: true,
    transform: ({ bytes }, _encoding, callback) => callback(null, bytes),
  })
const encoder = () => new ConnectEncoder() as unknown as nodeStream.Transform

describe('ConnectEncoder: a sink that writes to it from write and writev', () => {
  for (const [name, module] of [
    ['node:stream', nodeStream],
    ['readable-stream', readableStream as never],
  ] as const) {
    it(`receives every packet in order, if it is a Writable of ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(programs, async (program) => {
          const { arrived, written } = await run(encoder(), module, program)
          expect(arrived).to.deep.equal(Array.from({ length: written }, (_, id) => id))
        }),
        { numRuns: 300 },
      )
    })
  }

  /** Slow on the first packet. Answers it with two packets and the second one with one, each after calling back. */
  const slowAtFirst: Program = {
    first: 1,
    answers: [2, 1],
    done: [4, 0, 0, 2],
    highWaterMark: 16_384,
    ends: false,
  }

  it("receives as many as with Node's own Transform, which never calls this sink's writev", async () => {
    const usual = await run(transform(), nodeStream, slowAtFirst)
    const ours = await run(encoder(), nodeStream, slowAtFirst)
    expect(usual).to.deep.equal({ arrived: [0, 1, 3, 2], written: 4 })
    expect(ours).to.deep.equal({ arrived: [0, 1, 2, 3], written: 4 })
  })
})
