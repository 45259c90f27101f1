import { Unreachable } from './errors.ts'
import { PINGRESP, pingreq, type Version } from './packets.ts'
import { hexCode, type Setting, Trial, unique } from './trial.ts'

/**
 * Checks that the server is alive, with a PINGREQ on a connection that stays open, or else with a new CONNECT. The PINGREQ is much cheaper,
 * above all with TLS.
 */
export class Health {
  readonly #setting: Setting
  readonly #version: Version
  #pinger: Pinger | undefined
  /** True if the server answers no PINGREQ although it's alive, so only a CONNECT can tell. */
  #isMute = false

  /** True after the server has closed or refused a connection, which a merely slow server doesn't do. */
  isCut = false

  /** The code of the latest CONNACK that refused the probe, if the server has accepted no client since. */
  refusedWith: string | undefined

  /** @param version a version that the server accepts */
  constructor(setting: Setting, version: Version) {
    this.#setting = setting
    this.#version = version
  }

  /** True if the server answers a PINGREQ within this many milliseconds. */
  async answersWithin(milliseconds: number): Promise<boolean> {
    return this.#pinger !== undefined && (await this.#pinger.ping(milliseconds))
  }

  /** True if the server answers in any way, however slowly. */
  async isAlive(): Promise<boolean> {
    const pinger = this.#pinger
    if (pinger !== undefined && (await pinger.ping(2 * this.#setting.timeout))) return true
    const isMute = pinger !== undefined && !pinger.isClosed
    if (pinger?.isClosed === true) this.isCut = true
    if (this.#pinger === pinger) this.#drop()
    const isAlive = await this.#connects()
    if (isAlive && isMute) this.#isMute = true
    return isAlive
  }

  async #connects(): Promise<boolean> {
    try {
      const trial = new Trial(this.#setting, this.#version, 2)
      const why = await refusal(trial)
      const { closed, frames } = trial.connections[0]!
      this.refusedWith = why !== undefined && frames.length > 0 ? why : undefined
      if (why !== undefined && closed && this.refusedWith === undefined) this.isCut = true
      if (why !== undefined || this.#isMute || this.#pinger !== undefined) await trial.close()
      else this.#pinger = new Pinger(trial)
      return why === undefined
    } catch (error) {
      if (error instanceof Unreachable) {
        if (!error.isTimeout) this.isCut = true
        return false
      }
      throw error
    }
  }

  #drop(): void {
    this.#pinger?.close()
    this.#pinger = undefined
  }

  close(): void {
    this.#drop()
  }
}

/** Sends a plain CONNECT. Returns the reason why the server refuses it; `undefined` if it's accepted. @throws Unreachable */
export async function refusal(trial: Trial): Promise<string | undefined> {
  const { connection, answer } = await trial.ask(trial.packet({ clientId: unique() }))
  if (answer === undefined) return connection.closed ? 'it closed the connection' : 'no answer'
  return answer.code === 0 ? undefined : hexCode(answer.code)
}

/** A connection that stays open. Several callers may ping at the same time. */
class Pinger {
  readonly #trial: Trial
  #pings = 0

  constructor(trial: Trial) {
    this.#trial = trial
  }

  get #connection() {
    return this.#trial.connections[0]!
  }

  get isClosed(): boolean {
    return this.#connection.closed
  }

  async ping(milliseconds: number): Promise<boolean> {
    const connection = this.#connection
    if (connection.closed) return false
    const number = ++this.#pings
    const answers = (): boolean =>
      connection.frames.length > number &&
      connection.frames.filter((frame) => frame[0]! >> 4 === PINGRESP).length >= number
    connection.send(pingreq)
    return (await connection.until(answers, milliseconds)) === true
  }

  close(): void {
    void this.#trial.close()
  }
}
