import type { PropertyRule } from '../codec/property-list.ts'
import {
  checkBoolean,
  checkInteger,
  checkLength,
  checkPlain,
  isArray,
  ownMembers,
  readItems,
} from '../errors/misuse.ts'
import { anyProperty, type Property } from '../packets/properties.ts'
import { PropertyId, propertyRows } from '../protocol/property-table.ts'
import { checkBinary, writeBinaryData, writeUtf8String } from '../wire/primitives.ts'
import { byteAsNumber, theirNames, type UserProperties } from './mqtt-packet-objects.ts'

/** A property's name in mqtt-packet. */
function theirName(name: string): string {
  return Object.hasOwn(theirNames, name) ? theirNames[name as keyof typeof theirNames] : name
}

/**
 * Every property of MQTT 5.0 by mqtt-packet's name. mqtt-packet writes any property in any packet, so the check has to refuse
 * those that aren't allowed.
 */
const idsByName: ReadonlyMap<string, number> = new Map(
  Array.from(propertyRows, ([name, { id }]) => [theirName(name), id]),
)
const names: readonly string[] = [...idsByName.keys()]

function isBoolean({ type, name }: PropertyRule): boolean {
  return type === 'byte' && name !== byteAsNumber
}

/** The properties in mqtt-packet's shape, or `undefined` if there are none. */
export function toTheirProperties(props: readonly Property[]): object | undefined {
  if (props.length === 0) return undefined
  const properties = new Map<string, unknown>()
  let userProperties: UserProperties | undefined
  for (const item of props) {
    const rule = anyProperty[item.id]!
    if (item.id !== PropertyId.userProperty) {
      properties.set(theirName(rule.name), isBoolean(rule) ? item.value !== 0 : item.value)
      continue
    }
    // It has no prototype, as in mqtt-packet, so `__proto__` is a key like any other.
    userProperties ??= Object.create(null) as UserProperties
    properties.set(theirName(rule.name), userProperties)
    const before = userProperties[item.key]
    if (Array.isArray(before)) before.push(item.value)
    else userProperties[item.key] = before === undefined ? item.value : [before, item.value]
  }
  return Object.fromEntries(properties)
}

/**
 * The properties of an object from mqtt-packet, in the order in which `generate` writes them.
 *
 * @param path the path of the object: `properties` or `will.properties`
 * @throws TypeError, RangeError if a name is unknown or a value does not have the type of its property
 */
export function fromTheirProperties(path: string, properties: object | undefined): Property[] {
  if (properties === undefined) return []
  const own = ownMembers(path, properties, names)
  const props: Property[] = []
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue
    const id = idsByName.get(name)!
    const rule = anyProperty[id]!
    // mqtt-packet's parser makes an array of a property that occurs twice. The check refuses that for all but user properties.
    const at = `${path}.${name}`
    const add = (one: unknown): void => {
      if (rule.type === 'utf8StringPair') addUserProperties(props, id, at, one)
      else props.push({ id, value: fromTheirValue(rule, at, one) } as Property)
    }
    if (isArray(value) && checkLength(at, value) > 0) readItems(at, 'an array', value, add)
    else add(value)
  }
  return props
}

function addUserProperties(props: Property[], id: number, path: string, pairs: unknown): void {
  // A Map's entries aren't members, so they would be lost.
  checkPlain(path, pairs as object)
  for (const [key, values] of Object.entries(pairs as object)) {
    // The key isn't part of the path, because it may be a secret.
    writeUtf8String(noBytes, 0, key, path)
    const add = (value: unknown): void => {
      writeUtf8String(noBytes, 0, value, path)
      props.push({ id, key, value } as Property)
    }
    if (isArray(values)) readItems(path, 'an array', values, add)
    else add(values)
  }
}

const noBytes = new Uint8Array(0)

/** A property's value. Nothing is written, but the functions that write check type and length first. */
function fromTheirValue(rule: PropertyRule, path: string, value: unknown): unknown {
  if (isBoolean(rule)) return checkBoolean(path, value as boolean) ? 1 : 0
  if (rule.type === 'utf8String') writeUtf8String(noBytes, 0, value as string, path)
  else if (rule.type === 'binaryData') writeBinaryData(noBytes, 0, checkBinary(path, value), path)
  else checkInteger(path, value as number, rule.largest)
  return value
}
