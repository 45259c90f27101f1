import type { Buffer } from 'buffer'
import { type FieldRule, faultUnlessAllowed } from '../../codec/context.ts'
import type { CodeField } from '../../codec/fields.ts'
import { propertyList } from '../../codec/property-list.ts'
import { codeRule } from '../../codec/rules.ts'
import { ConnectReasonCode, type DisconnectReasonCode, reasonCodesIn } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { setFormat } from '../field-packet.ts'
import type { Property } from '../properties.ts'
import { clausesOf, ReasonPacket, reasonFacts } from '../reason-packet.ts'
import { flagsClause } from './without-fields.ts'

/**
 * The fields that an MQTT 5.0 DISCONNECT is built from.
 *
 * @example
 * const fields: v5.DisconnectPacketFields = { reasonCode: DisconnectReasonCode.serverShuttingDown }
 * new v5.DisconnectPacket(fields).size // 3
 */
export interface DisconnectPacketFields {
  /** See `DisconnectReasonCode`. Default 0x00, normal disconnection. Section 3.14.2.1. */
  readonly reasonCode?: DisconnectReasonCode | undefined
  /** The DISCONNECT properties, in order. Default none. Section 3.14.2.2. */
  readonly props?: readonly Property[] | undefined
}

/**
 * An MQTT 5.0 DISCONNECT, the last packet of a client or a server. Backed by its encoded bytes; immutable unless you write to
 * `bytes`.
 *
 * @example
 * socket.write(new v5.DisconnectPacket({ reasonCode: DisconnectReasonCode.sessionTakenOver }).bytes)
 */
export class DisconnectPacket extends ReasonPacket<DisconnectPacketFields, never, typeof ProtocolVersion.v5> {
  /** `ControlPacketType.disconnect` */
  static readonly type: typeof ControlPacketType.disconnect = ControlPacketType.disconnect

  /**
   * Builds the shortest form: without properties there is no property length, and a reason code of 0 without properties is left
   * out as well.
   *
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field has the wrong type, `ERR_INVALID_ARG_VALUE` if there is a field that this
   *   packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   */
  constructor(fields?: DisconnectPacketFields)
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: DisconnectPacketFields | Buffer = {}, key?: typeof checked) {
    super(from as Buffer, key!)
  }

  override get type(): typeof ControlPacketType.disconnect {
    return ControlPacketType.disconnect
  }

  /** See `DisconnectReasonCode`. 0x00 if the packet doesn't contain it. Section 3.14.2.1. */
  get reasonCode(): DisconnectReasonCode {
    return this.code as DisconnectReasonCode
  }

  /** The DISCONNECT properties, in order, decoded on each call. Section 3.14.2.2. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`. */
  override toFields(): DisconnectPacketFields {
    const { reasonCode, props } = this
    return { reasonCode, props }
  }
}

/* The layout of a DISCONNECT: its fields in wire order, and their rules. MQTT 5.0 section 3.14. */

const field: CodeField = { name: 'reasonCode', section: '3.14.2.1', codes: reasonCodesIn('disconnect', v5) }
const knownCode = codeRule(field, 'disconnect-code', 'MQTT-3.14.2-1')

/** The standard lists 0x8C among the codes of DISCONNECT in section 2.4, but not in section 3.14.2.1. */
const rule: FieldRule = (context, bytes, at, ...more) => {
  if (bytes[at] !== ConnectReasonCode.badAuthenticationMethod) return knownCode(context, bytes, at, ...more)
  return faultUnlessAllowed(context, 'disconnect-bad-authentication-method', field, at)
}

const disconnectProperties = propertyList('disconnect', v5, {
  path: 'props',
  owner: 'a DISCONNECT',
  section: '3.14.2.2',
})

setFormat(DisconnectPacket, (bytes) => new DisconnectPacket(bytes, checked), {
  ...reasonFacts({ field, rule }, disconnectProperties, true),
  type: ControlPacketType.disconnect,
  clauses: clausesOf(flagsClause, '3.14.2', '3.14.2.2'),
})
