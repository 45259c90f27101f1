import { Buffer } from 'node:buffer'
import type { ProtocolVersion, RelaxableCode } from '../lib/index.ts'
import { fieldsV3, fieldsV5 } from '../test/support/arbitraries.ts'
import { mutateBytes } from './bytes.ts'
import { type Cutting, cuttings } from './chunks.ts'
import { mutateTree } from './mutations.ts'
import { foreignBytes, otherPacket, randomBytes } from './others.ts'
import type { Random } from './random.ts'
import { type Fields, type Group, leaf, packetTree, written } from './tree.ts'

/** Bytes to decode in every way there is, by these options. */
export interface BytesInput {
  readonly bytes: Buffer
  readonly options: Options
  /** How they are cut into chunks and read, beside all in one chunk. */
  readonly cuttings: readonly Cutting[]
}

/** The options of a `PacketDecoder`, each of them given. */
export interface Options {
  readonly connection: boolean
  readonly errors: 'destroy' | 'push'
  readonly allow: readonly RelaxableCode[]
  readonly protocolVersion: ProtocolVersion
  readonly maximumPacketSize: number
}

/** Beyond this many bytes an input is cut off, so that one input does not take the time of thousands. */
const LONGEST = 200_000

/** The codes that `allow` takes. Written down, so that an input stays the same when the library changes. */
const relaxable: readonly RelaxableCode[] = [
  'variable-byte-integer-not-shortest',
  'bytes-left-over',
  'connect-flags-reserved',
  'will-qos-without-will',
  'will-retain-without-will',
  'password-without-user-name',
  'request-response-information',
  'request-problem-information',
  'payload-format-indicator',
  'response-topic-empty',
  'response-topic-wildcard',
  'client-id-empty',
  'will-topic-empty',
  'will-topic-wildcard',
]

export function validFields(random: Random): Fields {
  return random.oneIn(2)
    ? { version: 4, fields: random.value(fieldsV3) }
    : { version: 5, fields: random.value(fieldsV5) }
}

export function bytesInput(random: Random): BytesInput {
  const bytes = stream(random).subarray(0, LONGEST)
  return { bytes, options: options(random, bytes.length), cuttings: cuttings(random, bytes.length) }
}

/** Mostly one packet; else a few, and what may stand between them. */
function stream(random: Random): Buffer {
  if (!random.oneIn(4)) return random.oneIn(10) ? otherBytes(random) : connect(random)
  const pieces = Array.from({ length: random.int(2, 6) }, () =>
    random.int(1, 3) === 1 ? otherBytes(random) : connect(random),
  )
  const bytes = Buffer.concat(pieces)
  return random.oneIn(6) ? bytes.subarray(0, random.int(0, bytes.length)) : bytes
}

function otherBytes(random: Random): Buffer {
  switch (random.int(0, 9)) {
    case 0:
      return foreignBytes(random)
    case 1:
    case 2:
      return randomBytes(random)
    default:
      return otherPacket(random)
  }
}

/** A CONNECT as it should be, or changed in one to a few places. */
function connect(random: Random): Buffer {
  const tree = packetTree(validFields(random))
  if (random.oneIn(5)) return written(tree)
  const other = packetTree(validFields(random))
  const times = random.pick([1, 1, 1, 1, 2, 2, 4])
  if (random.oneIn(5)) {
    let bytes = written(tree)
    for (let i = 0; i < times; i++) bytes = mutateBytes(random, bytes, written(other))
    return random.oneIn(2) ? bytes : reframed(bytes)
  }
  for (let i = 0; i < times; i++) mutateTree(random, tree, other)
  const bytes = written(tree)
  return random.oneIn(8) ? mutateBytes(random, bytes, written(other)) : bytes
}

/** Bytes with the Remaining Length that is right for them, so that a fault behind it is found. */
function reframed(bytes: Buffer): Buffer {
  let start = 1
  while (start < 5 && (bytes[start] ?? 0) >= 0x80) start++
  const body: Group = { kind: 'group', prefix: 'vbi', children: [leaf('data', bytes.subarray(start + 1))] }
  return Buffer.concat([bytes.subarray(0, 1), written(body)])
}

function options(random: Random, length: number): Options {
  return {
    connection: random.oneIn(2),
    errors: random.oneIn(2) ? 'destroy' : 'push',
    protocolVersion: random.pick([0, 0, 0, 0, 0, 0, 4, 5]),
    allow: random.pick([[], [], relaxable, relaxable.filter(() => random.oneIn(2))]),
    maximumPacketSize: random.pick([
      65_536,
      65_536,
      Number.POSITIVE_INFINITY,
      random.int(1, 100),
      Math.max(1, length + random.int(-1, 1)),
    ]),
  }
}
