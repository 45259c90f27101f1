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
import {
  fail,
  fault,
  type Scan,
  scanBinaryData,
  scanFixed,
  scanTopicName,
  scanUtf8String,
  scanVariableByteInteger,
} from '../wire/scan.ts'
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

/**
 * Checks the property length at `at` and the properties behind it; returns the index after them. MQTT 5.0 section
 * 2.2.2.
 */
export function scanProperties(
  scan: Scan,
  bytes: Uint8Array,
  lengthAt: number,
  packetEnd: number,
  place: PropertyPlace,
): number {
  let at = scanVariableByteInteger(scan, bytes, lengthAt, packetEnd, place.lengthField, true)
  const length = readVariableByteInteger(bytes, lengthAt, at)
  const end = at + length
  if (end > packetEnd) {
    fail(scan, 'field-past-end', place.lengthField, lengthAt, `at most ${packetEnd - at}`, `${length}`)
  }
  let seen = 0
  let dataAt = 0
  while (at < end) {
    let rule = place.rules[bytes[at]!]
    let valueAt = at + 1
    if (rule === undefined) {
      rule = ruleOfLongIdentifier(scan, bytes, at, end, place)
      valueAt = scanVariableByteInteger(scan, bytes, at, end, rule.field, true)
    } else if (scan.observer !== undefined) {
      scan.observer(rule.field, at, at, valueAt)
    }
    if (!rule.allowed) refuseHere(scan, at, place, rule)
    if ((seen & rule.once) !== 0) {
      fail(scan, place.twice, rule.field, at, 'the property once', 'it twice')
    }
    seen |= rule.once
    if (rule === authenticationData) dataAt = at
    at = scanValue(scan, bytes, valueAt, end, rule)
  }
  if (dataAt !== 0 && (seen & authenticationMethod.once) === 0) {
    const { field } = authenticationData
    fail(scan, 'authentication-data-without-method', field, dataAt, 'an authentication method', 'none')
  }
  return end
}

const authenticationData = connectPlace.rules[connectProperties.authenticationData.id]!
const authenticationMethod = connectPlace.rules[connectProperties.authenticationMethod.id]!

/**
 * The rule of an identifier that is not one of the known bytes. All known identifiers fit one byte, but the standard
 * makes them variable byte integers: this is a known one only if it is not in its shortest form.
 */
function ruleOfLongIdentifier(
  scan: Scan,
  bytes: Uint8Array,
  at: number,
  end: number,
  place: PropertyPlace,
): PropertyRule {
  const field = place.unknownField
  const next = variableByteIntegerEnd(bytes, at, end)
  const id = next > 0 ? readVariableByteInteger(bytes, at, next) : -1
  const rule = place.rules[id]
  if (rule !== undefined) return rule
  scanVariableByteInteger(scan, bytes, at, end, field, true)
  fail(scan, 'property-unknown', field, at, 'a known property identifier', hex(id))
}

function refuseHere(scan: Scan, at: number, place: PropertyPlace, rule: PropertyRule): never {
  const expected = `a property of ${place === connectPlace ? 'CONNECT' : 'a will'}`
  fail(scan, 'property-not-allowed-here', rule.field, at, expected, rule.name)
}

/** Checks the value at `at`; returns the index after it. */
function scanValue(scan: Scan, bytes: Uint8Array, at: number, end: number, rule: PropertyRule): number {
  const { field } = rule
  switch (rule.type) {
    case 'byte': {
      const next = scanFixed(scan, at, end, field, 1)
      checkRange(scan, at, rule, bytes[at]!)
      return next
    }
    case 'twoByteInteger': {
      const next = scanFixed(scan, at, end, field, 2)
      checkRange(scan, at, rule, readTwoByteInteger(bytes, at))
      return next
    }
    case 'fourByteInteger': {
      const next = scanFixed(scan, at, end, field, 4)
      checkRange(scan, at, rule, readFourByteInteger(bytes, at))
      return next
    }
    case 'utf8String':
      return rule.topic
        ? scanTopicName(scan, bytes, at, end, field, 'response-topic-empty', 'response-topic-wildcard')
        : scanUtf8String(scan, bytes, at, end, field)
    case 'binaryData':
      return scanBinaryData(scan, bytes, at, end, field)
    case 'utf8StringPair':
      return scanUtf8String(scan, bytes, scanUtf8String(scan, bytes, at, end, field), end, field)
    case 'variableByteInteger':
      return scanVariableByteInteger(scan, bytes, at, end, field, true)
  }
}

function checkRange(scan: Scan, at: number, rule: PropertyRule, value: number): void {
  if (value >= rule.min && value <= rule.max) return
  const expected = rule.min > 0 ? `at least ${rule.min}` : `${rule.min} to ${rule.max}`
  fault(scan, rule.refusal, rule.field, at, expected, `${value}`)
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
