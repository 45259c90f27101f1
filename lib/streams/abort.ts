import { hasMethods, setOwn, wrongType } from '../errors/misuse.ts'

/** The callbacks to call when a signal is aborted. */
class Waiting {
  readonly #signal: AbortSignal
  readonly #acts = new Set<() => void>()

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
  }

  add(act: () => void): void {
    this.#acts.add(act)
  }

  remove(act: () => void): void {
    this.#acts.delete(act)
    if (this.#acts.size === 0) this.#end()
  }

  #onAbort = (): void => {
    for (const act of [...this.#acts]) act()
  }

  #end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    waiting.delete(this.#signal)
  }
}

/** Each signal gets only one listener for all callbacks, because Node warns of a leak at eleven. */
const waiting = new WeakMap<AbortSignal, Waiting>()

/** Calls `act` when the signal is aborted. Returns a function that removes the callback. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  let those = waiting.get(signal)
  if (those === undefined) {
    those = new Waiting(signal)
    waiting.set(signal, those)
  }
  const all = those
  all.add(act)
  return () => all.remove(act)
}

/**
 * Recognises a signal by its members, because a page, a worker or a test runner may have its own class `AbortSignal`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if it is neither a signal nor absent
 */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return
  if (!hasMethods(signal, signalMethods) || !hasState(signal))
    throw wrongType('signal', 'an AbortSignal', signal)
}

function hasState(signal: AbortSignal): boolean {
  try {
    return typeof signal.aborted === 'boolean'
  } catch {
    // The object just has the prototype of a signal.
    return false
  }
}

const signalMethods = ['throwIfAborted', 'addEventListener', 'removeEventListener'] as const

/** The error that Node's streams are destroyed with when their signal is aborted. */
export function abortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason })
  return setOwn(setOwn(error, 'name', 'AbortError'), 'code', 'ABORT_ERR')
}
