import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { namesOf, ownMembers } from '../../errors/misuse.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checkUtf8String, notShortest, type Rules, type Step } from '../../wire/check.ts'
import { clientIdField, remainingLengthField } from '../../wire/fields.ts'
import { checked } from '../encoded-packet.ts'
import type { Changes } from '../field-packet.ts'
import { checkProperties } from '../properties/check-properties.ts'
import { type Property, readProperties } from '../properties/properties.ts'
import { connectProperties, willProperties } from '../properties/property-list.ts'
import type { Will, WillFields } from '../will.ts'
import {
  checkCredentials,
  checkFlagsAndKeepAlive,
  checkWill,
  flagTable,
  has,
  reservedFlag,
  willQosThree,
  willQosWithoutWill,
  willRetainWithoutWill,
} from './check-connect.ts'
import { type ConnectFormat, ConnectPacketBase, PROPERTIES } from './connect-packet.ts'
import { connectEncoder } from './write-connect.ts'

/**
 * What an MQTT 5.0 CONNECT is built from.
 *
 * @example
 * const fields: v5.ConnectPacketFields = { cleanStart: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v5.ConnectPacket(fields).size // 26
 */
export interface ConnectPacketFields {
  /** Whether the server discards an earlier session. Section 3.1.2.4. */
  readonly cleanStart: boolean
  /** The longest time between two packets of the client, in seconds, 0 to 65,535; 0 turns it off. Section 3.1.2.10. */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8. If it is empty, the server assigns one. Section 3.1.3.1. */
  readonly clientId: string
  /** The will. Default none. Section 3.1.2.5. */
  readonly will?: Will | WillFields | undefined
  /** The user name, 0 to 65,535 bytes of UTF-8. Default none. Section 3.1.3.5. */
  readonly userName?: string | undefined
  /** The password, 0 to 65,535 bytes. A string is encoded as UTF-8. Default none. Section 3.1.3.6. */
  readonly password?: Uint8Array | string | undefined
  /** The CONNECT properties, in order. Default none. Section 3.1.2.11. */
  readonly props?: readonly Property[] | undefined
}

const fieldNames: readonly string[] = namesOf<ConnectPacketFields>({
  cleanStart: true,
  keepAlive: true,
  clientId: true,
  will: true,
  userName: true,
  password: true,
  props: true,
})

/** An MQTT 5.0 CONNECT. It is its encoded bytes, and is immutable unless you write to `bytes`. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have, or a lone surrogate in binary data.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   * @example
   * const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'sensor-0042' })
   * socket.write(packet.bytes)
   */
  constructor(fields: ConnectPacketFields)
  /** @internal Of bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: ConnectPacketFields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : encode(from as ConnectPacketFields))
  }

  /** @internal */
  protected override get format(): ConnectFormat {
    return format
  }

  override get protocolVersion(): typeof ProtocolVersion.v5 {
    return 5
  }

  /** Whether the server discards an earlier session. Section 3.1.2.4. */
  get cleanStart(): boolean {
    return this.clean
  }

  /** The CONNECT properties, in order, decoded on each call. Section 3.1.2.11. */
  override get props(): readonly Property[] {
    return readProperties(this.bytes, this.flagsAt + PROPERTIES)
  }

  /** A plain object that the constructor accepts. Absent fields are left out. It contains the password: do not log it. */
  toFields(): ConnectPacketFields {
    return { cleanStart: this.cleanStart, ...this.sharedFields(), props: this.props }
  }

  /**
   * A new packet with some fields changed. A field given as `undefined` is removed.
   *
   * @throws the same errors as the constructor, which checks all rules, also those that `allow` has relaxed for this packet
   */
  with(changes: Changes<ConnectPacketFields, 'cleanSession' | 'bridge'>): ConnectPacket {
    const own = ownMembers('fields', changes, fieldNames)
    return new ConnectPacket({ ...this.toFields(), ...(own as Partial<ConnectPacketFields>) })
  }
}

/** Checks what follows the protocol level. MQTT 5.0 section 3.1. */
function check(rules: Rules, bytes: Uint8Array, flagsAt: number): Fault | undefined {
  const end = bytes.length
  const wrong = notShortest(rules, bytes, 1, flagsAt - v5.header.length, remainingLengthField)
  if (wrong !== undefined) return wrong
  let at: Step = checkFlagsAndKeepAlive(rules, bytes, flagsAt, flags)
  if (typeof at !== 'number') return at
  at = checkProperties(rules, bytes, at, end, connectProperties)
  if (typeof at !== 'number') return at

  at = checkUtf8String(rules, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  if (has(bytes[flagsAt]!, ConnectFlag.will)) {
    at = checkProperties(rules, bytes, at, end, willProperties)
    if (typeof at !== 'number') return at
  }
  at = checkWill(rules, bytes, at, bytes[flagsAt]!)
  if (typeof at !== 'number') return at
  return checkCredentials(rules, bytes, at, bytes[flagsAt]!)
}

const flags = flagTable(reservedFlag, willQosWithoutWill, willRetainWithoutWill, willQosThree)

export const format: ConnectFormat<ConnectPacket> = {
  version: v5,
  check,
  create: (bytes) => new ConnectPacket(bytes, checked),
}

const encodeFields = connectEncoder(format)

function encode(fields: ConnectPacketFields): Buffer {
  const own = ownMembers('fields', fields, fieldNames)
  return encodeFields(own.cleanStart, own)
}
