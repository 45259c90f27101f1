import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { ownMembers, readItems, shownName, wrongValue } from '../errors/misuse.ts'

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
  const codes = new Set<RelaxableCode>()
  readItems('allow', 'an array of error codes', allow, (code) => {
    if (!relaxableCodes.has(code as RelaxableCode)) {
      // Converting an object to a string may throw.
      const what = Object(code) === code ? 'allow' : `allow: ${shownName(String(code))}`
      throw wrongValue(what, `one of ${[...relaxableCodes].join(', ')}`)
    }
    codes.add(code as RelaxableCode)
  })
  return codes
}
