import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** The source of randomness for one input. The seed and the number of an input therefore reproduce it. */
export class Random {
  readonly #source: fc.Random

  constructor(seed: number, input: number) {
    this.#source = new fc.Random(xoroshiro128plus(mixed(mixed(seed) ^ mixed(input + 1))))
  }

  /** An integer from `min` to `max`, inclusive. */
  int(min: number, max: number): number {
    return this.#source.nextInt(min, max)
  }

  /** True once in `times` calls, on average. */
  oneIn(times: number): boolean {
    return this.int(1, times) === 1
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(0, 255)))
  }

  /** A length, mostly a small one. */
  length(max: number): number {
    return this.int(0, this.pick([0, 3, 12, 40, max].filter((limit) => limit <= max)))
  }

  /** Draws from a fast-check arbitrary. Half of the draws are biased towards limits and small values. */
  value<T>(arbitrary: fc.Arbitrary<T>): T {
    return arbitrary.generate(this.#source, this.oneIn(2) ? 3 : undefined).value
  }
}

/** Spreads consecutive numbers into unrelated seeds, with the last step of MurmurHash3. */
function mixed(number: number): number {
  let hash = number | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return hash ^ (hash >>> 16)
}
