import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { namesOf, ownMembers, wrongValue } from '../../errors/misuse.ts'
import { type ConnectReturnCode, returnCodes } from '../../protocol/connect-codes.ts'
import { type ProtocolVersion, v3_1 } from '../../protocol/version.ts'
import { endFault, type Rules } from '../../wire/check.ts'
import { checkBoolean } from '../arguments.ts'
import { checked } from '../encoded-packet.ts'
import type { Changes } from '../field-packet.ts'
import { checkFlagsAndCode } from './check-connack.ts'
import { type ConnackFormat, ConnackPacketBase } from './connack-packet.ts'
import { connackEncoder } from './encode-connack.ts'

/**
 * What an MQTT 3.1 CONNACK is built from.
 *
 * @example
 * const fields: v3_1.ConnackPacketFields = { returnCode: ConnectReturnCode.accepted }
 * new v3_1.ConnackPacket(fields).size // 4
 */
export interface ConnackPacketFields {
  /** False: MQTT 3.1 has a reserved byte here. Default false. */
  readonly sessionPresent?: false | undefined
  /** 0 to 5: see `ConnectReturnCode`. Section 3.2. */
  readonly returnCode: ConnectReturnCode
}

const fieldNames: readonly string[] = namesOf<ConnackPacketFields>({ sessionPresent: true, returnCode: true })

/** An MQTT 3.1 CONNACK. It is its encoded bytes, and is immutable unless you write to `bytes`. */
export class ConnackPacket extends ConnackPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if the return code does not fit a byte.
   * @throws MqttError if the contents break a rule of MQTT 3.1, with the code that decoding them would give.
   * @example
   * socket.write(new v3_1.ConnackPacket({ returnCode: 0 }).bytes)
   */
  constructor(fields: ConnackPacketFields)
  /** @internal Of bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: ConnackPacketFields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : encode(from as ConnackPacketFields))
  }

  /** @internal */
  protected override get format(): ConnackFormat {
    return format
  }

  override get protocolVersion(): typeof ProtocolVersion.v3_1 {
    return 3
  }

  /** Always false: MQTT 3.1 has no such flag. */
  get sessionPresent(): false {
    return false
  }

  /** @internal Text and JSON say the same as `sessionPresent`, whatever is in the reserved byte. */
  protected override get isSessionPresent(): boolean {
    return false
  }

  /** 0 to 5: see `ConnectReturnCode`. Section 3.2. */
  get returnCode(): ConnectReturnCode {
    return this.code as ConnectReturnCode
  }

  /** A plain object that the constructor accepts. */
  toFields(): ConnackPacketFields {
    const { sessionPresent, returnCode } = this
    return { sessionPresent, returnCode }
  }

  /**
   * A new packet with some fields changed.
   *
   * @throws the same errors as the constructor
   */
  with(changes: Changes<ConnackPacketFields, 'reasonCode' | 'props'>): ConnackPacket {
    const own = ownMembers('fields', changes, fieldNames)
    return new ConnackPacket({ ...this.toFields(), ...(own as Partial<ConnackPacketFields>) })
  }
}

/** Checks what follows the fixed header. MQTT 3.1 section 3.2. */
function check(rules: Rules, bytes: Uint8Array, start: number): Fault | undefined {
  const at = checkFlagsAndCode(rules, bytes, start, 0, 0)
  return typeof at === 'number' ? endFault(rules, bytes, at) : at
}

export const format: ConnackFormat<ConnackPacket> = {
  version: v3_1,
  check,
  create: (bytes) => new ConnackPacket(bytes, checked),
  answer(reasonCode) {
    const returnCode = returnCodes.get(reasonCode)
    return returnCode === undefined ? undefined : new ConnackPacket({ returnCode })
  },
}

const encodeFields = connackEncoder(format)

function encode(fields: ConnackPacketFields): Buffer {
  const own = ownMembers('fields', fields, fieldNames)
  const { sessionPresent = false, returnCode } = own
  if (checkBoolean('sessionPresent', sessionPresent)) throw wrongValue('sessionPresent', 'false in MQTT 3.1')
  return encodeFields(false, returnCode)
}
