import type { Buffer } from 'buffer'
import { type Format, formatOf } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { namesOf } from '../../errors/misuse.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import type { Property } from '../properties.ts'
import type { Will, WillFields } from '../will.ts'
import { connectReader, isPolluted } from './connect-fields.ts'
import { ConnectPacketBase } from './connect-packet.ts'
import { connectLayouts, connectProperties } from './layouts.ts'

/**
 * The fields that an MQTT 5.0 CONNECT is built from.
 *
 * @example
 * const fields: v5.ConnectPacketFields = { cleanStart: true, keepAlive: 60, clientId: 'sensor-0042' }
 * new v5.ConnectPacket(fields).size // 26
 */
export interface ConnectPacketFields {
  /** True if the server should discard any earlier session. Section 3.1.2.4. */
  readonly cleanStart: boolean
  /**
   * The longest time that may pass between two packets of the client, in seconds, 0 to 65,535; 0 means no limit. Section
   * 3.1.2.10.
   */
  readonly keepAlive: number
  /** The client identifier, 0 to 65,535 bytes of UTF-8. If it's empty, the server assigns one. Section 3.1.3.1. */
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

/** An MQTT 5.0 CONNECT. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class ConnectPacket extends ConnectPacketBase<
  ConnectPacketFields,
  'cleanSession' | 'bridge',
  typeof ProtocolVersion.v5
> {
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
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: ConnectPacketFields | Buffer, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(connectFormat, from))
  }

  /** @internal */
  override get format(): Format {
    return connectFormat
  }

  /** True if the server should discard any earlier session. Section 3.1.2.4. */
  get cleanStart(): boolean {
    return this.clean
  }

  /** The CONNECT properties, in order, decoded on each call. Section 3.1.2.11. */
  get props(): readonly Property[] {
    return this.ownProperties
  }

  /** A plain object that the constructor accepts, without absent fields. It contains the password, so don't log it. */
  override toFields(): ConnectPacketFields {
    return { cleanStart: this.cleanStart, ...this.sharedFields(), props: this.props }
  }
}

export const connectFormat: Format<ConnectPacket> = formatOf({
  type: ControlPacketType.connect,
  version: v5,
  layout: connectLayouts.v5,
  names: fieldNames,
  isPolluted,
  read: connectReader(v5, connectProperties),
  create: (bytes) => new ConnectPacket(bytes, checked),
})
