import { inspect } from '../errors/hidden-characters.ts'
import { namesOf, wrongType } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { DecodeOptions, PacketVariant } from '../packets/decode.ts'
import { ownOptions } from '../packets/options.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { asBuffer } from '../wire/memory.ts'
import { annotatedDump } from './annotated-dump.ts'
import { type FoundPacket, type FoundRows, type Reading, readRows } from './read-rows.ts'
import type { ExplanationRow } from './rows.ts'
import { isDecoded, type Note, summaryOf } from './summary.ts'

/**
 * The options of `explain`.
 *
 * @example
 * const options: ExplainOptions = { allow: ['client-id-empty'], secrets: true }
 * explain(bytes, options)
 */
export interface ExplainOptions {
  /** The version to accept. Default `ProtocolVersion.undetermined`: read from the packet. */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The rules to relax, by the code of their error: see docs/errors.md. Default none. */
  readonly allow?: DecodeOptions['allow']
  /** Who sent the bytes. Reason codes and properties that only the other side sends are then refused. Default: not known. */
  readonly from?: DecodeOptions['from']
  /**
   * Whether to show password and authentication data, and what may contain them: everything that follows an error, and, if the
   * lengths in the packet do not fit together, every field whose position depends on a length. Default false.
   */
  readonly secrets?: boolean | undefined
}

const optionNames: readonly string[] = namesOf<ExplainOptions>({
  protocolVersion: true,
  allow: true,
  from: true,
  secrets: true,
})

/**
 * One packet, or what should be one: its rows, and either the packet or the error.
 *
 * @example
 * for (const { rows, packet, error } of explain(bytes).packets) console.log(rows.length, error?.code ?? `${packet}`)
 */
export type PacketExplanation = {
  /**
   * The fields in wire order, each byte in exactly one row. A length before a string has a row of its own. What follows an error
   * is one row, `notRead`. The first 100 properties of a list have rows. The others share one.
   */
  readonly rows: readonly ExplanationRow[]
  /**
   * For a packet that doesn't name its version, if neither `protocolVersion` nor a CONNECT before it does: the packet in each
   * version that fits, the newest first. `rows` and `packet` are those of the first.
   */
  readonly readings?: readonly { readonly rows: readonly ExplanationRow[]; readonly packet: PacketVariant }[]
} & (
  | {
      /** The packet. It shares memory with the bytes, and does contain the password. */
      readonly packet: PacketVariant
      readonly error?: undefined
    }
  | {
      /** What `decode` would throw for the bytes of this packet. Its offset counts from the start of the packet. */
      readonly error: MqttError
      readonly packet?: undefined
    }
)

/**
 * The result of `explain`: the first packet or its error, and all packets.
 *
 * @example
 * const explanation: Explanation = explain(bytes)
 * if (explanation.error) console.log(explanation.error.code)
 * else console.log(`${explanation.packet}`)
 */
export type Explanation = PacketExplanation & {
  /**
   * All packets, the first one too, of which the rows have offsets from the start of the bytes. After an invalid packet whose
   * lengths don't fit, the bytes are read on only if they are whole packets. Otherwise they belong to that packet.
   */
  readonly packets: readonly PacketExplanation[]
  /**
   * The notes below the tables in the dump, as pairs of a label and a sentence. Those on each packet begin with `valid`,
   * `invalid`, or `not decoded` if the packet has a body of which the fields were not read. The last one may say what is hidden.
   */
  readonly summary: readonly (readonly [label: string, text: string])[]
  /**
   * A dump to read, of at most 100 columns: for each packet a line or more for each row, then whether the packet is valid or what
   * is wrong with it and what to answer. Characters that are wide on a terminal count as two columns.
   */
  toString(): string
  /**
   * The rows and the packet or the error, with the CONNACK to answer with in hex; for several packets also `packets`. `valid` is
   * absent where `decoded` is false. Secrets are hidden as in the rows.
   */
  toJSON(): object
}

/**
 * Explains bytes field by field: the outcome of `decode`, and the reasons for it. All packets in the bytes are explained, up to
 * 1,000, the last one as far as it goes. A CONNECT tells the version of the packets after it.
 *
 * @param bytes packets, or what should be packets
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is invalid; never because of the bytes
 * @example
 * console.log(`${explain(bytes)}`)
 */
export function explain(bytes: Uint8Array, options: ExplainOptions = {}): Explanation {
  const all = asBuffer('bytes', bytes)
  const given = ownOptions(options, optionNames)
  const { secrets = false } = given
  if (typeof secrets !== 'boolean') throw wrongType('secrets', 'a boolean', secrets)

  // The constructor sets exactly one of the members `packet` and `error`.
  return new BytesExplanation(readRows(all, given, secrets)) as unknown as Explanation
}

class OneExplanation {
  readonly rows: readonly ExplanationRow[]
  declare readonly packet?: PacketVariant
  declare readonly error?: MqttError
  declare readonly readings?: readonly Reading[]

  constructor({ rows, outcome, readings }: Omit<FoundPacket, 'start'>) {
    this.rows = rows
    if (outcome instanceof MqttError) this.error = outcome
    else this.packet = outcome
    if (readings !== undefined) this.readings = readings
  }

  toJSON(): object {
    const { rows, packet, error, readings } = this
    const connack = error?.connack?.toString('hex')
    return {
      ...(packet === undefined || isDecoded(packet) ? { valid: error === undefined } : { decoded: false }),
      rows,
      ...(packet !== undefined && { packet: packet.toJSON() }),
      ...(error !== undefined && { error: error.toJSON() }),
      ...(connack !== undefined && { connack }),
      ...(readings !== undefined && { readings: readings.map((one) => one.packet.toJSON()) }),
    }
  }
}

class BytesExplanation extends OneExplanation {
  readonly packets: readonly PacketExplanation[]
  readonly #found: FoundRows

  constructor(found: FoundRows) {
    const { packets, rest } = found
    const rows = packets.flatMap((packet) => packet.rows)
    if (rest !== undefined) rows.push(rest)
    super({ ...packets[0]!, rows })
    this.#found = found
    this.packets = packets.map((packet) => new OneExplanation(packet) as unknown as PacketExplanation)
  }

  get summary(): readonly Note[] {
    return summaryOf(this.#found)
  }

  override toString(): string {
    return annotatedDump(this.#found)
  }

  [inspect](): string {
    return this.toString()
  }

  /** The first packet as ever, and all packets if there are several. */
  override toJSON(): object {
    const { packets } = this
    const all = packets.map((one) => (one as unknown as OneExplanation).toJSON())
    return all.length === 1 ? all[0]! : { ...all[0], rows: this.rows, packets: all }
  }
}
