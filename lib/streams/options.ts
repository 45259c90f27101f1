import { wrongType, wrongValue } from '../errors/misuse.ts'
import { checkObject } from '../packets/values.ts'

/**
 * What checks that options are an object with no other than these names: a misspelt `maxPacketSize` would silently be no
 * limit. It throws a TypeError, `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`.
 *
 * @param names all of the options' names: the type asks for each
 */
export function optionsCheck<Options extends object>(
  names: Readonly<Record<keyof Options & string, true>>,
): (options: Options) => void {
  const expected = `one of ${Object.keys(names).join(', ')}`
  return (options) => {
    checkObject('options', options)
    for (const name in options) {
      if (!Object.hasOwn(names, name)) throw wrongValue(`options.${name}`, expected)
    }
  }
}

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if there is a signal that is none */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw wrongType('signal', 'an AbortSignal', signal)
  }
}
