import type { Buffer } from 'buffer'
import { type Format, formatOf, type PropertyValues } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import type { CodeField } from '../../codec/fields.ts'
import { type PropertyList, propertyList } from '../../codec/property-list.ts'
import { codeRule } from '../../codec/rules.ts'
import { copyProperties } from '../../codec/write-properties.ts'
import { checkInteger, namesOf } from '../../errors/misuse.ts'
import { type AuthReasonCode, reasonCodesIn } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { PropertyId } from '../../protocol/property-table.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { noProperties, type Property } from '../properties.ts'
import { isPolluted, ReasonPacket } from '../reason-packet.ts'

/**
 * The fields that an MQTT 5.0 AUTH is built from.
 *
 * @example
 * const fields: v5.AuthPacketFields = {
 *   reasonCode: AuthReasonCode.continueAuthentication,
 *   props: [property.authenticationMethod('SCRAM-SHA-1')],
 * }
 * new v5.AuthPacket(fields).size // 18
 */
export interface AuthPacketFields {
  /** 0x00, 0x18 or 0x19: see `AuthReasonCode`. Section 3.15.2.1. */
  readonly reasonCode: AuthReasonCode
  /** The AUTH properties, in order. An authentication method is required. Default none. Section 3.15.2.2. */
  readonly props?: readonly Property[] | undefined
}

const fieldNames: readonly string[] = namesOf<AuthPacketFields>({ reasonCode: true, props: true })

const reasonCodeField: CodeField = {
  name: 'reasonCode',
  section: '3.15.2.1',
  codes: reasonCodesIn('auth', v5),
}
const authProperties: PropertyList = propertyList('auth', v5, {
  path: 'props',
  owner: 'an AUTH',
  section: '3.15.2.2',
  required: { id: PropertyId.authenticationMethod, code: 'authentication-method-missing' },
})

/**
 * An MQTT 5.0 AUTH, with which client and server exchange the steps of enhanced authentication. Backed by its encoded bytes;
 * immutable unless you write to `bytes`.
 */
export class AuthPacket extends ReasonPacket<AuthPacketFields, typeof ProtocolVersion.v5> {
  /** `ControlPacketType.auth` */
  static readonly type: typeof ControlPacketType.auth = ControlPacketType.auth

  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   * @example
   * const props = [property.authenticationMethod('SCRAM-SHA-1'), property.authenticationData('client-first')]
   * socket.write(new v5.AuthPacket({ reasonCode: 0x18, props }).bytes)
   */
  constructor(fields: AuthPacketFields)
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: AuthPacketFields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(authFormat, from))
  }

  /** @internal */
  override get format(): Format {
    return authFormat
  }

  /** @internal */
  protected override get codeField(): CodeField {
    return reasonCodeField
  }

  override get type(): typeof ControlPacketType.auth {
    return ControlPacketType.auth
  }

  /** 0x00, 0x18 or 0x19: see `AuthReasonCode`. Section 3.15.2.1. */
  get reasonCode(): AuthReasonCode {
    return this.code as AuthReasonCode
  }

  /** The AUTH properties, in order, decoded on each call. Section 3.15.2.2. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts. It contains the authentication data, so don't log it. */
  override toFields(): AuthPacketFields {
    const { reasonCode, props } = this
    return { reasonCode, props }
  }
}

/** The values that an AUTH is written from. */
interface AuthContents {
  readonly code: number
  readonly props: PropertyValues
}

/** The layout of an AUTH: its fields in wire order, and their rules. MQTT 5.0 section 3.15. */
export const authFormat: Format<AuthPacket> = formatOf<AuthPacket, AuthContents>({
  type: ControlPacketType.auth,
  version: v5,
  layout: [
    {
      kind: 'code',
      field: reasonCodeField,
      rule: codeRule(reasonCodeField, 'auth-code', 'MQTT-3.15.2-1'),
      value: (contents) => contents.code,
    },
    { kind: 'properties', field: authProperties, value: (contents) => contents.props },
  ],
  clauses: {
    'fixed-header-flags': 'MQTT-3.15.1-1',
    'field-past-end': '3.15.2',
    'bytes-left-over': '3.15.2',
    'property-unknown': '3.15.2.2',
    'property-not-allowed-here': '3.15.2.2',
    'property-past-end': '3.15.2.2',
    'property-twice': '3.15.2.2',
  },
  empty: 'authentication-method-missing',
  names: fieldNames,
  isPolluted,
  read: ({ reasonCode, props = noProperties }: AuthPacketFields) => ({
    code: checkInteger('reasonCode', reasonCode, 0xff),
    props: copyProperties(props, authProperties),
  }),
  create: (bytes) => new AuthPacket(bytes, checked),
})
