import { checkInteger, checkLength, checkPlain, isArray, ownOf, wrongType } from '../errors/misuse.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import { variableByteIntegerLength, writeInteger, writeVariableByteInteger } from '../wire/integers.ts'
import { checkBinary, writeBinaryData, writeUtf8String } from '../wire/primitives.ts'
import type { PropertyValues } from './context.ts'
import type { AnyProperty } from './properties.ts'
import type { PropertyList, PropertyRule } from './property-list.ts'

/* Reads and writes a caller's properties. All of them are read before the first is written. */

/** The maximum number of properties in a packet. */
const MOST_PROPERTIES = MAX_VARIABLE_BYTE_INTEGER >> 1

/** The expected argument, for messages. */
const MADE = 'properties, such as property.userProperty(key, value)'

/**
 * Copies a caller's properties. Each member is read exactly once, because a getter can run any code: it could build another
 * packet, or answer differently the second time.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `props` is not an array of properties
 * @throws RangeError `ERR_OUT_OF_RANGE` if an identifier is not one of 0 to 127, or if there are more than fit into a packet
 */
export function copyProperties(props: readonly AnyProperty[], list: PropertyList): PropertyValues {
  if (!isArray(props)) throw wrongType(list.path, 'an array of properties', props)
  const length = checkLength(list.path, props, MOST_PROPERTIES)
  const values: unknown[] = new Array(3 * length)
  for (let i = 0; i < length; i++) {
    const item = asProperty(list.path, props[i])
    const { id, key, value } = ownOf(item)
    const rule = list.rules[checkId(list, id, item)]
    if (rule?.type === 'binaryData') checkBinary(rule.field.name, value)
    values[3 * i] = id
    values[3 * i + 1] = key
    values[3 * i + 2] = value
  }
  return values
}

/** A caller's property, provided it's a plain object. Only its own members count. */
export function asProperty(path: string, item: unknown): AnyProperty {
  if (typeof item !== 'object' || item === null) throw wrongType(path, MADE, item)
  checkPlain(path, item)
  return item as AnyProperty
}

export function checkId(list: PropertyList, id: unknown, item: unknown): number {
  if (typeof id !== 'number') throw wrongType(list.path, MADE, item)
  return checkInteger(list.path, id, 0x7f)
}

/**
 * Writes the property length and the properties, and returns the index after them.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if a value has the wrong type
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number does not fit its type, or a string or binary data takes over 65,535 bytes
 */
export function writeProperties(
  bytes: Uint8Array,
  lengthAt: number,
  values: PropertyValues,
  list: PropertyList,
): number {
  const start = lengthAt + 1
  let at = start
  for (let i = 0; i < values.length; i += 3) {
    const id = values[i] as number
    const rule = list.rules[id]
    bytes[at++] = id
    // An unknown identifier is written without a value, and the check refuses it.
    if (rule !== undefined) at = writeProperty(bytes, at, rule, values[i + 1], values[i + 2])
  }
  const size = at - start
  if (size < 0x80) {
    bytes[lengthAt] = size
    return at
  }
  // One byte was reserved for the property length, because most lengths fit into it.
  const more = variableByteIntegerLength(size) - 1
  bytes.copyWithin(start + more, start, at)
  writeVariableByteInteger(bytes, lengthAt, size)
  return at + more
}

/**
 * Writes the key, if there is one, and the value, and returns the index after them. Throws the same errors as `writeProperties`.
 */
export function writeProperty(
  bytes: Uint8Array,
  at: number,
  rule: PropertyRule,
  key: unknown,
  value: unknown,
): number {
  const { width, field, largest } = rule
  if (width > 0) return writeInteger(bytes, at, checkInteger(field.name, value, largest), width)
  switch (rule.type) {
    case 'utf8StringPair':
      return writeUtf8String(bytes, writeUtf8String(bytes, at, key, field.name), value, field.name)
    case 'utf8String':
      return writeUtf8String(bytes, at, value, field.name)
    case 'binaryData':
      return writeBinaryData(bytes, at, value as Uint8Array, field.name)
    default:
      return writeVariableByteInteger(bytes, at, checkInteger(field.name, value, largest))
  }
}
