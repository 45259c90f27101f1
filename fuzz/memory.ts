import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')

const MIB = 1024 * 1024
const EVERY = 3000
/** How many looks pass until the engine has compiled what it will, and all caches are filled. */
const WARM_UP = 2
/** How many looks in a row must see too much: what has been let go is not always given back at once. */
const PATIENCE = 3
/** How much more may be held afterwards, in bytes. */
const MOST = 16 * MIB

/** Sees whether ever more memory is held while inputs come and go. */
export class MemoryWatch {
  readonly #every: number
  #last = performance.now()
  #looks = 0
  #first = 0
  #over = 0
  #held = 0

  /** @param every how often memory is looked at, in milliseconds */
  constructor(every: number = EVERY) {
    this.#every = every
  }

  /** Looks from time to time; what has grown, if something has. */
  look(): string | undefined {
    if (performance.now() - this.#last < this.#every) return undefined
    collect()
    const { heapUsed, external } = process.memoryUsage()
    this.#held = heapUsed + external
    this.#last = performance.now()
    if (++this.#looks <= WARM_UP) this.#first = this.#held
    this.#over = this.#held - this.#first > MOST ? this.#over + 1 : 0
    if (this.#over < PATIENCE) return undefined
    return `${mib(this.#held)} are held, at first it was ${mib(this.#first)}`
  }

  toString(): string {
    return `${mib(this.#held)} held`
  }
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`
}
