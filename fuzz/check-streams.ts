import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { MqttError, PacketVariant, ProtocolVersion } from '../lib/index.ts'
import { type DecodeOne, type Event, expectedEvents } from './framing.ts'
import { type BytesInput, chunksOf, type Options, type Split, whole } from './inputs.ts'
import { Broken, brief, fullText, hold, inTime, type Library, outcomeOf } from './library.ts'

/** An event with its full details, which must not depend on how the bytes are split. */
interface FullEvent extends Event {
  readonly full: string
}

/** The streams and the parser must give what the model predicts, however the bytes are split and read. */
export async function checkStreams(library: Library, input: BytesInput): Promise<void> {
  const { bytes, options, splits } = input
  const decodeOne = decodeFunction(library, options)
  const events = expectedEvents(bytes, options, decodeOne)
  let first: { decoded: readonly FullEvent[]; parsed: readonly FullEvent[] } | undefined
  for (const split of [whole, ...splits]) {
    const how = `${JSON.stringify(split)} ${JSON.stringify(options)}`
    const decoded = await decodeStream(library, bytes, options, split)
    expectEvents(events, decoded, 'decoder-gives-what-is-there', how)

    const parsed = parse(library, bytes, options, split)
    const strictly = expectedEvents(bytes, { ...options, errors: 'destroy' }, decodeOne)
    expectEvents(strictly, parsed, 'parser-gives-what-is-there', how)

    first ??= { decoded, parsed }
    expectEvents(first.decoded, decoded, 'decoder-does-not-depend-on-chunks', how)
    expectEvents(first.parsed, parsed, 'parser-does-not-depend-on-chunks', how)

    await checkReading(library, input, split)
  }
  await checkEncoder(library, input)
}

function decodeFunction(
  library: Library,
  { allow }: Options,
  see?: (packet: PacketVariant) => void,
): DecodeOne {
  return (bytes, protocolVersion) => {
    const result = outcomeOf(library, 'decode', () => library.decode(bytes, { protocolVersion, allow }))
    if (result instanceof library.MqttError) return { error: brief(result) }
    see?.(result)
    const isConnect = result.type === library.ControlPacketType.connect
    return { version: isConnect ? result.protocolVersion : (0 as ProtocolVersion) }
  }
}

function expectEvents(
  expected: readonly (Event | FullEvent)[],
  events: readonly FullEvent[],
  invariant: string,
  how: string,
): void {
  const lines = (from: readonly (Event | FullEvent)[]): string =>
    from
      .map(
        (event) =>
          `${event.kind} ${'full' in event && 'full' in (expected[0] ?? {}) ? event.full : event.text}`,
      )
      .join('\n')
  const [wanted, got] = [lines(expected), lines(events)]
  hold(wanted === got, invariant, () => `${got.slice(0, 250)}\ninstead of\n${wanted.slice(0, 250)}\n${how}`)
}

type Seen = PacketVariant | MqttError | { destroyed: unknown } | 'end'

function eventOf(library: Library, seen: Seen): FullEvent {
  if (seen === 'end') return { kind: 'end', text: '', full: 'end' }
  if ('destroyed' in seen) {
    const { destroyed } = seen
    if (!(destroyed instanceof library.MqttError)) {
      throw new Broken('only-mqtt-error', `the decoder ended with ${destroyed}`)
    }
    return { kind: 'destroyed', text: brief(destroyed), full: fullText(destroyed) }
  }
  if (seen instanceof library.MqttError) return { kind: 'error', text: brief(seen), full: fullText(seen) }
  const packet = seen as PacketVariant
  const hex = packet.bytes.toString('hex')
  return { kind: 'packet', text: hex, full: `${packet.constructor.name} ${packet.type} ${hex}` }
}

/** Everything that a `PacketDecoder` emits, in order. */
async function decodeStream(
  library: Library,
  bytes: Buffer,
  options: Options,
  split: Split,
): Promise<FullEvent[]> {
  const { readableHighWaterMark } = split
  const decoder = new library.PacketDecoder({ ...options, readableHighWaterMark })
  const seen: Seen[] = []
  const see = (packet: PacketVariant | MqttError): unknown => seen.push(packet)
  decoder.on('end', () => seen.push('end'))
  decoder.on('error', (destroyed) => seen.push({ destroyed }))
  const closed = new Promise<void>((resolve) => decoder.on('close', resolve))
  let read: Promise<void> = Promise.resolve()
  if (split.reading === 'flowing') decoder.on('data', see)
  if (split.reading === 'iterator') read = readAll(decoder, see)
  if (split.reading === 'readable') {
    decoder.on('readable', () => {
      for (let packet = decoder.read(); packet !== null; packet = decoder.read()) see(packet)
    })
  }
  await inTime('the decoder', Promise.all([closed, read, feed(decoder, bytes, split)]))
  await new Promise((resolve) => setImmediate(resolve))
  const last = seen.findIndex((each) => each === 'end' || 'destroyed' in each)
  hold(
    last === seen.length - 1,
    'nothing-after-an-error',
    () => `${seen.length - 1 - last} events after the last`,
  )
  return seen.map((each) => eventOf(library, each))
}

type Decoder = InstanceType<Library['PacketDecoder']>

async function readAll(decoder: Decoder, see: (packet: PacketVariant | MqttError) => void): Promise<void> {
  try {
    for await (const packet of decoder) see(packet)
  } catch (error) {
    // A listener of `error` has recorded this one.
    if (error !== decoder.errored) throw error
  }
}

/** Extra bytes in a reused buffer, so that no packet fills nearly all of it. */
const SLACK = 1024

/** The chunks, in the kind of memory that the split asks for. Callers call `used` after each chunk. */
function* chunksInMemory(bytes: Buffer, split: Split): Generator<{ chunk: Buffer; used: () => void }> {
  const reused = split.memory === 'reused' ? Buffer.alloc(bytes.length + SLACK) : undefined
  for (const chunk of chunksOf(bytes, split)) {
    const target =
      split.memory === 'own' ? Buffer.allocUnsafeSlow(chunk.length) : reused?.subarray(0, chunk.length)
    target?.set(chunk)
    // Overwrites every byte, so that a packet that still refers to this memory changes visibly.
    const used = (): void => {
      for (let i = 0; reused !== undefined && i < chunk.length; i++) reused[i] = ~reused[i]!
    }
    yield { chunk: target ?? chunk, used }
  }
}

async function feed(decoder: Decoder, bytes: Buffer, split: Split): Promise<void> {
  for (const { chunk, used } of chunksInMemory(bytes, split)) {
    if (decoder.destroyed) return
    const written = new Promise<void>((resolve) => decoder.write(chunk, () => resolve()))
    if (split.paced || split.memory === 'reused') await written
    used()
  }
  if (!decoder.destroyed) decoder.end()
}

/** Everything that a `PacketParser` returns up to its first error. */
function parse(library: Library, bytes: Buffer, options: Options, split: Split): FullEvent[] {
  const { errors, ...rest } = options
  const parser = new library.PacketParser(rest)
  const seen: Seen[] = []
  let size = 0
  let pushed = 0
  const attempt = (action: () => void): boolean => {
    const error = outcomeOf(library, 'the parser', () => action())
    if (error === undefined) return true
    seen.push({ destroyed: error })
    const again = outcomeOf(library, 'the parser', () => void [...parser.push(bytes)])
    hold(again === error, 'nothing-after-an-error', () => `the parser gives ${again} after ${error}`)
    const atEnd = outcomeOf(library, 'the parser', () => parser.end())
    hold(atEnd === error, 'nothing-after-an-error', () => `the parser ends with ${atEnd} after ${error}`)
    return false
  }
  const iterate = (chunk: Buffer): boolean =>
    attempt(() => {
      for (const packet of parser.push(chunk)) {
        seen.push(packet)
        size += packet.size
      }
    })
  let number = 0
  for (const { chunk, used } of chunksInMemory(bytes, split)) {
    pushed += chunk.length
    // Some callers don't iterate at once. With reused memory, they have to.
    const isLate = !split.paced && split.memory !== 'reused' && number++ % 3 !== 0
    if (isLate) parser.push(chunk)
    else if (!iterate(chunk)) return seen.map((each) => eventOf(library, each))
    used()
    const { pending } = parser
    hold(
      pending === pushed - size,
      'parser-counts-what-it-holds',
      () => `${pending}, not ${pushed - size} bytes`,
    )
  }
  if (iterate(Buffer.alloc(0)) && attempt(() => parser.end())) seen.push('end')
  return seen.map((each) => eventOf(library, each))
}

/** Checks `readConnect` and `readPacket`: they return the first packet or an error, and leave the following bytes unread. */
async function checkReading(library: Library, { bytes, options }: BytesInput, split: Split): Promise<void> {
  const { protocolVersion, allow, maximumPacketSize } = options
  const asked: Options = { ...options, connection: false, errors: 'destroy' }
  for (const name of ['readConnect', 'readPacket'] as const) {
    const accept = name === 'readPacket' ? 'any' : 'by option'
    const [first] = expectedEvents(bytes, asked, decodeFunction(library, asked), accept)
    const expected = first?.kind === 'end' ? noBytes : first
    const stream = source(chunksOf(bytes, split))
    const timeout = Number.POSITIVE_INFINITY
    const packet = await inTime(
      name,
      library[name](stream, { protocolVersion, allow, maximumPacketSize, timeout }).catch(
        (error: unknown) => ({
          destroyed: error,
        }),
      ),
    )
    expectEvents(
      [expected!],
      [eventOf(library, packet)],
      `${name}-gives-what-is-there`,
      JSON.stringify({ asked, split }),
    )
    if (!('destroyed' in packet)) {
      const rest = Buffer.concat(await inTime('the rest', stream.toArray()))
      hold(
        rest.equals(bytes.subarray(packet.size)),
        `${name}-leaves-the-rest`,
        () => `left: ${rest.toString('hex')}`,
      )
    }
    stream.destroy()
  }
}

const noBytes: Event = {
  kind: 'destroyed',
  text: brief({ code: 'packet-incomplete', field: 'remainingLength', offset: 0 }),
}

/** A stream that delivers the chunks one by one, as a socket does, without joining them. */
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

/** Checks the encoder: one chunk per packet, in order. Misuse is a single error that ends the stream. */
async function checkEncoder(library: Library, { bytes, options }: BytesInput): Promise<void> {
  const packets: PacketVariant[] = []
  expectedEvents(
    bytes,
    options,
    decodeFunction(library, options, (packet) => packets.push(packet)),
  )
  if (packets.length === 0) return
  const { chunks, error } = await encodeStream(library, packets)
  hold(error === undefined, 'encoder-gives-the-packets', () => `it ended with ${error}`)
  const same =
    chunks.length === packets.length && chunks.every((chunk, at) => chunk.equals(packets[at]!.bytes))
  hold(same, 'encoder-gives-the-packets', () => chunks.map((chunk) => chunk.toString('hex')).join(' '))
  const misused = await encodeStream(library, [packets[0], bytes, packets[0]])
  hold(misused.error instanceof TypeError, 'encoder-refuses-other-objects', () => `${misused.error}`)
  hold(misused.chunks.length <= 1, 'nothing-after-an-error', () => `${misused.chunks.length} chunks`)
}

async function encodeStream(
  library: Library,
  packets: readonly unknown[],
): Promise<{ chunks: Buffer[]; error: unknown }> {
  const encoder = new library.ConnectEncoder()
  const chunks: Buffer[] = []
  let error: unknown
  encoder.on('data', (chunk) => {
    hold(error === undefined, 'nothing-after-an-error', () => 'a chunk after the error')
    chunks.push(chunk)
  })
  encoder.on('error', (reason) => {
    error = reason
  })
  const closed = new Promise<void>((resolve) => encoder.on('close', resolve))
  for (const packet of packets) {
    if (encoder.destroyed) break
    encoder.write(packet as PacketVariant)
  }
  if (!encoder.destroyed) encoder.end()
  await inTime('the encoder', closed)
  return { chunks, error }
}
