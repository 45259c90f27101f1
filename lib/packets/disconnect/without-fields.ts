import type { Buffer } from 'buffer'
import type { FormatFacts } from '../../codec/context.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import type { Clause, ProtocolVersion, Version } from '../../protocol/version.ts'
import type { checked } from '../encoded-packet.ts'
import { FieldPacket } from '../field-packet.ts'

/** The clause about the fixed header flags of a DISCONNECT. */
export const flagsClause: Clause = { v3_1: '2.1', v3_1_1: 'MQTT-3.14.1-1', v5: 'MQTT-3.14.1-1' }

/** The members of a DISCONNECT before MQTT 5.0, which consists of its fixed header. */
export abstract class DisconnectWithoutFields<
  Fields extends object,
  Level extends ProtocolVersion,
> extends FieldPacket<Fields, 'reasonCode' | 'props', Level> {
  /** `ControlPacketType.disconnect` */
  static readonly type: typeof ControlPacketType.disconnect = ControlPacketType.disconnect

  /** @throws TypeError `ERR_INVALID_ARG_VALUE` if there is a field: this packet has none */
  constructor(fields?: Fields)
  /** @internal For bytes that have been checked. */
  constructor(bytes: Buffer, key: typeof checked)
  constructor(from: object = {}, key?: typeof checked) {
    super(from as Buffer, key!)
  }

  override get type(): typeof ControlPacketType.disconnect {
    return ControlPacketType.disconnect
  }

  /** An empty object. */
  override toFields(): Fields {
    return {} as Fields
  }

  /** The text form: `v3_1::disconnect{}` or `v3_1_1::disconnect{}`. */
  override toString(): string {
    return this.textOf()
  }

  /** The protocol version, because there are no fields. */
  override toJSON(): object {
    return { protocolVersion: this.protocolVersion }
  }
}

/** The facts about a DISCONNECT without fields. MQTT 3.1 and MQTT 3.1.1, section 3.14. */
export function factsWithoutFields(version: Version): Omit<FormatFacts<unknown, object>, 'create'> {
  return {
    type: ControlPacketType.disconnect,
    version,
    layout: [],
    clauses: { 'fixed-header-flags': flagsClause },
    only: 'client',
    names: [],
    read: () => ({}),
  }
}
