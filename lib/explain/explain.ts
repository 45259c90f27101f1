import { inspect } from '../errors/hidden-characters.ts'
import { copyOwn, namesOf, setOwn, wrongType } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import type { DecodeOptions, PacketVariant } from '../packets/decode.ts'
import { codesOf, ownOptions } from '../packets/options.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { asBuffer, asNewBuffer } from '../wire/memory.ts'
import { annotatedDump } from './annotated-dump.ts'
import { allRows, type FoundPacket, type FoundRows, type Reading, readRows } from './read-rows.ts'
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
  /**
   * The version to accept. Default `ProtocolVersion.undetermined`: each CONNECT decides between 3.1.1 and 5.0. Without a CONNECT,
   * packets are read in each version that fits.
   */
  readonly protocolVersion?: ProtocolVersion | undefined
  /** The rules to relax, as codes of their errors. Default none. */
  readonly allow?: DecodeOptions['allow']
  /**
   * The side that sent the bytes. An AUTH or a DISCONNECT with a reason code or a property of the other side is then refused. Default:
   * unknown.
   */
  readonly from?: DecodeOptions['from']
  /**
   * True to show the password, the authentication data, and everything that may contain them: all bytes after an error, text behind a packet that
   * ends with one of them and, if the lengths in a packet don't agree, every field whose position depends on a length. Default false.
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
 * One packet, or bytes that should be one: its rows, and either the packet or the error.
 *
 * @example
 * for (const { rows, packet, error } of explain(bytes).packets) console.log(rows.length, error?.code ?? `${packet}`)
 */
export type PacketExplanation = {
  /**
   * The fields in wire order, with each byte in exactly one row. A length before a string has a row of its own. The bytes after
   * an error form one row, `notRead`. The first 100 properties of a list have rows, and the rest share one.
   */
  readonly rows: readonly ExplanationRow[]
  /**
   * Present if neither `protocolVersion` nor an earlier CONNECT tells the packet's version: the packet in each version that fits,
   * newest first. `rows` and `packet` are those of the first.
   */
  readonly readings?: readonly { readonly rows: readonly ExplanationRow[]; readonly packet: PacketVariant }[]
} & (
  | {
      /** The packet. It shares memory with the bytes, and it does contain the password. */
      readonly packet: PacketVariant
      readonly error?: undefined
    }
  | {
      /**
       * The error that `decode` would throw for this packet, or that it throws in every version that the packet may have. Its offset counts from the
       * start of the packet.
       */
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
   * The first 1,000 packets, and the first invalid one after them. The offsets in their rows count from the start of the bytes.
   * After an invalid packet whose lengths don't fit, further packets are read only if the remaining bytes consist of whole packets. Otherwise, these bytes
   * belong to the invalid packet.
   */
  readonly packets: readonly PacketExplanation[]
  /**
   * The notes below the tables of the dump, as pairs of a label and a sentence. The notes on each packet begin with `valid`,
   * `invalid`, or `not decoded` if the packet has a body whose fields were not read. The last note may say what is hidden.
   */
  readonly summary: readonly (readonly [label: string, text: string])[]
  /**
   * A readable dump of at most 100 columns: for each packet, one line or more per row, and then whether it's valid, or what is
   * wrong with it and what to answer. Characters that are wide on a terminal count as two columns.
   */
  toString(): string
  /**
   * The rows, the packet or the error, and the CONNACK to answer with in hex; also `packets` if there are several. `valid` is
   * absent where `decoded` is false. Secrets are hidden as in the rows.
   */
  toJSON(): object
}

/**
 * Explains bytes field by field, with the result of `decode` and the reasons for it. The first 1,000 packets are explained, and the
 * first invalid one after them; the last one as far as it goes. The version of a CONNECT applies to the packets after it.
 *
 * @param bytes packets, or bytes that should be packets
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is invalid; never because of the bytes
 * @example
 * console.log(`${explain(bytes)}`)
 */
export function explain(bytes: Uint8Array, options: ExplainOptions = {}): Explanation {
  const all = asNewBuffer('bytes', bytes)
  return explainNext(all, optionsOf(options))
}

/**
 * A caller's options, of which reading checks the other values. The codes in `allow` are read here, because each packet needs them and they may
 * be iterated only once. Throws the same errors.
 */
export function optionsOf(options: ExplainOptions): ExplainOptions {
  const given = ownOptions(options, optionNames)
  const { secrets = false, allow } = given
  if (typeof secrets !== 'boolean') throw wrongType('secrets', 'a boolean', secrets)
  return allow === undefined ? given : copyOwn({ ...given, allow: codesOf(allow) })
}

/**
 * Explains bytes and shows what follows them in a text with wrong characters. The packet in which such a character is has neither
 * `packet` nor `error`, unless an error is before it.
 */
export function explainNext(
  bytes: Uint8Array,
  options: ExplainOptions,
  next?: readonly string[],
): Explanation {
  const found = readRows(asBuffer('bytes', bytes), options, options.secrets ?? false, next)
  // Otherwise, the constructor sets exactly one of the members `packet` and `error`.
  return new BytesExplanation(found) as unknown as Explanation
}

class OneExplanation {
  readonly rows: readonly ExplanationRow[]
  declare readonly packet?: PacketVariant
  declare readonly error?: MqttError
  declare readonly readings?: readonly Reading[]
  readonly #isHidden: boolean

  constructor({ rows, outcome, readings, isHidden }: Omit<FoundPacket, 'start' | 'number' | 'skipped'>) {
    this.rows = rows
    this.#isHidden = isHidden
    if (outcome instanceof MqttError) setOwn(this, 'error', outcome)
    else if (outcome !== undefined) setOwn(this, 'packet', outcome)
    if (readings !== undefined) setOwn(this, 'readings', readings)
  }

  toJSON(): object {
    const { rows, packet, error, readings }: OneExplanation = copyOwn(this)
    const connack = error?.connack?.toString('hex')
    const isKnown = packet === undefined || isDecoded(packet)
    return {
      ...(isKnown ? { valid: error === undefined } : { decoded: false }),
      rows,
      ...(packet !== undefined && (isKnown || !this.#isHidden) && { packet: packet.toJSON() }),
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
    const { packets } = found
    super({ ...packets[0]!, rows: allRows(found) })
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

  /** The first packet's members, followed by all packets if there are several. */
  override toJSON(): object {
    const { packets } = this
    const all = packets.map((one) => (one as unknown as OneExplanation).toJSON())
    return all.length === 1 ? all[0]! : { ...all[0], rows: this.rows, packets: all }
  }
}
