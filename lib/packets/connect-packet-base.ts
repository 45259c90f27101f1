import type { Buffer } from 'buffer'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import type { Observer } from '../wire/scan.ts'
import { componentCollector } from './components.ts'
import type { ConnectLayout } from './connect-scan.ts'
import { EncodedPacket, inspect } from './encoded-packet.ts'
import { REDACTED, stringText } from './text.ts'
import { readBinaryData, readUtf8String } from './values.ts'
import type { Will } from './will.ts'

/** The fields that both versions of CONNECT have. Each accessor decodes its field anew. */
export abstract class ConnectPacketBase extends EncodedPacket {
  static readonly type: typeof ControlPacketType.connect = ControlPacketType.connect
  abstract readonly protocolVersion: ProtocolVersion
  /** The will; absent is `undefined`. */
  abstract readonly will: Will | undefined
  /** @internal */
  protected readonly layout: ConnectLayout

  /** @internal */
  constructor(layout: ConnectLayout) {
    super()
    this.layout = layout
  }

  get type(): typeof ControlPacketType.connect {
    return ControlPacketType.connect
  }

  get bytes(): Buffer {
    return this.layout.bytes
  }

  /** The longest time in seconds, 0 to 65,535, between two packets of the client; 0 turns the check off. Section 3.1.2.10. */
  get keepAlive(): number {
    return this.layout.keepAlive
  }

  /** The client identifier, possibly empty. Section 3.1.3.1. */
  get clientId(): string {
    return readUtf8String(this.layout.bytes, this.layout.clientId)
  }

  /** The user name; absent is `undefined`, which is not the same as empty. */
  get userName(): string | undefined {
    const { bytes, userName } = this.layout
    return userName === 0 ? undefined : readUtf8String(bytes, userName)
  }

  /** The password, as a view of the packet's bytes; absent is `undefined`, which is not the same as empty. */
  get password(): Buffer | undefined {
    const { bytes, password } = this.layout
    return password === 0 ? undefined : readBinaryData(bytes, password)
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

  /** @internal Clean session or clean start. */
  protected get clean(): boolean {
    return (this.layout.flags & ConnectFlag.clean) !== 0
  }

  /** @internal The text form; `rest` is what only one version has. */
  protected text(namespace: string, ...rest: string[]): string {
    const parts = [`cid:${stringText(this.clientId)}`, `ka:${this.keepAlive}`, `cs:${this.clean ? 1 : 0}`]
    const { userName, will } = this
    if (userName !== undefined) parts.push(`un:${stringText(userName)}`)
    if (this.layout.password !== 0) parts.push(`pw:${REDACTED}`)
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
      ...(this.layout.password !== 0 && { password: REDACTED }),
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
