import { wrongType, wrongValue } from '../errors/misuse.ts'

/**
 * Refuses what is no object, and an option that does not exist: a misspelt `maxPacketSize` would silently be no
 * limit.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `options` is not an object, `ERR_INVALID_ARG_VALUE` if it has a name
 *   that is not in `names`
 */
export function checkOptions(options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options)
  for (const name in options) {
    if (!names.includes(name)) throw wrongValue(`options.${name}`, `one of ${names.join(', ')}`)
  }
}

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if there is a signal that is none */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw wrongType('signal', 'an AbortSignal', signal)
  }
}
