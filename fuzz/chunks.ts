import type { Buffer } from 'node:buffer'
import type { Random } from './random.ts'

/** How bytes are cut into chunks, written to a decoder and read from it. */
export interface Cutting {
  /** The lengths of the chunks; what they leave is the last one. */
  readonly lengths: readonly number[]
  /**
   * What memory the chunks stand in: that of all bytes, memory of exactly their size, or one buffer that is written
   * over as soon as a chunk has been used.
   */
  readonly memory: 'shared' | 'own' | 'reused'
  readonly reading: 'flowing' | 'iterator' | 'readable'
  readonly readableHighWaterMark: number | undefined
  /** Whether each chunk waits until the one before it has been used. Chunks in reused memory always do. */
  readonly paced: boolean
}

export const whole: Cutting = {
  lengths: [],
  memory: 'shared',
  reading: 'flowing',
  readableHighWaterMark: undefined,
  paced: false,
}

/** A chunk of one byte costs as much as one of many, so only the first so many bytes come one by one. */
const MOST_CHUNKS = 400

export function cuttings(random: Random, length: number): Cutting[] {
  return [cutting(random, byteByByte(length)), cutting(random, anyLengths(random, length))]
}

function cutting(random: Random, lengths: readonly number[]): Cutting {
  return {
    lengths,
    memory: random.pick(['shared', 'own', 'reused']),
    reading: random.pick(['flowing', 'flowing', 'iterator', 'readable']),
    readableHighWaterMark: random.pick([undefined, 1, 2]),
    paced: random.oneIn(2),
  }
}

function byteByByte(length: number): number[] {
  return new Array(Math.min(length, MOST_CHUNKS)).fill(1)
}

function anyLengths(random: Random, length: number): number[] {
  const lengths: number[] = []
  const usual = random.pick([2, 7, 50, Math.max(1, length)])
  for (let rest = length; rest > 0 && lengths.length < MOST_CHUNKS; rest -= lengths.at(-1) as number) {
    lengths.push(random.oneIn(10) ? 0 : random.int(1, usual))
  }
  return lengths
}

/** The chunks, as views of the bytes. */
export function* chunksOf(bytes: Buffer, { lengths }: Cutting): Generator<Buffer> {
  let at = 0
  for (const length of lengths) {
    yield bytes.subarray(at, at + length)
    at += length
  }
  if (at < bytes.length) yield bytes.subarray(at)
}
