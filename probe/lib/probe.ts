import type { SecureContextOptions } from 'node:tls'
import type { Case } from './cases/case.ts'
import { connackCases, type Observation, observations } from './cases/connack.ts'
import { connectionCases } from './cases/connection.ts'
import { invalidCases } from './cases/invalid.ts'
import { sessionCases } from './cases/session.ts'
import { acceptCases } from './cases/valid.ts'
import { willCases } from './cases/will.ts'
import { answerOf, CONNACK, type Version, versions } from './packets.ts'
import {
  type Finding,
  noAnswer,
  notTested,
  passed,
  type Result,
  Stop,
  type VersionLabel,
  violates,
} from './result.ts'
import { type Target, targetOf, Unreachable, UsageError } from './target.ts'
import { hexCode, type Setting, Trial, unique } from './trial.ts'

/** The options of `probe`. */
export interface ProbeOptions {
  /** The versions to test. Default all: 3.1, 3.1.1 and 5.0. */
  readonly protocol?: readonly VersionLabel[]
  /** Only these cases: clauses, groups (`will`) or ids (`will.delayed`). Default all. */
  readonly only?: readonly string[]
  /** How long to wait for an answer, in milliseconds, 1 or more. Default 5000. */
  readonly timeout?: number
  /** How many cases may wait for something at the same time, 1 or more. Default 16. */
  readonly concurrency?: number
  /** Whether to run the cases that take up to half a minute each, too: keep alive. Default false. */
  readonly slow?: boolean
  /** User name and password, for a server that knows its clients. Default none. */
  readonly userName?: string | undefined
  readonly password?: string | undefined
  /** Certificates for TLS, as for `tls.connect`. */
  readonly tls?: SecureContextOptions
  /** Says that the server is your own, which allows a public address. Default false. */
  readonly ownServer?: boolean
  /** Is called when a case begins. */
  readonly onStart?: (id: string, done: number, all: number) => void
}

const allCases: readonly Case[] = [
  ...connackCases,
  ...acceptCases,
  ...connectionCases,
  ...sessionCases,
  ...willCases,
  ...invalidCases,
]

/** What `only` may name, to check it and to list it. */
export function knownCases(): { id: string; version: VersionLabel; clause: string; isSlow: boolean }[] {
  return [...allCases, ...observations].map((one) => ({
    ...{ id: one.id, version: one.version.label, clause: one.clause },
    isSlow: (one as Case).isSlow === true,
  }))
}

/** How long a server may be down until it is given up, in seconds. */
const PATIENCE = 10

/** How long a case runs alone before the next begins, in milliseconds. */
const STAGGER = 150

/**
 * Tests how a server treats the MQTT handshake. Yields a result for each case as soon as it is known.
 *
 * @param url of the server: `mqtt:`, `mqtts:`, `ws:` or `wss:`
 * @throws UsageError if an option is invalid, or if the address is public and not your own
 * @throws Unreachable if there is no connection, or if the server accepts no valid CONNECT
 * @example
 * for await (const { verdict, id, text } of probe('mqtt://127.0.0.1:1883')) {
 *   if (verdict === 'violates') console.log(id, text)
 * }
 */
export async function* probe(
  url: string,
  options: ProbeOptions = {},
): AsyncGenerator<Result, void, undefined> {
  const target = await targetOf(url, options.ownServer === true, options.tls ?? {})
  const run = new Run(target, options)
  yield* run.results()
}

/** Whether `only` names a case. */
function isNamed(only: readonly string[], { id, clause }: { id: string; clause: string }): boolean {
  return only.length === 0 || only.some((name) => name === clause || name === id || id.startsWith(`${name}.`))
}

class Run {
  readonly #setting: Setting
  readonly #options: ProbeOptions
  readonly #cases: readonly Case[]
  readonly #observations: readonly Observation[]
  /** The faults that were observed, by observation, with the result that says so. */
  readonly #faults = new Map<Observation, Result>()
  readonly #seen = new Set<Version>()
  /** Why a version is not tested. */
  readonly #closedTo = new Map<Version, string>()
  #staysOpen = false
  /** The case after which the server was gone. */
  #death: string | undefined
  /** While the server is down: whether it comes back, and the case that is to blame. */
  #outage: Promise<boolean> | undefined
  #blamed: Case | undefined
  /** The last case that may have harmed the server. */
  #suspect: Case | undefined

  constructor(target: Target, options: ProbeOptions) {
    const { timeout = 5000, only = [], protocol = versions.map(({ label }) => label), slow = false } = options
    const { userName, password } = options
    this.#options = options
    this.#setting = { target, timeout, userName, password }
    const isWanted = (one: Case | Observation): boolean =>
      protocol.includes(one.version.label) && isNamed(only, one)
    for (const name of only) {
      if (!knownCases().some((one) => isNamed([name], one)))
        throw new UsageError(`No case has the id, group or clause ${name}`)
    }
    this.#observations = observations.filter(isWanted)
    const wanted = allCases.filter(
      (one) => isWanted(one) && (slow || only.includes(one.id) || one.isSlow !== true),
    )
    // Observations need something to observe.
    const observed = new Set(this.#observations.map(({ version }) => version))
    const helpers = connackCases.filter((one) => observed.has(one.version) && !wanted.includes(one))
    this.#cases = [...wanted, ...helpers]
    this.#isHelper = (one) => helpers.includes(one)
  }

  readonly #isHelper: (one: Case) => boolean

  async *results(): AsyncGenerator<Result, void, undefined> {
    await this.#greet()
    const queue = new Queue<Result>()
    const all = this.#runAll(queue)
    yield* queue
    await all
    for (const one of this.#observations) yield this.#observationResult(one)
  }

  /** Asks which versions the server accepts. */
  async #greet(): Promise<void> {
    const wanted = new Set([...this.#cases, ...this.#observations].map(({ version }) => version))
    for (const version of wanted) {
      const why = await this.#isAlive(version)
      if (why !== undefined)
        this.#closedTo.set(version, `The server accepts no MQTT ${version.label}: ${why}.`)
    }
    if (wanted.size > 0 && this.#closedTo.size === wanted.size) {
      throw new Unreachable([...this.#closedTo.values()].join(' '))
    }
  }

  /** Why the server doesn't accept a plain CONNECT; `undefined` if it does. Throws if there is no connection. */
  async #isAlive(version: Version): Promise<string | undefined> {
    const trial = new Trial(this.#setting, version, 2)
    try {
      const { connection, answer } = await trial.ask(trial.packet({ clientId: unique() }))
      if (answer === undefined) return connection.closed ? 'it closed the connection' : 'no answer'
      return answer.code === 0 ? undefined : hexCode(answer.code)
    } finally {
      await trial.close()
    }
  }

  /** Runs the cases in order. While one waits, the next ones begin, so that waiting takes no time. */
  async #runAll(queue: Queue<Result>): Promise<void> {
    const { concurrency = 16, onStart } = this.#options
    const running = new Set<Promise<void>>()
    let done = 0
    try {
      for (const one of this.#cases) {
        await this.#outage
        onStart?.(one.id, done, this.#cases.length)
        const task = this.#runCase(one).then((result) => {
          done++
          running.delete(task)
          if (!this.#isHelper(one)) queue.push(result)
        })
        running.add(task)
        await Promise.race([task, new Promise((resolve) => setTimeout(resolve, STAGGER))])
        while (running.size >= concurrency) await Promise.race(running)
      }
      await Promise.all(running)
      queue.end()
    } catch (error) {
      queue.fail(error)
    }
  }

  async #runCase(one: Case): Promise<Result> {
    const closed = this.#closedTo.get(one.version)
    if (closed !== undefined) return this.#result(one, notTested(closed))
    if (this.#death !== undefined) return this.#result(one, this.#gone())
    if (one.isHarmless !== true) this.#suspect = one
    const start = performance.now()
    let trial = new Trial(this.#setting, one.version, 1)
    let finding = await this.#attempt(one, trial)
    if (finding?.verdict === 'violates') {
      // A server that is loaded or restarts may fail once. What it always does, it does again.
      const again = new Trial(this.#setting, one.version, 2)
      const second = await this.#attempt(one, again)
      if (second !== undefined) {
        trial = again
        finding =
          second.verdict === 'passed'
            ? { ...second, text: `${second.text} At a first attempt it was not so.` }
            : second
      }
    }
    if (finding === undefined || (one.isHarmless !== true && !(await this.#answers(one.version)))) {
      finding = await this.#afterOutage(one)
    }
    return this.#result(one, finding, trial, performance.now() - start)
  }

  /** What a case finds; `undefined` if there is no connection. */
  async #attempt(one: Case, trial: Trial): Promise<Finding | undefined> {
    try {
      return await one.run(trial)
    } catch (error) {
      if (error instanceof Stop) return error.finding
      if (error instanceof Unreachable) return undefined
      throw error
    } finally {
      await this.#observe(one, trial)
      await trial.close()
    }
  }

  /** Whether the server accepts a plain CONNECT. It may be slow. */
  async #answers(version: Version): Promise<boolean> {
    try {
      return (await this.#isAlive(version)) === undefined
    } catch (error) {
      if (error instanceof Unreachable) return false
      throw error
    }
  }

  /** The finding of a case after which the server is down. The case is to blame if no other one is. */
  async #afterOutage(one: Case): Promise<Finding> {
    this.#blamed ??= one.isHarmless === true ? (this.#suspect ?? one) : one
    const blamed = this.#blamed
    this.#outage ??= this.#waitForServer(blamed)
    const isBack = await this.#outage
    this.#outage = undefined
    if (one !== blamed) return isBack ? noAnswer('The server was down.') : this.#gone()
    this.#blamed = undefined
    return violates(
      isBack
        ? 'The server went down after this case, and came back.'
        : `After this case the server accepted no valid CONNECT for ${PATIENCE} s.`,
    )
  }

  /** Whether the server comes back in time. */
  async #waitForServer(blamed: Case): Promise<boolean> {
    const end = performance.now() + PATIENCE * 1000
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      if (await this.#answers(blamed.version)) return true
    }
    this.#death = `${blamed.id} (${blamed.version.label})`
    return false
  }

  #gone(): Finding {
    return notTested(`The server is gone since ${this.#death}.`)
  }

  async #observe(one: Case, trial: Trial): Promise<void> {
    for (const connection of trial.connections) {
      if (connection.announced === undefined || connection.frames.length === 0) continue
      const connack = connection.frames.find((frame) => frame[0]! >> 4 === CONNACK)
      if (connack !== undefined) this.#seen.add(one.version)
      if (
        connack !== undefined &&
        answerOf(connack).code !== 0 &&
        !(await connection.ended(this.#patience))
      ) {
        this.#staysOpen = true
      }
      for (const observation of this.#observations) {
        if (observation.version !== one.version || this.#faults.has(observation)) continue
        const text = observation.fault(connection)
        if (text === undefined) continue
        trial.reported = connection
        this.#faults.set(
          observation,
          this.#result(observation, violates(`${text} Seen in ${one.id}.`), trial),
        )
      }
    }
  }

  /** How long a refused connection may stay open, in milliseconds. When one has stayed open, there is nothing to wait for. */
  get #patience(): number {
    return this.#staysOpen ? 0 : 2 * this.#setting.timeout
  }

  #observationResult(one: Observation): Result {
    const closed = this.#closedTo.get(one.version)
    if (closed !== undefined) return this.#result(one, notTested(closed))
    const fault = this.#faults.get(one)
    if (fault !== undefined) return fault
    return this.#result(
      one,
      this.#seen.has(one.version)
        ? passed('No connection of the run showed otherwise.')
        : notTested('There was no CONNACK.'),
    )
  }

  #result({ id, version, clause }: Case | Observation, finding: Finding, trial?: Trial, time = 0): Result {
    const connection = trial?.reported
    return {
      ...{ id, version: version.label, clause: finding.clause ?? clause, verdict: finding.verdict },
      sent: Buffer.concat(connection?.sent ?? []).toString('hex'),
      received: Buffer.concat(connection?.received ?? []).toString('hex'),
      ...{ closed: connection?.closed ?? false, milliseconds: Math.round(time), text: finding.text },
    }
  }
}

/** Results that come at any time, for a reader that takes them one by one. */
class Queue<Item> {
  readonly #items: Item[] = []
  #isEnded = false
  #error: unknown
  #wake: () => void = () => undefined

  push(item: Item): void {
    this.#items.push(item)
    this.#wake()
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#error = error
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()!
      if (this.#error !== undefined) throw this.#error
      if (this.#isEnded) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
