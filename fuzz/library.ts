import { inspect } from 'node:util'
import type { MqttError } from '../lib/index.ts'

/** What is fuzzed: the library, or one with a planted fault. */
export type Library = typeof import('../lib/index.ts')

/** An invariant that does not hold. */
export class Broken extends Error {
  readonly invariant: string

  constructor(invariant: string, message: string) {
    super(message.length <= 600 ? message : `${message.slice(0, 600)}… (${message.length} characters)`)
    this.invariant = invariant
  }
}

/** Expects an invariant to hold. */
export function hold(condition: boolean, invariant: string, message: () => string): void {
  if (!condition) throw new Broken(invariant, message())
}

/** The result of an action, or the `MqttError` that it throws. Any other exception breaks an invariant. */
export function outcomeOf<T>(library: Library, what: string, action: () => T): T | MqttError {
  try {
    return action()
  } catch (error) {
    if (error instanceof library.MqttError) return error
    throw new Broken('only-mqtt-error', `${what} threw ${inspect(error)}`)
  }
}

/** Everything in an error. */
export function fullText(error: MqttError): string {
  return JSON.stringify({ ...error.toJSON(), connack: error.connack?.toString('hex') })
}

/** What a model can predict of an error. */
export function brief({ code, offset, field }: Pick<MqttError, 'code' | 'offset' | 'field'>): string {
  return `${code} ${field} ${offset}`
}

/** How long anything may take, in milliseconds. */
const LONGEST_WAIT = 5000

/** Waits for a promise, but not for ever. */
export async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Broken('nothing-hangs', `${what} takes more than ${LONGEST_WAIT} ms`))
    }, LONGEST_WAIT)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
