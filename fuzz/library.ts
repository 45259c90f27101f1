import { inspect } from 'node:util'
import type { MqttError } from '../lib/index.ts'

/** The subject: the library, or a copy with a planted fault. */
export type Library = typeof import('../lib/index.ts')

/** Thrown for a broken invariant. */
export class Broken extends Error {
  readonly invariant: string

  constructor(invariant: string, message: string) {
    super(message.length <= 600 ? message : `${message.slice(0, 600)}… (${message.length} characters)`)
    this.invariant = invariant
  }
}

/** Throws `Broken` unless the invariant holds. */
export function hold(condition: boolean, invariant: string, message: () => string): void {
  if (!condition) throw new Broken(invariant, message())
}

/** Returns an action's result, or the `MqttError` that it throws. Any other exception breaks an invariant. */
export function outcomeOf<T>(library: Library, what: string, action: () => T): T | MqttError {
  try {
    return action()
  } catch (error) {
    if (error instanceof library.MqttError) return error
    throw new Broken('only-mqtt-error', `${what} threw ${inspect(error)}`)
  }
}

/** All properties of an error, as text. */
export function fullText(error: MqttError): string {
  return JSON.stringify({ ...error.toJSON(), connack: error.connack?.toString('hex') })
}

/** The part of an error that a model can predict. */
export function brief({ code, offset, field }: Pick<MqttError, 'code' | 'offset' | 'field'>): string {
  return `${code} ${field} ${offset}`
}

/** Limit for any promise, in milliseconds. */
const LONGEST_WAIT = 5000

/** Waits for a promise, and breaks an invariant if it takes too long. */
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
