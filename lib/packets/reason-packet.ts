import type { Entry, FormatFacts, PropertyValues } from '../codec/context.ts'
import type { CodeField } from '../codec/fields.ts'
import { locate } from '../codec/layout.ts'
import type { PropertyList } from '../codec/property-list.ts'
import { copyProperties } from '../codec/write-properties.ts'
import type { ErrorCode } from '../errors/error-table.ts'
import { checkInteger } from '../errors/misuse.ts'
import { reasonCodeName } from '../protocol/codes.ts'
import { type Clause, type ProtocolVersion, v5 } from '../protocol/version.ts'
import { FieldPacket } from './field-packet.ts'
import { noProperties, type Property, propertiesJson } from './properties.ts'
import { snakeCase } from './text.ts'

/** The members of packets with a reason code or a return code: CONNACK, and AUTH and DISCONNECT of MQTT 5.0. */
export abstract class ReasonPacket<
  Fields extends object,
  Foreign extends string,
  Level extends ProtocolVersion,
> extends FieldPacket<Fields, Foreign, Level> {
  /**
   * The name of the code, as in `ConnectReturnCode`, `ConnectReasonCode`, `AuthReasonCode` or `DisconnectReasonCode`:
   * `'notAuthorized'`.
   */
  get codeName(): string {
    return this.codeField.codes.names[this.code] ?? reasonCodeName(this.code)!
  }

  /** The text form, one line of bounded length: `v5::disconnect{rc:server_shutting_down,ps:[…]}`, `v5::auth{rc:success,ps:[…]}`. */
  override toString(): string {
    return this.textOf(this.codeText, this.propertiesText())
  }

  /** All fields under their names, without authentication data. */
  override toJSON(): object {
    return {
      protocolVersion: this.protocolVersion,
      reasonCode: this.code,
      props: propertiesJson(this.ownProperties),
    }
  }

  /** @internal */
  protected get codeText(): string {
    return `rc:${snakeCase(this.codeName ?? `${this.code}`)}`
  }

  /** @internal The return code or the reason code. 0 if the packet doesn't contain it. */
  protected get code(): number {
    return this.bytes[locate(this.bytes, this.places.returnCode ?? this.places.reasonCode)] ?? 0
  }

  /** @internal */
  protected get codeField(): CodeField {
    return (this.places.returnCode ?? this.places.reasonCode)!.field as CodeField
  }
}

/** The fields that AUTH and DISCONNECT are built from. */
interface ReasonFields {
  readonly reasonCode?: number | undefined
  readonly props?: readonly Property[] | undefined
}

/** The values that AUTH and DISCONNECT are written from. If one is `undefined`, the packet ends before it. */
interface ReasonContents {
  readonly code: number | undefined
  readonly props: PropertyValues | undefined
}

/**
 * The facts about AUTH or DISCONNECT of MQTT 5.0 that follow from its two fields. Both have the same layout: a reason code, then
 * properties.
 *
 * @param code the reason code's field and rule
 * @param mayBeAbsent true if the packet may end before either field
 */
export function reasonFacts(
  code: { readonly field: CodeField } & Pick<Entry, 'rule'>,
  list: PropertyList,
  mayBeAbsent: boolean,
): Pick<FormatFacts<unknown, ReasonContents>, 'layout' | 'version' | 'names' | 'read'> {
  return {
    version: v5,
    layout: [
      { kind: 'code', ...code, mayBeAbsent, value: (contents) => contents.code! },
      { kind: 'properties', field: list, mayBeAbsent, value: (contents) => contents.props! },
    ],
    names: ['reasonCode', 'props'],
    read({ reasonCode = mayBeAbsent ? 0 : undefined, props = noProperties }: ReasonFields): ReasonContents {
      const number = checkInteger('reasonCode', reasonCode, 0xff)
      const values = copyProperties(props, list)
      if (!mayBeAbsent || values.length > 0) return { code: number, props: values }
      return { code: number === 0 ? undefined : number, props: undefined }
    },
  }
}

/**
 * A packet type's clauses for errors that any type can have.
 *
 * @param flags the clause about the fixed header flags
 * @param header the section about the variable header
 * @param properties the section about the properties
 */
export function clausesOf(
  flags: Clause,
  header: Clause,
  properties: Clause,
): { readonly [Code in ErrorCode]?: Clause } {
  return {
    'fixed-header-flags': flags,
    'field-past-end': header,
    'bytes-left-over': header,
    'property-unknown': properties,
    'property-not-allowed-here': properties,
    'property-past-end': properties,
    'property-twice': properties,
  }
}
