import { Buffer } from 'buffer'
import { ConnectReasonCode, type ConnectReturnCode } from '../protocol/codes.ts'
import { BRIDGE_BIT, ProtocolVersion, type Version, versionReadBy } from '../protocol/version.ts'
import { type ErrorCode, errorRow, reasonOf } from './error-table.ts'
import { Fault, type ForeignProtocol } from './fault.ts'
import { escapedText, escapeHidden, inspect } from './hidden-characters.ts'
import { copyOwn, isRevoked, notForCallers, setOwn } from './misuse.ts'

/** @internal Attaches the bytes of the refused packet to an error. */
export let withBytes: (error: MqttError, bytes: Buffer) => MqttError

/** @internal True if a value is such an error, not just an object with its prototype. Never runs code of the value. */
export let isMqttError: (value: unknown) => value is MqttError

/**
 * Thrown if bytes, or the contents of a packet to be built, break a rule of MQTT or a configured limit. Misuse by the caller is a
 * `TypeError` or a `RangeError` instead.
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
  /** The broken rule, as a stable string. `diagnose` explains each code. */
  readonly code: ErrorCode
  /** The MQTT 5.0 reason code, 0x80 to 0x9F. */
  readonly reasonCode: ConnectReasonCode
  /** The CONNACK return code of MQTT 3.1 and 3.1.1, 1 to 5. Absent if those standards have none for this error. */
  declare readonly returnCode?: ConnectReturnCode
  /** The version whose rules were applied: the packet's own, or the requested one as long as the packet's isn't known. */
  readonly protocolVersion: ProtocolVersion
  /** The packet's protocol name, once it has been read. At most 32 bytes of text. */
  declare readonly protocolName?: string
  /** The packet's protocol level, 0 to 255, once it has been read. */
  declare readonly protocolLevel?: number
  /** The position of the error, in bytes from the start of the packet, 0 to 268,435,460. */
  readonly offset: number
  /** The field with the error, named as in the packet's fields: `clientId`, `will.topic`, `props.receiveMaximum` … */
  readonly field: string
  /** The broken clause: the id of a normative statement (`MQTT-3.1.2-3`) or the number of a section (`2.2.2.2`). */
  readonly clause: string
  /** The protocol that the bytes seem to belong to, if it isn't MQTT. */
  declare readonly looksLike?: ForeignProtocol
  /** Private, so that printing or logging an error can't print a password. */
  #bytes: Buffer | undefined = undefined

  /** Only the class itself has access. */
  static {
    withBytes = (error, bytes) => {
      error.#bytes = bytes
      return error
    }
    isMqttError = (value): value is MqttError =>
      typeof value === 'object' && value !== null && #bytes in value
  }

  /** @param frames the number of stack frames to keep, because collecting them takes most of the time of creating an error */
  private constructor(fault: Fault, frames: number = Number.POSITIVE_INFINITY) {
    if (isRevoked(fault) || !(fault instanceof Fault)) throw notForCallers('new MqttError')
    const { code, version, offset } = fault
    const { protocolName, protocolLevel, looksLike } = fault.details
    const row = errorRow(code)
    const { stackTraceLimit } = Error
    const isLimited = stackTraceLimit > frames
    if (isLimited) limitStackTrace(frames)
    super(messageOf(fault))
    if (isLimited) limitStackTrace(stackTraceLimit)
    this.code = code
    this.reasonCode = ConnectReasonCode[reasonOf(row)]
    this.protocolVersion = version?.level ?? ProtocolVersion.undetermined
    this.offset = offset
    this.field = fault.field
    this.clause = fault.clause
    if (row.return !== undefined) setOwn(this, 'returnCode', row.return)
    if (protocolName !== undefined) setOwn(this, 'protocolName', protocolName)
    if (protocolLevel !== undefined) setOwn(this, 'protocolLevel', protocolLevel)
    if (looksLike !== undefined) setOwn(this, 'looksLike', looksLike)
  }

  /**
   * The part of the refused packet that had arrived, for `explain` or a hex dump: at most `maximumPacketSize` bytes, and empty if
   * none had arrived. If the bytes aren't MQTT, it's all bytes that had arrived. `explain` may report a different error, because it
   * doesn't know that they begin a connection. They may contain secrets, so the property isn't enumerable, and neither JSON nor
   * `inspect` shows it. Only errors of the streams, `readConnect`, `readPacket` and `PacketParser` have it, because callers of
   * `decode` have the bytes themselves.
   */
  get bytes(): Buffer | undefined {
    return this.#bytes
  }

  /**
   * The CONNACK that a server may send before it closes the connection, in the format that the client's version reads; for a level
   * above 5, in that of 5.0. A bridge (level 0x83 or 0x84) is such a client if it isn't accepted, but tries again without the
   * bridge bit if it gets `connack(ProtocolVersion.v3_1_1, error.reasonCode)` instead. Absent if
   * the standard says to just close. MQTT 3.1.1 section 3.2, MQTT 5.0 sections 3.2 and 4.13.
   */
  get connack(): Buffer | undefined {
    const { code, protocolName, protocolLevel: level, reasonCode, returnCode } = copyOwn(this)
    // A bridge reads the same packets as other clients of its version.
    const known = level !== undefined && !code.startsWith('protocol-') ? level & ~BRIDGE_BIT : level
    const client: Version | undefined = versionReadBy(protocolName, known)
    const bytes = client?.refusal(reasonCode, returnCode)
    return bytes && Buffer.from(bytes)
  }

  /**
   * The error's properties for a log: all but the stack and the CONNACK. The protocol name is escaped as in a JSON string, so
   * that no terminal interprets it.
   */
  toJSON(): object {
    const { protocolName } = copyOwn(this)
    const escaped = protocolName !== undefined && { protocolName: escapedText(protocolName) }
    return { ...{ message: this.message }, ...this, ...escaped }
  }

  /** @internal Node's usual output, with the protocol name escaped, and without the bytes that the option `getters` would show. */
  [inspect](
    _depth: number,
    options: object,
    nodeInspect: (value: object, options: object) => string,
  ): string {
    return escapeHidden(nodeInspect(this, { ...options, customInspect: false, getters: false }))
  }
}

/**
 * @internal The error of a fault, in a class of its own because the constructor isn't for callers. The constructor's frame isn't
 *   part of the stack.
 */
export const MqttErrorOf: new (fault: Fault, frames?: number) => MqttError = MqttError as never

/** If the bytes belong to another protocol, the message says that first, because nothing else matters then. */
function messageOf({ code, field, offset, problem, details: { looksLike } }: Fault): string {
  const text = `${field}: ${problem ?? errorRow(code).problem} (byte ${offset})`
  return looksLike === undefined ? text : `The bytes look like ${foreignNames[looksLike]}, not MQTT. ${text}`
}

/** The usual names of the protocols. */
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
    // If a program has frozen `Error`, the stack keeps its full length. `Reflect.set` would be slower.
  }
}
