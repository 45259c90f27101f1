import type { Buffer } from 'buffer'
import { type Format, formatOf } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { copyOwn, namesOf, wrongValue } from '../../errors/misuse.ts'
import type { ConnectReturnCode } from '../../protocol/codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v3_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import { ConnackPacketBase, connackReader, isPolluted } from './connack-packet.ts'
import { connackClauses, connackLayouts, returnCodeField } from './layouts.ts'

/**
 * The fields that an MQTT 3.1 CONNACK is built from.
 *
 * @example
 * const fields: v3_1.ConnackPacketFields = { returnCode: ConnectReturnCode.accepted }
 * new v3_1.ConnackPacket(fields).size // 4
 */
export interface ConnackPacketFields {
  /** Always false, because MQTT 3.1 has a reserved byte here. Default false. */
  readonly sessionPresent?: false | undefined
  /** 0 to 5: see `ConnectReturnCode`. Section 3.2. */
  readonly returnCode: ConnectReturnCode
}

const fieldNames: readonly string[] = namesOf<ConnackPacketFields>({ sessionPresent: true, returnCode: true })

/** An MQTT 3.1 CONNACK. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class ConnackPacket extends ConnackPacketBase<
  ConnackPacketFields,
  'reasonCode' | 'props',
  typeof ProtocolVersion.v3_1
> {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if the return code does not fit a byte.
   * @throws MqttError if the contents break a rule of MQTT 3.1, with the code that decoding them would give.
   * @example
   * socket.write(new v3_1.ConnackPacket({ returnCode: 0 }).bytes)
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

  /** Always false, because MQTT 3.1 has no such flag. */
  get sessionPresent(): false {
    return false
  }

  /** @internal False in text and JSON as well, whatever the reserved byte contains. */
  protected override get isSessionPresent(): boolean {
    return false
  }

  /** 0 to 5: see `ConnectReturnCode`. Section 3.2. */
  get returnCode(): ConnectReturnCode {
    return this.code as ConnectReturnCode
  }

  /** A plain object that the constructor accepts. */
  override toFields(): ConnackPacketFields {
    const { sessionPresent, returnCode } = this
    return { sessionPresent, returnCode }
  }
}

function readFields({ sessionPresent = false, ...fields }: ConnackPacketFields) {
  if (sessionPresent) throw wrongValue('sessionPresent', 'false in MQTT 3.1')
  return connackReader('returnCode', v3_1)(copyOwn({ sessionPresent, ...fields }))
}

export const connackFormat: Format<ConnackPacket> = formatOf({
  type: ControlPacketType.connack,
  version: v3_1,
  layout: connackLayouts.v3_1,
  clauses: connackClauses,
  names: fieldNames,
  isPolluted,
  read: readFields,
  create: (bytes) => new ConnackPacket(bytes, checked),
})
