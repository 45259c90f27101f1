import type { Buffer } from 'buffer'
import { wrongType } from '../errors/misuse.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import {
  type ConnectPropertyName,
  type ConnectPropertyTable,
  connectProperties,
  type PropertyRow,
  type PropertyType,
} from '../protocol/property-table.ts'
import {
  readFourByteInteger,
  readTwoByteInteger,
  readVariableByteInteger,
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeFourByteInteger,
  writeTwoByteInteger,
  writeVariableByteInteger,
} from '../wire/integers.ts'
import type { Reader } from '../wire/reader.ts'
import { connectPlace, type PropertyPlace, type PropertyRule, willPlace } from './property-places.ts'
import { bytesJson, bytesText, REDACTED, stringText } from './text.ts'
import {
  binaryDataSize,
  checkInteger,
  readBinaryData,
  readUtf8String,
  toBuffer,
  utf8StringSize,
  writeBinaryData,
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
  const what = rule.field.name
  switch (rule.type) {
    case 'byte':
      checkInteger(what, value, 0xff)
      return 2
    case 'twoByteInteger':
      checkInteger(what, value, 0xffff)
      return 3
    case 'fourByteInteger':
      checkInteger(what, value, 0xffff_ffff)
      return 5
    case 'variableByteInteger':
      return 1 + variableByteIntegerLength(checkInteger(what, value, MAX_VARIABLE_BYTE_INTEGER))
    case 'utf8String':
      return 1 + utf8StringSize(what, value)
    case 'binaryData':
      return 1 + binaryDataSize(what, value)
    case 'utf8StringPair':
      return 1 + utf8StringSize(what, key) + utf8StringSize(what, value)
  }
}

/** Writes the property length `size` and the properties that `propertiesSize` has checked. */
export function writeProperties(
  bytes: Uint8Array,
  at: number,
  props: readonly Property[],
  size: number,
): number {
  let next = writeVariableByteInteger(bytes, at, size)
  for (let i = 0; i < props.length; i++) next = writeProperty(bytes, next, props[i]!)
  return next
}

function writeProperty(bytes: Uint8Array, at: number, item: Property): number {
  const { id, key, value } = item as unknown as AnyProperty
  bytes[at] = id
  const start = at + 1
  switch (connectPlace.rules[id]?.type) {
    case 'byte':
      bytes[start] = value
      return start + 1
    case 'twoByteInteger':
      return writeTwoByteInteger(bytes, start, value)
    case 'fourByteInteger':
      return writeFourByteInteger(bytes, start, value)
    case 'variableByteInteger':
      return writeVariableByteInteger(bytes, start, value)
    case 'utf8String':
      return writeUtf8String(bytes, start, value)
    case 'binaryData':
      return writeBinaryData(bytes, start, value)
    case 'utf8StringPair':
      return writeUtf8String(bytes, writeUtf8String(bytes, start, key), value)
    default:
      return start
  }
}

/** Checks the property length and the properties at the reader, and steps over them. MQTT 5.0 section 2.2.2. */
export function scanProperties(read: Reader, place: PropertyPlace): void {
  const lengthAt = read.at
  const length = read.variableByteInteger(place.lengthField, true)
  const end = read.at + length
  const packetEnd = read.end
  if (end > packetEnd) {
    read.fail('field-past-end', place.lengthField, lengthAt, `at most ${packetEnd - read.at}`, `${length}`)
  }
  read.end = end
  read.pastEnd = 'property-past-end'
  let seen = 0
  let dataAt = 0
  while (read.at < end) {
    const at = read.at
    const rule = scanIdentifier(read, place)
    if ((seen & rule.once) !== 0) {
      read.fail(place.twice, rule.field, at, 'the property once', 'it twice')
    }
    seen |= rule.once
    if (rule === authenticationData) dataAt = at
    scanValue(read, rule)
  }
  if (dataAt !== 0 && (seen & authenticationMethod.once) === 0) {
    read.fail(
      'authentication-data-without-method',
      authenticationData.field,
      dataAt,
      'an authentication method with it',
      'none',
    )
  }
  read.end = packetEnd
  read.pastEnd = 'field-past-end'
}

const authenticationData = connectPlace.rules[connectProperties.authenticationData.id]!
const authenticationMethod = connectPlace.rules[connectProperties.authenticationMethod.id]!

function scanIdentifier(read: Reader, place: PropertyPlace): PropertyRule {
  const at = read.at
  let id = read.bytes[at]!
  let rule: PropertyRule | undefined
  if (id < 0x80) {
    rule = place.rules[id]
    read.fixed(rule === undefined ? place.unknownField : rule.field, 1)
  } else {
    // All known identifiers fit one byte, but the standard makes this a variable byte integer.
    id = read.variableByteInteger(place.unknownField, true)
    rule = place.rules[id]
  }
  if (rule === undefined) {
    read.fail('property-unknown', place.unknownField, at, 'a known property identifier', hex(id))
  }
  if (!rule.allowed) {
    read.fail(
      'property-not-allowed-here',
      rule.field,
      at,
      `a property of ${place === connectPlace ? 'CONNECT' : 'a will'}`,
      rule.name,
    )
  }
  return rule
}

function scanValue(read: Reader, rule: PropertyRule): void {
  const at = read.at
  switch (rule.type) {
    case 'byte':
      scanRange(read, rule, at, read.byte(rule.field))
      break
    case 'twoByteInteger':
      scanRange(read, rule, at, read.twoByteInteger(rule.field))
      break
    case 'fourByteInteger':
      scanRange(read, rule, at, readFourByteInteger(read.bytes, read.fixed(rule.field, 4)))
      break
    case 'utf8String':
      if (rule.topic) read.topicName(rule.field, 'response-topic-empty', 'response-topic-wildcard')
      else read.utf8String(rule.field)
      break
    case 'binaryData':
      read.binaryData(rule.field)
      break
    case 'utf8StringPair':
      read.utf8String(rule.field)
      read.utf8String(rule.field)
      break
  }
}

function scanRange(read: Reader, rule: PropertyRule, at: number, value: number): void {
  if (value >= rule.min && value <= rule.max) return
  const expected = rule.min > 0 ? `at least ${rule.min}` : `${rule.min} to ${rule.max}`
  read.fault(rule.refusal, rule.field, at, expected, `${value}`)
}

function hex(id: number): string {
  return `0x${id.toString(16).padStart(2, '0')}`
}

/** The properties whose property length stands at `at`, in their order. They have been scanned. */
export function readProperties(bytes: Buffer, at: number): Property[] {
  const props: Property[] = []
  let next = variableByteIntegerEnd(bytes, at, bytes.length)
  const end = next + readVariableByteInteger(bytes, at, next)
  while (next < end) {
    const start = variableByteIntegerEnd(bytes, next, end)
    const id = readVariableByteInteger(bytes, next, start)
    const type = connectPlace.rules[id]!.type
    let value: number | string | Buffer
    switch (type) {
      case 'byte':
        value = bytes[start]!
        next = start + 1
        break
      case 'twoByteInteger':
        value = readTwoByteInteger(bytes, start)
        next = start + 2
        break
      case 'fourByteInteger':
        value = readFourByteInteger(bytes, start)
        next = start + 4
        break
      case 'utf8StringPair': {
        const key = readUtf8String(bytes, start)
        const valueAt = endOfPrefixed(bytes, start)
        props.push({ id, key, value: readUtf8String(bytes, valueAt) } as Property)
        next = endOfPrefixed(bytes, valueAt)
        continue
      }
      default:
        value = type === 'binaryData' ? readBinaryData(bytes, start) : readUtf8String(bytes, start)
        next = endOfPrefixed(bytes, start)
    }
    props.push({ id, value } as Property)
  }
  return props
}

/** The index after the string or binary data whose length prefix stands at `at`. */
function endOfPrefixed(bytes: Uint8Array, at: number): number {
  return at + 2 + readTwoByteInteger(bytes, at)
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
