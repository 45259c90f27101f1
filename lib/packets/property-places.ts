import type { ErrorCode } from '../errors/error-table.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import {
  connectProperties,
  otherProperties,
  type PropertyRow,
  type PropertyType,
} from '../protocol/property-table.ts'
import { type Field, propertyLengthField, type TopicField, willPropertyLengthField } from '../wire/fields.ts'

/** What a property is in one of the two places that hold properties: the property table's row, made ready for a scan. */
export interface PropertyRule {
  /** As `PropertyId` has it. */
  readonly name: string
  readonly type: PropertyType
  /** How many bytes its value takes if it is an integer of fixed length, else 0. */
  readonly width: number
  /** The largest number that its type can carry; 0 if it is no number. */
  readonly largest: number
  readonly field: TopicField
  /** Whether it may stand in this place. */
  readonly allowed: boolean
  /** A bit of its own if it may stand once, 0 if any number of times. */
  readonly once: number
  readonly min: number
  readonly max: number
  /** The error of a number outside `min` to `max`, unless they are all that its type can carry. */
  readonly refusal: ErrorCode | undefined
  readonly topic: boolean
  readonly secret: boolean
}

/** One of the two places in a CONNECT that hold properties. */
export interface PropertyPlace {
  /** The path of the properties in the packet's fields. */
  readonly path: 'props' | 'will.props'
  readonly lengthField: Field
  /** What an identifier that is not known belongs to. */
  readonly unknownField: Field
  /** The error of a property that stands twice. */
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

export const connectPlace: PropertyPlace = {
  path: 'props',
  lengthField: propertyLengthField,
  unknownField: { name: 'props', section: '3.1.2.11', pastEnd: 'property-past-end' },
  twice: 'property-twice',
  rules: rulesOf('connect', 'props', '3.1.2.11'),
}

export const willPlace: PropertyPlace = {
  path: 'will.props',
  lengthField: willPropertyLengthField,
  unknownField: { name: 'will.props', section: '3.1.3.2', pastEnd: 'property-past-end' },
  twice: 'will-property-twice',
  rules: rulesOf('will', 'will.props', '3.1.3.2'),
}

export const authenticationData: PropertyRule = connectPlace.rules[connectProperties.authenticationData.id]!
export const authenticationMethod: PropertyRule =
  connectPlace.rules[connectProperties.authenticationMethod.id]!

function rulesOf(home: string, path: string, section: string): readonly (PropertyRule | undefined)[] {
  const rules: (PropertyRule | undefined)[] = new Array(0x80).fill(undefined)
  const rows: Readonly<Record<string, PropertyRow>> = { ...connectProperties, ...otherProperties }
  let bit = 1
  for (const [name, row] of Object.entries(rows)) {
    const pair = row.type === 'utf8StringPair'
    const number = integers[row.type] ?? { width: 0, largest: 0 }
    rules[row.id] = {
      name,
      type: row.type,
      ...number,
      field: {
        name: `${path}.${name}`,
        section: [row.section, row.willSection].find((defined) => defined?.startsWith(section)) ?? section,
        notUtf8: pair ? 'user-property-not-utf8' : 'property-not-utf8',
        nul: pair ? 'user-property-nul' : 'property-nul',
        empty: 'response-topic-empty',
        wildcard: 'response-topic-wildcard',
        pastEnd: 'property-past-end',
      },
      allowed: row.home === home || row.home === 'both',
      once: pair ? 0 : bit,
      min: row.min ?? 0,
      max: row.max ?? number.largest,
      refusal: row.refusal as ErrorCode | undefined,
      topic: row.topic ?? false,
      secret: row.secret ?? false,
    }
    bit <<= 1
  }
  return rules
}
