import { execFile } from 'node:child_process'
import cluster from 'node:cluster'
import { promisify } from 'node:util'
import type { Log } from './log.ts'

/** The time in milliseconds that `systemd-notify` may take. */
const TIMEOUT = 5000

const run = promisify(execFile)

/**
 * Tells systemd how the gateway is doing, if a unit with `Type=notify` has started it: see sd_notify(3). Otherwise, and in workers, does
 * nothing, because the primary process reports for all.
 *
 * Node has no Unix datagram sockets, so systemd's own program `systemd-notify` sends the states. They come from a different process than
 * the main one, so the unit needs `NotifyAccess=all`.
 */
export class ServiceManager {
  readonly #log: Log
  readonly #isThere = Boolean(process.env['NOTIFY_SOCKET']) && !cluster.isWorker
  /** States are sent one after the other, because they must arrive in order. */
  #last: Promise<void> = Promise.resolve()

  constructor(log: Log) {
    this.#log = log
  }

  /** Call this once the gateway listens, and at the end of each reload, even a failed one. */
  ready(): void {
    this.#tell('READY=1')
  }

  reloading(): void {
    // CLOCK_MONOTONIC, which `Type=notify-reload` compares with the time of its signal.
    this.#tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`)
  }

  stopping(): void {
    this.#tell('STOPPING=1')
  }

  #tell(...state: readonly string[]): void {
    if (!this.#isThere) return
    // Inside `then`, because Node reports some failures to start a program to the callback and throws others.
    this.#last = this.#last
      .then(() => run('systemd-notify', state, { timeout: TIMEOUT }))
      .then(
        () => {},
        ({ message }: Error) =>
          this.#log.warn(`systemd-notify could not send ${state[0]}: ${message.trim()}`),
      )
  }
}
