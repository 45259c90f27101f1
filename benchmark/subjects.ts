import { strict as assert } from 'node:assert'
import { Buffer } from 'node:buffer'
import { Readable, Writable } from 'node:stream'
import {
  bufferToPacketVariant,
  ConnectEncoder,
  MqttError,
  PacketDecoder,
  v3_1_1,
  v5,
} from 'mqtt-connect-packet'
import mqttPacket, { type IConnectPacket } from 'mqtt-packet'
import { fullChunk, R3, R5, R5_REFUSED } from './packets.ts'

/** What is timed of one side: how often its unit happens in a call, and what is made ready outside of the time. */
export interface Subject {
  /** How many packets one call takes. */
  readonly packets: number
  /** Does the work once; what it gives is looked at before the timing. */
  run(): unknown
  /** Throws if `run` does not do what the other side does. */
  check(): void | Promise<void>
}

export type Side = 'ours' | 'peer'

/** Whether what was decoded is R3 or R5: the fields that both libraries have. */
function checkFields(packet: unknown, reference: Buffer): void {
  const fields = packet as { clientId?: string; password?: Buffer }
  assert.equal(fields.clientId, 'sensor-0042')
  assert.equal(String(fields.password), 's3cret-passw0rd')
  assert.ok(reference.length > 0)
}

/** mqtt-packet's own parser, used again and again as it is meant to be. */
function reusedParser(reference: Buffer): { parse(): IConnectPacket } {
  const parser = mqttPacket.parser()
  let last: IConnectPacket | undefined
  parser.on('packet', (packet) => {
    last = packet as IConnectPacket
  })
  return {
    parse() {
      parser.parse(reference)
      return last as IConnectPacket
    },
  }
}

function decode(reference: Buffer, side: Side): Subject {
  const { parse } = reusedParser(reference)
  const run = side === 'ours' ? () => bufferToPacketVariant(reference) : parse
  return { packets: 1, run, check: () => checkFields(run(), reference) }
}

/** Reads every field of a packet, so that none can be left out; the sum keeps the engine from doing so. */
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

function read(reference: Buffer, side: Side): Subject {
  if (side === 'peer') return decode(reference, side)
  const run = () =>
    readEverything(bufferToPacketVariant(reference) as v3_1_1.ConnectPacket | v5.ConnectPacket)
  return { packets: 1, run, check: () => assert.ok(run() > 0) }
}

function encode(reference: Buffer, side: Side): Subject {
  const packet = bufferToPacketVariant(reference) as v3_1_1.ConnectPacket | v5.ConnectPacket
  const { keepAlive, clientId, userName, password } = packet
  const common = { keepAlive, clientId, userName, password }
  let run: () => Uint8Array
  if (side === 'peer') {
    const object = reusedParser(reference).parse()
    run = () => mqttPacket.generate(object)
  } else if (packet.protocolVersion === 5) {
    const { topic, message, qos, retain, props } = packet.will ?? assert.fail()
    const will = { topic, message, qos, retain, props }
    const fields = { ...common, cleanStart: packet.cleanStart, will, props: packet.props }
    run = () => new v5.ConnectPacket(fields).bytes
  } else {
    const fields = { ...common, cleanSession: packet.cleanSession }
    run = () => new v3_1_1.ConnectPacket(fields).bytes
  }
  return { packets: 1, run, check: () => assert.ok(reference.equals(run())) }
}

/** How many connections have something to read when the event loop turns. */
const CONNECTIONS_AT_ONCE = 64

/**
 * What a server does for each connection: something to decode with, a listener, one packet, which comes as a socket
 * gives it: in memory of its own. Then the event loop turns, as it does in a server: without that, whatever a stream
 * has left to do would pile up until the timing is over, and would keep all connections alive.
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
          const decoder = new PacketDecoder()
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
    checkFields(last, R5)
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
    checkFields(last, R5)
  }
  let run: () => unknown
  if (side === 'ours') {
    const source = new Readable({ read() {} })
    source.pipe(new PacketDecoder()).on('data', listener)
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
  const packet = bufferToPacketVariant(R5)
  const object = reusedParser(R5).parse()
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
  if (side === 'peer') return decode(R5, side)
  const run = () => {
    try {
      return bufferToPacketVariant(R5_REFUSED)
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

/** The physical limit: a bare loop that reads each byte of R5 once. */
function limit(side: Side): Subject {
  if (side === 'ours') return decode(R5, side)
  const run = () => {
    let sum = 0
    for (let i = 0; i < R5.length; i++) sum ^= R5[i] as number
    return sum
  }
  return { packets: 1, run, check: () => assert.equal(typeof run(), 'number') }
}

/** What is compared, by its key, and the ratio of the peer's time to ours that it is to reach. */
export const comparisons: Readonly<
  Record<string, { target: number; what: string; subject(side: Side): Subject }>
> = {
  'decode/R3': { target: 35, what: 'decode a 3.1.1 CONNECT', subject: (side) => decode(R3, side) },
  'decode/R5': { target: 25, what: 'decode a 5.0 CONNECT', subject: (side) => decode(R5, side) },
  'read/R3': { target: 12, what: 'decode and read every field, 3.1.1', subject: (side) => read(R3, side) },
  'read/R5': { target: 8, what: 'decode and read every field, 5.0', subject: (side) => read(R5, side) },
  'encode/R3': { target: 6, what: 'build from fields, 3.1.1', subject: (side) => encode(R3, side) },
  'encode/R5': { target: 8, what: 'build from fields, 5.0', subject: (side) => encode(R5, side) },
  'connection/R5': { target: 3, what: 'new decoder, one packet', subject: connection },
  'pipe/R5': { target: 8, what: 'decode a stream of 64 KiB chunks', subject: pipe },
  'encoder/R5': { target: 5, what: 'encode a stream of packets', subject: encoder },
  'reject/R5': { target: 2, what: 'refuse will QoS 3 (peer: parse R5)', subject: reject },
  'limit/R5': { target: 0.25, what: 'decode (peer: a loop over the bytes)', subject: limit },
}
