import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { ownMembers, wrongType, wrongValue } from '../errors/misuse.ts'

/** The object's own options. Throws the same errors as `ownMembers`. */
export function ownOptions<Options extends object>(options: Options, names: readonly string[]): Options {
  return ownMembers('options', options, names)
}

/**
 * The codes in the option `allow`, iterated once.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `allow` is not iterable, `ERR_INVALID_ARG_VALUE` if it contains anything but codes
 *   that can be relaxed
 */
export function codesOf(allow: Iterable<RelaxableCode>): ReadonlySet<RelaxableCode> {
  if (typeof allow === 'string' || typeof allow?.[Symbol.iterator] !== 'function') {
    throw wrongType('allow', 'an array of error codes', allow)
  }
  const codes = new Set(allow)
  for (const code of codes) {
    if (!relaxableCodes.has(code)) {
      throw wrongValue(`allow: ${String(code)}`, `one of ${[...relaxableCodes].join(', ')}`)
    }
  }
  return codes
}
