import type { Buffer } from 'buffer'
import { type Format, formatOf } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { namesOf } from '../../errors/misuse.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v3_1_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import type { Will, WillFields } from '../will.ts'
import { connectReader, isPolluted } from './connect-fields.ts'
import { ConnectPacketBase } from './connect-packet.ts'
import { connectLayouts } from './layouts.ts'

/**
 * The fields that an MQTT 3.1.1 CONNECT is built from.
 *
 * @example
 * const fields: v3_1_1.ConnectPacketFields = { cleanSession: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v3_1_1.ConnectPacket(fields).size // 25
 */
export interface ConnectPacketFields {
  /** True if the server should discard any earlier session, and this one when the connection ends. Section 3.1.2.4. */
  readonly cleanSession: boolean
  /**
   * The longest time that may pass between two packets of the client, in seconds, 0 to 65,535; 0 means no limit. Section
   * 3.1.2.10.
   */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8; empty only with `cleanSession`. Section 3.1.3.1. */
  readonly clientId: string
  /** The will. Default none. Section 3.1.2.5. */
  readonly will?: Will | WillFields | undefined
  /** The user name, 0 to 65,535 bytes of UTF-8. Default none. Section 3.1.3.4. */
  readonly userName?: string | undefined
  /** The password, 0 to 65,535 bytes. A string is encoded as UTF-8. Only with a user name. Default none. Section 3.1.3.5. */
  readonly password?: Uint8Array | string | undefined
  /**
   * True to set the bridge bit, 0x80 of the protocol level, with which brokers mark connections between each other. No standard
   * defines it. Default false.
   */
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

/** An MQTT 3.1.1 CONNECT. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class ConnectPacket extends ConnectPacketBase<
  ConnectPacketFields,
  'cleanStart' | 'props',
  typeof ProtocolVersion.v3_1_1
> {
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
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: ConnectPacketFields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(connectFormat, from))
  }

  /** @internal */
  override get format(): Format {
    return connectFormat
  }

  /** True if the server should discard any earlier session, and this one when the connection ends. Section 3.1.2.4. */
  get cleanSession(): boolean {
    return this.clean
  }

  /**
   * True if the bridge bit of the protocol level is set. Such a packet is decoded only with `allow: ['protocol-bridge-level']`.
   */
  get bridge(): boolean {
    return this.hasBridgeBit
  }

  /** A plain object that the constructor accepts, without absent fields. It contains the password, so don't log it. */
  override toFields(): ConnectPacketFields {
    return { cleanSession: this.cleanSession, ...this.sharedFields(), ...(this.bridge && { bridge: true }) }
  }
}

export const connectFormat: Format<ConnectPacket> = formatOf({
  type: ControlPacketType.connect,
  version: v3_1_1,
  layout: connectLayouts.v3_1_1,
  names: fieldNames,
  isPolluted,
  read: connectReader(v3_1_1),
  create: (bytes) => new ConnectPacket(bytes, checked),
})
