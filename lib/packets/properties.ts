import type { Buffer } from 'buffer'
import { type AnyProperty, countProperties, readProperties } from '../codec/properties.ts'
import { type PropertyList, type PropertyRule, propertyList } from '../codec/property-list.ts'
import { asProperty, checkId, writeProperty } from '../codec/write-properties.ts'
import { wrongType, wrongValue } from '../errors/misuse.ts'
import {
  PropertyId,
  type PropertyName,
  type PropertyRow,
  type PropertyTable,
  propertyRows,
} from '../protocol/property-table.ts'
import { newestVersion } from '../protocol/version.ts'
import { toBuffer } from '../wire/primitives.ts'
import { bytesJson, bytesText, LONGEST_LIST, listText, REDACTED, snakeCase, stringText } from './text.ts'

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
  Array.from(propertyRows)
    .filter(([, row]) => Object.keys(row.in).length > 0)
    .map(([name, row]) => [name, factory(row)]),
) as never

/** What is known about each property, whichever list contains it. */
export const anyProperty: readonly (PropertyRule | undefined)[] = rulesAt('props')
const willProperty = rulesAt('will.props')

function rulesAt(path: PropertyList['path']): PropertyList['rules'] {
  return propertyList('connect', newestVersion, { path, owner: '', section: '2.2.2.2' }).rules
}

const noBytes = new Uint8Array(0)

function factory(row: PropertyRow): (first: never, second: never) => Property {
  const onlyInWill = Object.keys(row.in).every((list) => list === 'will')
  return (first, second) => {
    const rule = (onlyInWill ? willProperty : anyProperty)[row.id]!
    const { id, type, field } = rule
    const made: AnyProperty =
      type === 'utf8StringPair'
        ? { id, key: first, value: second }
        : { id, value: type === 'binaryData' ? toBuffer(field.name, first) : first }
    writeProperty(noBytes, 0, rule, made.key, made.value)
    return made as Property
  }
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
  for (const item of props) {
    if (item.id === PropertyId.userProperty && item.key === key) values.push(item.value)
  }
  return values
}

/** The text form of the properties whose property length is at `at`: `ps:[{id:content_type,val:json}]`. */
export function propertiesTextAt(bytes: Buffer, at: number, list: PropertyList): string {
  const first = readProperties(bytes, at, list, LONGEST_LIST) as Property[]
  return propertiesText(first, countProperties(bytes, at, list))
}

/** The text form of properties, of which these are the first; empty for an empty list. */
export function propertiesText(props: readonly Property[], length: number = props.length): string {
  return length === 0 ? '' : `ps:${listText(props.slice(0, LONGEST_LIST).map(propertyText), length)}`
}

function propertyText(item: Property): string {
  const { name, secret } = anyProperty[item.id]!
  const label = `id:${snakeCase(name)}`
  if (item.id === PropertyId.userProperty) {
    return `{${label},key:${stringText(item.key)},val:${stringText(item.value)}}`
  }
  return `{${label},val:${secret ? REDACTED : valueText(item)}}`
}

function valueText({ id, value }: Exclude<Property, { key: string }>): string {
  // `allow` may have permitted other values.
  if (id === PropertyId.payloadFormatIndicator && value <= 1) return value === 0 ? 'binary' : 'string'
  if (typeof value === 'number') return `${value}`
  return typeof value === 'string' ? stringText(value) : bytesText(value)
}

/** The properties for JSON and for `inspect`, with their names. A secret has no value there, not even a placeholder. */
export function propertiesJson(props: readonly Property[]): object[] {
  return props.map((item) => {
    const { name, secret } = anyProperty[item.id]!
    const { id, value } = item
    if (item.id === PropertyId.userProperty) return { id, name, key: item.key, value }
    if (secret) return { id, name, redacted: true }
    return { id, name, value: typeof value === 'object' ? bytesJson(value) : value }
  })
}

/** The properties without those that are secrets. */
export function withoutSecretProperties(props: readonly Property[]): Property[] {
  return props.filter(({ id }) => !anyProperty[id]!.secret)
}

/**
 * Properties to be kept, which nobody can change afterwards.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if MQTT has no property with an identifier. Otherwise as `copyProperties`.
 */
export function keptProperties(props: readonly Property[], list: PropertyList): readonly Property[] {
  const kept: Property[] = []
  for (let i = 0; i < props.length; i++) {
    const item = { ...asProperty(list, props[i]) }
    if (list.rules[checkId(list, item.id, item)] === undefined) {
      throw wrongValue(list.path, 'identifiers of known properties')
    }
    kept.push(Object.freeze(item) as Property)
  }
  return Object.freeze(kept)
}

/** The list of a packet that cannot have properties. */
export const noProperties: readonly Property[] = Object.freeze([])
