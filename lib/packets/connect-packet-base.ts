import type { Buffer } from 'buffer'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { PROTOCOL_HEADER_LENGTH } from '../protocol/limits.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import { readTwoByteInteger } from '../wire/integers.ts'
import type { Observer } from '../wire/scan.ts'
import { componentCollector } from './components.ts'
import { willQos } from './connect-scan.ts'
import { EncodedPacket, inspect } from './encoded-packet.ts'
import type { Property } from './properties.ts'
import { scanned } from './scanned.ts'
import { REDACTED, stringText } from './text.ts'
import { prefixedEnd, readBinaryData, readUtf8String } from './values.ts'
import { type QoS, Will } from './will.ts'

/** The fields that both versions of CONNECT have. Each accessor decodes its field anew. */
export abstract class ConnectPacketBase extends EncodedPacket {
  static readonly type: typeof ControlPacketType.connect = ControlPacketType.connect
  abstract readonly protocolVersion: ProtocolVersion
  /** The will; absent is `undefined`. */
  abstract readonly will: Will | undefined
  /** @internal The first byte of the variable header. */
  protected readonly start: number

  /** @internal Of bytes that have been scanned, or written as if. */
  constructor(bytes: Buffer, start: number) {
    super(bytes)
    this.start = start
  }

  get type(): typeof ControlPacketType.connect {
    return ControlPacketType.connect
  }

  /** The longest time in seconds, 0 to 65,535, between two packets of the client; 0 turns the check off. Section 3.1.2.10. */
  get keepAlive(): number {
    return readTwoByteInteger(this.encoded, this.start + PROTOCOL_HEADER_LENGTH + 1)
  }

  /** The client identifier, possibly empty. Section 3.1.3.1. */
  get clientId(): string {
    return readUtf8String(this.encoded, this.clientIdAt)
  }

  /** The user name; absent is `undefined`, which is not the same as empty. */
  get userName(): string | undefined {
    if ((this.flags & ConnectFlag.userName) === 0) return undefined
    return readUtf8String(this.encoded, this.credentialsAt)
  }

  /** The password, as a view of the packet's bytes; absent is `undefined`, which is not the same as empty. */
  get password(): Buffer | undefined {
    const { encoded, flags, credentialsAt } = this
    if ((flags & ConnectFlag.password) === 0) return undefined
    const at = (flags & ConnectFlag.userName) === 0 ? credentialsAt : prefixedEnd(encoded, credentialsAt)
    return readBinaryData(encoded, at)
  }

  /**
   * The wire components in order, as views of `bytes`, for a gathering write: fixed header, remaining length,
   * protocol name with level, connect flags, keep alive, and then each length, each content and the parts of each
   * property as an element of its own.
   */
  constBufferSequence(): Buffer[] {
    const { components, observer } = componentCollector(this.bytes)
    this.observe(observer)
    return components
  }

  /** The number of elements of `constBufferSequence()`. */
  get numOfConstBufferSequence(): number {
    return this.constBufferSequence().length
  }

  /** @internal Runs the scan that the packet has passed once more, under the eyes of an observer. */
  protected abstract observe(observer: Observer): void

  /** @internal The connect flags. */
  protected get flags(): number {
    return this.encoded[this.start + PROTOCOL_HEADER_LENGTH]!
  }

  /** @internal Clean session or clean start. */
  protected get clean(): boolean {
    return (this.flags & ConnectFlag.clean) !== 0
  }

  /*
   * Where fields stand that have no fixed place: each is found by going over those before it. They are few, and a packet
   * is no more than its bytes: most are never read in full.
   */

  /** @internal */
  protected abstract get clientIdAt(): number

  /** @internal Where the will topic stands, or would. */
  protected abstract get willTopicAt(): number

  /** @internal Where the user name stands, or would. */
  private get credentialsAt(): number {
    const { encoded, willTopicAt } = this
    if ((this.flags & ConnectFlag.will) === 0) return willTopicAt
    return prefixedEnd(encoded, prefixedEnd(encoded, willTopicAt))
  }

  /** @internal The will; what only one version has are its properties. */
  protected readWill(topicAt: number, props: readonly Property[] | undefined): Will {
    const { encoded, flags } = this
    return new Will(
      {
        topic: readUtf8String(encoded, topicAt),
        message: readBinaryData(encoded, prefixedEnd(encoded, topicAt)),
        qos: willQos(flags) as QoS,
        retain: (flags & ConnectFlag.willRetain) !== 0,
        props,
      },
      scanned,
    )
  }

  /** @internal The text form; `rest` is what only one version has. */
  protected text(namespace: string, ...rest: string[]): string {
    const parts = [`cid:${stringText(this.clientId)}`, `ka:${this.keepAlive}`, `cs:${this.clean ? 1 : 0}`]
    const { userName, will } = this
    if (userName !== undefined) parts.push(`un:${stringText(userName)}`)
    if (this.password !== undefined) parts.push(`pw:${REDACTED}`)
    if (will !== undefined) parts.push(`will:${will}`)
    return `${namespace}::connect{${[...parts, ...rest].join(',')}}`
  }

  /** @internal The fields of both versions, for JSON: the password taken out. */
  protected commonJson(): object {
    const { keepAlive, clientId, will, userName } = this
    return {
      keepAlive,
      clientId,
      ...(will !== undefined && { will: will.toJSON() }),
      ...(userName !== undefined && { userName }),
      ...(this.password !== undefined && { password: REDACTED }),
    }
  }

  abstract toJSON(): object

  /** @internal */
  [inspect](
    _depth: number,
    options: object,
    nodeInspect: (value: object, options: object) => string,
  ): string {
    const { protocolVersion, ...fields } = this.toJSON() as { protocolVersion: ProtocolVersion }
    return `${protocolVersion === 4 ? 'v3_1_1' : 'v5'}.ConnectPacket ${nodeInspect(fields, options)}`
  }
}
