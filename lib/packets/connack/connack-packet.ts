import type { FormatFacts } from '../../codec/context.ts'
import { locate } from '../../codec/layout.ts'
import { copyProperties } from '../../codec/write-properties.ts'
import { checkBoolean, checkInteger, wrongValue } from '../../errors/misuse.ts'
import type { ConnectReturnCode } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import type { ProtocolVersion, Version } from '../../protocol/version.ts'
import { noProperties, type Property, propertiesJson } from '../properties.ts'
import { ReasonPacket } from '../reason-packet.ts'
import {
  type ConnackContents,
  connackClauses,
  connackLayouts,
  connackProperties,
  SESSION_PRESENT,
} from './layouts.ts'

/** The members that CONNACK packets of all versions share. */
export abstract class ConnackPacketBase<
  Fields extends object,
  Foreign extends string,
  Level extends ProtocolVersion,
> extends ReasonPacket<Fields, Foreign, Level> {
  /** `ControlPacketType.connack` */
  static readonly type: typeof ControlPacketType.connack = ControlPacketType.connack

  override get type(): typeof ControlPacketType.connack {
    return ControlPacketType.connack
  }

  /** True if the server accepts the connection, that is for code 0. */
  get accepted(): boolean {
    return this.code === 0
  }

  /** True if the server has a session for this client. Section 3.2.2.2, in MQTT 5.0 section 3.2.2.1.1. */
  get sessionPresent(): boolean {
    return (this.bytes[locate(this.bytes, this.places.acknowledgeFlags)]! & SESSION_PRESENT) !== 0
  }

  /**
   * The text form, one line of bounded length: `v5::connack{rc:success,sp:1,ps:[…]}`, before 5.0 `v3_1::connack{rc:accepted,sp:0}` or
   * `v3_1_1::connack{rc:accepted,sp:0}`.
   */
  override toString(): string {
    return this.textOf(this.codeText, `sp:${this.sessionPresent ? 1 : 0}`, this.propertiesText())
  }

  /** All fields under their names, without authentication data. */
  override toJSON(): object {
    const { protocolVersion, sessionPresent, codeField, format } = this
    return {
      protocolVersion,
      sessionPresent,
      [codeField.name]: this.code,
      ...(format.version.hasProperties && { props: propertiesJson(this.ownProperties) }),
    }
  }
}

/** The members that CONNACK packets of MQTT 3.1 and 3.1.1 share. */
export abstract class ConnackWithReturnCode<
  Fields extends object,
  Level extends ProtocolVersion,
> extends ConnackPacketBase<Fields, 'reasonCode' | 'props', Level> {
  /** 0 to 5: see `ConnectReturnCode`. Section 3.2.2.3, in MQTT 3.1 section 3.2. */
  get returnCode(): ConnectReturnCode {
    return this.code as ConnectReturnCode
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`. */
  override toFields(): Fields {
    const { sessionPresent, returnCode } = this
    return { sessionPresent, returnCode } as unknown as Fields
  }
}

/** The fields that CONNACK packets of any version are built from. */
interface ConnackFields {
  readonly sessionPresent?: boolean | undefined
  readonly returnCode?: number
  readonly reasonCode?: number
  readonly props?: readonly Property[] | undefined
}

/** The facts about one version's CONNACK. */
export function connackFacts(version: Version): Omit<FormatFacts<unknown, ConnackContents>, 'create'> {
  const { hasProperties, hasSession, label } = version
  const codeName = hasProperties ? 'reasonCode' : 'returnCode'
  // Since 3.1.1, sessionPresent is required.
  const defaultPresent = hasSession ? undefined : false
  return {
    type: ControlPacketType.connack,
    version,
    layout: connackLayouts[version.name],
    clauses: connackClauses,
    names: ['sessionPresent', codeName, ...(hasProperties ? ['props'] : [])],
    read({ sessionPresent = defaultPresent, [codeName]: code, props = noProperties }: ConnackFields) {
      if (sessionPresent && !hasSession) throw wrongValue('sessionPresent', `false in MQTT ${label}`)
      return {
        flags: checkBoolean('sessionPresent', sessionPresent) ? SESSION_PRESENT : 0,
        code: checkInteger(codeName, code, 0xff),
        props: hasProperties ? copyProperties(props, connackProperties) : noProperties,
      }
    },
  }
}
