import { strict as assert } from 'node:assert'
import { Buffer } from 'node:buffer'
import { Readable, Writable } from 'node:stream'
import {
  ConnectEncoder,
  decode,
  MqttError,
  PacketDecoder,
  PacketParser,
  v3_1,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import mqttPacket from 'mqtt-packet'
import { C3, C5, fullChunk, R3, R5, R5_REFUSED, R31 } from './packets.ts'

/** One side of a comparison, with its setup done in advance and therefore not timed. */
export interface Subject {
  /** Packets per call of `run`. */
  readonly packets: number
  /** The timed work. It returns its result so that the engine can't skip it. */
  run(): unknown
  /** Throws unless `run` gives the same result as on the other side. */
  check(): void | Promise<void>
}

export type Side = 'ours' | 'peer'

/** A packet for both sides, with the options that give its version, for packets that don't name one. */
interface Reference {
  readonly bytes: Buffer
  readonly options?: { readonly protocolVersion: 3 | 4 | 5 }
  /** The name of one of its fields, which both libraries share, and its text. */
  readonly field: readonly [name: string, text: string]
}

const connect = ['clientId', 'sensor-0042'] as const
const references = {
  R31: { bytes: R31, options: { protocolVersion: 3 }, field: connect },
  R3: { bytes: R3, field: connect },
  R5: { bytes: R5, field: connect },
  C3: { bytes: C3, options: { protocolVersion: 4 }, field: ['returnCode', '0'] },
  C5: { bytes: C5, options: { protocolVersion: 5 }, field: ['reasonCode', '0'] },
} as const satisfies Record<string, Reference>

function checkField(packet: unknown, { field: [name, text] }: Reference): void {
  assert.equal(String((packet as Record<string, unknown>)[name]), text)
}

/** mqtt-packet's own parser, reused for all packets as it's meant to be. */
function reusedParser({ bytes, options }: Reference): { parse(): mqttPacket.Packet } {
  const parser = mqttPacket.parser(options)
  let last: mqttPacket.Packet | undefined
  parser.on('packet', (packet) => {
    last = packet
  })
  return {
    parse() {
      parser.parse(bytes)
      return last!
    },
  }
}

function decoding(reference: Reference, side: Side): Subject {
  const { bytes, options } = reference
  const { parse } = reusedParser(reference)
  const run = side === 'peer' ? parse : options ? () => decode(bytes, options) : () => decode(bytes)
  return { packets: 1, run, check: () => checkField(run(), reference) }
}

/** Reads every field. Adding them up keeps the engine from optimising a read away. */
function readEverything(packet: v3_1_1.ConnectPacket | v5.ConnectPacket): number {
  let sum = packet.clientId.length + packet.keepAlive
  sum += packet.userName?.length ?? 0
  sum += packet.password?.length ?? 0
  const { will } = packet
  if (will !== undefined) {
    sum += will.topic.length + will.message.length + will.qos + (will.retain ? 1 : 0)
    for (const item of will.props) sum += item.id
  }
  if (packet.protocolVersion === 5) {
    sum += packet.cleanStart ? 1 : 0
    for (const item of packet.props) sum += item.id
  } else {
    sum += packet.cleanSession ? 1 : 0
  }
  return sum
}

function reading(reference: Reference, side: Side): Subject {
  if (side === 'peer') return decoding(reference, side)
  const run = () => readEverything(decode(reference.bytes) as v3_1_1.ConnectPacket | v5.ConnectPacket)
  return { packets: 1, run, check: () => assert.ok(run() > 0) }
}

const constructors = {
  R31: v3_1.ConnectPacket,
  R3: v3_1_1.ConnectPacket,
  R5: v5.ConnectPacket,
  C3: v3_1_1.ConnackPacket,
  C5: v5.ConnackPacket,
}

/** Builds the packet from a plain object, which is prepared in advance. */
function encoding(name: keyof typeof references, side: Side): Subject {
  const reference: Reference = references[name]
  const { bytes, options } = reference
  const packet = decode(bytes, options) as InstanceType<typeof v5.ConnectPacket>
  const Packet = constructors[name] as typeof v5.ConnectPacket
  const fields = packet.toFields()
  const object = reusedParser(reference).parse()
  const run = side === 'ours' ? () => new Packet(fields).bytes : () => mqttPacket.generate(object, options)
  return { packets: 1, run, check: () => assert.ok(bytes.equals(run())) }
}

/** The work per connection in a server without streams: a new parser, and one packet. */
function parsing(side: Side): Subject {
  let last: unknown
  const listener = (packet: unknown): void => {
    last = packet
  }
  const run =
    side === 'ours'
      ? () => {
          for (const packet of new PacketParser({ connection: false }).push(R5)) listener(packet)
        }
      : () => {
          const parser = mqttPacket.parser()
          parser.on('packet', listener)
          parser.parse(R5)
        }
  const check = () => {
    last = undefined
    run()
    checkField(last, references.R5)
  }
  return { packets: 1, run, check }
}

/** Connections with something to read in one turn of the event loop. */
const CONNECTIONS_AT_ONCE = 64

/**
 * The work per connection in a server: a decoder, a listener, and one packet in memory of its own, as a socket delivers it.
 * Then the event loop turns, as in a real server. Without that turn, the streams' deferred work would pile up until the end of
 * the timing and keep all connections alive.
 */
function connection(side: Side): Subject {
  const chunk = Buffer.allocUnsafeSlow(R5.length)
  R5.copy(chunk)
  let last: unknown
  const listener = (packet: unknown): void => {
    last = packet
  }
  const connect =
    side === 'ours'
      ? () => {
          const decoder = new PacketDecoder({ connection: false })
          decoder.on('data', listener)
          decoder.write(chunk)
        }
      : () => {
          const parser = mqttPacket.parser()
          parser.on('packet', listener)
          parser.parse(chunk)
        }
  const run = async () => {
    for (let i = 0; i < CONNECTIONS_AT_ONCE; i++) connect()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const check = async () => {
    last = undefined
    await run()
    checkField(last, references.R5)
  }
  return { packets: CONNECTIONS_AT_ONCE, run, check }
}

function pipe(side: Side): Subject {
  const { chunk, count } = fullChunk(R5)
  let seen = 0
  let last: unknown
  let done = (): void => {}
  const listener = (packet: unknown): void => {
    last = packet
    if (++seen % count === 0) done()
  }
  const check = async (): Promise<void> => {
    seen = 0
    await run()
    assert.equal(seen, count)
    checkField(last, references.R5)
  }
  let run: () => unknown
  if (side === 'ours') {
    const source = new Readable({ read() {} })
    source.pipe(new PacketDecoder({ connection: false })).on('data', listener)
    run = () =>
      new Promise<void>((resolve) => {
        done = resolve
        source.push(chunk)
      })
  } else {
    const parser = mqttPacket.parser()
    parser.on('packet', listener)
    run = async () => parser.parse(chunk)
  }
  return { packets: count, run, check }
}

const ENCODED_AT_ONCE = 400

function encoder(side: Side): Subject {
  let bytes = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      callback()
    },
    writev(chunks, callback) {
      for (const { chunk } of chunks) bytes += (chunk as Buffer).length
      callback()
    },
  })
  const packet = decode(R5)
  const object = reusedParser(references.R5).parse()
  let run: () => Promise<void>
  if (side === 'ours') {
    const stream = new ConnectEncoder()
    stream.pipe(sink)
    run = async () => {
      for (let i = 1; i < ENCODED_AT_ONCE; i++) stream.write(packet)
      await new Promise<void>((resolve) => stream.write(packet, () => setImmediate(resolve)))
    }
  } else {
    run = async () => {
      for (let i = 0; i < ENCODED_AT_ONCE; i++) mqttPacket.writeToStream(object, sink)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  const check = async (): Promise<void> => {
    bytes = 0
    await run()
    assert.equal(bytes, ENCODED_AT_ONCE * R5.length)
  }
  return { packets: ENCODED_AT_ONCE, run, check }
}

function reject(side: Side): Subject {
  if (side === 'peer') return decoding(references.R5, side)
  const run = () => {
    try {
      return decode(R5_REFUSED)
    } catch (error) {
      return error
    }
  }
  const check = () => {
    const error = run()
    assert.ok(error instanceof MqttError)
    assert.equal(error.code, 'will-qos')
  }
  return { packets: 1, run, check }
}

/** The physical limit: a bare loop that reads every byte of R5 once. */
function limit(side: Side): Subject {
  if (side === 'ours') return decoding(references.R5, side)
  const run = () => {
    let sum = 0
    for (let i = 0; i < R5.length; i++) sum ^= R5[i] as number
    return sum
  }
  return { packets: 1, run, check: () => assert.equal(typeof run(), 'number') }
}

/** The comparisons by key. The target is the peer's time divided by ours. */
export const comparisons: Readonly<
  Record<string, { target: number; what: string; subject(side: Side): Subject }>
> = {
  'decode/R31': {
    target: 35,
    what: 'decode a 3.1 CONNECT',
    subject: (side) => decoding(references.R31, side),
  },
  'decode/R3': {
    target: 35,
    what: 'decode a 3.1.1 CONNECT',
    subject: (side) => decoding(references.R3, side),
  },
  'decode/R5': { target: 25, what: 'decode a 5.0 CONNECT', subject: (side) => decoding(references.R5, side) },
  'decode/C3': {
    target: 15,
    what: 'decode a 3.1.1 CONNACK',
    subject: (side) => decoding(references.C3, side),
  },
  'decode/C5': { target: 8, what: 'decode a 5.0 CONNACK', subject: (side) => decoding(references.C5, side) },
  'read/R3': {
    target: 12,
    what: 'decode and read every field, 3.1.1',
    subject: (side) => reading(references.R3, side),
  },
  'read/R5': {
    target: 8,
    what: 'decode and read every field, 5.0',
    subject: (side) => reading(references.R5, side),
  },
  'encode/R31': { target: 5, what: 'build a 3.1 CONNECT', subject: (side) => encoding('R31', side) },
  'encode/R3': { target: 5, what: 'build a 3.1.1 CONNECT', subject: (side) => encoding('R3', side) },
  'encode/R5': { target: 7, what: 'build a 5.0 CONNECT', subject: (side) => encoding('R5', side) },
  'encode/C3': { target: 15, what: 'build a 3.1.1 CONNACK', subject: (side) => encoding('C3', side) },
  'encode/C5': { target: 5, what: 'build a 5.0 CONNACK', subject: (side) => encoding('C5', side) },
  'parser/R5': { target: 8, what: 'new parser, one packet', subject: parsing },
  'connection/R5': { target: 3, what: 'new decoder, one packet', subject: connection },
  'pipe/R5': { target: 8, what: 'decode a stream of 64 KiB chunks', subject: pipe },
  'encoder/R5': { target: 5, what: 'encode a stream of packets', subject: encoder },
  'reject/R5': { target: 2, what: 'refuse will QoS 3 (peer: parse R5)', subject: reject },
  'limit/R5': { target: 0.5, what: 'decode (peer: a loop over the bytes)', subject: limit },
}
