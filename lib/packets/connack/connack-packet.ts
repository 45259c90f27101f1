import { locate } from '../../codec/layout.ts'
import { copyProperties } from '../../codec/write-properties.ts'
import { checkBoolean, checkInteger } from '../../errors/misuse.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import type { ProtocolVersion, Version } from '../../protocol/version.ts'
import { FieldPacket } from '../field-packet.ts'
import { noProperties, type Property, propertiesJson } from '../properties.ts'
import { snakeCase } from '../text.ts'
import {
  type ConnackContents,
  connackProperties,
  type reasonCodeField,
  type returnCodeField,
  SESSION_PRESENT,
} from './layouts.ts'

/** The members that CONNACK packets of all versions share. */
export abstract class ConnackPacketBase<
  Fields extends object,
  Foreign extends string,
  Level extends ProtocolVersion,
> extends FieldPacket<Fields, Foreign, Level> {
  /** `ControlPacketType.connack` */
  static readonly type: typeof ControlPacketType.connack = ControlPacketType.connack

  override get type(): typeof ControlPacketType.connack {
    return ControlPacketType.connack
  }

  /** True if the server accepts the connection, that is for code 0. */
  get accepted(): boolean {
    return this.code === 0
  }

  /** The name of the code, as in `ConnectReasonCode` or `ConnectReturnCode`: `'notAuthorized'`. */
  get codeName(): string {
    return this.codeField.codes.names[this.code]!
  }

  /**
   * The text form, one line of bounded length: `v5::connack{rc:success,sp:1,ps:[…]}`, before 5.0 `v3_1::connack{rc:accepted,sp:0}` or
   * `v3_1_1::connack{rc:accepted,sp:0}`.
   */
  override toString(): string {
    const props = this.propertiesText(this.places.propertyLength)
    const text = `rc:${snakeCase(this.codeName ?? `${this.code}`)},sp:${this.isSessionPresent ? 1 : 0}`
    return `${this.format.version.name}::connack{${props === '' ? text : `${text},${props}`}}`
  }

  /** All fields under their names, without authentication data. */
  override toJSON(): object {
    const { protocolVersion, codeField, format } = this
    return {
      protocolVersion,
      sessionPresent: this.isSessionPresent,
      [codeField.name]: this.code,
      ...(format.version.hasProperties && { props: propertiesJson(this.ownProperties) }),
    }
  }

  /** @internal */
  protected abstract readonly codeField: typeof returnCodeField | typeof reasonCodeField

  /** @internal */
  protected get isSessionPresent(): boolean {
    return (this.bytes[locate(this.bytes, this.places.acknowledgeFlags)]! & SESSION_PRESENT) !== 0
  }

  /** @internal The return code or the reason code. */
  protected get code(): number {
    return this.bytes[locate(this.bytes, this.places.returnCode ?? this.places.reasonCode)]!
  }
}

/** The fields that CONNACK packets of any version are built from. */
interface ConnackFields {
  readonly sessionPresent?: boolean | undefined
  readonly returnCode?: number
  readonly reasonCode?: number
  readonly props?: readonly Property[] | undefined
}

const base: object = Object.prototype

/** True if `Object.prototype` has members that would count as fields of a CONNACK. */
export function isPolluted(): boolean {
  return 'sessionPresent' in base || 'returnCode' in base || 'reasonCode' in base || 'props' in base
}

/** Returns the function that reads the fields of one version's CONNACK. */
export function connackReader(codeName: 'returnCode' | 'reasonCode', { hasProperties }: Version) {
  return (fields: ConnackFields): ConnackContents => {
    const { sessionPresent, [codeName]: code, props = noProperties } = fields
    return {
      flags: checkBoolean('sessionPresent', sessionPresent) ? SESSION_PRESENT : 0,
      code: checkInteger(codeName, code, 0xff),
      props: hasProperties ? copyProperties(props, connackProperties) : noProperties,
    }
  }
}
