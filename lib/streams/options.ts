import { wrongType } from '../errors/misuse.ts'
import { checkFields } from '../packets/values.ts'

/**
 * What checks that options are an object with no other than these names; it throws as `checkFields` does.
 *
 * @param names all of the options' names: the type asks for each
 */
export function optionsCheck<Options extends object>(
  names: Readonly<Record<keyof Options & string, true>>,
): (options: Options) => void {
  const isName = (name: string): boolean => Object.hasOwn(names, name)
  const expected = `one of ${Object.keys(names).join(', ')}`
  return (options) => checkFields('options', options, isName, expected)
}

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if there is a signal that is none */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw wrongType('signal', 'an AbortSignal', signal)
  }
}
