import { Buffer } from 'node:buffer'
import type { DecodedPacket, PacketVariant } from '../lib/index.ts'
import { type Cutting, chunksOf } from './chunks.ts'
import type { Event } from './framing.ts'
import type { Options } from './inputs.ts'
import { Broken, brief, hold, type Library, told } from './outcome.ts'

/** An event with all that can be said of it. */
export interface FullEvent extends Event {
  readonly full: string
}

/** How long anything may take, in milliseconds, before it is said to hang. */
const LONGEST_WAIT = 5000

/** Waits for a promise, but not for ever. */
export async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Broken('nothing-hangs', `${what} is not done in ${LONGEST_WAIT} ms`)),
      LONGEST_WAIT,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

type Decoder = InstanceType<Library['PacketDecoder']>

/** All that comes out of a decoder, in order. What was given to it is written over where the cutting says so. */
export async function decodeStream(
  library: Library,
  bytes: Buffer,
  options: Options,
  cutting: Cutting,
): Promise<FullEvent[]> {
  const { readableHighWaterMark } = cutting
  const decoder = new library.PacketDecoder({ ...options, readableHighWaterMark })
  const seen: (DecodedPacket | { destroyed: Error } | 'end')[] = []
  decoder.on('end', () => seen.push('end'))
  decoder.on('error', (error: Error) => seen.push({ destroyed: error }))
  const closed = new Promise((resolve) => decoder.on('close', resolve))
  const read = reading[cutting.reading](decoder, (packet) => seen.push(packet))
  const fed = feed(decoder, bytes, cutting)
  await inTime('the decoder', Promise.all([closed, read, fed]))
  await new Promise((resolve) => setImmediate(resolve))
  const last = seen.findIndex((each) => each === 'end' || 'destroyed' in each)
  hold(
    last === seen.length - 1,
    'nothing-after-an-error',
    () => `${seen.length - 1 - last} event(s) behind the end`,
  )
  return seen.map((each) => eventOf(library, each))
}

function eventOf(library: Library, seen: DecodedPacket | { destroyed: Error } | 'end'): FullEvent {
  if (seen === 'end') return { kind: 'end', text: '', full: 'end' }
  if ('destroyed' in seen) {
    const { destroyed } = seen
    if (!(destroyed instanceof library.MqttError))
      throw new Broken('only-mqtt-error', `the decoder ended with ${destroyed}`)
    return { kind: 'destroyed', text: brief(destroyed), full: told(destroyed) }
  }
  if (seen instanceof library.MqttError) return { kind: 'error', text: brief(seen), full: told(seen) }
  const hex = seen.bytes.toString('hex')
  return { kind: 'packet', text: hex, full: `${seen.constructor.name} ${seen.type} ${hex}` }
}

/** The ways in which the packets are read. A stream that is destroyed is no fault of the reader. */
const reading: Record<
  Cutting['reading'],
  (decoder: Decoder, see: (packet: DecodedPacket) => void) => Promise<void>
> = {
  async flowing(decoder, see) {
    decoder.on('data', see)
  },
  async iterator(decoder, see) {
    try {
      for await (const packet of decoder) see(packet as DecodedPacket)
    } catch (error) {
      if (error !== decoder.errored) throw error
    }
  },
  async readable(decoder, see) {
    decoder.on('readable', () => {
      for (let packet = decoder.read(); packet !== null; packet = decoder.read()) see(packet as DecodedPacket)
    })
  },
}

/** Behind a chunk in reused memory stands so much more that no packet can be said to be nearly all of it. */
const SLACK = 1024

async function feed(decoder: Decoder, bytes: Buffer, cutting: Cutting): Promise<void> {
  const reused = cutting.memory === 'reused' ? Buffer.alloc(bytes.length + SLACK) : undefined
  for (const chunk of chunksOf(bytes, cutting)) {
    if (decoder.destroyed) return
    let given = chunk
    if (reused !== undefined) {
      chunk.copy(reused)
      given = reused.subarray(0, chunk.length)
    } else if (cutting.memory === 'own') {
      given = Buffer.allocUnsafeSlow(chunk.length)
      chunk.copy(given)
    }
    const used = new Promise<void>((resolve) => decoder.write(given, () => resolve()))
    if (cutting.paced || reused !== undefined) await used
    // The bits of what a packet could have begun with are turned, so that not one byte stays the same.
    for (let i = 0; reused !== undefined && i < chunk.length; i++) reused[i] = ~(reused[i] as number)
  }
  if (!decoder.destroyed) decoder.end()
}

/** What a ConnectEncoder makes of what is written to it, packets or not, and the error that it ends with. */
export async function encodeStream(
  library: Library,
  packets: readonly unknown[],
): Promise<{ chunks: Buffer[]; error: unknown }> {
  const encoder = new library.ConnectEncoder()
  const chunks: Buffer[] = []
  let error: unknown
  let behind = 0
  encoder.on('data', (chunk: Buffer) => {
    if (error === undefined) chunks.push(chunk)
    else behind++
  })
  encoder.on('error', (reason: unknown) => {
    error = reason
  })
  const closed = new Promise((resolve) => encoder.on('close', resolve))
  for (const packet of packets) {
    if (encoder.destroyed) break
    encoder.write(packet as PacketVariant)
  }
  if (!encoder.destroyed) encoder.end()
  await inTime('the encoder', closed)
  await new Promise((resolve) => setImmediate(resolve))
  hold(behind === 0, 'nothing-after-an-error', () => `${behind} chunk(s) behind the error`)
  return { chunks, error }
}
