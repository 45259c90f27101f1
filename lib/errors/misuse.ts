/** An argument of the wrong type. `what` says where, as a path: `will.topic`. */
export function wrongType(what: string, expected: string, got: unknown): TypeError & { code: string } {
  const error = new TypeError(`${what}: expected ${expected}, got ${describe(got)}`)
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}

/** A value of the right type that no packet could carry, or no option takes. */
export function wrongValue(what: string, expected: string): TypeError & { code: string } {
  return Object.assign(new TypeError(`${what}: expected ${expected}`), { code: 'ERR_INVALID_ARG_VALUE' })
}

/** A number, or a length, outside its range. */
export function outOfRange(what: string, expected: string, got: number): RangeError & { code: string } {
  const error = new RangeError(`${what}: expected ${expected}, got ${got}`)
  return Object.assign(error, { code: 'ERR_OUT_OF_RANGE' })
}

/** The kind of a value, never the value: it may be a secret. */
function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : typeof value
}
