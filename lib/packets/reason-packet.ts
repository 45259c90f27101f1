import type { CodeField } from '../codec/fields.ts'
import { locate } from '../codec/layout.ts'
import { reasonCodeName } from '../protocol/codes.ts'
import { controlPacketName } from '../protocol/control-packet-type.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { FieldPacket } from './field-packet.ts'
import { propertiesJson } from './properties.ts'
import { snakeCase } from './text.ts'

const base: object = Object.prototype

/** True if `Object.prototype` has members that would count as fields of such a packet. */
export function isPolluted(): boolean {
  return 'reasonCode' in base || 'props' in base
}

/** Shared by AUTH and DISCONNECT of MQTT 5.0, which consist of a reason code and properties and may end before either. */
export abstract class ReasonPacket<Fields extends object, Level extends ProtocolVersion> extends FieldPacket<
  Fields,
  never,
  Level
> {
  /** The name of the reason code, as in the table of its codes: `'continueAuthentication'`, `'sessionTakenOver'`. */
  get codeName(): string {
    return this.codeField.codes.names[this.code] ?? reasonCodeName(this.code)!
  }

  /** The text form, one line of bounded length: `v5::disconnect{rc:server_shutting_down,ps:[…]}`, `v5::auth{rc:success,ps:[…]}`. */
  override toString(): string {
    const { format } = this
    const props = this.propertiesText(this.places.propertyLength)
    const text = `rc:${snakeCase(this.codeName ?? `${this.code}`)}`
    const name = controlPacketName(this.type)!.toLowerCase()
    return `${format.version.name}::${name}{${props === '' ? text : `${text},${props}`}}`
  }

  /** All fields under their names, without authentication data. */
  override toJSON(): object {
    return {
      protocolVersion: this.protocolVersion,
      reasonCode: this.code,
      props: propertiesJson(this.ownProperties),
    }
  }

  /** @internal */
  protected abstract readonly codeField: CodeField

  /** @internal The reason code. 0 if the packet doesn't contain it. */
  protected get code(): number {
    const at = locate(this.bytes, this.places.reasonCode)
    return this.bytes[at] ?? 0
  }
}
