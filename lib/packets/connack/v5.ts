import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { namesOf, ownMembers } from '../../errors/misuse.ts'
import type { ConnectReasonCode } from '../../protocol/connect-codes.ts'
import { type ProtocolVersion, v5 } from '../../protocol/version.ts'
import { endFault, type Rules, type Step } from '../../wire/check.ts'
import { checked } from '../encoded-packet.ts'
import type { Changes } from '../field-packet.ts'
import { checkProperties } from '../properties/check-properties.ts'
import { type Property, readProperties } from '../properties/properties.ts'
import { connackProperties } from '../properties/property-list.ts'
import { checkFlagsAndCode, SESSION_PRESENT } from './check-connack.ts'
import { type ConnackFormat, ConnackPacketBase, PROPERTIES } from './connack-packet.ts'
import { connackEncoder } from './encode-connack.ts'

/**
 * What an MQTT 5.0 CONNACK is built from.
 *
 * @example
 * const fields: v5.ConnackPacketFields = { sessionPresent: false, reasonCode: ConnectReasonCode.success }
 * new v5.ConnackPacket(fields).size // 5
 */
export interface ConnackPacketFields {
  /** Whether the server has a session for this client. Only with reason code 0. Section 3.2.2.1.1. */
  readonly sessionPresent: boolean
  /** 0, or 0x80 to 0x9F: see `ConnectReasonCode`. Section 3.2.2.2. */
  readonly reasonCode: ConnectReasonCode
  /** The CONNACK properties, in order. Default none. Section 3.2.2.3. */
  readonly props?: readonly Property[] | undefined
}

const fieldNames: readonly string[] = namesOf<ConnackPacketFields>({
  sessionPresent: true,
  reasonCode: true,
  props: true,
})

/** An MQTT 5.0 CONNACK. It is its encoded bytes, and is immutable unless you write to `bytes`. */
export class ConnackPacket extends ConnackPacketBase {
  /**
   * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is missing or has the wrong type, `ERR_INVALID_ARG_VALUE` if there is
   *   a field that this packet does not have.
   * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
   * @throws MqttError if the contents break a rule of MQTT 5.0, with the code that decoding them would give.
   * @example
   * socket.write(new v5.ConnackPacket({ sessionPresent: false, reasonCode: 0 }).bytes)
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

  override get protocolVersion(): typeof ProtocolVersion.v5 {
    return 5
  }

  /** Whether the server has a session for this client. Section 3.2.2.1.1. */
  get sessionPresent(): boolean {
    return this.isSessionPresent
  }

  /** 0, or 0x80 to 0x9F: see `ConnectReasonCode`. Section 3.2.2.2. */
  get reasonCode(): ConnectReasonCode {
    return this.code as ConnectReasonCode
  }

  /** The CONNACK properties, in order, decoded on each call. Section 3.2.2.3. */
  override get props(): readonly Property[] {
    return readProperties(this.bytes, this.start + PROPERTIES)
  }

  /** A plain object that the constructor accepts. */
  toFields(): ConnackPacketFields {
    const { sessionPresent, reasonCode, props } = this
    return { sessionPresent, reasonCode, props }
  }

  /**
   * A new packet with some fields changed.
   *
   * @throws the same errors as the constructor
   */
  with(changes: Changes<ConnackPacketFields, 'returnCode'>): ConnackPacket {
    const own = ownMembers('fields', changes, fieldNames)
    return new ConnackPacket({ ...this.toFields(), ...(own as Partial<ConnackPacketFields>) })
  }
}

/** The bits of the acknowledge flags that are reserved. */
const RESERVED = 0xfe

/** Checks what follows the fixed header. MQTT 5.0 section 3.2. */
function check(rules: Rules, bytes: Uint8Array, start: number): Fault | undefined {
  let at: Step = checkFlagsAndCode(rules, bytes, start, RESERVED, SESSION_PRESENT)
  if (typeof at !== 'number') return at
  at = checkProperties(rules, bytes, at, bytes.length, connackProperties)
  return typeof at === 'number' ? endFault(rules, bytes, at) : at
}

export const format: ConnackFormat<ConnackPacket> = {
  version: v5,
  check,
  create: (bytes) => new ConnackPacket(bytes, checked),
  answer: (reasonCode, sessionPresent, props) =>
    new ConnackPacket({ sessionPresent, reasonCode, props: props() }),
}

const encodeFields = connackEncoder(format)

function encode(fields: ConnackPacketFields): Buffer {
  const own = ownMembers('fields', fields, fieldNames)
  return encodeFields(own.sessionPresent, own.reasonCode, own.props)
}
