import { MqttError, type Property, PropertyId, property, v5 } from '../../lib/packets/index.ts'
import { binaryOf, type Mistake, mistakeOf, numberOf } from './mistakes.ts'

/** The lists that have properties. */
export type ListName = 'props' | 'will.props' | 'connack.props'

/** A property in the form. */
export interface PropertyEntry {
  readonly name: PropertyName
  /** The key of a user property. Empty for all other properties. */
  readonly key: string
  readonly value: string
}

export type PropertyName = keyof typeof property
export type ValueKind = 'number' | 'text' | 'binary' | 'pair'

/** The values that each property accepts, found by trying, because only the library knows them. */
const kinds: ReadonlyMap<PropertyName, ValueKind> = new Map(
  (Object.keys(property) as PropertyName[]).map((name) => [name, kindBy(name)]),
)

function kindBy(name: PropertyName): ValueKind {
  const make = property[name] as unknown as (...values: readonly unknown[]) => Property
  const takes = (...values: readonly unknown[]): boolean => {
    try {
      make(...values)
      return true
    } catch {
      return false
    }
  }
  if (takes(1)) return 'number'
  if (takes(new Uint8Array(0))) return 'binary'
  return takes('text') ? 'text' : 'pair'
}

export function kindOf(name: PropertyName): ValueKind {
  return kinds.get(name)!
}

/** Otherwise valid packets in which one list has these properties. */
const packetsWith: Readonly<Record<ListName, (props: readonly Property[]) => unknown>> = {
  props: (props) => new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '', props }),
  'will.props': (props) => {
    const will = { topic: 't', message: '', props }
    return new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '', will })
  },
  'connack.props': (props) => new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0, props }),
}

/** The properties that a list can have, in the order of the standard. */
export function namesFor(list: ListName): PropertyName[] {
  return [...kinds.keys()].filter((name) => {
    try {
      packetsWith[list]([propertyOf({ name, key: 'k', value: kindOf(name) === 'number' ? '1' : 'v' })])
      return true
    } catch (error) {
      return error instanceof MqttError && error.code !== 'property-not-allowed-here'
    }
  })
}

/** @throws TypeError, RangeError or InputError if the value doesn't have the property's type */
function propertyOf({ name, key, value }: PropertyEntry): Property {
  const kind = kindOf(name)
  const make = property[name] as unknown as (...values: readonly unknown[]) => Property
  if (kind === 'pair') return make(key, value)
  return make(kind === 'number' ? numberOf(value) : kind === 'binary' ? binaryOf(value) : value)
}

/** The properties of a list that can be built, and a mistake for each of the others, by its index. */
export function propertiesOf(
  list: ListName,
  entries: readonly PropertyEntry[],
): { props: Property[]; mistakes: Map<number, Mistake> } {
  const props: Property[] = []
  const mistakes = new Map<number, Mistake>()
  for (const [i, entry] of entries.entries()) {
    try {
      const made = propertyOf(entry)
      // A missing method is a mistake in the list, not in this value, so add one.
      const method = made.id === PropertyId.authenticationData ? [property.authenticationMethod('m')] : []
      const same = props.filter(({ id }) => id === made.id)
      packetsWith[list]([...(list === 'will.props' ? [] : method), ...same, made])
      props.push(made)
    } catch (error) {
      mistakes.set(i, mistakeOf(error))
    }
  }
  return { props, mistakes }
}

/** The form's entry for a property of a packet. */
export function entryOf(item: Property): PropertyEntry {
  const [name] = Object.entries(PropertyId).find(([, id]) => id === item.id) as [PropertyName, number]
  if ('key' in item) return { name, key: item.key, value: item.value }
  const { value } = item
  return { name, key: '', value: typeof value === 'object' ? textOfBinary(value) : `${value}` }
}

/** Binary data as text if it is printable, otherwise as `hex:00ff`. */
export function textOfBinary(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const isText = !/[\p{C}\uFFFD]/u.test(text) && !text.startsWith('hex:')
  return isText ? text : `hex:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
