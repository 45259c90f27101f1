import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import { ConnectFlag } from '../../protocol/connect-flags.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import { BRIDGE_BIT, type Version } from '../../protocol/version.ts'
import { Rules } from '../../wire/check.ts'
import { readTwoByteInteger, variableByteIntegerEnd } from '../../wire/integers.ts'
import { prefixedEnd, readBinaryData, readUtf8String } from '../../wire/primitives.ts'
import { checked } from '../encoded-packet.ts'
import { FieldPacket } from '../field-packet.ts'
import {
  noProperties,
  type Property,
  propertiesEnd,
  propertiesFit,
  propertiesJson,
  propertiesTextAt,
  readProperties,
} from '../properties/properties.ts'
import { REDACTED, stringText } from '../text.ts'
import { type QoS, Will, type WillFields, willText } from '../will.ts'
import { checkConnectHeader, checkProtocol, has, willQos } from './check-connect.ts'

/** The fields of a packet that all versions have. */
interface SharedFields {
  readonly keepAlive: number
  readonly clientId: string
  readonly will?: WillFields
  readonly userName?: string
  readonly password?: Buffer
}

/** What CONNECT is in one version. */
export interface ConnectFormat<Packet = unknown> {
  readonly version: Version
  /** Checks what follows the protocol level, from the connect flags at `flagsAt` on. */
  readonly check: (rules: Rules, bytes: Uint8Array, flagsAt: number) => Fault | undefined
  /** The packet of bytes that have been checked. */
  readonly create: (bytes: Buffer) => Packet
}

/** What the CONNECT packets of all versions have. Each accessor decodes its field when it is called. */
export abstract class ConnectPacketBase extends FieldPacket {
  /** `ControlPacketType.connect` */
  static readonly type: typeof ControlPacketType.connect = ControlPacketType.connect
  /** @internal */
  protected abstract readonly format: ConnectFormat

  /** @internal */
  protected override get version(): Version {
    return this.format.version
  }

  /** @internal */
  protected override observe(rules: Rules): void {
    const { bytes, flagsAt } = this
    checkConnectHeader(rules, bytes)
    const known = checkProtocol(rules, bytes, flagsAt - this.version.header.length)
    if (known instanceof Rules) this.format.check(known, bytes, flagsAt)
  }

  get type(): typeof ControlPacketType.connect {
    return ControlPacketType.connect
  }

  /** The longest time in seconds, 0 to 65,535, between two packets of the client; 0 turns it off. Section 3.1.2.10. */
  get keepAlive(): number {
    return readTwoByteInteger(this.bytes, this.flagsAt + 1)
  }

  /** The client identifier, possibly empty. Section 3.1.3.1. */
  get clientId(): string {
    return readUtf8String(this.bytes, this.clientIdAt(this.flagsAt))
  }

  /** The will, `undefined` if there is none. */
  get will(): Will | undefined {
    const { bytes, flagsAt } = this
    if (!has(bytes[flagsAt]!, ConnectFlag.will)) return undefined
    const willAt = this.willAt(flagsAt)
    return this.readWill(flagsAt, willAt, this.hasProperties ? readProperties(bytes, willAt) : noProperties)
  }

  /** The user name. `undefined` if it is absent, which is not the same as empty. */
  get userName(): string | undefined {
    const { bytes, flagsAt } = this
    if (!has(bytes[flagsAt]!, ConnectFlag.userName)) return undefined
    const at = this.credentialsAt(flagsAt)
    return at < bytes.length ? readUtf8String(bytes, at) : undefined
  }

  /** The password, as a view of the packet's bytes. `undefined` if it is absent, which is not the same as empty. */
  get password(): Buffer | undefined {
    const { bytes, flagsAt } = this
    const flags = bytes[flagsAt]!
    if (!has(flags, ConnectFlag.password)) return undefined
    const start = this.credentialsAt(flagsAt)
    const at = has(flags, ConnectFlag.userName) ? prefixedEnd(bytes, start) : start
    return at < bytes.length ? readBinaryData(bytes, at) : undefined
  }

  /** The text form, one line of bounded length: `v5::connect{cid:…,ka:…,cs:…,un:…,pw:*****,will:{…},ps:[…]}`. */
  override toString(): string {
    const { bytes, flagsAt, userName, hasProperties } = this
    const parts = [`cid:${stringText(this.clientId)}`, `ka:${this.keepAlive}`, `cs:${this.clean ? 1 : 0}`]
    if (this.hasBridgeBit) parts.push('br:1')
    if (userName !== undefined) parts.push(`un:${stringText(userName)}`)
    if (this.password !== undefined) parts.push(`pw:${REDACTED}`)
    if (has(bytes[flagsAt]!, ConnectFlag.will)) {
      const willAt = this.willAt(flagsAt)
      const will = this.readWill(flagsAt, willAt, noProperties)
      parts.push(`will:${willText(will, hasProperties ? propertiesTextAt(bytes, willAt) : '')}`)
    }
    const props = hasProperties ? propertiesTextAt(bytes, flagsAt + PROPERTIES) : ''
    if (props !== '') parts.push(props)
    return `${this.version.name}::connect{${parts.join(',')}}`
  }

  /** The fields under their names, complete, without password and authentication data. */
  override toJSON(): object {
    const { protocolVersion, keepAlive, clientId, will, userName } = this
    return {
      protocolVersion,
      [this.version.cleanField]: this.clean,
      keepAlive,
      clientId,
      ...(this.hasBridgeBit && { bridge: true }),
      ...(will !== undefined && { will: will.toJSON() }),
      ...(userName !== undefined && { userName }),
      ...(this.password !== undefined && { password: REDACTED }),
      ...(this.hasProperties && { props: propertiesJson(this.props) }),
    }
  }

  /**
   * @internal Whether the lengths of bytes that have not been checked fit together: whether each property list ends where its
   * length says, and the last field with the packet.
   */
  get lengthsFit(): boolean {
    const { bytes, flagsAt } = this
    const flags = bytes[flagsAt]!
    if (this.hasProperties) {
      if (!propertiesFit(bytes, flagsAt + PROPERTIES)) return false
      if (has(flags, ConnectFlag.will) && !propertiesFit(bytes, this.willAt(flagsAt))) return false
    }
    let end = this.credentialsAt(flagsAt)
    for (const flag of [ConnectFlag.userName, ConnectFlag.password]) {
      if (has(flags, flag) && !(end === bytes.length && this.version.mayEndEarly)) {
        end = prefixedEnd(bytes, end)
      }
    }
    return end === bytes.length
  }

  /** @internal The fields that all versions have, those that are present. */
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

  /** @internal */
  protected override get inspectName(): string {
    return `${this.version.name}.ConnectPacket`
  }

  /** @internal Whether the bridge bit of the protocol level is set. */
  protected get hasBridgeBit(): boolean {
    return has(this.bytes[this.flagsAt - 1]!, BRIDGE_BIT)
  }

  /** @internal Clean session or clean start. */
  protected get clean(): boolean {
    return has(this.bytes[this.flagsAt]!, ConnectFlag.clean)
  }

  /*
   * The positions of the fields. Most are found by skipping the fields before them. Those are few, and most packets are never
   * read in full, so a packet stores no positions.
   */

  /** @internal The index of the connect flags, to which all positions are relative. */
  protected get flagsAt(): number {
    const { bytes } = this
    const start = bytes[1]! < 0x80 ? 2 : variableByteIntegerEnd(bytes, 1, bytes.length)
    return start + this.version.header.length
  }

  private get hasProperties(): boolean {
    return this.version.hasProperties
  }

  private clientIdAt(flagsAt: number): number {
    const at = flagsAt + PROPERTIES
    return this.hasProperties ? propertiesEnd(this.bytes, at) : at
  }

  /** The index after the client id, where the will begins if there is one. */
  private willAt(flagsAt: number): number {
    return prefixedEnd(this.bytes, this.clientIdAt(flagsAt))
  }

  private willTopicAt(willAt: number): number {
    return this.hasProperties ? propertiesEnd(this.bytes, willAt) : willAt
  }

  private credentialsAt(flagsAt: number): number {
    const { bytes } = this
    const willAt = this.willAt(flagsAt)
    if (!has(bytes[flagsAt]!, ConnectFlag.will)) return willAt
    return prefixedEnd(bytes, prefixedEnd(bytes, this.willTopicAt(willAt)))
  }

  private readWill(flagsAt: number, willAt: number, props: readonly Property[]): Will {
    const { bytes } = this
    const flags = bytes[flagsAt]!
    const topicAt = this.willTopicAt(willAt)
    const fields = {
      topic: readUtf8String(bytes, topicAt),
      message: readBinaryData(bytes, prefixedEnd(bytes, topicAt)),
      qos: willQos(flags) as QoS,
      retain: has(flags, ConnectFlag.willRetain),
      props,
    }
    return new Will(fields, checked)
  }
}

/** Where the properties are, or the client id if there are none, from the connect flags on: after flags and keep alive. */
export const PROPERTIES = 3
