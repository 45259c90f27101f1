import type { Buffer } from 'buffer'
import type { Fault } from '../../errors/fault.ts'
import type { ConnectReasonCode } from '../../protocol/connect-codes.ts'
import { ControlPacketType } from '../../protocol/control-packet-type.ts'
import type { Version } from '../../protocol/version.ts'
import type { Rules } from '../../wire/check.ts'
import { variableByteIntegerEnd } from '../../wire/integers.ts'
import { FieldPacket } from '../field-packet.ts'
import { type Property, propertiesFit, propertiesJson, propertiesTextAt } from '../properties/properties.ts'
import { snakeCase } from '../text.ts'
import { checkConnackHeader, SESSION_PRESENT } from './check-connack.ts'

/** What CONNACK is in one version. */
export interface ConnackFormat<Packet = unknown> {
  readonly version: Version
  /** Checks what follows the fixed header, from the acknowledge flags at `start` on. */
  readonly check: (rules: Rules, bytes: Uint8Array, start: number) => Fault | undefined
  /** The packet of bytes that have been checked. */
  readonly create: (bytes: Buffer) => Packet
  /** The packet that answers with a reason code of 5.0, `undefined` if the version has nothing like it. */
  readonly answer: (
    reasonCode: ConnectReasonCode,
    sessionPresent: boolean,
    props: () => Property[],
  ) => Packet | undefined
}

/** Where the properties are, from the acknowledge flags on. */
export const PROPERTIES = 2

/** What the CONNACK packets of all versions have. */
export abstract class ConnackPacketBase extends FieldPacket {
  /** `ControlPacketType.connack` */
  static readonly type: typeof ControlPacketType.connack = ControlPacketType.connack
  /** @internal */
  protected abstract readonly format: ConnackFormat

  get type(): typeof ControlPacketType.connack {
    return ControlPacketType.connack
  }

  /** The text form, one line of bounded length: `v5::connack{rc:success,sp:1,ps:[…]}`. */
  override toString(): string {
    const { name, connackCodeNames, hasProperties } = this.version
    const code = connackCodeNames[this.code] ?? `${this.code}`
    const props = hasProperties ? propertiesTextAt(this.bytes, this.start + PROPERTIES) : ''
    const text = `rc:${snakeCase(code)},sp:${this.isSessionPresent ? 1 : 0}`
    return `${name}::connack{${props === '' ? text : `${text},${props}`}}`
  }

  /** The fields under their names, complete, without authentication data. */
  override toJSON(): object {
    const { protocolVersion, version } = this
    return {
      protocolVersion,
      sessionPresent: this.isSessionPresent,
      [version.connackCodeField]: this.code,
      ...(version.hasProperties && { props: propertiesJson(this.props) }),
    }
  }

  /** @internal Whether the lengths of bytes that have not been checked fit together. */
  get lengthsFit(): boolean {
    return !this.version.hasProperties || propertiesFit(this.bytes, this.start + PROPERTIES)
  }

  /** @internal */
  protected override get version(): Version {
    return this.format.version
  }

  /** @internal */
  protected override get inspectName(): string {
    return `${this.version.name}.ConnackPacket`
  }

  /** @internal */
  protected override observe(rules: Rules): void {
    const start = checkConnackHeader(rules, this.bytes)
    if (typeof start === 'number') this.format.check(rules, this.bytes, start)
  }

  /** @internal The index of the acknowledge flags. */
  protected get start(): number {
    return variableByteIntegerEnd(this.bytes, 1, this.bytes.length)
  }

  /** @internal */
  protected get isSessionPresent(): boolean {
    return (this.bytes[this.start]! & SESSION_PRESENT) !== 0
  }

  /** @internal The return code or the reason code. */
  protected get code(): number {
    return this.bytes[this.start + 1]!
  }
}
