import { getEventListeners } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { expect } from 'chai'
import * as readableStream from 'readable-stream'
import { bufferToPacketVariant, ConnectEncoder, PacketDecoder } from '../../lib/index.ts'
import { MALFORMED, R3, settle } from './support.ts'

const packet = bufferToPacketVariant(R3)

type Stream = PacketDecoder | ConnectEncoder

/** A stream's events. Errors are given as name, code and the signal's reason. */
function events(stream: Stream): string[] {
  const seen: string[] = []
  for (const name of ['data', 'end', 'finish', 'close']) stream.on(name, () => seen.push(name))
  stream.on('error', (error: Error & { code?: string }) => {
    seen.push(`${error.name} ${error.code} (${(error.cause as Error | undefined)?.message})`)
  })
  return seen
}

const aborted = ['AbortError ABORT_ERR (shutting down)', 'close']
const reason = new Error('shutting down')

const makers: [string, (signal: AbortSignal) => Stream, unknown][] = [
  ['PacketDecoder({ signal })', (signal) => new PacketDecoder({ connection: false, signal }), R3],
  ['ConnectEncoder({ signal })', (signal) => new ConnectEncoder({ signal }), packet],
  [
    'addAbortSignal of node:stream on a PacketDecoder',
    (signal) => addAbortSignal(signal, new PacketDecoder({ connection: false }) as never),
    R3,
  ],
  [
    'addAbortSignal of node:stream on a ConnectEncoder',
    (signal) => addAbortSignal(signal, new ConnectEncoder() as never),
    packet,
  ],
  [
    'addAbortSignal of readable-stream on a PacketDecoder',
    (signal) =>
      (readableStream as unknown as { addAbortSignal: typeof addAbortSignal }).addAbortSignal(
        signal,
        new PacketDecoder({ connection: false }) as never,
      ),
    R3,
  ],
]

for (const [name, make, chunk] of makers) {
  describe(name, () => {
    it('destroys the stream with an AbortError that carries the reason, and nothing comes after it', async () => {
      const controller = new AbortController()
      const stream = make(controller.signal)
      const seen = events(stream)
      stream.write(chunk as never)
      await settle()
      controller.abort(reason)
      expect(stream.destroyed).to.equal(true)
      stream.write(chunk as never)
      stream.end()
      await settle()
      expect(seen).to.deep.equal(['data', ...aborted])
    })

    it('destroys it at once if the signal is aborted already', async () => {
      const stream = make(AbortSignal.abort(reason))
      const seen = events(stream)
      stream.write(chunk as never)
      await settle()
      expect(seen).to.deep.equal(aborted)
    })

    it('leaves no listener on the signal after an end, a destroy or an error', async () => {
      for (const finish of [
        (stream: Stream) => stream.end(),
        (stream: Stream) => stream.destroy(),
        (stream: Stream) => stream.write('misuse' as never),
      ]) {
        const { signal } = new AbortController()
        const stream = make(signal)
        events(stream)
        expect(getEventListeners(signal, 'abort')).to.have.length(1)
        finish(stream)
        await settle()
        expect(stream.closed).to.equal(true)
        expect(getEventListeners(signal, 'abort')).to.have.length(0)
      }
    })
  })
}

describe('PacketDecoder: aborted or destroyed while an error waits for the packets before it to be read', () => {
  for (const [name, end, expected] of [
    ['abort', (_: PacketDecoder, controller: AbortController) => controller.abort(reason), aborted],
    ['destroy', (decoder: PacketDecoder) => decoder.destroy(), ['close']],
  ] as const) {
    it(`reports only the ${name}`, async () => {
      const controller = new AbortController()
      const decoder = new PacketDecoder({ connection: false, signal: controller.signal })
      const seen: string[] = []
      decoder.on('close', () => seen.push('close'))
      decoder.on('error', (error: Error & { code?: string }) => {
        seen.push(`${error.name} ${error.code} (${(error.cause as Error | undefined)?.message})`)
      })
      decoder.pause()
      decoder.write(Buffer.concat([R3, MALFORMED]))
      await settle()
      expect(decoder.readableLength).to.equal(1)
      end(decoder, controller)
      await settle()
      decoder.read()
      decoder.resume()
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(seen).to.deep.equal(expected)
    })
  }
})
