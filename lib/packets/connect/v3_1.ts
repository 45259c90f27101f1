import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { namesOf, ownMembers } from '../../errors/misuse.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { type ProtocolVersion, v3_1 } from '../../protocol/version.ts'
import { checkUtf8String, faultUnlessAllowed, type Rules, type Step } from '../../wire/check.ts'
import { clientIdField } from '../../wire/fields.ts'
import { prefixedEnd } from '../../wire/primitives.ts'
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
  willQosThree,
} from './check-connect.ts'
import { type ConnectFormat, ConnectPacketBase } from './connect-packet.ts'
import { connectEncoder } from './write-connect.ts'

/**
 * What an MQTT 3.1 CONNECT is built from. The document numbers its sections only as far as 3.1, CONNECT.
 *
 * @example
 * const fields: v3_1.ConnectPacketFields = { cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v3_1.ConnectPacket(fields).size // 27
 */
export interface ConnectPacketFields {
  /** Whether the server discards an earlier session, and discards this one at its end. */
  readonly cleanSession: boolean
  /** The longest time between two packets of the client, in seconds, 0 to 65,535; 0 turns it off. */
  readonly keepAlive: number
  /** The client identifier, 1 to 23 characters. */
  readonly clientId: string
  /** The will. Default none. */
  readonly will?: Will | WillFields | undefined
  /** The user name, 0 to 65,535 bytes of UTF-8. Default none. */
  readonly userName?: string | undefined
  /** The password, 0 to 65,535 bytes. A string is encoded as UTF-8. Only with a user name. Default none. */
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

/** An MQTT 3.1 CONNECT. It is its encoded bytes, and is immutable unless you write to `bytes`. */
export class ConnectPacket extends ConnectPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have, will properties, or a lone surrogate in binary data.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 3.1, with the code that decoding them would give.
   * @example
   * const packet = new v3_1.ConnectPacket({ cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' })
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

  override get protocolVersion(): typeof ProtocolVersion.v3_1 {
    return 3
  }

  /** Whether the server discards an earlier session, and discards this one at its end. */
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

/** The longest client identifier, in characters. */
const LONGEST_CLIENT_ID = 23

/** Checks what follows the protocol level. MQTT 3.1 section 3.1. */
function check(rules: Rules, bytes: Uint8Array, flagsAt: number): Fault | undefined {
  const end = bytes.length
  let at: Step = checkFlagsAndKeepAlive(rules, bytes, flagsAt, flags)
  if (typeof at !== 'number') return at

  const clientIdAt = at
  at = checkUtf8String(rules, bytes, at, end, clientIdField)
  if (typeof at !== 'number') return at
  const wrong = clientIdFault(rules, bytes, clientIdAt, at)
  if (wrong !== undefined) return wrong
  at = checkWill(rules, bytes, at, bytes[flagsAt]!)
  if (typeof at !== 'number') return at

  // The Remaining Length takes precedence over the flags: what they announce may be absent at the end.
  if (at === end) return undefined
  const announced = bytes[flagsAt]!
  const endsEarly = has(announced, ConnectFlag.userName) && prefixedEnd(bytes, at) === end
  return checkCredentials(rules, bytes, at, endsEarly ? announced & ~ConnectFlag.password : announced)
}

/* Bit 0 is reserved for future use, and will QoS and will retain mean nothing without the will flag: none is an error. */
const flags = flagTable(willQosThree, passwordWithoutUserName)

function clientIdFault(rules: Rules, bytes: Uint8Array, at: number, end: number): Fault | undefined {
  if (end === at + 2) {
    return faultUnlessAllowed(rules, 'client-id-empty', clientIdField, at, 'a client id', 'none')
  }
  let characters = 0
  // Every byte that does not continue a UTF-8 sequence begins a character.
  for (let i = at + 2; i < end; i++) if ((bytes[i]! & 0xc0) !== 0x80) characters++
  if (characters <= LONGEST_CLIENT_ID) return undefined
  const expected = `at most ${LONGEST_CLIENT_ID} characters`
  return faultUnlessAllowed(rules, 'client-id-too-long', clientIdField, at, expected, 'more')
}

export const format: ConnectFormat<ConnectPacket> = {
  version: v3_1,
  check,
  create: (bytes) => new ConnectPacket(bytes, checked),
}

const encodeFields = connectEncoder(format)

function encode(fields: ConnectPacketFields): Buffer {
  const own = ownMembers('fields', fields, fieldNames)
  return encodeFields(own.cleanSession, own)
}
