import { Buffer } from 'node:buffer'
import mqttPacket, { type Packet } from 'mqtt-packet'
import { v3_1_1, v5 } from '../lib/index.ts'
import { mutateBytes } from './bytes.ts'
import type { Random } from './random.ts'
import { variable } from './reference.ts'

/** The bytes of one hostile client, and how it leaves. */
export interface DemoInput {
  readonly version: 4 | 5
  readonly chunks: readonly Buffer[]
  /** `end` ends after the last byte, `reset` resets the connection, `wait` gives the server a moment before the end. */
  readonly leaving: 'end' | 'reset' | 'wait'
}

/** A valid CONNECT, often a few valid packets, then packets of all fifteen types, most of them broken. */
export function demoInput(random: Random): DemoInput {
  const version = random.pick([4, 5] as const)
  const valid = Array.from({ length: random.pick([0, 0, 1, 2, 5]) }, () => validPacket(random, version, sent))
  const broken = Array.from({ length: random.int(1, 6) }, () => brokenPacket(random, version))
  const bytes = Buffer.concat([connect(random, version), ...valid, ...broken])
  const cut = random.oneIn(4) ? random.int(0, bytes.length) : bytes.length
  return {
    version,
    // Mostly in one segment, so that the server gets the packets at once.
    chunks: [bytes.subarray(0, cut), bytes.subarray(cut)].filter(({ length }) => length > 0),
    leaving: random.pick(['end', 'end', 'end', 'wait', 'reset'] as const),
  }
}

/** Sessions that outlive their connection. Only a few, because the broker keeps their messages. */
export const keptSessions: readonly string[] = ['kept-0', 'kept-1']

function connect(random: Random, version: 4 | 5): Buffer {
  const kept = random.oneIn(50)
  const clientId = kept ? random.pick(keptSessions) : random.oneIn(4) ? '' : `fuzz-${random.int(0, 400)}`
  const will = random.oneIn(4)
    ? { topic: random.pick(['a', 'a/b', '$SYS/x']), message: 'gone', qos: random.pick([0, 1, 2] as const) }
    : undefined
  const common = { clientId, keepAlive: random.pick([0, 1, 60, 65_535]), will }
  return version === 4
    ? new v3_1_1.ConnectPacket({ ...common, cleanSession: !kept }).bytes
    : new v5.ConnectPacket({ ...common, cleanStart: !kept }).bytes
}

/** A valid packet with a few changes. In most cases, its Remaining Length is corrected afterwards. */
function brokenPacket(random: Random, version: 4 | 5): Buffer {
  const types = random.oneIn(2) ? sent : all
  const other = validPacket(random, version, all)
  let bytes = validPacket(random, version, types)
  for (let times = random.pick([0, 0, 1, 1, 1, 2, 3]); times > 0; times--) {
    bytes = mutateBytes(random, bytes, other)
  }
  if (bytes.length < 2 || random.oneIn(6)) return bytes
  const first = random.oneIn(10) ? random.int(0, 255) : (bytes[0] as number)
  let start = 1
  while (start < 4 && (bytes[start] as number) >= 0x80) start++
  const body = bytes.subarray(start + 1)
  return Buffer.concat([Buffer.of(first), variable(body.length), body])
}

const good = ['a', 'a/b', 'a/b/c', '/', 'é', '__proto__', 'x'.repeat(200)]
const topics = [...good, ...good, '$SYS/a', 'a\0b', 'l/'.repeat(120)]
const filters = [...good, '#', '+', 'a/#', '+/b', '$SYS/#', 'l/'.repeat(120), 'a/#/b', 'a+', '']

/** The types that a client may send after its CONNECT. The next line has all fifteen. */
const sent = [3, 3, 4, 5, 6, 7, 8, 8, 10, 12] as const
const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const

/** A valid packet of one of these types. */
function validPacket(random: Random, version: 4 | 5, types: readonly number[]): Buffer {
  const messageId = random.pick([1, 2, 3, 65_535])
  const reasonCode = random.pick([0, 0, 0x10, 0x80, 0x92])
  const properties = version === 5 && random.oneIn(3) ? { userProperties: { k: 'v' } } : undefined
  const acknowledgement = { messageId, reasonCode, ...(properties && { properties }) }
  const qos = random.pick([0, 1, 2] as const)
  switch (random.pick(types)) {
    case 1:
      return connect(random, random.pick([4, 5] as const))
    case 2:
      return generated({ cmd: 'connack', returnCode: 0, reasonCode: 0, sessionPresent: false }, version)
    case 3:
      return generated({ ...publish(random, qos), messageId, ...(properties && { properties }) }, version)
    case 4:
      return generated({ cmd: 'puback', ...acknowledgement }, version)
    case 5:
      return generated({ cmd: 'pubrec', ...acknowledgement }, version)
    case 6:
      return generated({ cmd: 'pubrel', ...acknowledgement }, version)
    case 7:
      return generated({ cmd: 'pubcomp', ...acknowledgement }, version)
    case 8: {
      const subscriptions = several(random, () => ({ topic: random.pick(filters), qos }))
      return generated({ cmd: 'subscribe', messageId, subscriptions }, version)
    }
    case 9:
      return generated({ cmd: 'suback', messageId, granted: several(random, () => qos) }, version)
    case 10: {
      const unsubscriptions = several(random, () => random.pick(filters))
      return generated({ cmd: 'unsubscribe', messageId, unsubscriptions }, version)
    }
    case 11:
      return generated({ cmd: 'unsuback', messageId, granted: several(random, () => 0) }, version)
    case 12:
      return generated({ cmd: 'pingreq' }, version)
    case 13:
      return generated({ cmd: 'pingresp' }, version)
    case 14:
      return generated({ cmd: 'disconnect', reasonCode: random.pick([0, 4, 0x81]) }, version)
    default:
      return generated({ cmd: 'auth', reasonCode: random.pick([0, 0x18, 0x19]) }, 5)
  }
}

function publish(random: Random, qos: 0 | 1 | 2) {
  return {
    cmd: 'publish' as const,
    topic: random.pick(topics),
    payload: Buffer.alloc(random.pick([0, 1, 40, 5000]), 'x'),
    qos,
    dup: random.oneIn(4),
    retain: random.oneIn(8),
  }
}

function several<T>(random: Random, make: () => T): T[] {
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, make)
}

function generated(packet: Packet, protocolVersion: 4 | 5): Buffer {
  return mqttPacket.generate(packet, { protocolVersion })
}
