import type { CodeField } from '../../codec/fields.ts'
import { propertyList } from '../../codec/property-list.ts'
import { codeRule } from '../../codec/rules.ts'
import { type AuthReasonCode, reasonCodesIn } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { PropertyId } from '../../protocol/property-table.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import type { Property } from '../properties.ts'
import { clausesOf, ReasonPacket, reasonFacts } from '../reason-packet.ts'

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

/**
 * An MQTT 5.0 AUTH, with which client and server exchange the steps of enhanced authentication. Backed by its encoded bytes;
 * immutable unless you write to `bytes`.
 *
 * @example
 * const props = [property.authenticationMethod('SCRAM-SHA-1'), property.authenticationData('client-first')]
 * socket.write(new v5.AuthPacket({ reasonCode: 0x18, props }).bytes)
 */
export class AuthPacket extends ReasonPacket<AuthPacketFields, never, typeof ProtocolVersion.v5> {
  /** `ControlPacketType.auth` */
  static readonly type: typeof ControlPacketType.auth = ControlPacketType.auth

  override get type(): typeof ControlPacketType.auth {
    return ControlPacketType.auth
  }

  /** 0x00, 0x18 or 0x19: see `AuthReasonCode`. Section 3.15.2.1. */
  get reasonCode(): AuthReasonCode {
    return this.code as AuthReasonCode
  }

  /** The AUTH properties, in order, decoded on each call. They may contain authentication data, so don't log them. Section 3.15.2.2. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`. It contains the authentication data, so don't log it. */
  override toFields(): AuthPacketFields {
    const { reasonCode, props } = this
    return { reasonCode, props }
  }
}

/* The layout of an AUTH: its fields in wire order, and their rules. MQTT 5.0 section 3.15. */

const field: CodeField = { name: 'reasonCode', section: '3.15.2.1', codes: reasonCodesIn('auth', v5) }
const code = { field, rule: codeRule(field, 'auth-code', 'MQTT-3.15.2-1') }
const authProperties = propertyList('auth', v5, {
  path: 'props',
  owner: 'an AUTH',
  section: '3.15.2.2',
  required: { id: PropertyId.authenticationMethod, code: 'authentication-method-missing' },
})

setFormat(AuthPacket, (bytes) => new AuthPacket(bytes, checked), {
  ...reasonFacts(code, authProperties, false),
  type: ControlPacketType.auth,
  clauses: clausesOf('MQTT-3.15.1-1', '3.15.2', '3.15.2.2'),
  empty: 'authentication-method-missing',
})
