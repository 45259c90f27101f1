import type { ErrorCode } from '../../errors/error-table.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../../protocol/limits.ts'
import { type PropertyListName, type PropertyType, propertyRows } from '../../protocol/property-table.ts'
import type { Field, TopicField } from '../../wire/fields.ts'

/** What a property is in one property list: its row in the property table, prepared for a check. */
export interface PropertyRule {
  /** As in `PropertyId`. */
  readonly name: string
  readonly type: PropertyType
  /** How many bytes its value takes if it is an integer of fixed length, otherwise 0. */
  readonly width: number
  /** The largest number of its type, 0 if it is not a number. */
  readonly largest: number
  readonly field: TopicField
  /** Whether this list may contain it. */
  readonly allowed: boolean
  /** A bit of its own if the list may contain it once, 0 if any number of times. */
  readonly once: number
  readonly min: number
  readonly max: number
  /** The error of a number outside `min` to `max`, unless its type has no others. */
  readonly refusal: ErrorCode | undefined
  readonly topic: boolean
  readonly secret: boolean
}

/** The rules of one property list. */
export interface PropertyList {
  /** The path of the properties in the packet's fields. */
  readonly path: 'props' | 'will.props'
  /** Whose properties they are, in words. */
  readonly owner: string
  readonly lengthField: Field
  /** The field of an unknown identifier. */
  readonly unknownField: Field
  /** The error of a property that the list contains twice. */
  readonly twice: ErrorCode
  /** The rule of each identifier, 0 to 0x7F. */
  readonly rules: readonly (PropertyRule | undefined)[]
}

const integers: { readonly [Type in PropertyType]?: { width: number; largest: number } } = {
  byte: { width: 1, largest: 0xff },
  twoByteInteger: { width: 2, largest: 0xffff },
  fourByteInteger: { width: 4, largest: 0xffff_ffff },
  variableByteInteger: { width: 0, largest: MAX_VARIABLE_BYTE_INTEGER },
}

function propertyList(
  name: PropertyListName,
  path: PropertyList['path'],
  owner: string,
  section: string,
  lengthSection: string,
  twice: ErrorCode,
): PropertyList {
  return {
    path,
    owner,
    lengthField: { name: path.replace('props', 'propertyLength'), section: lengthSection },
    unknownField: { name: path, section, pastEnd: 'property-past-end' },
    twice,
    rules: rulesOf(name, path, section),
  }
}

function rulesOf(
  list: PropertyListName,
  path: string,
  section: string,
): readonly (PropertyRule | undefined)[] {
  const rules: (PropertyRule | undefined)[] = new Array(0x80).fill(undefined)
  let bit = 1
  for (const [name, row] of propertyRows) {
    const pair = row.type === 'utf8StringPair'
    const { width, largest } = integers[row.type] ?? { width: 0, largest: 0 }
    rules[row.id] = {
      name,
      type: row.type,
      width,
      largest,
      field: {
        name: `${path}.${name}`,
        section: row.in[list] ?? section,
        notUtf8: pair ? 'user-property-not-utf8' : 'property-not-utf8',
        nul: pair ? 'user-property-nul' : 'property-nul',
        empty: 'response-topic-empty',
        wildcard: 'response-topic-wildcard',
        pastEnd: 'property-past-end',
      },
      allowed: row.in[list] !== undefined,
      once: pair ? 0 : bit,
      min: row.min ?? 0,
      max: row.max ?? largest,
      refusal: row.refusal as ErrorCode | undefined,
      topic: row.topic ?? false,
      secret: row.secret ?? false,
    }
    bit <<= 1
  }
  return rules
}

export const connectProperties: PropertyList = propertyList(
  'connect',
  'props',
  'a CONNECT',
  '3.1.2.11',
  '3.1.2.11.1',
  'property-twice',
)

export const willProperties: PropertyList = propertyList(
  'will',
  'will.props',
  'a will',
  '3.1.3.2',
  '3.1.3.2.1',
  'will-property-twice',
)

export const connackProperties: PropertyList = propertyList(
  'connack',
  'props',
  'a CONNACK',
  '3.2.2.3',
  '3.2.2.3.1',
  'property-twice',
)

/** All property lists. */
export const lists: readonly PropertyList[] = [connectProperties, willProperties, connackProperties]

/** Every known property, whichever list contains it: for reading a list that has been checked. */
export const anyProperty: readonly (PropertyRule | undefined)[] = connectProperties.rules
