import { inspect } from 'node:util'
import type { MqttError } from '../lib/index.ts'

/** What is fuzzed: the library, or one that has been broken to see whether that is found. */
export type Library = typeof import('../lib/index.ts')

/** An invariant that does not hold. */
export class Broken extends Error {
  readonly invariant: string

  constructor(invariant: string, message: string) {
    super(message)
    this.invariant = invariant
  }
}

/** Expects an invariant to hold; `what` tells how it does not. */
export function hold(condition: boolean, invariant: string, what: () => string): void {
  if (!condition) throw new Broken(invariant, what())
}

/** What an action gives, or the `MqttError` that it throws. Anything else that it throws breaks an invariant. */
export function outcomeOf<T>(library: Library, what: string, action: () => T): T | MqttError {
  try {
    return action()
  } catch (error) {
    if (error instanceof library.MqttError) return error
    throw new Broken('only-mqtt-error', `${what} threw ${inspect(error)}`)
  }
}

/**
 * All that an error says, but `looksLike`: a stream refuses a first byte before it has the ones that would tell one
 * protocol from another, so that depends on how the bytes are cut.
 */
export function told(error: MqttError): string {
  return JSON.stringify({ ...error.toJSON(), looksLike: undefined, connack: error.connack?.toString('hex') })
}

/** What a model can foretell of an error. */
export function brief({ code, offset, field }: Pick<MqttError, 'code' | 'offset' | 'field'>): string {
  return `${code} ${field} ${offset}`
}

/** A text that can be long, cut. */
export function cut(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 600)}… (${text.length} characters)`
}
