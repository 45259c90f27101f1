import { Buffer } from 'buffer'
import { ConnectReasonCode, type ConnectReturnCode } from '../protocol/codes.ts'
import { BRIDGE_BIT, ProtocolVersion, type Version, versionToAnswer } from '../protocol/version.ts'
import { type ErrorCode, errorRow } from './error-table.ts'
import { Fault, type ForeignProtocol } from './fault.ts'
import { escapedText, escapeHidden, inspect } from './hidden-characters.ts'
import { copyOwn, wrongType } from './misuse.ts'

/** @internal Gives an error the bytes that it is about. */
export let withBytes: (error: MqttError, bytes: Buffer) => MqttError

/**
 * Bytes, or the contents of a packet to build, break a rule of MQTT or a configured limit. Misuse by the caller is a
 * `TypeError` or a `RangeError`, never this.
 *
 * @example
 * try {
 *   decode(Buffer.from('3000', 'hex'), { protocolVersion: ProtocolVersion.v5 })
 * } catch (error) {
 *   if (error instanceof MqttError) console.log(error.code, error.connack)
 * }
 */
export class MqttError extends Error {
  /** The name of the class. */
  override readonly name = 'MqttError'
  /** Which rule: a stable string. `docs/errors.md` explains each. */
  readonly code: ErrorCode
  /** The MQTT 5.0 reason code, 0x80 to 0x9F. */
  readonly reasonCode: ConnectReasonCode
  /** The CONNACK return code of MQTT 3.1 and 3.1.1, 1 to 5. Absent where those standards have none for this error. */
  declare readonly returnCode?: ConnectReturnCode
  /** The version whose rules were applied: the packet's own, or the requested one if the packet's is not known yet. */
  readonly protocolVersion: ProtocolVersion
  /** The protocol name in the packet, as soon as it has been read. At most 32 bytes of text. */
  declare readonly protocolName?: string
  /** The protocol level in the packet, 0 to 255, as soon as it has been read. */
  declare readonly protocolLevel?: number
  /** The position of the error, in bytes from the start of the packet, 0 to 268,435,460. */
  readonly offset: number
  /** The field with the error, named as in the packet's fields: `clientId`, `will.topic`, `props.receiveMaximum` … */
  readonly field: string
  /** The broken clause: the id of a normative statement (`MQTT-3.1.2-3`) or the number of a section (`2.2.2.2`). */
  readonly clause: string
  /** Which other protocol the bytes look like. */
  declare readonly looksLike?: ForeignProtocol
  /** Private: whoever prints or logs an error must not print a password. */
  #bytes: Buffer | undefined = undefined

  /** Only the class itself has access. */
  static {
    withBytes = (error, bytes) => {
      error.#bytes = bytes
      return error
    }
  }

  /** @param frames how many frames of the stack to keep: collecting them takes most of the time of creating an error */
  private constructor(fault: Fault, frames: number = Number.POSITIVE_INFINITY) {
    if (!(fault instanceof Fault)) throw wrongType('new MqttError', 'no caller outside the library', fault)
    const { code, version, offset } = fault
    const { protocolName, protocolLevel, looksLike } = copyOwn(fault.details)
    const row = errorRow(code)
    const { stackTraceLimit } = Error
    const isLimited = stackTraceLimit > frames
    if (isLimited) limitStackTrace(frames)
    super(messageOf(fault))
    if (isLimited) limitStackTrace(stackTraceLimit)
    this.code = code
    this.reasonCode = ConnectReasonCode[row.reason]
    this.protocolVersion = version?.level ?? ProtocolVersion.undetermined
    this.offset = offset
    this.field = fault.field
    this.clause = fault.clause
    if (row.return !== undefined) this.returnCode = row.return
    if (protocolName !== undefined) this.protocolName = protocolName
    if (protocolLevel !== undefined) this.protocolLevel = protocolLevel
    if (looksLike !== undefined) this.looksLike = looksLike
  }

  /**
   * What had arrived of the refused packet, and nothing after it: at most `maximumPacketSize` bytes, for `explain` or a hex dump. It
   * may contain secrets, so it is not enumerable, and neither JSON nor `inspect` shows it. Only errors of the streams, `readConnect`,
   * `readPacket` and `PacketParser` have it; `decode` was given the bytes by its caller. Empty if nothing had arrived. What is not
   * MQTT has no packets: then all bytes that had arrived count.
   */
  get bytes(): Buffer | undefined {
    return this.#bytes
  }

  /**
   * The CONNACK that a server may send before it closes the connection, in the shape that the client's version reads.
   * Absent where the standard says to just close. MQTT 3.1.1 section 3.2, MQTT 5.0 sections 3.2 and 4.13.
   */
  get connack(): Buffer | undefined {
    const { code, protocolName, protocolLevel: level, reasonCode, returnCode } = copyOwn(this)
    // A bridge whose level has been accepted reads what its version reads.
    const known = level !== undefined && !code.startsWith('protocol-') ? level & ~BRIDGE_BIT : level
    const client: Version | undefined = versionToAnswer(protocolName, known)
    const bytes = client?.refusal(reasonCode, returnCode)
    return bytes && Buffer.from(bytes)
  }

  /**
   * The error's properties for a log: everything except the stack and the CONNACK. A protocol name is escaped as in a JSON string, so
   * that no terminal acts on it.
   */
  toJSON(): object {
    const { protocolName } = copyOwn(this)
    const escaped = protocolName !== undefined && { protocolName: escapedText(protocolName) }
    return Object.assign({ message: this.message }, this, escaped)
  }

  /** @internal As Node prints any error, with the protocol name escaped. */
  [inspect](
    _depth: number,
    options: object,
    nodeInspect: (value: object, options: object) => string,
  ): string {
    return escapeHidden(nodeInspect(this, { ...options, customInspect: false }))
  }
}

/** @internal The error of a fault: its constructor is not for others. The frame of a constructor is not part of the stack. */
export const MqttErrorOf: new (fault: Fault, frames?: number) => MqttError = MqttError as never

/** What the bytes look like comes first, because then nothing else matters. */
function messageOf({ code, field, offset, problem, details: { looksLike } }: Fault): string {
  const text = `${field}: ${problem ?? errorRow(code).problem} (byte ${offset})`
  return looksLike === undefined ? text : `The bytes look like ${foreignNames[looksLike]}, not MQTT. ${text}`
}

/** What a person calls the protocols. */
export const foreignNames: Readonly<Record<ForeignProtocol, string>> = {
  tls: 'TLS',
  http: 'HTTP',
  'proxy-v1': 'the PROXY protocol, version 1',
  'proxy-v2': 'the PROXY protocol, version 2',
}

function limitStackTrace(frames: number): void {
  try {
    Error.stackTraceLimit = frames
  } catch {
    // A program may have frozen `Error`. Then the stack keeps its length. `Reflect.set` would be slower.
  }
}
