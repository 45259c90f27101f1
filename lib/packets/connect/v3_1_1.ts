import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { namesOf, ownMembers } from '../../errors/misuse.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { type ProtocolVersion, v3_1_1 } from '../../protocol/version.ts'
import { checkUtf8String, faultUnlessAllowed, type Rules, type Step } from '../../wire/check.ts'
import { clientIdField } from '../../wire/fields.ts'
import { checked } from '../encoded-packet.ts'
import type { Changes } from '../field-packet.ts'
import type { Will, WillFields } from '../will.ts'
import {
  checkCredentials,
  checkFlagsAndKeepAlive,
  checkWill,
  flagTable,
  has,
  passwordWithoutUserName,
  reservedFlag,
  willQosThree,
  willQosWithoutWill,
  willRetainWithoutWill,
} from './check-connect.ts'
import { type ConnectFormat, ConnectPacketBase } from './connect-packet.ts'
import { connectEncoder } from './write-connect.ts'

/**
 * What an MQTT 3.1.1 CONNECT is built from.
 *
 * @example
 * const fields: v3_1_1.ConnectPacketFields = { cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v3_1_1.ConnectPacket(fields).size // 25
 */
export interface ConnectPacketFields {
  /** Whether the server discards an earlier session, and discards this one at its end. Section 3.1.2.4. */
  readonly cleanSession: boolean
  /** The longest time between two packets of the client, in seconds, 0 to 65,535; 0 turns it off. Section 3.1.2.10. */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8; empty only with `cleanSession`. Section 3.1.3.1. */
  readonly clientId: string
  /** The will. Default none. Section 3.1.2.5. */
  readonly will?: Will | WillFields | undefined
  /** The user name, 0 to 65,535 bytes of UTF-8. Default none. Section 3.1.3.4. */
  readonly userName?: string | undefined
  /** The password, 0 to 65,535 bytes. A string is encoded as UTF-8. Only with a user name. Default none. Section 3.1.3.5. */
  readonly password?: Uint8Array | string | undefined
  /** Whether to set the bridge bit, 0x80 of the protocol level. Brokers use it between each other; no standard has it. Default false. */
  readonly bridge?: boolean | undefined
}

const fieldNames: readonly string[] = namesOf<ConnectPacketFields>({
  cleanSession: true,
  keepAlive: true,
  clientId: true,
  will: true,
  userName: true,
  password: true,
  bridge: true,
})

/** An MQTT 3.1.1 CONNECT. It is its encoded bytes, and is immutable unless you write to `bytes`. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have, will properties, or a lone surrogate in binary data.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 3.1.1, with the code that decoding them would give.
   * @example
   * const packet = new v3_1_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' })
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

  override get protocolVersion(): typeof ProtocolVersion.v3_1_1 {
    return 4
  }

  /** Whether the server discards an earlier session, and discards this one at its end. Section 3.1.2.4. */
  get cleanSession(): boolean {
    return this.clean
  }

  /** Whether the bridge bit of the protocol level is set. Such a packet is decoded only with `allow: ['protocol-bridge-level']`. */
  get bridge(): boolean {
    return this.hasBridgeBit
  }

  /** A plain object that the constructor accepts. Absent fields are left out. It contains the password: do not log it. */
  toFields(): ConnectPacketFields {
    return { cleanSession: this.cleanSession, ...this.sharedFields(), ...(this.bridge && { bridge: true }) }
  }

  /**
   * A new packet with some fields changed. A field given as `undefined` is removed.
   *
   * @throws the same errors as the constructor, which checks all rules, also those that `allow` has relaxed for this packet
   */
  with(changes: Changes<ConnectPacketFields, 'cleanStart' | 'props'>): ConnectPacket {
    const own = ownMembers('fields', changes, fieldNames)
    return new ConnectPacket({ ...this.toFields(), ...(own as Partial<ConnectPacketFields>) })
  }
}

/** Checks what follows the protocol level. MQTT 3.1.1 section 3.1. */
function check(rules: Rules, bytes: Uint8Array, flagsAt: number): Fault | undefined {
  const end = bytes.length
  let at: Step = checkFlagsAndKeepAlive(rules, bytes, flagsAt, flags)
  if (typeof at !== 'number') return at

  const clientIdAt = at
  at = checkUtf8String(rules, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  if (!has(bytes[flagsAt]!, ConnectFlag.clean) && at === clientIdAt + 2) {
    const wrong = emptyClientId(rules, clientIdAt)
    if (wrong !== undefined) return wrong
  }
  at = checkWill(rules, bytes, at, bytes[flagsAt]!)
  if (typeof at !== 'number') return at
  return checkCredentials(rules, bytes, at, bytes[flagsAt]!)
}

const flags = flagTable(
  reservedFlag,
  willQosWithoutWill,
  willRetainWithoutWill,
  willQosThree,
  passwordWithoutUserName,
)

function emptyClientId(rules: Rules, at: number): Fault | undefined {
  const expected = 'a client id, or clean session'
  return faultUnlessAllowed(rules, 'client-id-empty', clientIdField, at, expected, 'neither')
}

export const format: ConnectFormat<ConnectPacket> = {
  version: v3_1_1,
  check,
  create: (bytes) => new ConnectPacket(bytes, checked),
}

const encodeFields = connectEncoder(format)

function encode(fields: ConnectPacketFields): Buffer {
  const own = ownMembers('fields', fields, fieldNames)
  return encodeFields(own.cleanSession, own)
}
