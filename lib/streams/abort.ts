import { hasMembers, setOwn, wrongType } from '../errors/misuse.ts'

/** The callbacks per signal, and the listener that calls them. */
const waiting = new WeakMap<AbortSignal, { readonly acts: Set<() => void>; readonly callAll: () => void }>()

/**
 * Calls `act` when the signal is aborted. Returns a function that removes the callback. Each signal gets only one listener for all
 * callbacks, because Node warns of a leak at eleven.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  let known = waiting.get(signal)
  if (known === undefined) {
    const all = new Set<() => void>()
    const callAll = (): void => {
      for (const each of [...all]) each()
    }
    known = { acts: all, callAll }
    waiting.set(signal, known)
  }
  const { acts, callAll } = known
  if (acts.size === 0) signal.addEventListener('abort', callAll)
  acts.add(act)
  return () => {
    if (acts.delete(act) && acts.size === 0) signal.removeEventListener('abort', callAll)
  }
}

/**
 * Recognises a signal by its members, because a page, a worker or a test runner may have its own class `AbortSignal`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if it is neither a signal nor absent
 */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return
  if (!hasMembers(signal, signalMethods) || !hasMembers(signal, ['aborted'], 'boolean'))
    throw wrongType('signal', 'an AbortSignal', signal)
}

const signalMethods = ['throwIfAborted', 'addEventListener', 'removeEventListener'] as const

/** The error that Node's streams are destroyed with when their signal is aborted. */
export function abortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason })
  return setOwn(setOwn(error, 'name', 'AbortError'), 'code', 'ABORT_ERR')
}
