import type { Buffer } from 'buffer'
import { checkPlain, wrongType, wrongValue } from '../../errors/misuse.ts'
import {
  PropertyId,
  type PropertyName,
  type PropertyRow,
  type PropertyTable,
  type PropertyType,
  propertyRows,
} from '../../protocol/property-table.ts'
import {
  readInteger,
  readTwoByteInteger,
  readVariableByteInteger,
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeInteger,
  writeVariableByteInteger,
} from '../../wire/integers.ts'
import { viewOf } from '../../wire/memory.ts'
import { writeBinaryData, writeUtf8String } from '../../wire/primitives.ts'
import { readUtf8 } from '../../wire/utf8.ts'
import { checkInteger, toBuffer } from '../arguments.ts'
import { bytesJson, bytesText, LONGEST_LIST, listText, REDACTED, snakeCase, stringText } from '../text.ts'
import { anyProperty, lists, type PropertyList, type PropertyRule } from './property-list.ts'

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

/**
 * One property of a packet or of its will: `{ id, value }`, a user property `{ id, key, value }`. `id` narrows the type of `value`.
 *
 * @example
 * for (const item of packet.props) {
 *   if (item.id === PropertyId.userProperty) console.log(item.key, item.value)
 * }
 */
export type Property = { [Name in PropertyName]: PropertyOfRow<PropertyTable[Name]> }[PropertyName]

/**
 * The identifiers of the properties that occur at most once: all but `PropertyId.userProperty`.
 *
 * @example
 * const id: SinglePropertyId = PropertyId.receiveMaximum
 * packet.property(id) // 100
 */
export type SinglePropertyId = Exclude<Property, { readonly key: string }>['id']

/**
 * The type of the value of a property that occurs at most once.
 *
 * @example
 * const value: PropertyValue<typeof PropertyId.receiveMaximum> = 100
 */
export type PropertyValue<Id extends SinglePropertyId> = Extract<Property, { readonly id: Id }>['value']

/** What a factory takes: binary data also as any bytes or as a string. */
type FactoryArguments<Row extends PropertyRow> = Row['type'] extends 'utf8StringPair'
  ? [key: string, value: string]
  : Row['type'] extends 'binaryData'
    ? [value: Uint8Array | string]
    : Row['type'] extends keyof ValueOfType
      ? [value: ValueOfType[Row['type']]]
      : never

/**
 * The functions of `property`, one for each property.
 *
 * @example
 * const { receiveMaximum }: PropertyFactories = property
 * receiveMaximum(100) // { id: 33, value: 100 }
 */
export type PropertyFactories = {
  readonly [Name in PropertyName]: (
    ...value: FactoryArguments<PropertyTable[Name]>
  ) => PropertyOfRow<PropertyTable[Name]>
}

/**
 * A function for each property of a CONNECT, of its will, and of a CONNACK. It returns the property for `props`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value has the wrong type, `ERR_INVALID_ARG_VALUE` if it is a string with a
 *   lone surrogate for binary data.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number does not fit its type, or a string or binary data takes over 65,535
 *   bytes. A value that MQTT forbids, such as a receive maximum of 0, is refused by the packet's constructor.
 * @example
 * property.sessionExpiryInterval(3600) // { id: 17, value: 3600 }
 * property.userProperty('region', 'eu') // { id: 38, key: 'region', value: 'eu' }
 */
export const property: PropertyFactories = Object.fromEntries(
  Array.from(propertyRows, ([name, row]) => [name, factory(row)]).filter(([, make]) => make !== undefined),
) as never

const noBytes = new Uint8Array(0)

function factory(row: PropertyRow): ((first: never, second: never) => Property) | undefined {
  const rule = lists.map((list) => list.rules[row.id]!).find(({ allowed }) => allowed)
  if (rule === undefined) return undefined
  return (first, second) => {
    const made = { id: row.id, ...valuePart(rule.field.name, row.type, first, second) } as AnyProperty
    writeValue(noBytes, 0, rule, made.key, made.value)
    return made as never
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

/** What a member is that a property does not have. Only its type is looked at. */
const absent = undefined as never

/** What a caller should pass, for messages. */
const MADE = 'properties, such as property.userProperty(key, value)'

/**
 * Writes the property length and the properties; returns the index after them.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if `props` is not an array of properties.
 * @throws RangeError `ERR_OUT_OF_RANGE` as the factories do.
 */
export function writeProperties(
  bytes: Uint8Array,
  lengthAt: number,
  props: readonly Property[],
  list: PropertyList,
): number {
  if (!Array.isArray(props)) throw wrongType(list.path, 'an array of properties', props)
  const start = lengthAt + 1
  let at = start
  for (let i = 0; i < props.length; i++) {
    const item = asProperty(list, props[i])
    const id = checkId(list, item.id, item)
    const key = Object.hasOwn(item, 'key') ? item.key : absent
    const value = Object.hasOwn(item, 'value') ? item.value : absent
    const rule = list.rules[id]
    bytes[at++] = id
    // An unknown identifier is written without a value. The check refuses it.
    if (rule !== undefined) at = writeValue(bytes, at, rule, key, value)
  }
  const size = at - start
  if (size < 0x80) {
    bytes[lengthAt] = size
    return at
  }
  // One byte has been left for the property length, because most lengths fit it.
  const more = variableByteIntegerLength(size) - 1
  bytes.copyWithin(start + more, start, at)
  writeVariableByteInteger(bytes, lengthAt, size)
  return at + more
}

/** What a caller has written as a property, if it is a plain object with an identifier. Only its own members count. */
function asProperty(list: PropertyList, item: unknown): AnyProperty {
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, 'id')) {
    throw wrongType(list.path, MADE, item)
  }
  checkPlain(list.path, item)
  return item as AnyProperty
}

function checkId(list: PropertyList, id: number, item: unknown): number {
  if (typeof id !== 'number') throw wrongType(list.path, MADE, item)
  return checkInteger(list.path, id, 0x7f)
}

/**
 * Properties to be kept, which nobody can change afterwards.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if MQTT has no property with an identifier. Otherwise as `writeProperties`.
 */
export function keptProperties(props: readonly Property[], list: PropertyList): readonly Property[] {
  const kept: Property[] = []
  for (let i = 0; i < props.length; i++) {
    const item = { ...asProperty(list, props[i]) }
    if (list.rules[checkId(list, item.id, item)] === undefined)
      throw wrongValue(list.path, 'identifiers of known properties')
    kept.push(Object.freeze(item) as never)
  }
  return Object.freeze(kept)
}

function writeValue(bytes: Uint8Array, at: number, rule: PropertyRule, key: string, value: never): number {
  const { width, field, largest } = rule
  if (width > 0) return writeInteger(bytes, at, checkInteger(field.name, value, largest), width)
  switch (rule.type) {
    case 'utf8StringPair':
      return writeUtf8String(bytes, writeUtf8String(bytes, at, key, field.name), value, field.name)
    case 'utf8String':
      return writeUtf8String(bytes, at, value, field.name)
    case 'binaryData':
      return writeBinaryData(bytes, at, value, field.name)
    default:
      return writeVariableByteInteger(bytes, at, checkInteger(field.name, value, largest))
  }
}

/*
 * The functions that read take bytes that have been checked. If somebody has written to them since, they return anything that
 * is in the packet, and throw nothing.
 */

/** The index after the properties whose property length is at `at`. */
export function propertiesEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return at + 1 + first
  const next = variableByteIntegerEnd(bytes, at, bytes.length)
  return next + readVariableByteInteger(bytes, at, next)
}

/**
 * The properties whose property length is at `at`, in order.
 *
 * @param limit how many of them at most
 */
export function readProperties(
  bytes: Buffer,
  at: number,
  limit: number = Number.POSITIVE_INFINITY,
): Property[] {
  const props: Property[] = []
  const end = Math.min(propertiesEnd(bytes, at), bytes.length)
  let next = variableByteIntegerEnd(bytes, at, end)
  while (next >= 0 && next < end && props.length < limit) {
    let id = bytes[next++]!
    if (id >= 0x80) {
      // Not the shortest form of an identifier, which `allow` may have permitted.
      const idAt = next - 1
      next = variableByteIntegerEnd(bytes, idAt, end)
      id = readVariableByteInteger(bytes, idAt, next)
    }
    const rule = anyProperty[id]
    if (rule === undefined) break
    const { width, type } = rule
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

/** Whether the properties whose property length is at `at` end where that says, and have known identifiers. */
export function propertiesFit(bytes: Uint8Array, at: number): boolean {
  const end = propertiesEnd(bytes, at)
  return end <= bytes.length && skipProperties(bytes, at).end === end
}

/** How many properties there are whose property length is at `at`, and the index after the last one. */
function skipProperties(bytes: Uint8Array, at: number): { count: number; end: number } {
  const end = Math.min(propertiesEnd(bytes, at), bytes.length)
  let next = variableByteIntegerEnd(bytes, at, end)
  let count = 0
  while (next >= 0 && next < end) {
    const valueAt = variableByteIntegerEnd(bytes, next, end)
    const rule = anyProperty[readVariableByteInteger(bytes, next, valueAt)]
    if (rule === undefined) break
    next = valueAt + (rule.width > 0 ? rule.width : 2 + readTwoByteInteger(bytes, valueAt))
    if (rule.type === 'utf8StringPair') next += 2 + readTwoByteInteger(bytes, next)
    count++
  }
  return { count, end: next }
}

/** Reads properties by identifier and by key, from a packet or a will. */
export function findProperty(props: readonly Property[], id: SinglePropertyId): unknown {
  if (typeof id !== 'number') throw wrongType('id', 'a number, such as PropertyId.receiveMaximum', id)
  if ((id as number) === PropertyId.userProperty) {
    throw wrongValue('id', 'a property that occurs at most once; userProperties(key) returns user properties')
  }
  return props.find((item) => item.id === id)?.value
}

/** The values of all user properties with a key, in order. */
export function userPropertyValues(props: readonly Property[], key: string): string[] {
  if (typeof key !== 'string') throw wrongType('key', 'a string', key)
  const values: string[] = []
  for (const item of props)
    if (item.id === PropertyId.userProperty && item.key === key) values.push(item.value)
  return values
}

/** The text form of the properties whose property length is at `at`: `ps:[{id:content_type,val:json}]`. */
export function propertiesTextAt(bytes: Buffer, at: number): string {
  return propertiesText(readProperties(bytes, at, LONGEST_LIST), skipProperties(bytes, at).count)
}

/** The text form of properties, of which these are the first; empty for an empty list. */
export function propertiesText(props: readonly Property[], length: number = props.length): string {
  return length === 0 ? '' : `ps:${listText(props.slice(0, LONGEST_LIST).map(propertyText), length)}`
}

function propertyText(item: Property): string {
  const { name, secret } = anyProperty[item.id]!
  const label = `id:${snakeCase(name)}`
  if (item.id === PropertyId.userProperty)
    return `{${label},key:${stringText(item.key)},val:${stringText(item.value)}}`
  return `{${label},val:${secret ? REDACTED : valueText(item)}}`
}

function valueText({ id, value }: Exclude<Property, { key: string }>): string {
  // `allow` may have permitted other values.
  if (id === PropertyId.payloadFormatIndicator && value <= 1) return value === 0 ? 'binary' : 'string'
  if (typeof value === 'number') return `${value}`
  return typeof value === 'string' ? stringText(value) : bytesText(value)
}

/** The properties for JSON and for `inspect`, with their names and without secrets. */
export function propertiesJson(props: readonly Property[]): object[] {
  return props.map((item) => {
    const { name, secret } = anyProperty[item.id]!
    const { id, value } = item
    if (item.id === PropertyId.userProperty) return { id, name, key: item.key, value }
    return { id, name, value: secret ? REDACTED : typeof value === 'object' ? bytesJson(value) : value }
  })
}

/** The list of a packet that cannot have properties. */
export const noProperties: readonly Property[] = Object.freeze([])
