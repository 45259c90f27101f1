import type { Buffer } from 'buffer'
import { type Format, formatOf } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { namesOf } from '../../errors/misuse.ts'
import type { ConnectReasonCode } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import type { Property } from '../properties.ts'
import { ConnackPacketBase, connackReader, isPolluted } from './connack-packet.ts'
import { connackClauses, connackLayouts, reasonCodeField } from './layouts.ts'

/**
 * The fields that an MQTT 5.0 CONNACK is built from.
 *
 * @example
 * const fields: v5.ConnackPacketFields = { sessionPresent: false, reasonCode: ConnectReasonCode.success }
 * new v5.ConnackPacket(fields).size // 5
 */
export interface ConnackPacketFields {
  /** True if the server has a session for this client. Only with reason code 0. Section 3.2.2.1.1. */
  readonly sessionPresent: boolean
  /** 0, or 0x80 to 0x9F: see `ConnectReasonCode`. Section 3.2.2.2. */
  readonly reasonCode: ConnectReasonCode
  /** The CONNACK properties, in order. Default none. Section 3.2.2.3. */
  readonly props?: readonly Property[] | undefined
}

const fieldNames: readonly string[] = namesOf<ConnackPacketFields>({
  sessionPresent: true,
  reasonCode: true,
  props: true,
})

/** An MQTT 5.0 CONNACK. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class ConnackPacket extends ConnackPacketBase<
  ConnackPacketFields,
  'returnCode',
  typeof ProtocolVersion.v5
> {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   * @example
   * socket.write(new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0 }).bytes)
   */
  constructor(fields: ConnackPacketFields)
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: ConnackPacketFields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(connackFormat, from))
  }

  /** @internal */
  override get format(): Format {
    return connackFormat
  }

  /** @internal */
  protected override get codeField(): typeof reasonCodeField {
    return reasonCodeField
  }

  /** True if the server has a session for this client. Section 3.2.2.1.1. */
  get sessionPresent(): boolean {
    return this.isSessionPresent
  }

  /** 0, or 0x80 to 0x9F: see `ConnectReasonCode`. Section 3.2.2.2. */
  get reasonCode(): ConnectReasonCode {
    return this.code as ConnectReasonCode
  }

  /** The CONNACK properties, in order, decoded on each call. Section 3.2.2.3. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts. It may contain authentication data, so don't log it. */
  override toFields(): ConnackPacketFields {
    const { sessionPresent, reasonCode, props } = this
    return { sessionPresent, reasonCode, props }
  }
}

export const connackFormat: Format<ConnackPacket> = formatOf({
  type: ControlPacketType.connack,
  version: v5,
  layout: connackLayouts.v5,
  clauses: connackClauses,
  names: fieldNames,
  isPolluted,
  read: connackReader('reasonCode', v5),
  create: (bytes) => new ConnackPacket(bytes, checked),
})
