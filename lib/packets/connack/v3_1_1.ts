import type { Buffer } from 'buffer'
import { type Format, formatOf } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { namesOf } from '../../errors/misuse.ts'
import type { ConnectReturnCode } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v3_1_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { ConnackPacketBase, connackReader, isPolluted } from './connack-packet.ts'
import { connackClauses, connackLayouts, returnCodeField } from './layouts.ts'

/**
 * The fields that an MQTT 3.1.1 CONNACK is built from.
 *
 * @example
 * const fields: v3_1_1.ConnackPacketFields = { sessionPresent: false, returnCode: ConnectReturnCode.accepted }
 * new v3_1_1.ConnackPacket(fields).size // 4
 */
export interface ConnackPacketFields {
  /** True if the server has a session for this client. Only with return code 0. Section 3.2.2.2. */
  readonly sessionPresent: boolean
  /** 0 to 5: see `ConnectReturnCode`. Section 3.2.2.3. */
  readonly returnCode: ConnectReturnCode
}

const fieldNames: readonly string[] = namesOf<ConnackPacketFields>({ sessionPresent: true, returnCode: true })

/** An MQTT 3.1.1 CONNACK. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class ConnackPacket extends ConnackPacketBase<
  ConnackPacketFields,
  'reasonCode' | 'props',
  typeof ProtocolVersion.v3_1_1
> {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if the return code does not fit a byte.
   * @throws MqttError if the contents break a rule of MQTT 3.1.1, with the code that decoding them would give.
   * @example
   * socket.write(new v3_1_1.ConnackPacket({ sessionPresent: false, returnCode: 0 }).bytes)
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
  protected override get codeField(): typeof returnCodeField {
    return returnCodeField
  }

  /** True if the server has a session for this client. Section 3.2.2.2. */
  get sessionPresent(): boolean {
    return this.isSessionPresent
  }

  /** 0 to 5: see `ConnectReturnCode`. Section 3.2.2.3. */
  get returnCode(): ConnectReturnCode {
    return this.code as ConnectReturnCode
  }

  /** A plain object that the constructor accepts. */
  override toFields(): ConnackPacketFields {
    const { sessionPresent, returnCode } = this
    return { sessionPresent, returnCode }
  }
}

export const connackFormat: Format<ConnackPacket> = formatOf({
  type: ControlPacketType.connack,
  version: v3_1_1,
  layout: connackLayouts.v3_1_1,
  clauses: connackClauses,
  names: fieldNames,
  isPolluted,
  read: connackReader('returnCode', v3_1_1),
  create: (bytes) => new ConnackPacket(bytes, checked),
})
