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

/** The editions of the configuration, in the primary process. */
export class Editions {
  #reloads = 0
  /** What a worker has applied last. */
  #applied: Edition
  /** What no worker has applied yet, by number. */
  readonly #coming = new Map<number, Edition>()
  #current: Edition

  constructor(first: WithFiles, sockets: Edition['sockets']) {
    this.#applied = { ...first, number: 0, sockets }
    this.#current = this.#applied
  }

  /** The edition for a worker that starts: the last one, unless a worker has refused it. */
  get current(): Edition {
    return this.#current
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

  /** A worker has applied an edition. */
  applied(number: number): void {
    const edition = this.#coming.get(number)
    if (edition === undefined) return
    this.#applied = edition
    if (number > this.#current.number) this.#current = edition
    for (const other of this.#coming.keys()) if (other <= number) this.#coming.delete(other)
  }

  /** A worker can't apply an edition that's valid, for example because a module is missing. Returns true if workers now get another one. */
  refused(number: number): boolean {
    if (number !== this.#current.number || number <= this.#applied.number) return false
    this.#current = this.#applied
    return true
  }
}
