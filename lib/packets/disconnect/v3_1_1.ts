import type { Buffer } from 'buffer'
import { type Format, formatOf } from '../../codec/context.ts'
import { build } from '../../codec/encode.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { type ProtocolVersion, v3_1_1 } from '../../protocol/version.ts'
import { checked } from '../encoded-packet.ts'
import type { ChangeOptions, Changes } from '../field-packet.ts'
import { DisconnectWithoutFields } from './without-fields.ts'

/**
 * What an MQTT 3.1.1 DISCONNECT is built from: nothing.
 *
 * @example
 * const fields: v3_1_1.DisconnectPacketFields = {}
 * new v3_1_1.DisconnectPacket(fields).size // 2
 */
export type DisconnectPacketFields = Readonly<Record<never, never>>

/** An MQTT 3.1.1 DISCONNECT, the last packet of a client. Backed by its encoded bytes; immutable unless you write to `bytes`. */
export class DisconnectPacket extends DisconnectWithoutFields {
  /**
   * @throws TypeError `ERR_INVALID_ARG_VALUE` if there is a field: this packet has none
   * @example
   * socket.end(new v3_1_1.DisconnectPacket().bytes)
   */
  constructor(fields?: DisconnectPacketFields)
  /** @internal Of bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: DisconnectPacketFields | Buffer = {}, key?: typeof checked) {
    super(key === checked ? (from as Buffer) : build(disconnectFormat, from))
  }

  /** @internal */
  override get format(): Format {
    return disconnectFormat
  }

  override get protocolVersion(): typeof ProtocolVersion.v3_1_1 {
    return 4
  }

  /** An empty object. */
  override toFields(): DisconnectPacketFields {
    return {}
  }

  /** The same packet: there are no fields to change. */
  with(
    changes: Changes<DisconnectPacketFields, 'reasonCode' | 'props'>,
    options?: ChangeOptions,
  ): DisconnectPacket {
    return this.change(changes, options)
  }

  /** The same packet: it has no secrets. */
  withoutSecrets(options?: ChangeOptions): DisconnectPacket {
    return this.change({}, options)
  }
}

/** A DISCONNECT without fields. MQTT 3.1.1 section 3.14. */
export const disconnectFormat: Format<DisconnectPacket> = formatOf({
  type: ControlPacketType.disconnect,
  version: v3_1_1,
  layout: [],
  clauses: { 'fixed-header-flags': { v3_1: '2.1', v3_1_1: 'MQTT-3.14.1-1', v5: 'MQTT-3.14.1-1' } },
  only: 'client',
  names: [],
  read: () => ({}),
  create: (bytes) => new DisconnectPacket(bytes, checked),
})
