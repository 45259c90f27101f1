import * as nodeStream from 'node:stream'
import { expect } from 'chai'
import readableStream from 'readable-stream'
import { bufferToPacketVariant, ConnectEncoder, PacketDecoder } from '../../lib/index.ts'
import {
  type Ending,
  flowingEndings,
  halfWayEndings,
  linesOf,
  otherEndings,
  pipelineEndings,
  type StreamLibrary,
  type Subject,
} from './endings.ts'
import { iterationEndings, libraryEndings } from './library-endings.ts'
import { MALFORMED, R3 } from './support.ts'

const libraries: [string, StreamLibrary, typeof nodeStream.Transform][] = [
  ['node:stream', nodeStream as unknown as StreamLibrary, nodeStream.Transform],
  [
    'readable-stream',
    readableStream as unknown as StreamLibrary,
    readableStream.Transform as unknown as typeof nodeStream.Transform,
  ],
]

const wrongType = () => Object.assign(new TypeError(), { code: 'ERR_INVALID_ARG_TYPE' })

/** A Transform that behaves like a `PacketDecoder` for packets with a Remaining Length of one byte. */
function plainDecoder(Transform: typeof nodeStream.Transform, options?: object): nodeStream.Transform {
  let pending = Buffer.alloc(0)
  return new Transform({
    ...options,
    readableObjectMode: true,
    decodeStrings: false,
    transform(chunk, _encoding, callback) {
      if (typeof chunk === 'string') return callback(wrongType())
      pending = Buffer.concat([pending, chunk])
      while (pending.length >= 2 && pending.length >= 2 + pending[1]!) {
        const bytes = pending.subarray(0, 2 + pending[1]!)
        pending = pending.subarray(bytes.length)
        try {
          this.push(bufferToPacketVariant(bytes))
        } catch (error) {
          return callback(error as Error)
        }
      }
      callback()
    },
    flush(callback) {
      callback(
        pending.length > 0 ? Object.assign(new Error('incomplete'), { code: 'packet-incomplete' }) : null,
      )
    },
  })
}

/** A Transform that behaves like a `ConnectEncoder`. */
function plainEncoder(Transform: typeof nodeStream.Transform, options?: object): nodeStream.Transform {
  return new Transform({
    ...options,
    writableObjectMode: true,
    transform(packet, _encoding, callback) {
      if (packet.bytes === undefined) callback(wrongType())
      else callback(null, packet.bytes)
    },
  })
}

type Make = (Transform: typeof nodeStream.Transform, options?: object) => nodeStream.Transform
type Case = [name: string, ours: Make, plain: Make, chunks: Omit<Subject, 'make'>]

const decoder: Make = (_, options) =>
  new PacketDecoder({ connection: false, ...options }) as unknown as nodeStream.Transform
const encoder: Make = (_, options) => new ConnectEncoder(options) as unknown as nodeStream.Transform
const cases: Case[] = [
  ['PacketDecoder', decoder, plainDecoder, { good: R3, bad: MALFORMED, half: R3.subarray(0, 20) }],
  ['PacketDecoder, misused', decoder, plainDecoder, { good: R3, bad: 'CONNECT' }],
  ['ConnectEncoder', encoder, plainEncoder, { good: bufferToPacketVariant(R3), bad: { clientId: 'c' } }],
]
const endings: Record<string, Record<string, Ending>> = {
  "read with 'data'": { ...flowingEndings, ...otherEndings },
  'ended mid-packet': halfWayEndings,
  'in a pipeline': pipelineEndings,
  'by async iteration': iterationEndings,
  'by a function of the library': libraryEndings,
}

/**
 * Groups the log by stream, with callbacks in a group of their own. The order between groups may differ: a decoder whose source
 * ends mid-packet fails a microtask later than a plain Transform, because otherwise readable-stream would never call the
 * callback of `end()`. Its source also waits for `'drain'` after each chunk.
 */
function byStream(lines: string[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const line of lines) {
    const name = /^(source \w+|sink|pipeline|ended:|written:)/.exec(line)?.[0] ?? 'stream'
    groups[name] = [...(groups[name] ?? []), line]
  }
  return groups
}

for (const [name, ours, plain, chunks] of cases) {
  describe(`${name}: the same events in the same order as a plain Transform`, () => {
    for (const [libraryName, library, Transform] of libraries) {
      for (const [group, programs] of Object.entries(endings)) {
        if (programs === halfWayEndings && chunks.half === undefined) continue
        for (const [ending, program] of Object.entries(programs)) {
          it(`${group}, ${ending} (${libraryName})`, async () => {
            const endsMidPacket = programs === halfWayEndings
            const run = async (make: Make): Promise<unknown> => {
              const base = endsMidPacket ? nodeStream.Transform : Transform
              const subject = { ...chunks, make: (options?: object) => make(base, options) }
              const lines = await linesOf(program, subject, library)
              expect(lines).to.not.be.deep.equal([])
              return endsMidPacket ? byStream(lines) : lines
            }
            const expected = await run(plain)
            expect(await run(ours)).to.deep.equal(expected)
          })
        }
      }
    }
  })
}
