import type { Files } from '../settings/files.ts'
import type { Config } from './schema.ts'
import { keptSockets } from './socket-activation.ts'

/** A configuration, and the options in its file that have changed but need a restart, if it isn't the first one. */
export interface Reloaded {
  readonly config: Config
  readonly left: readonly string[]
}

/**
 * The same, and the files that the configuration names. Only the primary process reads them, so all workers have the same ones, and a worker that
 * starts later has those in force, although they may have changed since, and may even be invalid.
 */
export interface WithFiles extends Reloaded {
  readonly files: Files
}

/** What workers get. */
export interface Edition extends WithFiles {
  /** How many reloads there were before it. */
  readonly number: number
  /** The file descriptor of each listener's socket. If a listener opens its own, it's `undefined`, which arrives at a worker as null. */
  readonly sockets: readonly (number | null | undefined)[]
}

/** The editions of the configuration, and the workers that have them, in the primary process. */
export class Editions<Holder> {
  #reloads = 0
  /** What a worker has applied last. */
  #applied: Edition
  /** What no worker has applied yet, by number. */
  readonly #coming = new Map<number, Edition>()
  /** What each worker may have in force: the edition that it has applied last, and those that it has got since. */
  readonly #given = new Map<Holder, readonly Edition[]>()
  #current: Edition

  constructor(first: WithFiles, sockets: Edition['sockets']) {
    this.#applied = { ...first, number: 0, sockets }
    this.#current = this.#applied
  }

  /** The edition for a worker that starts: the last one, unless a worker has refused it. */
  get current(): Edition {
    return this.#current
  }

  /** The listeners that a worker may have open. */
  get open(): Config['listeners'] {
    return [...this.#given.values()].flat().flatMap(({ config }) => config.listeners)
  }

  /** A reload. */
  add(next: WithFiles): Edition {
    const { config, sockets } = this.#current
    this.#current = {
      ...next,
      number: ++this.#reloads,
      sockets: keptSockets(sockets, config.listeners, next.config.listeners),
    }
    this.#coming.set(this.#current.number, this.#current)
    return this.#current
  }

  /** A worker gets the current edition. */
  give(worker: Holder): Edition {
    this.#given.set(worker, [...this.#givenTo(worker), this.#current])
    return this.#current
  }

  /** The number of the edition that a worker got last. */
  lastOf(worker: Holder): number | undefined {
    return this.#givenTo(worker).at(-1)?.number
  }

  /** A worker has applied an edition. */
  applied(worker: Holder, number: number): void {
    // Without a file, a worker reads its configuration from the command line.
    if (number === 0 && !this.#given.has(worker)) this.#given.set(worker, [this.#applied])
    this.#keep(worker, (other) => other >= number)
    const edition = this.#coming.get(number)
    if (edition === undefined) return
    this.#applied = edition
    if (number > this.#current.number) this.#current = edition
    for (const other of this.#coming.keys()) if (other <= number) this.#coming.delete(other)
  }

  /** A worker can't apply an edition that's valid, for example because a module is missing. Returns true if workers now get another one. */
  refused(worker: Holder, number: number): boolean {
    this.#keep(worker, (other) => other !== number)
    if (number !== this.#current.number || number <= this.#applied.number) return false
    this.#current = this.#applied
    return true
  }

  /** A worker has ended. */
  ended(worker: Holder): void {
    this.#given.delete(worker)
  }

  #givenTo(worker: Holder): readonly Edition[] {
    return this.#given.get(worker) ?? []
  }

  #keep(worker: Holder, isKept: (number: number) => boolean): void {
    this.#given.set(
      worker,
      this.#givenTo(worker).filter(({ number }) => isKept(number)),
    )
  }
}
