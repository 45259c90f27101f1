import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { relaxableCodes } from '../lib/errors/error-table.ts'
import type { ProtocolVersion, RelaxableCode } from '../lib/index.ts'
import { anyFields } from '../test/property/anything.ts'
import { allKinds, kinds } from '../test/support/kinds.ts'
import { byteMutation, mutation, reframed } from './mutations.ts'
import { type Fields, packetTree, variable, written } from './reference.ts'

/** The class name of a packet, and its fields. */
export interface FieldsInput {
  readonly name: string
  readonly fields: Fields
}

export const validFields: fc.Arbitrary<FieldsInput> = fc.oneof(
  ...kinds.map(({ name, fields, version }) => ({
    weight: version === 5 ? 3 : 1,
    arbitrary: fields.map((valid) => ({ name, fields: valid as Fields })),
  })),
)

export function versionOf(name: string): 3 | 4 | 5 {
  return kinds.find((kind) => kind.name === name)!.version
}

/** Bytes to decode in every possible way with these options. */
export interface BytesInput {
  readonly bytes: Buffer
  readonly options: Options
  /** Ways to split and read the bytes. One whole chunk is always tested too. */
  readonly splits: readonly Split[]
}

/** All options of a `PacketDecoder`. */
export interface Options {
  readonly connection: boolean
  readonly errors: 'destroy' | 'push'
  readonly allow: readonly RelaxableCode[]
  readonly protocolVersion: ProtocolVersion
  readonly maximumPacketSize: number
}

/** Splits bytes into chunks, writes them to a decoder and reads the packets. */
export interface Split {
  /** Chunk lengths, used cyclically. */
  readonly lengths: readonly number[]
  /**
   * `shared` chunks are views of the whole input, each `own` chunk has memory of exactly its size, and `reused` chunks share
   * one buffer that is overwritten after each use.
   */
  readonly memory: 'shared' | 'own' | 'reused'
  readonly reading: 'flowing' | 'iterator' | 'readable'
  readonly readableHighWaterMark: number | undefined
  /** True if a chunk is sent only after the previous one has been used. Always so in reused memory. */
  readonly paced: boolean
}

export const whole: Split = {
  lengths: [],
  memory: 'shared',
  reading: 'flowing',
  readableHighWaterMark: undefined,
  paced: false,
}

/** Limit on chunks, because a chunk of one byte costs as much as a long one. The rest follows in one chunk. */
const MOST_CHUNKS = 300

/** Yields the chunks as views of the bytes. */
export function* chunksOf(bytes: Buffer, { lengths }: Split): Generator<Buffer> {
  let at = 0
  for (let i = 0; i < MOST_CHUNKS && lengths.length > 0 && at < bytes.length; i++) {
    const end = at + lengths[i % lengths.length]!
    yield bytes.subarray(at, end)
    at = end
  }
  if (at < bytes.length) yield bytes.subarray(at)
}

/** Part of a stream, with its version if it has one. */
interface Piece {
  readonly bytes: Buffer
  readonly version?: 3 | 4 | 5
}

/** A CONNECT or CONNACK, either valid or changed in one to three places. */
const packet: fc.Arbitrary<Piece> = fc
  .tuple(
    validFields,
    validFields,
    fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 5, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3, size: 'xsmall' }) },
    ),
    fc.option(fc.tuple(byteMutation, fc.boolean()), { nil: undefined, freq: 8 }),
  )
  .map(([{ name, fields }, other, mutations, change]) => {
    const version = versionOf(name)
    const tree = packetTree(version, fields)
    const otherTree = packetTree(versionOf(other.name), other.fields)
    for (const mutate of mutations) mutate(tree, otherTree)
    const bytes = written(tree)
    if (change === undefined) return { bytes, version }
    const [mutate, isReframed] = change
    return { bytes: isReframed ? reframed(mutate(bytes)) : mutate(bytes), version }
  })

/** A DISCONNECT or AUTH, either valid or with changed bytes. */
const laterPacket: fc.Arbitrary<Piece> = fc
  .tuple(
    fc.oneof(
      ...allKinds.slice(kinds.length).map(({ version, fields, build }) => ({
        weight: version === 5 ? 6 : 1,
        arbitrary: fields.map((valid) => ({ version, bytes: build(valid).bytes })),
      })),
    ),
    fc.option(fc.tuple(byteMutation, fc.boolean()), { nil: undefined, freq: 3 }),
  )
  .map(([{ version, bytes }, change]) => {
    if (change === undefined) return { bytes, version }
    const [mutate, isReframed] = change
    return { bytes: isReframed ? reframed(mutate(bytes)) : mutate(bytes), version }
  })

/** A packet of any type, mostly with correct flags and the packet identifier that it requires. */
const otherPacket = fc
  .tuple(
    fc.integer({ min: 2, max: 15 }),
    fc.option(fc.nat({ max: 15 }), { freq: 6, nil: undefined }),
    fc.constantFrom('', '0000', '0001', '00016100', '0001610001', '0001ffff'),
    fc.uint8Array({ maxLength: 100 }),
    fc.integer({ min: 1, max: 8 }),
  )
  .map(([type, flags = type === 6 || type === 8 || type === 10 ? 2 : 0, start, rest, width]) => {
    const body = Buffer.concat([Buffer.from(start, 'hex'), rest])
    return Buffer.concat([Buffer.of((type << 4) | flags), variable(body.length, width > 4 ? 1 : width), body])
  })

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'PRI', 'get']

/** First bytes of other protocols that reach an MQTT port by mistake. */
const foreign = fc
  .tuple(
    fc.constantFrom(
      Buffer.from('16030100f1010000ed0303', 'hex'),
      Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'),
      Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'),
      ...methods.map((method) => Buffer.from(`${method} / HTTP/1.1\r\n\r\n`)),
      Buffer.from('SSH-2.0-x\r\n'),
      Buffer.alloc(4),
    ),
    fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  )
  .map(([bytes, length]) => bytes.subarray(0, length))

const almostConnect = fc
  .tuple(
    fc.constantFrom('\0\x04MQTT\x04', '\0\x04MQTT\x05', '\0\x06MQIsdp\x03'),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([start, rest]) => reframed(Buffer.concat([Buffer.of(0x10, 0), Buffer.from(start), rest])))

const otherBytes: fc.Arbitrary<Piece> = fc
  .oneof(
    { weight: 5, arbitrary: otherPacket },
    { weight: 2, arbitrary: foreign },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: almostConnect },
  )
  .map((bytes) => ({ bytes }))

/** Mostly one packet, otherwise several, with stray bytes in between. */
const stream: fc.Arbitrary<readonly Piece[]> = fc.oneof(
  { weight: 7, arbitrary: fc.tuple(packet) },
  { weight: 1, arbitrary: fc.tuple(otherBytes) },
  { weight: 2, arbitrary: fc.tuple(laterPacket) },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.oneof(
        { weight: 2, arbitrary: packet },
        { weight: 1, arbitrary: laterPacket },
        { weight: 1, arbitrary: otherBytes },
      ),
      {
        minLength: 2,
        maxLength: 6,
      },
    ),
  },
)

const codes = [...relaxableCodes]

const options = fc.record({
  connection: fc.boolean(),
  errors: fc.constantFrom<Options['errors'][]>('destroy', 'push'),
  allow: fc.oneof(fc.constant([]), fc.constant(codes), fc.subarray(codes)),
  protocolVersion: fc.constantFrom<('own' | ProtocolVersion)[]>('own', 'own', 'own', 0, 0, 0, 3, 4, 5),
  maximumPacketSize: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(65_536, Number.POSITIVE_INFINITY) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 120 }) },
  ),
})

const split: fc.Arbitrary<Split> = fc.record({
  lengths: fc.oneof(fc.constant([1]), fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 6 })),
  memory: fc.constantFrom('shared', 'own', 'reused'),
  reading: fc.constantFrom('flowing', 'iterator', 'readable'),
  readableHighWaterMark: fc.constantFrom(undefined, 1, 2),
  paced: fc.boolean(),
})

export const bytesInput: fc.Arbitrary<BytesInput> = fc
  .tuple(stream, options, fc.array(split, { minLength: 1, maxLength: 2 }))
  .map(([pieces, { protocolVersion, ...more }, splits]) => ({
    bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)),
    options: {
      ...more,
      protocolVersion: protocolVersion === 'own' ? (pieces[0]?.version ?? 0) : protocolVersion,
    },
    splits,
  }))

/**
 * Arguments that a caller may pass by mistake. It has no objects that throw or change between two reads: whatever a getter
 * throws is the caller's, and the tests in test/packets cover objects that change.
 */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, Number.NaN, -1, 1.5, 3, 255, 256, 65_536, 2 ** 31, 2 ** 32),
  fc.constantFrom<unknown>(Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1n),
  fc.constantFrom<unknown>(
    '',
    '1',
    '\0',
    '\ud800',
    'a\udfffb',
    Symbol('s'),
    () => 'called',
    new String('boxed'),
  ),
  fc.constantFrom('x'.repeat(65_535), '€'.repeat(21_846), Buffer.alloc(65_535), Buffer.alloc(65_536)),
  fc
    .constantFrom(
      () => [],
      () => [undefined],
      () => new Array(3),
      () => ({}),
      () => Object.create(null),
      () => new Date(0),
      () => new Map(),
      () => Promise.resolve(),
      () => new ArrayBuffer(4),
      () => new Uint16Array(3),
      () => new DataView(new ArrayBuffer(2)),
      () => new Uint8Array(0),
      () => new Error('no field'),
    )
    .map((create) => create()),
)

const REMOVED = Symbol('removed')

/** Replaces a field, or a field within a field, with junk, or removes it. */
const spoil = fc.tuple(
  fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 3 }),
  fc.oneof({ weight: 1, arbitrary: fc.constant(REMOVED) }, { weight: 7, arbitrary: junk }),
)

/** Fields that MQTT may forbid, mostly with junk in some of them. */
export const hostileFields: fc.Arbitrary<FieldsInput> = fc
  .tuple(
    fc.oneof(
      ...Object.entries(anyFields).map(([name, fields]) =>
        fields.map((any) => ({ name, fields: any as Fields })),
      ),
    ),
    fc.array(spoil, { maxLength: 3 }),
  )
  .map(([{ name, fields }, spoils]) => {
    const spoiled = copyOf(fields)
    for (const [path, value] of spoils) replace(spoiled, path, value)
    return { name, fields: spoiled as Fields }
  })

type Plain = Record<string, unknown>

function isPlain(value: unknown): value is Plain {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  )
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copyOf(child)]))
}

function replace(from: unknown, [first = 0, ...path]: readonly number[], value: unknown): void {
  if (!isPlain(from)) return
  const names = [...Object.keys(from), 'username']
  const name = names[first % names.length]!
  if (path.length > 0 && isPlain(from[name])) replace(from[name], path, value)
  else if (value === REMOVED) delete from[name]
  else from[name] = value
}
