import type { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'
import {
  type ConnectPropertyName,
  type ConnectPropertyTable,
  connectProperties,
  type PropertyRow,
  type PropertyType,
} from '../protocol/property-table.ts'
import {
  PAST_END,
  readInteger,
  readTwoByteInteger,
  readVariableByteInteger,
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeInteger,
  writeVariableByteInteger,
} from '../wire/integers.ts'
import { readUtf8 } from '../wire/utf8.ts'
import { viewOf } from '../wire/view.ts'
import {
  authenticationData,
  authenticationMethod,
  connectPlace,
  type PropertyPlace,
  type PropertyRule,
  willPlace,
} from './property-places.ts'
import { bytesJson, bytesText, REDACTED, stringText } from './text.ts'
import {
  binaryDataSize,
  checkInteger,
  isInteger,
  toBuffer,
  unfit,
  utf8StringSize,
  writeBinaryData,
  writeTopicName,
  writeUtf8String,
} from './values.ts'

/** What a property's value is in a program. */
interface ValueOfType {
  byte: number
  twoByteInteger: number
  fourByteInteger: number
  variableByteInteger: number
  utf8String: string
  binaryData: Buffer
}

type PropertyOfRow<Row extends PropertyRow> = Row['type'] extends keyof ValueOfType
  ? { readonly id: Row['id']; readonly value: ValueOfType[Row['type']] }
  : { readonly id: Row['id']; readonly key: string; readonly value: string }

/** One property of a CONNECT or of its will: a union discriminated by `id`. */
export type Property = {
  [Name in ConnectPropertyName]: PropertyOfRow<ConnectPropertyTable[Name]>
}[ConnectPropertyName]

/** What a factory takes: binary data also as any bytes or as a string. */
type FactoryArguments<Row extends PropertyRow> = Row['type'] extends 'utf8StringPair'
  ? [key: string, value: string]
  : Row['type'] extends 'binaryData'
    ? [value: Uint8Array | string]
    : Row['type'] extends keyof ValueOfType
      ? [value: ValueOfType[Row['type']]]
      : never

/**
 * A factory for each property that a CONNECT or its will can carry.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value is of the wrong type.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number does not fit its type, or a string or binary data takes over
 *   65,535 bytes. What else a rule forbids (a receive maximum of 0, say) is refused by the packet's constructor.
 */
export const property: {
  readonly [Name in keyof ConnectPropertyTable]: (
    ...value: FactoryArguments<ConnectPropertyTable[Name]>
  ) => PropertyOfRow<ConnectPropertyTable[Name]>
} = Object.fromEntries(Object.entries(connectProperties).map(([name, row]) => [name, factory(row)])) as never

function factory(row: PropertyRow): (first: never, second: never) => Property {
  const place = connectPlace.rules[row.id]?.allowed ? connectPlace : willPlace
  const what = `${place.path}.${place.rules[row.id]?.name}`
  return (first, second) => {
    const made = { id: row.id, ...valuePart(what, row.type, first, second) } as Property
    propertySize(made, place)
    return made
  }
}

function valuePart(what: string, type: PropertyType, first: never, second: never): object {
  if (type === 'utf8StringPair') return { key: first, value: second }
  return { value: type === 'binaryData' ? toBuffer(what, first) : first }
}

/** A property as any caller may have written it, before its type is known. */
interface AnyProperty {
  readonly id: number
  readonly key: string
  readonly value: never
}

/**
 * How many bytes the properties take, without the property length before them.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `props` is not an array of properties.
 * @throws RangeError `ERR_OUT_OF_RANGE` as the factories do.
 */
export function propertiesSize(props: readonly Property[], place: PropertyPlace): number {
  if (!Array.isArray(props)) throw wrongType(place.path, 'an array of properties', props)
  let size = 0
  for (let i = 0; i < props.length; i++) size += propertySize(props[i]!, place)
  return size
}

function propertySize(item: Property, place: PropertyPlace): number {
  if (typeof item !== 'object' || item === null) throw wrongType(place.path, 'properties', item)
  const { id, key, value } = item as unknown as AnyProperty
  const rule = place.rules[checkInteger(place.path, id, 0x7f)]
  // An unknown identifier is written without a value: the scan refuses it where it stands.
  if (rule === undefined) return 1
  const { width } = rule
  const what = rule.field.name
  if (width > 0) {
    checkInteger(what, value, rule.largest)
    return 1 + width
  }
  switch (rule.type) {
    case 'utf8StringPair':
      return 1 + utf8StringSize(what, key) + utf8StringSize(what, value)
    case 'utf8String':
      return 1 + utf8StringSize(what, value)
    case 'binaryData':
      return 1 + binaryDataSize(what, value)
    default:
      return 1 + variableByteIntegerLength(checkInteger(what, value, rule.largest))
  }
}

/**
 * Writes the property length and the properties, and returns the index after them.
 *
 * @param plain to take any properties, and to return an index past the end if one of them might break a rule; else
 *   `propertiesSize` must have checked them
 */
export function writeProperties(
  bytes: Uint8Array,
  lengthAt: number,
  props: readonly Property[],
  place: PropertyPlace,
  plain: boolean,
): number {
  if (!Array.isArray(props)) return unfit(plain)
  const start = lengthAt + 1
  let at = start
  let seen = 0
  for (let i = 0; i < props.length; i++) {
    const item = props[i]
    if (typeof item !== 'object' || item === null) return unfit(plain)
    const { id, key, value } = item as unknown as AnyProperty
    if (typeof id !== 'number' || (id & 0x7f) !== id) return unfit(plain)
    const rule = place.rules[id]
    if (plain && !mayStand(rule, seen)) return PAST_END
    bytes[at++] = id
    if (rule === undefined) continue
    seen |= rule.once
    at = writeValue(bytes, at, rule, key, value, plain)
    if (plain && at > bytes.length) return PAST_END
  }
  const size = at - start
  if (size < 0x80) {
    bytes[lengthAt] = size
    return at
  }
  // One byte has been left for the property length, as most fit it.
  const more = variableByteIntegerLength(size) - 1
  bytes.copyWithin(start + more, start, at)
  writeVariableByteInteger(bytes, lengthAt, size)
  return at + more
}

/** Whether the property breaks no rule by where it stands; no is not certain. */
function mayStand(rule: PropertyRule | undefined, seen: number): boolean {
  if (rule === undefined || !rule.allowed || (seen & rule.once) !== 0) return false
  return rule !== authenticationData || (seen & authenticationMethod.once) !== 0
}

function writeValue(
  bytes: Uint8Array,
  at: number,
  rule: PropertyRule,
  key: string,
  value: never,
  plain: boolean,
): number {
  const { width } = rule
  if (width > 0) {
    const fits = plain ? isInteger(value, rule.min, rule.max) : isInteger(value, 0, rule.largest)
    return fits ? writeInteger(bytes, at, value, width) : unfit(plain)
  }
  switch (rule.type) {
    case 'utf8StringPair':
      return writeUtf8String(bytes, writeUtf8String(bytes, at, key, plain), value, plain)
    case 'utf8String':
      return rule.topic ? writeTopicName(bytes, at, value, plain) : writeUtf8String(bytes, at, value, plain)
    case 'binaryData':
      return writeBinaryData(bytes, at, value, plain)
    default:
      return isInteger(value, 0, rule.largest) ? writeVariableByteInteger(bytes, at, value) : unfit(plain)
  }
}

/** The index after the properties whose property length stands at `at`. */
export function propertiesEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return at + 1 + first
  const next = variableByteIntegerEnd(bytes, at, bytes.length)
  return next + readVariableByteInteger(bytes, at, next)
}

/** The properties whose property length stands at `at`, in their order. They have been scanned. */
export function readProperties(bytes: Buffer, at: number): Property[] {
  const props: Property[] = []
  let next = variableByteIntegerEnd(bytes, at, bytes.length)
  const end = next + readVariableByteInteger(bytes, at, next)
  while (next < end) {
    let id = bytes[next++]!
    if (id >= 0x80) {
      // Not in its shortest form, which a packet may have been allowed.
      const idAt = next - 1
      next = variableByteIntegerEnd(bytes, idAt, end)
      id = readVariableByteInteger(bytes, idAt, next)
    }
    const { width, type } = connectPlace.rules[id]!
    if (width > 0) {
      props.push({ id, value: readInteger(bytes, next, width) } as Property)
      next += width
      continue
    }
    const start = next + 2
    next = start + readTwoByteInteger(bytes, next)
    if (type === 'utf8StringPair') {
      const key = readUtf8(bytes, start, next)
      const valueStart = next + 2
      next = valueStart + readTwoByteInteger(bytes, next)
      props.push({ id, key, value: readUtf8(bytes, valueStart, next) } as Property)
    } else {
      const value = type === 'binaryData' ? viewOf(bytes, start, next) : readUtf8(bytes, start, next)
      props.push({ id, value } as Property)
    }
  }
  return props
}

/** The properties as the text form has them: `ps:[{id:content_type,val:json}]`. */
export function propertiesText(props: readonly Property[]): string {
  return `ps:[${props.map(propertyText).join(',')}]`
}

function propertyText(item: Property): string {
  const { id } = item
  const { name, secret } = connectPlace.rules[id]!
  const label = `id:${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
  if ('key' in item) return `{${label},key:${stringText(item.key)},val:${stringText(item.value)}}`
  if (secret) return `{${label},val:${REDACTED}}`
  if (id === connectProperties.payloadFormatIndicator.id) {
    return `{${label},val:${item.value === 0 ? 'binary' : 'string'}}`
  }
  const { value } = item
  const text =
    typeof value === 'number' ? `${value}` : typeof value === 'string' ? stringText(value) : bytesText(value)
  return `{${label},val:${text}}`
}

/** The properties for JSON and for `inspect`: secrets taken out. */
export function redactedProperties(props: readonly Property[]): object[] {
  return props.map((item) => {
    if (connectPlace.rules[item.id]!.secret) return { id: item.id, value: REDACTED }
    return 'value' in item && typeof item.value === 'object'
      ? { id: item.id, value: bytesJson(item.value) }
      : item
  })
}
