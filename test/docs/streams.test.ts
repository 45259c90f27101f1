import { readFileSync } from 'node:fs'
import type net from 'node:net'
import * as nodeStream from 'node:stream'
import { expect } from 'chai'
import {
  bufferToPacketVariant,
  ConnectEncoder,
  PacketDecoder,
  type PacketDecoderOptions,
  readConnect,
} from '../../lib/index.ts'
import {
  cableCut,
  codeOf,
  type Ending,
  flowingEndings,
  halfWayEndings,
  linesOf,
  otherEndings,
  pipelineEndings,
  type StreamLibrary,
  type Subject,
} from '../streams/endings.ts'
import { iterationEndings } from '../streams/library-endings.ts'
import { framed, MALFORMED, overTcp, PINGREQ, R3, settle, until } from '../streams/support.ts'

const text = readFileSync(new URL('../../docs/streams.md', import.meta.url), 'utf8')

/** The rows of the first table below both headings, without backticks. */
function table(chapter: string, heading: string): string[][] {
  const from = text.indexOf(heading, text.indexOf(`## ${chapter}\n`))
  expect(from, heading).to.be.above(0)
  const lines = text.slice(text.indexOf('\n|', from) + 1).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

/** Runs the first cell of each row, and compares the result with the other cells. */
function compare(rows: string[][], programs: Record<string, () => Promise<string[]>>): void {
  it('has a row for each ending', () => {
    expect(rows.map(([ending]) => ending)).to.have.members(Object.keys(programs))
  })
  for (const [ending, ...cells] of rows) {
    it(`says what happens: ${ending}`, async () => {
      expect(await programs[ending!]?.()).to.deep.equal(cells)
    })
  }
}

const run = (program: Ending | undefined, subject: Subject): Promise<string[]> =>
  linesOf(program!, subject, nodeStream as unknown as StreamLibrary)
const withoutCause = (line: string) => line.replace(' (shutting down)', '')
/** Formats the stream's own lines as a cell. */
const own = (lines: string[]) =>
  lines
    .filter((line) => !/^(source|sink|pipeline|unpipe)/.test(line))
    .map(withoutCause)
    .join(', ')

function decoder(bad: unknown = MALFORMED, options: PacketDecoderOptions = {}): Subject {
  const make = (given?: object) => {
    const made = new PacketDecoder({ connection: false, ...options, ...given })
    return made as unknown as nodeStream.Transform
  }
  return { make, good: R3, bad, half: R3.subarray(0, 20) }
}
const encoder: Subject = {
  make: (options) => new ConnectEncoder(options) as unknown as nodeStream.Transform,
  good: bufferToPacketVariant(R3),
  bad: 'CONNECT',
}

const alone = (ending: string, subject: Subject) => async () => [
  own(await run(flowingEndings[ending] ?? halfWayEndings[ending] ?? otherEndings[ending], subject)),
]
const bothAlone = (subject: Subject) =>
  Object.fromEntries(
    ['end()', 'end() with a last packet', 'destroy()', 'destroy(error)', 'the signal is aborted'].map(
      (ending) => [ending, alone(ending, subject)],
    ),
  )

/** Runs a decoder with `errors: 'push'`, and formats its lines as a cell. */
async function pushed(chunks: readonly Buffer[]): Promise<string[]> {
  const made = new PacketDecoder({ connection: false, errors: 'push' })
  const lines: string[] = []
  for (const event of ['end', 'finish', 'close']) made.on(event, () => lines.push(event))
  made.on('error', (error) => lines.push(`error ${codeOf(error)}`))
  made.on('data', (value) => lines.push(value instanceof Error ? `data ${codeOf(value)}` : 'data'))
  for (const bytes of chunks) made.write(bytes)
  made.end()
  await settle()
  return [lines.join(', ')]
}

describe('docs/streams.md: PacketDecoder alone', () => {
  compare(table('PacketDecoder', 'A decoder on its own'), {
    ...bothAlone(decoder()),
    'end() in the middle of a packet': alone('end() in the middle of a packet', decoder()),
    'a malformed packet': alone('a malformed packet', decoder()),
    "a malformed packet, errors: 'push'": () => pushed([R3, MALFORMED, R3]),
    "end() in the middle of a malformed packet, errors: 'push'": () =>
      pushed([R3, Buffer.from('300500', 'hex')]),
    "framing is lost, errors: 'push'": alone('a malformed packet', decoder(Buffer.of(0), { errors: 'push' })),
    'a second CONNECT, connection: true': alone('a malformed packet', decoder(R3, { connection: true })),
    'a string is written': alone('a malformed packet', decoder('CONNECT')),
  })
})

describe('docs/streams.md: PacketDecoder piped from a source', () => {
  compare(table('PacketDecoder', 'Piped from a source'), {
    'the source ends': alone('a source that ends, piped', decoder()),
    'the source ends in the middle of a packet': alone(
      'a source that ends in the middle of a packet, piped',
      decoder(),
    ),
    'the source is destroyed': alone('a source that is destroyed, piped', decoder()),
  })
})

describe('docs/streams.md: PacketDecoder in a pipeline', () => {
  const endings = {
    ...pipelineEndings,
    'the source ends in the middle of a packet':
      halfWayEndings['a source that ends in the middle of a packet, in a pipeline'],
  }
  const programs = Object.entries(endings).map(([ending, program]) => [
    ending,
    async () => {
      const lines = await run(program, decoder())
      const last = lines.at(-1)!
      expect(last).to.match(/^pipeline /)
      return [own(lines), withoutCause(last.slice('pipeline '.length))]
    },
  ])
  compare(table('PacketDecoder', 'In a `pipeline'), Object.fromEntries(programs))
})

describe('docs/streams.md: PacketDecoder read by for await', () => {
  const programs = Object.entries(iterationEndings).map(([ending, program]) => [
    ending,
    async () => [own(await run(program, decoder()))],
  ])
  compare(table('PacketDecoder', 'Read by `for await`'), Object.fromEntries(programs))
})

describe('docs/streams.md: PacketDecoder without a reader', () => {
  const refused = (decoder: PacketDecoder): string[] => {
    const errors: string[] = []
    decoder.on('error', (error) => errors.push(codeOf(error)))
    decoder.write(Buffer.concat([R3, MALFORMED]))
    return errors
  }
  const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5))

  it('emits its error in the next turn if nobody has begun to read', async () => {
    const errors = refused(new PacketDecoder({ connection: false }))
    expect(errors).to.deep.equal([])
    await nextTurn()
    expect(errors).to.deep.equal(['connect-flags-reserved'])
  })

  it('keeps its error back while paused, until the packets before it are read', async () => {
    const decoder = new PacketDecoder({ connection: false })
    const errors = refused(decoder.pause() as PacketDecoder)
    await nextTurn()
    expect(errors).to.deep.equal([])
    expect(decoder.read()?.size).to.equal(R3.length)
    await settle()
    expect(errors).to.deep.equal(['connect-flags-reserved'])
  })

  for (const together of [1, 40, 1000]) {
    it(`holds 16 packets and the chunk they come from, ${together} to a chunk, and continues when they are read`, async () => {
      const chunk = Buffer.concat(new Array(together).fill(Buffer.from(R3)))
      const decoder = new PacketDecoder({ connection: false })
      let left = Math.ceil(2000 / together)
      const total = left * together
      const source = new nodeStream.Readable({
        read() {
          this.push(left-- > 0 ? chunk : null)
        },
      })
      source.pipe(decoder)
      await settle(20)
      expect(decoder.readableLength).to.equal(16)
      expect(decoder.writableLength).to.equal(chunk.length)
      let read = 0
      for await (const packet of decoder) if (packet.size === R3.length) read++
      expect(read).to.equal(total)
    })
  }

  it("emits 'drain' when a chunk is used up, and not while its packets, or an error after them, wait to be read", async () => {
    const decoder = new PacketDecoder({ connection: false, readableHighWaterMark: 2 })
    let drained = 0
    decoder.on('drain', () => drained++)
    expect(decoder.write(R3)).to.equal(false)
    await settle()
    expect(drained).to.equal(1)
    expect(decoder.write(R3)).to.equal(false)
    expect(decoder.write(R3)).to.equal(false)
    await settle()
    expect(drained).to.equal(1)
    expect(decoder.writableNeedDrain).to.equal(true)
    for (let i = 0; i < 3; i++) {
      expect(decoder.read()).to.have.property('size', R3.length)
      await settle()
    }
    expect(drained).to.equal(2)
    decoder.on('error', () => undefined)
    decoder.write(R3)
    decoder.write(Buffer.of(0))
    decoder.pause()
    await settle()
    expect(drained).to.equal(2)
    expect(decoder.errored).to.equal(null)
    decoder.resume()
    await settle()
    expect(decoder.errored).to.have.property('code', 'reserved-packet-type')
    const later = await new Promise((resolve) => decoder.write(R3, resolve))
    expect(codeOf(later)).to.equal('ERR_STREAM_DESTROYED')
  })
})

describe('docs/streams.md: ConnectEncoder alone', () => {
  compare(table('ConnectEncoder', 'An encoder on its own'), {
    ...bothAlone(encoder),
    'something else is written': alone('a malformed packet', encoder),
  })
})

describe('docs/streams.md: readConnect', () => {
  const reason = new Error("the signal's reason")
  type Act = (client: net.Socket, socket: net.Socket, controller: AbortController) => unknown
  /** Returns the outcome of `readConnect` and the state of the stream afterwards. `before` and `after` run around the call. */
  const reading = (after: Act, before?: Act, options?: object) => async () => {
    let cells: string[] = []
    await overTcp(
      async (client, socket) => {
        socket.on('error', () => undefined)
        const controller = new AbortController()
        await before?.(client, socket, controller)
        const result = readConnect(socket, { signal: controller.signal, timeout: 1000, ...options }).then(
          () => 'a packet',
          (error) => (error === reason ? reason.message : codeOf(error)),
        )
        after(client, socket, controller)
        const first = await result
        expect(socket.listenerCount('readable')).to.equal(0)
        await settle()
        let then = socket.destroyed ? 'destroyed' : 'open'
        if (socket.readableEnded) then = 'open for writing'
        if (socket.readableLength === PINGREQ.length) then += ', the following bytes unread'
        if (socket.readableLength === R3.length) then += ', nothing read'
        expect(socket.writable).to.equal(!socket.destroyed)
        cells = [first, then]
      },
      { allowHalfOpen: true },
    )
    return cells
  }
  it("says what an existing 'data' listener gets", async () => {
    const socket = new nodeStream.PassThrough()
    const lengths: number[] = []
    socket.on('data', (chunk) => lengths.push(chunk.length))
    const result = readConnect(socket)
    socket.write(Buffer.concat([R3, PINGREQ]))
    await result
    await settle()
    expect(lengths).to.deep.equal([R3.length + PINGREQ.length, PINGREQ.length])
  })

  const write =
    (...chunks: Buffer[]): Act =>
    (client) =>
      client.write(Buffer.concat(chunks))
  const nothing = () => undefined
  const buffered: Act = async (client, socket) => {
    client.write(R3)
    socket.read(0)
    await until(() => socket.readableLength === R3.length)
  }
  compare(table('readConnect, readConnack and readPacket', 'All three read one packet'), {
    'the CONNECT is complete': reading(write(R3, PINGREQ)),
    'a malformed packet': reading(write(MALFORMED)),
    'a packet of a different type': reading(write(PINGREQ)),
    'a packet that is too large': reading(write(framed(Buffer.alloc(70_000), 3).subarray(0, 4))),
    'the timeout expires': reading(nothing, undefined, { timeout: 5 }),
    'the signal is aborted': reading((_client, _socket, controller) => controller.abort(reason)),
    'the client ends half-way': reading((client) => client.end(R3.subarray(0, 20))),
    'the stream is destroyed': reading((_client, socket) => socket.destroy()),
    'the stream is destroyed with an error': reading((_client, socket) => socket.destroy(cableCut())),
    'the stream had already ended': reading(nothing, async (client, socket) => {
      client.end()
      socket.resume()
      await until(() => socket.readableEnded)
    }),
    'the stream had already been destroyed': reading(nothing, (_client, socket) => socket.destroy()),
    'the stream had already been destroyed with an error': reading(nothing, (_client, socket) =>
      socket.destroy(cableCut()),
    ),
    'the signal was already aborted': reading(nothing, async (client, socket, controller) => {
      await buffered(client, socket, controller)
      controller.abort(reason)
    }),
    misuse: reading(nothing, buffered, { maxPacketSize: 1 }),
  })
})
