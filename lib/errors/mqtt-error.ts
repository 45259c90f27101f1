import { Buffer } from 'buffer'
import { ConnectReasonCode, type ConnectReturnCode } from '../protocol/connect-codes.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { type ErrorCode, errorRow } from './error-table.ts'
import type { FaultDetails, ForeignProtocol } from './fault.ts'

/**
 * Bytes, or the contents of a packet to build, that break a rule of MQTT or a configured limit. Misuse by the
 * caller is a `TypeError` or a `RangeError`, never this.
 */
export class MqttError extends Error {
  override readonly name = 'MqttError'
  /** Which rule: a stable string. `docs/errors.md` explains each. */
  readonly code: ErrorCode
  /** The MQTT 5.0 reason code, 0x80 to 0x9F. */
  readonly reasonCode: ConnectReasonCode
  /** The MQTT 3.1.1 CONNACK return code, 1 to 5; absent where that standard has none for this fault. */
  declare readonly returnCode?: ConnectReturnCode
  /** The version whose rules were applied: the packet's own, or until that is known the one asked for. */
  readonly protocolVersion: ProtocolVersion
  /** The protocol name that the packet gives, once read: present also when the fault comes later. */
  declare readonly protocolName?: string
  /** The protocol level that the packet gives, 0 to 255, once read: present also when the fault comes later. */
  declare readonly protocolLevel?: number
  /** Where the fault is, in bytes from the start of the packet, 0 to 268,435,460. */
  readonly offset: number
  /** The field at fault, named as in the packet's fields: `clientId`, `will.topic`, `props.receiveMaximum` … */
  readonly field: string
  /** The broken clause: the id of a normative statement (`MQTT-3.1.2-3`) or the number of a section (`2.2.2.2`). */
  readonly clause: string
  /** What the bytes look like when they are not MQTT. */
  declare readonly looksLike?: ForeignProtocol

  /** @param frames how many frames of the stack to keep: taking them is most of an error's time */
  constructor(code: ErrorCode, fault: FaultDetails, frames: number = Number.POSITIVE_INFINITY) {
    const { stackTraceLimit } = Error
    const shorter = stackTraceLimit > frames
    if (shorter) limitStackTrace(frames)
    super(`${fault.field}: expected ${fault.expected}, got ${fault.got} (byte ${fault.offset})`)
    if (shorter) limitStackTrace(stackTraceLimit)
    const row = errorRow(code)
    this.code = code
    this.reasonCode = ConnectReasonCode[row.reason]
    this.protocolVersion = fault.protocolVersion
    this.offset = fault.offset
    this.field = fault.field
    this.clause =
      typeof row.clause === 'string'
        ? row.clause
        : fault.protocolVersion === ProtocolVersion.v3_1_1
          ? row.clause.v3_1_1
          : row.clause.v5
    if (row.return !== undefined) this.returnCode = row.return
    if (fault.protocolName !== undefined) this.protocolName = fault.protocolName
    if (fault.protocolLevel !== undefined) this.protocolLevel = fault.protocolLevel
    if (fault.looksLike !== undefined) this.looksLike = fault.looksLike
  }

  /**
   * The CONNACK that a server may answer with before it closes the connection; absent where the standard says
   * to just close. MQTT 3.1.1 section 3.2, MQTT 5.0 sections 3.2 and 4.13.
   */
  get connack(): Buffer | undefined {
    if (this.protocolName === 'MQIsdp') return connack3(this.returnCode)
    if (this.protocolName !== 'MQTT' || this.protocolLevel === undefined) return undefined
    // A client of a later version than ours reads the latest shape that we know, an earlier one the oldest.
    return this.protocolLevel > ProtocolVersion.v3_1_1
      ? Buffer.from([ControlPacketType.connack, 3, 0, this.reasonCode, 0])
      : connack3(this.returnCode)
  }

  /** The error's properties for a log: everything but the stack and the CONNACK. */
  toJSON(): object {
    return Object.assign({ message: this.message }, this)
  }
}

function limitStackTrace(frames: number): void {
  try {
    Error.stackTraceLimit = frames
  } catch {
    // A program may have frozen `Error`: then the stack is as long as it is. `Reflect.set` would be slower.
  }
}

function connack3(returnCode: ConnectReturnCode | undefined): Buffer | undefined {
  return returnCode === undefined ? undefined : Buffer.from([ControlPacketType.connack, 2, 0, returnCode])
}
