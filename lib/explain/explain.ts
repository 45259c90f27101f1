import { Fault } from '../errors/fault.ts'
import { wrongType } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { inspect } from '../packets/encoded-packet.ts'
import { type DecodeOptions, decodePacket, type PacketVariant, scanOf } from '../packets/packet-variant.ts'
import { asBuffer } from '../packets/values.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { fixedHeaderField } from '../wire/fields.ts'
import type { Observer } from '../wire/scan.ts'
import { dump } from './dump.ts'
import { type ExplanationRow, type ObservedField, rowsOf } from './rows.ts'

/** How to read the bytes, and what to show of them. */
export interface ExplanationOptions {
  /** The version to accept. Default `undetermined`: read from the packet. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The rules not to enforce, by the code of their error: see docs/errors.md. Default none. */
  readonly allow?: DecodeOptions['allow']
  /**
   * Whether to show password, authentication data, and what may hold them: of a packet with a fault what stands
   * behind the fault, binary data and, if its lengths do not add up, all strings of the payload, for a wrong
   * length or flag may have put anything there. Default false.
   */
  readonly secrets?: boolean | undefined
}

/**
 * Explains the bytes of one packet, field by field: what `bufferToPacketVariant` makes of them, and why. Bytes that
 * are no packet are explained up to the fault.
 *
 * @param bytes the whole packet, nothing before or behind it
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is not what it must be; never
 *   for what the bytes are
 * @example
 * console.log(`${explain(bytes)}`)
 */
export function explain(bytes: Uint8Array, options: ExplanationOptions = {}): Explanation {
  const buffer = asBuffer('bytes', bytes)
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options)
  const { protocolVersion = ProtocolVersion.undetermined, secrets = false } = options
  if (typeof secrets !== 'boolean') throw wrongType('secrets', 'a boolean', secrets)

  const fields: ObservedField[] = []
  const observer: Observer = (field, start, content, end) => {
    fields.push({ field, start, content, end })
  }
  const found = decodePacket(buffer, scanOf(protocolVersion, options, observer), 2)
  const outcome = found instanceof Fault ? new MqttError(found.code, found) : found
  // A first byte that is no packet's is refused before it is read.
  if (fields.length === 0 && buffer.length > 0) observer(fixedHeaderField, 0, 0, 1)
  const version = 'protocolVersion' in outcome ? outcome.protocolVersion : protocolVersion
  return new Explanation(rowsOf({ bytes: buffer, version, outcome, secrets }, fields), outcome)
}

/** What `explain` has found. It does not change, and the text holds no secret unless `secrets` asked for it. */
export class Explanation {
  /**
   * The fields in wire order, each byte in exactly one row; a length before a string has a row of its own. Of a
   * packet with a fault, what stands behind the fault is one row, `notRead`.
   */
  readonly rows: readonly ExplanationRow[]
  /** The packet, if the bytes are one. It shares memory with them, and does give the password. */
  declare readonly packet?: PacketVariant
  /** What `bufferToPacketVariant` would throw, if the bytes are no packet. */
  declare readonly error?: MqttError

  /** @internal */
  constructor(rows: readonly ExplanationRow[], outcome: PacketVariant | MqttError) {
    this.rows = rows
    if (outcome instanceof MqttError) this.error = outcome
    else this.packet = outcome
  }

  /**
   * A dump to read, of at most 100 columns: a line or more for each row, and at the end whether the packet is valid or
   * what is wrong with it and what may be answered. Characters that are wide on a terminal count as two columns.
   */
  toString(): string {
    return dump(this.rows, this.error ?? this.packet!)
  }

  /** @internal */
  [inspect](): string {
    return this.toString()
  }

  /** The rows, and the packet or the error, with the CONNACK to answer with in hex; secrets as in the rows. */
  toJSON(): object {
    const { rows, packet, error } = this
    const connack = error?.connack?.toString('hex')
    return {
      valid: error === undefined,
      rows,
      ...(packet !== undefined && { packet: packet.toJSON() }),
      ...(error !== undefined && { error: error.toJSON() }),
      ...(connack !== undefined && { connack }),
    }
  }
}
