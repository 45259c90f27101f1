/** The error of an argument with the wrong type. `what` is its path: `will.topic`. */
export function wrongType(what: string, expected: string, got: unknown): TypeError & { code: string } {
  return withCode('ERR_INVALID_ARG_TYPE', new TypeError(`${what}: must be ${expected}, not ${kindOf(got)}`))
}

/** The error of a value that has the right type, but that no packet can hold or no option takes. */
export function wrongValue(what: string, expected: string): TypeError & { code: string } {
  return withCode('ERR_INVALID_ARG_VALUE', new TypeError(`${what}: must be ${expected}`))
}

/** The error of a number or a length that is out of range. The number isn't repeated, because it may be derived from a secret. */
export function outOfRange(what: string, expected: string): RangeError & { code: string } {
  return withCode('ERR_OUT_OF_RANGE', new RangeError(`${what}: must be ${expected}`))
}

/** The error of a constructor that isn't for callers. */
export function notForCallers(what: string): TypeError & { code: string } {
  return withCode('ERR_INVALID_ARG_TYPE', new TypeError(`${what}: only the library calls this constructor`))
}

/** The error of a method that is called at the wrong time. */
export function wrongState(message: string): TypeError & { code: string } {
  return withCode('ERR_INVALID_STATE', new TypeError(message))
}

/** Checks that a caller's object is plain and has no unknown members. Throws the same errors as `checkPlain` and `checkNames`. */
export function checkMembers(what: string, given: object, names: readonly string[]): void {
  checkPlain(what, given)
  checkNames(what, given, names)
}

/**
 * Throws if an object has an own property with an unknown name. Otherwise, a misspelt `username` would silently connect without
 * credentials, and a misspelt `maxPacketSize` would silently be no limit.
 *
 * @param what the object, in words: `fields`, `options`, `will`
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if a name is unknown
 */
export function checkNames(what: string, given: object, names: readonly string[]): void {
  let at = 0
  for (const name in given) {
    // Most callers give names in our order, so the search continues after the last name found.
    let next = at
    while (next < names.length && names[next] !== name) next++
    if (next < names.length) at = next + 1
    else if (!names.includes(name) && Object.hasOwn(given, name)) throw unknownName(what, name, names)
  }
}

/**
 * The own members of an options object or a fields object, each read once. Members that somebody has added to `Object.prototype`
 * don't count. An object that inherits from anything else is refused, because its inherited members would be ignored silently.
 *
 * @throws TypeError the same errors as `checkMembers`
 */
export function ownMembers<Given extends object>(
  what: string,
  given: Given,
  names: readonly string[],
): Given {
  checkMembers(what, given, names)
  return copyOwn(given)
}

/**
 * The same, but the object is copied only if it may inherit members. It may have getters, so each member must be read only once.
 *
 * @throws TypeError the same errors as `checkMembers`
 */
export function membersToRead<Given extends object>(
  what: string,
  given: Given,
  names: readonly string[],
): Given {
  checkMembers(what, given, names)
  return ownOf(given)
}

const base: object = Object.prototype

/** A plain object, or a copy of it without members that it seems to inherit. */
export function ownOf<Given extends object>(given: Given): Given {
  return Object.getPrototypeOf(given) === base && !isPolluted() ? given : copyOwn(given)
}

/**
 * True if somebody has added a member to `Object.prototype` that could be taken for a field, an option or a part of a property. Each name is
 * written out, because V8 turns the test of a constant name into nothing, but has to look up a variable one.
 */
function isPolluted(): boolean {
  return (
    'cleanSession' in base ||
    'cleanStart' in base ||
    'keepAlive' in base ||
    'clientId' in base ||
    'will' in base ||
    'userName' in base ||
    'password' in base ||
    'bridge' in base ||
    'props' in base ||
    'topic' in base ||
    'message' in base ||
    'qos' in base ||
    'retain' in base ||
    'id' in base ||
    'key' in base ||
    'value' in base ||
    'sessionPresent' in base ||
    'returnCode' in base ||
    'reasonCode' in base ||
    'protocolVersion' in base ||
    'allow' in base ||
    'maximumPacketSize' in base ||
    'packetIdBytes' in base ||
    'from' in base
  )
}

/** The own members of any object, as an object that inherits nothing. */
export function copyOwn<Given extends object>(given: Given): Given {
  return Object.assign(new Members(), given)
}

/**
 * Defines an own member of an object. An assignment would fail if `Object.prototype` had a read-only member of that name, which
 * is so for all of its members once a program has frozen it.
 */
export function setOwn<Target extends object, Name extends string, Value>(
  target: Target,
  name: Name,
  value: Value,
): Target & Record<Name, Value> {
  const member = { value, writable: true, enumerable: true, configurable: true }
  return Object.defineProperty(target, name, copyOwn(member)) as never
}

/** An object that inherits nothing. It's faster than the result of `Object.create(null)`. */
class Members {}
Object.setPrototypeOf(Members.prototype, null)

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not an object, or has a prototype that is not a plain object's */
export function checkPlain(what: string, given: object): void {
  if (typeof given !== 'object' || given === null || isRevoked(given)) {
    throw wrongType(what, 'an object', given)
  }
  const prototype: object | null = Object.getPrototypeOf(given)
  if (prototype === base || isPlain(prototype)) return
  if (Array.isArray(given)) throw wrongType(what, 'an object', given)
  const message = `${what}: must be a plain object, because only own members count`
  throw withCode('ERR_INVALID_ARG_TYPE', new TypeError(message))
}

/**
 * True for `null` and for the `Object.prototype` of another realm (a frame, a `node:vm` context, jest), which has no prototype
 * itself, and a method that every `Object.prototype` has.
 */
function isPlain(prototype: object | null): boolean {
  if (prototype === null) return true
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

/** True if a value is a revoked proxy, because any use of one throws an error without a code. */
export function isRevoked(value: unknown): boolean {
  try {
    // Never true, but if the result weren't used, bundlers would remove the call as dead code.
    return Array.isArray(value) === undefined
  } catch {
    return true
  }
}

/** The same as `Array.isArray`, but false for a revoked proxy. */
export function isArray(value: unknown): value is readonly unknown[] {
  return !isRevoked(value) && Array.isArray(value)
}

/**
 * The length of an array, which may be a proxy that returns anything.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if the length is invalid
 * @throws RangeError `ERR_OUT_OF_RANGE` if it is larger than `max`
 */
export function checkLength(
  what: string,
  { length }: readonly unknown[],
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (!Number.isInteger(length) || length < 0) throw wrongValue(what, 'an array whose length is a number')
  if (length > max) throw outOfRange(what, `at most ${max} items long`)
  return length
}

/**
 * Reads the items of an array, or of anything that can be iterated, one by one: `take` refuses those that are invalid, so that an
 * invalid list is refused even if it has no end.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `given` can't be iterated, `ERR_INVALID_ARG_VALUE` if it is an array without a length
 */
export function readItems(
  what: string,
  expected: string,
  given: unknown,
  take: (item: unknown) => void,
): void {
  if (isArray(given)) {
    const length = checkLength(what, given)
    for (let i = 0; i < length; i++) take(given[i])
    return
  }
  if (typeof given === 'string' || !hasMembers(given, [Symbol.iterator]))
    throw wrongType(what, expected, given)
  try {
    for (const item of given as Iterable<unknown>) take(item)
  } catch (error) {
    if (!(error instanceof TypeError) || Object.hasOwn(error, 'code')) throw error
    // The engine's error: the object just has the prototype of an iterable, or an invalid iterator. It may also be an error in the
    // caller's own iterator, so it's the cause.
    throw setOwn(wrongType(what, expected, given), 'cause', error)
  }
}

/** True if a value has members with these names and this type. */
export function hasMembers(value: unknown, names: readonly PropertyKey[], type = 'function'): boolean {
  try {
    return names.every((name) => typeof (value as Record<PropertyKey, unknown>)[name] === type)
  } catch {
    // A revoked proxy, or an object that just has the prototype of another one.
    return false
  }
}

/** @param names all names of the fields, as the type demands */
export function namesOf<Fields extends object>(
  names: Readonly<Record<keyof Fields & string, true>>,
): readonly string[] {
  return Object.keys(names)
}

function unknownName(what: string, name: string, names: readonly string[]): TypeError {
  const nearest = otherNames.get(name)?.find((other) => names.includes(other)) ?? nearestOf(name, names)
  const known = notFields.get(name) ?? `Known names: ${names.join(', ')}.`
  const hint = nearest === undefined ? known : `Did you mean '${nearest}'?`
  const shown = shownName(name)
  const subject =
    what === 'options' ? `option '${shown}'` : `field '${what === 'fields' ? '' : `${what}.`}${shown}'`
  return withCode('ERR_INVALID_ARG_VALUE', new TypeError(`Unknown ${subject}. ${hint}`))
}

/** A name in a message. Names may come from foreign JSON, and messages are logged. */
export function shownName(name: string): string {
  return /^[\w-]{0,40}$/.test(name) ? name : '?'
}

/** Other libraries' names for our fields and options. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['clean', ['cleanSession', 'cleanStart']],
  ['cleanSession', ['cleanStart', 'clean']],
  ['cleanStart', ['cleanSession', 'clean']],
  ['payload', ['message']],
  ['message', ['payload']],
  ['properties', ['props']],
  ['props', ['properties']],
  ['bridgeMode', ['bridge']],
  ['session', ['connection']],
  ['strict', ['allow']],
  ['highWaterMark', ['readableHighWaterMark', 'writableHighWaterMark']],
])

const theClass = 'The class determines it: v3_1.ConnectPacket, v3_1_1.ConnectPacket or v5.ConnectPacket.'
const onlyV5 = 'Only MQTT 5.0 has properties.'

/** Hints for fields that packets of other libraries have, but ours don't. */
const notFields: ReadonlyMap<string, string> = new Map([
  ['protocolId', theClass],
  ['protocolVersion', theClass],
  ['cmd', theClass],
  ['props', onlyV5],
  ['properties', onlyV5],
])

/** The most similar name, if it differs in less than half of its letters. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of names) {
    const distance = editDistance(name.slice(0, 40).toLowerCase(), candidate.toLowerCase())
    if (distance >= least || distance * 2 >= candidate.length) continue
    least = distance
    nearest = candidate
  }
  return nearest
}

/** The number of letters to add, remove or replace to turn one word into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

/** Objects that callers pass by mistake, by `Object.prototype.toString`. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['[object Promise]', 'a Promise: is an await missing?'],
  ['[object Uint8Array]', 'a Uint8Array'],
  ['[object ArrayBuffer]', 'an ArrayBuffer'],
  ['[object DataView]', 'a DataView'],
])

/** The kind of a value. The value itself may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (isRevoked(value)) return 'a revoked Proxy'
  if (Array.isArray(value)) return 'an array'
  if (value === undefined) return 'undefined'
  if (typeof value !== 'object') return `a ${typeof value}`
  return kinds.get(Object.prototype.toString.call(value)) ?? 'an object'
}

function withCode<Kind extends Error>(code: string, error: Kind): Kind & { code: string } {
  return setOwn(error, 'code', code)
}

/* Checks of callers' values. Each function refuses a wrong type, and a number outside the range of its type. */

/** @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a boolean. */
export function checkBoolean(what: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrongType(what, 'a boolean', value)
  return value
}

/**
 * @param max 0 to 4,294,967,295
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a number.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it is not an integer from 0 to `max`.
 */
export function checkInteger(what: string, value: unknown, max: number): number {
  if (typeof value !== 'number') throw wrongType(what, 'a number', value)
  if (value >>> 0 !== value || value > max) throw outOfRange(what, `an integer from 0 to ${max}`)
  return value
}

/**
 * A limit in bytes, or `fallback` if there is none.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is not a number.
 * @throws RangeError `ERR_OUT_OF_RANGE` if it is neither a positive integer nor `Infinity`.
 */
export function checkLimit(what: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value !== 'number') throw wrongType(what, 'a number', value)
  if (!(value > 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY))) {
    throw outOfRange(what, 'a positive integer or Infinity')
  }
  return value
}
