import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { ConnectPacket, MqttError, PacketVariant, ProtocolVersion } from '../lib/index.ts'
import { chunksOf, whole } from './chunks.ts'
import { decodeStream, encodeStream, inTime } from './drive.ts'
import { type Event, expectedEvents } from './framing.ts'
import type { BytesInput, Options } from './inputs.ts'
import { brief, cut, hold, type Library, outcomeOf } from './outcome.ts'

/** The decoder, however it is fed and read, against what is to come out. */
export async function checkDecoder(
  library: Library,
  { bytes, options, cuttings }: BytesInput,
): Promise<void> {
  const expected = expectedEvents(bytes, options, (one, version) => decodeOne(library, one, version, options))
  let first: string[] | undefined
  for (const cutting of [whole, ...cuttings]) {
    const events = await decodeStream(library, bytes, options, cutting)
    const how = () => JSON.stringify({ ...cutting, lengths: cutting.lengths.length })
    hold(same(expected, events), 'decoder-gives-what-is-there', () =>
      cut(`${lines(events)}\ninstead of\n${lines(expected)}\n${how()} ${JSON.stringify(options)}`),
    )
    const all = events.map(({ full }) => full)
    first ??= all
    for (const [at, line] of all.entries()) {
      hold(line === first[at], 'decoder-does-not-depend-on-chunks', () =>
        cut(`${line}\ninstead of\n${first?.[at]}\n${how()}`),
      )
    }
  }
}

function same(expected: readonly Event[], events: readonly Event[]): boolean {
  return (
    events.length === expected.length &&
    events.every(({ kind, text }, at) => kind === expected[at]?.kind && text === expected[at]?.text)
  )
}

function lines(events: readonly Event[]): string {
  return events
    .map(({ kind, text }) => `${kind} ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`)
    .join('\n')
}

function decodeOne(library: Library, bytes: Buffer, version: ProtocolVersion, { allow }: Options) {
  const result = outcomeOf(library, 'bufferToPacketVariant', () =>
    library.bufferToPacketVariant(bytes, version, { allow }),
  )
  if (result instanceof library.MqttError) return { error: brief(result) }
  return {
    version: result.type === library.ControlPacketType.connect ? result.protocolVersion : (0 as const),
  }
}

/** `readConnect`: the first packet or why there is none, and the bytes behind it left to be read. */
export async function checkReadConnect(
  library: Library,
  { bytes, options, cuttings }: BytesInput,
): Promise<void> {
  const { protocolVersion, allow, maximumPacketSize } = options
  const asked: Options = { ...options, connection: false, errors: 'destroy' }
  const [expected] = expectedEvents(bytes, asked, (one, version) => decodeOne(library, one, version, asked))
  for (const cutting of [whole, ...cuttings]) {
    const socket = source(chunksOf(bytes, cutting))
    const { packet, error } = await inTime(
      'readConnect',
      library
        .readConnect(socket, { protocolVersion, allow, maximumPacketSize, timeout: Number.POSITIVE_INFINITY })
        .then(
          (packet) => ({ packet, error: undefined }),
          (error: unknown) => ({ packet: undefined, error }),
        ),
    )
    if (packet === undefined) {
      hold(error instanceof library.MqttError, 'only-mqtt-error', () => `readConnect rejected with ${error}`)
      const text = expected?.kind === 'end' ? brief(incompleteAtOnce) : expected?.text
      hold(
        brief(error as MqttError) === text,
        'read-connect-agrees',
        () => `${brief(error as MqttError)}, not ${text}`,
      )
    } else {
      hold(
        expected?.kind === 'packet' && packet.bytes.toString('hex') === expected.text,
        'read-connect-agrees',
        () => cut(`it gives ${packet.bytes.toString('hex')}, not ${expected?.text}`),
      )
      const rest = Buffer.concat(await inTime('the rest', socket.toArray()))
      hold(rest.equals(bytes.subarray(packet.size)), 'read-connect-leaves-the-rest', () =>
        cut(`left are ${rest.toString('hex')}`),
      )
    }
    socket.destroy()
  }
}

const incompleteAtOnce = { code: 'packet-incomplete', field: 'remainingLength', offset: 0 } as const

/** A stream that gives the chunks one by one, as a socket does, and does not join them. */
function source(chunks: Iterator<Buffer>): Readable {
  return new Readable({
    highWaterMark: 1,
    read() {
      let next = chunks.next()
      while (!next.done && next.value.length === 0) next = chunks.next()
      setImmediate(() => this.push(next.done ? null : next.value))
    },
  })
}

/** The encoder: each packet one chunk, in order, and misuse is one error after which nothing comes. */
export async function checkEncoder(library: Library, { bytes, options }: BytesInput): Promise<void> {
  const packets: PacketVariant[] = []
  expectedEvents(bytes, options, (one, version) => {
    const packet = outcomeOf(library, 'bufferToPacketVariant', () =>
      library.bufferToPacketVariant(one, version, { allow: options.allow }),
    )
    if (packet instanceof library.MqttError) return { error: brief(packet) }
    packets.push(packet)
    return {
      version:
        packet.type === library.ControlPacketType.connect ? (packet as ConnectPacket).protocolVersion : 0,
    }
  })
  if (packets.length === 0) return
  const { chunks, error } = await encodeStream(library, packets)
  hold(error === undefined, 'encoder-gives-the-packets', () => `it ended with ${error}`)
  hold(chunks.length === packets.length, 'encoder-gives-the-packets', () => `${chunks.length} chunks`)
  for (const [at, chunk] of chunks.entries()) {
    hold(chunk.equals((packets[at] as PacketVariant).bytes), 'encoder-gives-the-packets', () =>
      cut(chunk.toString('hex')),
    )
  }
  const misused = await encodeStream(library, [packets[0], bytes, packets[0]])
  hold(misused.error instanceof TypeError, 'encoder-refuses-what-is-no-packet', () => `${misused.error}`)
  hold(misused.chunks.length <= 1, 'nothing-after-an-error', () => `${misused.chunks.length} chunks`)
}
