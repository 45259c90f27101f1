import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import net from 'node:net'
import { expect } from 'chai'
import { type DecodedPacket, PacketDecoder, type PacketDecoderOptions } from '../../lib/index.ts'

/** MQTT 3.1.1: client `sensor-0042`, user name, password. */
export const R3 = Buffer.from(
  '103000044d51545404c2003c000b73656e736f722d303034320006646576696365000f7333637265742d7061737377307264',
  'hex',
)

/** MQTT 5.0: properties, will with properties, user name, password. */
export const R5 = Buffer.from(
  '10910100044d51545405ee003c281100000e10210064260006726567696f6e000965752d776573742d3126000266770005312e322e33' +
    '000b73656e736f722d3030343212180000001e03000a746578742f706c61696e001a646576696365732f73656e736f722d303034322f' +
    '73746174757300076f66666c696e650006646576696365000f7333637265742d7061737377307264',
  'hex',
)

/** R3 with the reserved connect flag set: correct framing, malformed contents. */
export const MALFORMED = Buffer.from(R3.map((byte, at) => (at === 9 ? byte | 1 : byte)))

export const PINGREQ = Buffer.from('c000', 'hex')
export const DISCONNECT = Buffer.from('e000', 'hex')
/** Topic `a`, QoS 1, packet identifier 7, payload `hi`. */
export const PUBLISH = Buffer.from('320700016100076869', 'hex')

/** `body` behind a fixed header whose Remaining Length takes `lengthBytes` bytes, padded if necessary. */
export function framed(body: Uint8Array, lengthBytes: number, first = 0x10): Buffer {
  const header = [first]
  for (let i = 0; i < lengthBytes; i++) {
    header.push(((body.length >>> (7 * i)) & 0x7f) | (i < lengthBytes - 1 ? 0x80 : 0))
  }
  return Buffer.concat([Buffer.from(header), body])
}

export function inTwo(bytes: Buffer, at: number): Buffer[] {
  return [bytes.subarray(0, at), bytes.subarray(at)]
}

export function byteByByte(bytes: Buffer): Buffer[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
}

/** Describes a packet or an error from a decoder in one line. */
export function outcome(value: DecodedPacket | Error): string {
  if (value instanceof Error) {
    const { code, field, offset } = value as Failure & { field?: string }
    return [code, field, offset].join(' ')
  }
  return `${value.constructor.name} ${value.bytes.toString('hex')}`
}

export interface Decoded {
  readonly packets: DecodedPacket[]
  readonly error: (Error & { code?: string }) | undefined
}

/** Writes the chunks, ends the decoder, and returns everything that it emitted. */
export function decode(chunks: Iterable<Uint8Array>, options?: PacketDecoderOptions): Promise<Decoded> {
  return new Promise((resolve) => {
    const decoder = new PacketDecoder({ connection: false, ...options })
    const packets: DecodedPacket[] = []
    let error: Error | undefined
    decoder.on('data', (packet: DecodedPacket) => packets.push(packet))
    decoder.on('error', (e) => {
      error = e
    })
    decoder.on('close', () => resolve({ packets, error }))
    for (const chunk of chunks) decoder.write(chunk)
    decoder.end()
  })
}

/** `decode` as lines. The last line is the error that destroyed the stream, if any. */
export async function outcomes(
  chunks: Iterable<Uint8Array>,
  options?: PacketDecoderOptions,
): Promise<string[]> {
  const { packets, error } = await decode(chunks, options)
  return [...packets.map(outcome), ...(error ? [`destroyed: ${outcome(error)}`] : [])]
}

/** Returns the error thrown by `run`, after checking its type and code. */
export function expectMisuse(run: () => unknown, type: typeof TypeError | typeof RangeError, code: string) {
  let thrown: unknown
  try {
    run()
  } catch (error) {
    thrown = error
  }
  expect(thrown).to.be.instanceof(type).with.property('code', code)
}

export type Failure = Error & { readonly code?: string; readonly offset?: number }

/** Returns the error that the promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise
  } catch (error) {
    return error as Failure
  }
  throw new Error('The promise was resolved')
}

/** Runs `test` with both ends of a TCP connection, and closes them afterwards. */
export async function overTcp(
  test: (client: net.Socket, socket: net.Socket) => Promise<void>,
  options: net.ServerOpts = {},
): Promise<void> {
  const server = net.createServer(options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
  const [[socket]] = (await Promise.all([accepted, once(client, 'connect')])) as [[net.Socket], unknown]
  client.setNoDelay(true)
  socket.setNoDelay(true)
  try {
    await test(client, socket)
  } finally {
    for (const end of [client, socket]) {
      end.on('error', () => undefined)
      end.destroy()
    }
    server.close()
    await once(server, 'close')
  }
}

/** Collects at least `length` bytes, unless the stream ends before that. May return more if they arrive in one chunk. */
export function received(socket: NodeJS.ReadableStream, length = Number.POSITIVE_INFINITY): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const done = () => {
      socket.removeListener('data', onData)
      resolve(bytes)
    }
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length >= length) done()
    }
    socket.on('data', onData)
    socket.once('end', done)
    socket.once('error', reject)
  })
}

/** The number of listeners per event. */
export function listenerCounts(emitter: EventEmitter | NodeJS.EventEmitter): Record<string, number> {
  const names = emitter.eventNames().filter((name) => emitter.listenerCount(name) > 0)
  return Object.fromEntries(names.map((name) => [String(name), emitter.listenerCount(name)]))
}

/** The number of timers that keep the process alive. */
export function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

/** Waits until everything due has happened: ticks, microtasks, and pending I/O. */
export async function settle(turns = 3): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Polls until `condition` holds. Gives up before the test's own time limit. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 8000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Never came true: ${condition}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The exception that nobody catches during `run` and its aftermath, or `undefined` if `run` calls `done` first. */
export async function uncaught(run: (done: () => void) => void): Promise<unknown> {
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  try {
    return await new Promise((resolve) => {
      process.once('uncaughtException', resolve)
      run(() => resolve(undefined))
    })
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
  }
}
