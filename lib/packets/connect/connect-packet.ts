import type { Buffer } from 'buffer'
import { locate, variableHeaderAt } from '../../codec/layout.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { BRIDGE_BIT, type ProtocolVersion } from '../../protocol/version.ts'
import { readTwoByteInteger } from '../../wire/integers.ts'
import { readBinaryData, readUtf8String } from '../../wire/primitives.ts'
import { checked } from '../encoded-packet.ts'
import { FieldPacket } from '../field-packet.ts'
import { propertiesJson } from '../properties.ts'
import { REDACTED, stringText } from '../text.ts'
import { type QoS, Will, willText } from '../will.ts'
import type { SessionFields, SharedFields } from './connect-fields.ts'
import { has, willQos } from './layouts.ts'

/** The members that CONNECT packets of all versions share. Each accessor decodes its field when it's called. */
export abstract class ConnectPacketBase<
  Fields extends object,
  Foreign extends string,
  Level extends ProtocolVersion,
> extends FieldPacket<Fields, Foreign, Level> {
  /** `ControlPacketType.connect` */
  static readonly type: typeof ControlPacketType.connect = ControlPacketType.connect

  override get type(): typeof ControlPacketType.connect {
    return ControlPacketType.connect
  }

  /**
   * The longest time in seconds, 0 to 65,535, that may pass between two packets of the client; 0 means no limit. Section
   * 3.1.2.10, in MQTT 3.1 section 3.1.
   */
  get keepAlive(): number {
    return readTwoByteInteger(this.bytes, locate(this.bytes, this.places.keepAlive))
  }

  /** The client identifier, which may be empty. Section 3.1.3.1, in MQTT 3.1 section 3.1. */
  get clientId(): string {
    return readUtf8String(this.bytes, locate(this.bytes, this.places.clientId))
  }

  /** The will, or `undefined` if there is none. */
  get will(): Will | undefined {
    const { bytes } = this
    const { places } = this
    const topicAt = locate(bytes, places['will.topic'])
    if (topicAt < 0) return undefined
    const { flags } = this
    const fields = {
      topic: readUtf8String(bytes, topicAt),
      message: readBinaryData(bytes, locate(bytes, places['will.message'])),
      qos: willQos(flags) as QoS,
      retain: has(flags, ConnectFlag.willRetain),
      props: this.propertiesOf(places['will.propertyLength']),
    }
    return new Will(fields, checked)
  }

  /** The user name. `undefined` if it's absent, as opposed to empty. */
  get userName(): string | undefined {
    const at = locate(this.bytes, this.places.userName)
    return at < 0 ? undefined : readUtf8String(this.bytes, at)
  }

  /** The password, as a view of the packet's bytes. `undefined` if it's absent, as opposed to empty. */
  get password(): Buffer | undefined {
    const at = locate(this.bytes, this.places.password)
    return at < 0 ? undefined : readBinaryData(this.bytes, at)
  }

  /**
   * The text form, one line of bounded length: `v5::connect{cid:…,ka:…,cs:…,un:…,pw:*****,will:{…},ps:[…]}`. It begins with `v3_1` or
   * `v3_1_1` for a packet of these versions, which have no properties (`ps`). Absent fields are left out.
   */
  override toString(): string {
    const { userName, will } = this
    return this.textOf(
      `cid:${stringText(this.clientId)}`,
      `ka:${this.keepAlive}`,
      `cs:${this.clean ? 1 : 0}`,
      this.hasBridgeBit ? 'br:1' : '',
      userName === undefined ? '' : `un:${stringText(userName)}`,
      this.password === undefined ? '' : `pw:${REDACTED}`,
      will ? `will:${willText(will, this.propertiesText(this.places['will.propertyLength']))}` : '',
      this.propertiesText(),
    )
  }

  /** All fields under their names, without password and authentication data. */
  override toJSON(): object {
    const { protocolVersion, keepAlive, clientId, will, userName, format } = this
    return {
      protocolVersion,
      [format.version.cleanField]: this.clean,
      keepAlive,
      clientId,
      ...(this.hasBridgeBit && { bridge: true }),
      ...(will !== undefined && { will: will.toJSON() }),
      ...(userName !== undefined && { userName }),
      ...(this.password !== undefined && { hasPassword: true }),
      ...(format.version.hasProperties && { props: propertiesJson(this.ownProperties) }),
    }
  }

  /** @internal The fields that all versions share, as far as they're present. */
  protected sharedFields(): SharedFields {
    const { keepAlive, clientId, will, userName, password } = this
    return {
      keepAlive,
      clientId,
      ...(will !== undefined && { will: will.toFields() }),
      ...(userName !== undefined && { userName }),
      ...(password !== undefined && { password }),
    }
  }

  /** @internal The connect flags. */
  protected get flags(): number {
    return this.bytes[locate(this.bytes, this.places.connectFlags)]!
  }

  /** @internal Clean session or clean start. */
  protected get clean(): boolean {
    return has(this.flags, ConnectFlag.clean)
  }

  /** @internal True if the bridge bit of the protocol level is set. */
  protected get hasBridgeBit(): boolean {
    const levelAt = variableHeaderAt(this.bytes) + this.format.version.header.length - 1
    return has(this.bytes[levelAt]!, BRIDGE_BIT)
  }
}

/** The members that CONNECT packets of MQTT 3.1 and 3.1.1 share. */
export abstract class ConnectPacketWithSession<
  Fields extends SessionFields,
  Level extends ProtocolVersion,
> extends ConnectPacketBase<Fields, 'cleanStart' | 'props', Level> {
  /**
   * True if the server should discard any earlier session, and this one when the connection ends. Section 3.1.2.4, in MQTT 3.1
   * section 3.1.
   */
  get cleanSession(): boolean {
    return this.clean
  }

  /**
   * True if the bridge bit of the protocol level is set. Such a packet is decoded only with `allow: ['protocol-bridge-level']`.
   */
  get bridge(): boolean {
    return this.hasBridgeBit
  }

  /** A plain object that the constructor accepts, unless the packet needed `allow`, without absent fields. It contains the password, so don't log it. */
  override toFields(): Fields {
    const fields: SessionFields = {
      cleanSession: this.cleanSession,
      ...this.sharedFields(),
      ...(this.bridge && { bridge: true }),
    }
    return fields as Fields
  }
}
