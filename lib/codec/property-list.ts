import type { ErrorCode } from '../errors/error-table.ts'
import type { Sender } from '../protocol/codes.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import {
  PropertyId,
  type PropertyListName,
  type PropertyRow,
  type PropertyType,
  propertyRows,
} from '../protocol/property-table.ts'
import type { Version } from '../protocol/version.ts'
import type { Field, TopicField } from './fields.ts'

/** The rule of a property in one property list: its row of the property table, prepared for the check. */
export interface PropertyRule {
  readonly id: number
  /** The name in `PropertyId`. */
  readonly name: string
  readonly type: PropertyType
  /** The kind of its value: text, key and text, or a variable byte integer. */
  readonly isText: boolean
  readonly isPair: boolean
  readonly isVariable: boolean
  /** The size of the value in bytes if it's an integer of fixed length, otherwise 0. */
  readonly width: number
  /** The largest number of its type; 0 if the value isn't a number. */
  readonly largest: number
  readonly field: TopicField
  /** True if this list may contain it. */
  readonly allowed: boolean
  /** The only side that may send it in this list, and the clause that says so. */
  readonly only: readonly [sender: Sender, clause: string] | undefined
  /** True if more than a second occurrence can be wrong: it isn't allowed here, only one side may send it, or it needs a method. */
  readonly isSpecial: boolean
  /** A unique bit if the property may occur only once; 0 if it may occur any number of times. */
  readonly once: number
  readonly min: number
  readonly max: number
  /** The error of a number outside `min` to `max`, unless every number of its type is valid. */
  readonly refusal: ErrorCode | undefined
  readonly topic: boolean
  readonly secret: boolean
  readonly unit: PropertyRow['unit']
}

/** The property list of a packet type in one version. As a field, it's the property length. */
export interface PropertyList extends Field {
  /** The path of the properties in the packet's fields. */
  readonly path: 'props' | 'will.props'
  /** The owner of the properties in words: a packet type, or a will. */
  readonly owner: string
  /** The field that an unknown identifier is reported under. */
  readonly unknownField: Field
  /** The error of a property that occurs twice. */
  readonly twice: ErrorCode
  /** A required property, and the error if it's missing. */
  readonly required: { readonly id: number; readonly code: ErrorCode } | undefined
  /**
   * The rules by identifier, 0 to 0x7F. Properties that the list must not contain have a rule as well, so that errors can name
   * them.
   */
  readonly rules: readonly (PropertyRule | undefined)[]
}

/** The facts that distinguish one property list from another. */
export interface PropertyListFacts extends Pick<PropertyList, 'path' | 'owner'> {
  readonly section: string
  readonly twice?: ErrorCode
  readonly required?: PropertyList['required']
}

const integers: { readonly [Type in PropertyType]?: { width: number; largest: number } } = {
  byte: { width: 1, largest: 0xff },
  twoByteInteger: { width: 2, largest: 0xffff },
  fourByteInteger: { width: 4, largest: 0xffff_ffff },
  variableByteInteger: { width: 0, largest: MAX_VARIABLE_BYTE_INTEGER },
}

/** Creates a property list with the properties that exist in the version. */
export function propertyList(
  name: PropertyListName,
  version: Version,
  { path, owner, section, twice = 'property-twice', required }: PropertyListFacts,
  rows: ReadonlyMap<string, PropertyRow> = propertyRows,
): PropertyList {
  const rules: (PropertyRule | undefined)[] = new Array(0x100).fill(undefined)
  let bit = 1
  for (const [property, row] of rows) {
    if ((row.since ?? 5) > version.level) continue
    const number = row.in[name]
    const pair = row.type === 'utf8StringPair'
    const { width, largest } = integers[row.type] ?? { width: 0, largest: 0 }
    rules[row.id] = {
      id: row.id,
      name: property,
      type: row.type,
      isText: pair || row.type === 'utf8String',
      isPair: pair,
      isVariable: row.type === 'variableByteInteger',
      width,
      largest,
      field: {
        name: `${path}.${property}`,
        path,
        section: number === undefined ? section : `${section}.${number}`,
        notUtf8: pair ? 'user-property-not-utf8' : 'property-not-utf8',
        nul: pair ? 'user-property-nul' : 'property-nul',
        empty: 'response-topic-empty',
        wildcard: 'response-topic-wildcard',
        pastEnd: 'property-past-end',
      },
      allowed: number !== undefined,
      only: row.only?.[name],
      isSpecial:
        number === undefined || row.only?.[name] !== undefined || row.id === PropertyId.authenticationData,
      once: pair ? 0 : bit,
      min: row.min ?? 0,
      max: row.max ?? largest,
      refusal: row.refusal as ErrorCode | undefined,
      topic: row.topic ?? false,
      secret: row.secret ?? false,
      unit: row.unit,
    }
    bit <<= 1
  }
  return {
    name: path.replace('props', 'propertyLength'),
    // In every packet, the first subsection about the properties defines their length.
    section: `${section}.1`,
    path,
    owner,
    unknownField: { name: path, section, pastEnd: 'property-past-end' },
    twice,
    required,
    rules,
  }
}
