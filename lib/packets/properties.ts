import type { Buffer } from 'buffer'
import { countProperties, readProperties } from '../codec/properties.ts'
import { type PropertyList, type PropertyRule, propertyList } from '../codec/property-list.ts'
import { asProperty, checkId, writeProperty } from '../codec/write-properties.ts'
import { readItems, setOwn, wrongType, wrongValue } from '../errors/misuse.ts'
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

/** The JavaScript type of a property's value. */
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
 * One property of a packet or of its will: `{ id, value }`, or `{ id, key, value }` for a user property. `id` narrows the type of
 * `value`.
 *
 * @example
 * for (const item of packet.props) {
 *   if (item.id === PropertyId.userProperty) console.log(item.key, item.value)
 * }
 */
export type Property = { [Name in PropertyName]: PropertyOfRow<PropertyTable[Name]> }[PropertyName]

/**
 * The identifiers of properties that occur at most once: all but `PropertyId.userProperty`.
 */
export type SinglePropertyId = Exclude<Property, { readonly key: string }>['id']

/**
 * The type of the value of a property that occurs at most once.
 *
 * @example
 * const value: PropertyValue<typeof PropertyId.receiveMaximum> = 100
 */
export type PropertyValue<Id extends SinglePropertyId> = Extract<Property, { readonly id: Id }>['value']

/** The arguments of a factory. Binary data may be any bytes, or a string. */
type FactoryArguments<Row extends PropertyRow> = Row['type'] extends 'utf8StringPair'
  ? [key: string, value: string]
  : Row['type'] extends 'binaryData'
    ? [value: Uint8Array | string]
    : Row['type'] extends keyof ValueOfType
      ? [value: ValueOfType[Row['type']]]
      : never

/**
 * The functions of `property`, one for each property.
 */
export type PropertyFactories = {
  // Not simply `in PropertyName`, because then editors would show no docstrings.
  readonly [Name in keyof PropertyTable as Name extends PropertyName ? Name : never]: (
    ...value: FactoryArguments<PropertyTable[Name]>
  ) => PropertyOfRow<PropertyTable[Name]>
}

/**
 * A function for each property of CONNECT, its will, CONNACK, AUTH and DISCONNECT. It returns the property for `props`.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if the value has the wrong type, `ERR_INVALID_ARG_VALUE` if it is a string with a lone
 *   surrogate for binary data.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number does not fit its type, or a string or binary data takes over 65,535 bytes. A
 *   value that MQTT forbids, such as a receive maximum of 0, is refused later, by the packet's constructor.
 * @example
 * property.sessionExpiryInterval(3600) // { id: 17, value: 3600 }
 * property.userProperty('region', 'eu') // { id: 38, key: 'region', value: 'eu' }
 */
export const property: PropertyFactories = Object.fromEntries(
  Array.from(propertyRows)
    .filter(([, row]) => Object.keys(row.in).length > 0)
    .map(([name, row]) => [name, factory(row)]),
) as never

/** The facts about each property that don't depend on the list. */
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
    const isPair = type === 'utf8StringPair'
    const value = isPair ? second : type === 'binaryData' ? toBuffer(field.name, first) : first
    writeProperty(noBytes, 0, rule, first, value)
    return (isPair ? { id, key: first, value } : { id, value }) as Property
  }
}

/** The value of the property with this identifier. */
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

/** The text form of properties, given the first of them and their number. Empty if there are none. */
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
  // Other values are possible if `allow` permits them.
  if (id === PropertyId.payloadFormatIndicator && value <= 1) return value === 0 ? 'binary' : 'string'
  if (typeof value === 'number') return `${value}`
  return typeof value === 'string' ? stringText(value) : bytesText(value)
}

/** The properties for JSON and `inspect`, with their names. Secrets have no value there, not even a placeholder. */
export function propertiesJson(props: readonly Property[]): object[] {
  return props.map((item) => {
    const { name, secret } = anyProperty[item.id]!
    const { id, value } = item
    if (item.id === PropertyId.userProperty) return { id, name, key: item.key, value }
    if (secret) return { id, name, redacted: true }
    return { id, name, value: typeof value === 'object' ? bytesJson(value) : value }
  })
}

/** The properties that aren't secrets. */
export function withoutSecretProperties(props: readonly Property[]): Property[] {
  return props.filter(({ id }) => !anyProperty[id]!.secret)
}

/**
 * A frozen copy of the properties.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if MQTT has no property with an identifier. Otherwise the same errors as
 *   `copyProperties`.
 */
export function keptProperties(props: readonly Property[], list: PropertyList): readonly Property[] {
  const kept: Property[] = []
  readItems(list.path, 'an array of properties', props, (given) => {
    const item = { ...asProperty(list.path, given) }
    const rule = list.rules[checkId(list, item.id, item)]
    if (rule === undefined) throw wrongValue(list.path, 'identifiers of known properties')
    if (rule.type === 'binaryData') setOwn(item, 'value', toBuffer(rule.field.name, item.value))
    kept.push(Object.freeze(item) as Property)
  })
  return Object.freeze(kept)
}

/** The empty list of packets that can't have properties. */
export const noProperties: readonly Property[] = Object.freeze([])
