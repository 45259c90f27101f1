import type { Case } from './cases/case.ts'
import type { Observation } from './cases/observations.ts'
import type { Connection } from './connection.ts'
import { Endings } from './endings.ts'
import { Unreachable } from './errors.ts'
import { Health, refusal } from './health.ts'
import type { ProbeOptions } from './options.ts'
import { AUTH, answerOf, CONNACK, DISCONNECT, isUnavailable, type Version } from './packets.ts'
import { Queue } from './queue.ts'
import { type Finding, noAnswer, notTested, passed, type Result, Stop, violates } from './result.ts'
import type { Selection } from './selection.ts'
import { hidePassword, type Setting, Trial } from './trial.ts'

/** A server that is down for longer than this, in milliseconds, is given up. */
const PATIENCE = 10_000

/** The time in milliseconds for which a case that may harm the server runs alone before the next one begins. */
const STAGGER = 40

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** The outcome of a case so far. */
interface Outcome {
  readonly finding: Finding
  readonly trial?: Trial
}

/** One run. Runs all cases, checks that the server survives them, and observes all connections. */
export class Run {
  readonly #setting: Setting
  readonly #selection: Selection
  readonly #options: ProbeOptions
  #health: Health
  /** The results of observations that found a fault. */
  readonly #faults = new Map<Observation, Result>()
  /** The packets that the server has sent, by version and type. */
  readonly #seen = new Set<string>()
  /** The reasons why versions aren't tested. */
  readonly #closedTo = new Map<Version, string>()
  readonly #endings = new Endings()
  /** Faults that aren't certain, because the server is slow. */
  readonly #doubts = new Map<Observation, string>()
  /** Cases that may have harmed the server, with their connections: it hasn't answered anything since it got their packets. */
  readonly #suspects = new Map<Case, Trial | undefined>()
  /** Present while the server is down, and until the suspects have run again. */
  #outage: Promise<void> | undefined
  #outages = 0
  /** The results of the suspects when they ran again. */
  readonly #again = new Map<Case, Outcome>()
  /** The case after which the server never came back. */
  #death: string | undefined
  #isAbandoned = false

  constructor(setting: Setting, selection: Selection, options: ProbeOptions) {
    this.#setting = setting
    this.#selection = selection
    this.#options = options
    this.#health = new Health(setting, selection.cases[0]!.version)
  }

  /** @throws Unreachable */
  async *results(): AsyncGenerator<Result, void, undefined> {
    await this.#greet()
    const queue = new Queue<Result>()
    const all = this.#runAll(queue)
    try {
      yield* queue
    } finally {
      // The consumer may have left the loop early.
      this.#isAbandoned = true
      await all
      this.#health.close()
    }
    for (const one of this.#selection.observations) yield this.#observationResult(one)
  }

  /** Finds out which versions the server accepts. */
  async #greet(): Promise<void> {
    const { cases, observations } = this.#selection
    const wanted = new Set([...cases, ...observations].map(({ version }) => version))
    for (const version of wanted) {
      const trial = new Trial(this.#setting, version, 2)
      const why = await refusal(trial).finally(() => trial.close())
      if (why === undefined) continue
      this.#closedTo.set(version, `The server accepts no MQTT ${version.label}: ${why}.`)
    }
    const open = [...wanted].find((version) => !this.#closedTo.has(version))
    if (open === undefined) throw new Unreachable([...this.#closedTo.values()].join(' '))
    this.#health = new Health(this.#setting, open)
    await this.#health.isAlive()
  }

  /** Begins the cases in order. While one case waits, the next ones begin. */
  async #runAll(queue: Queue<Result>): Promise<void> {
    const { concurrency = 16, onStart } = this.#options
    const { cases, helpers } = this.#selection
    const running = new Set<Promise<void>>()
    let done = 0
    try {
      for (const one of cases) {
        await this.#outage
        if (this.#isAbandoned) break
        onStart?.(one.id, done, cases.length)
        const task = this.#runCase(one).then((result) => {
          done++
          running.delete(task)
          if (!helpers.has(one)) queue.push(result)
        })
        running.add(task)
        await Promise.race([task, this.#survives(one)])
        while (running.size >= concurrency) await Promise.race(running)
      }
      await Promise.all(running)
      queue.end()
    } catch (error) {
      queue.fail(error)
    }
  }

  /** Waits until the server has probably survived the packets of a case. Doesn't wait for a slow server. */
  async #survives(one: Case): Promise<void> {
    if (one.isHarmless === true) return
    await sleep(STAGGER)
    if (!this.#suspects.has(one)) return
    const answer = this.#health.answersWithin(this.#setting.timeout).then((isAlive) => {
      if (isAlive && this.#outage === undefined) this.#suspects.delete(one)
    })
    await Promise.race([answer, sleep(STAGGER)])
  }

  async #runCase(one: Case): Promise<Result> {
    const closed = this.#closedTo.get(one.version)
    if (closed !== undefined) return this.#result(one, notTested(closed))
    if (this.#death !== undefined) return this.#result(one, this.#gone())
    if (one.isHarmless !== true) this.#suspects.set(one, undefined)
    const start = performance.now()
    const { finding, trial } = await this.#outcome(one)
    this.#suspects.delete(one)
    return this.#result(one, finding, trial, performance.now() - start)
  }

  async #outcome(one: Case): Promise<Outcome> {
    const outages = this.#outages
    const outcome = await this.#confirmed(one)
    if (outcome === undefined || (one.isHarmless !== true && !(await this.#health.isAlive()))) {
      this.#outage ??= this.#recover(one)
    }
    await this.#outage
    const again = this.#again.get(one)
    if (again !== undefined) return again
    if (outcome !== undefined && outages === this.#outages) return outcome
    // The result isn't reliable, because the server was down meanwhile.
    if (this.#death !== undefined) return { finding: this.#gone() }
    return (await this.#confirmed(one)) ?? { finding: noAnswer('The server was down.') }
  }

  /** The result of a case; `undefined` if there is no connection. A violation counts only if it's seen twice. */
  async #confirmed(one: Case): Promise<Outcome | undefined> {
    const first = await this.#attempt(one, 1)
    if (this.#endings.isDoubtful(one.id)) await this.#attempt(one, 2)
    if (first?.finding.verdict !== 'violates') return first
    // A server that is loaded or restarting may fail once, but a real violation happens again.
    const second = await this.#attempt(one, 2)
    if (second?.finding.verdict !== 'passed') return second ?? first
    const text = `${second.finding.text} At a first attempt it was not so.`
    return { ...second, finding: { ...second.finding, text } }
  }

  async #attempt(one: Case, number: number): Promise<Outcome | undefined> {
    const trial = new Trial(this.#setting, one.version, number)
    if (this.#suspects.has(one)) this.#suspects.set(one, trial)
    try {
      return { finding: await reliable(await findingOf(one, trial), trial), trial }
    } catch (error) {
      if (error instanceof Unreachable) return undefined
      throw error
    } finally {
      await this.#observe(one, trial)
      await trial.close()
    }
  }

  /** Waits for a server that is down. Once it's back, runs the suspects again, one at a time, to find the case to blame. */
  async #recover(noticedBy: Case): Promise<void> {
    this.#outages++
    const suspects = this.#suspects.size > 0 ? [...this.#suspects.keys()] : [noticedBy]
    const deadly = this.#suspects.get(suspects[0]!)
    if (!(await this.#isBack())) {
      const [first, ...others] = suspects
      const names = others.map(nameOf).join(', ')
      const orOther = others.length === 0 ? '' : ` It may also have been one that ran with it: ${names}.`
      const text = `After this case the server accepted no valid CONNECT for ${PATIENCE / 1000} s.${orOther}`
      const { refusedWith } = this.#health
      // A server that answers isn't down, but may have banned the probe.
      const finding =
        refusedWith === undefined
          ? violates(text)
          : notTested(`${text} It's not down, because it answered ${refusedWith}.`)
      this.#again.set(first!, { finding, ...(deadly && { trial: deadly }) })
      this.#death = nameOf(first!)
      for (const one of others) this.#again.set(one, { finding: this.#gone() })
    } else await this.#repeat(suspects)
    this.#health.isCut = false
    this.#outage = undefined
  }

  async #repeat(suspects: readonly Case[]): Promise<void> {
    let isFound = false
    const wasCut = this.#health.isCut
    for (const one of suspects) {
      if (this.#death !== undefined) {
        this.#again.set(one, { finding: this.#gone() })
        continue
      }
      this.#health.isCut = false
      const outcome = await this.#attempt(one, 2)
      const isAlive = await this.#health.isAlive()
      if (outcome !== undefined && isAlive) {
        this.#again.set(one, outcome)
        continue
      }
      isFound = true
      // A server that neither closed nor refused a connection may just have been loaded.
      const finding = this.#health.isCut
        ? violates('The server went down after this case, and came back.')
        : noAnswer('The server answered nothing for a while after this case.')
      this.#again.set(one, { ...outcome, finding })
      if (!(await this.#isBack())) this.#death = nameOf(one)
    }
    if (isFound) return
    const [first] = suspects
    const { finding, trial } = this.#again.get(first!)!
    const what = wasCut ? 'went down' : 'did not answer'
    const text = `${finding.text} The server ${what} when this case first ran, but not when it ran again.`
    this.#again.set(first!, { finding: { ...finding, text }, ...(trial && { trial }) })
  }

  /** Waits until the server is up again. Returns false if it takes too long. */
  async #isBack(): Promise<boolean> {
    const end = performance.now() + PATIENCE
    while (performance.now() < end) {
      await sleep(200)
      if (await this.#health.isAlive()) return true
    }
    return false
  }

  #gone(): Finding {
    return notTested(`The server has accepted no clients since ${this.#death}.`)
  }

  async #observe(one: Case, trial: Trial): Promise<void> {
    for (const connection of trial.connections) {
      const { announced, frames, isFlooded } = connection
      if (announced === undefined || frames.length === 0 || isFlooded) continue
      for (const frame of frames) this.#seen.add(seenOf(one.version, frame[0]! >> 4))
      await this.#waitForEnd(one, trial, connection)
      for (const observation of this.#selection.observations) {
        if (observation.version !== one.version || this.#faults.has(observation)) continue
        const text = observation.fault(connection)
        if (text === undefined || this.#mayEnd(observation)) continue
        if (observation.isAboutEnd === true && !trial.isPrompt) {
          this.#doubts.set(observation, `${text} But it's slow.`)
          continue
        }
        trial.reported = connection
        this.#faults.set(
          observation,
          this.#result(observation, violates(`${text} Seen in ${one.id}.`), trial),
        )
      }
    }
  }

  /** True if the fault is a connection that stays open, and it isn't certain yet. */
  #mayEnd({ isAboutEnd, version, type }: Observation): boolean {
    return isAboutEnd === true && !this.#endings.isOpenAfter(seenOf(version, type))
  }

  /** Gives the server time to close a connection after a packet that ends it. */
  async #waitForEnd({ id, version }: Case, trial: Trial, connection: Connection): Promise<void> {
    const last = connection.frames.find((frame) => {
      const type = frame[0]! >> 4
      return type === DISCONNECT || (type === CONNACK && answerOf(frame).code !== 0)
    })
    if (last === undefined) return
    const key = seenOf(version, last[0]! >> 4)
    if (this.#endings.isOpenAfter(key)) return
    this.#endings.note(key, id, await connection.ended(2 * trial.timeout))
  }

  #observationResult(one: Observation): Result {
    const closed = this.#closedTo.get(one.version)
    if (closed !== undefined) return this.#result(one, notTested(closed))
    const fault = this.#faults.get(one)
    if (fault !== undefined) return fault
    const doubt = this.#doubts.get(one)
    if (doubt !== undefined) return this.#result(one, noAnswer(doubt))
    // Before 5.0 a server sends no DISCONNECT, so only the CONNACK shows that there was something to observe.
    const type = one.version.is5 ? one.type : CONNACK
    return this.#result(
      one,
      this.#seen.has(seenOf(one.version, type))
        ? passed('No connection of the run showed otherwise.')
        : notTested(`The server sent no ${names[one.type]}.`),
    )
  }

  #result({ id, version, clause }: Case | Observation, finding: Finding, trial?: Trial, time = 0): Result {
    const connection = trial?.reported
    const hex = (chunks: readonly Buffer[] = []): string =>
      hidePassword(Buffer.concat(chunks), this.#setting).toString('hex')
    return {
      ...{ id, version: version.label, clause: finding.clause ?? clause, verdict: finding.verdict },
      ...{ sent: hex(connection?.sent), received: hex(connection?.received) },
      ...{ closed: connection?.closed ?? false, milliseconds: Math.round(time), text: finding.text },
    }
  }
}

const names: Readonly<Record<number, string>> = {
  [CONNACK]: 'CONNACK',
  [DISCONNECT]: 'DISCONNECT',
  [AUTH]: 'AUTH',
}

async function findingOf(one: Case, trial: Trial): Promise<Finding> {
  try {
    return await one.run(trial)
  } catch (error) {
    if (error instanceof Stop) return error.finding
    throw error
  }
}

/**
 * The finding of a trial, unless something about the trial makes it meaningless.
 *
 * @throws Unreachable
 */
async function reliable(finding: Finding, trial: Trial): Promise<Finding> {
  const { connections, doubt, version } = trial
  if (connections.some(({ isFlooded }) => isFlooded))
    return notTested('The server sent more than 128 KiB on one connection, so the probe closed it.')
  if (finding.verdict !== 'violates') return finding
  if (doubt !== undefined) return noAnswer(doubt)
  // Before 5.0, code 3 may just be the wrong code for another reason, so only the next client shows if the server is unavailable.
  const frames = version.is5 ? connections.flatMap((connection) => connection.frames) : []
  if (frames.some((frame) => isUnavailable(version, frame)))
    return notTested('The server was not available, or sent the client elsewhere.')
  const why = await refusal(trial)
  if (why === undefined) return finding
  return notTested(
    `The server accepts no ordinary client either: ${why}. It may have a limit of connections: see --concurrency.`,
  )
}

function seenOf({ label }: Version, type: number): string {
  return `${label} ${type}`
}

function nameOf({ id, version }: Case): string {
  return `${id} (${version.label})`
}
