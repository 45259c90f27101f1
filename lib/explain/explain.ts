import { namesOf, wrongType } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { type DecodeOptions, ownOptions, type PacketVariant } from '../packets/decode.ts'
import { inspect } from '../packets/encoded-packet.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { asBuffer } from '../wire/memory.ts'
import { annotatedDump } from './annotated-dump.ts'
import { type FoundRows, readRows } from './read-rows.ts'
import type { ExplanationRow } from './rows.ts'
import { type Note, summaryOf } from './summary.ts'

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
  /**
   * Whether to show password and authentication data, and what may contain them: everything that follows an error, and, if the
   * lengths in the packet do not fit together, every field whose position depends on a length. Default false.
   */
  readonly secrets?: boolean | undefined
}

const optionNames: readonly string[] = namesOf<ExplainOptions>({
  protocolVersion: true,
  allow: true,
  secrets: true,
})

/**
 * What `explain` returns: rows, and either the packet or the error.
 *
 * @example
 * const explanation: Explanation = explain(bytes)
 * if (explanation.error) console.log(explanation.error.code)
 * else console.log(`${explanation.packet}`)
 */
export type Explanation = ExplanationBase &
  (
    | {
        /** The packet. It shares memory with the bytes, and does contain the password. */
        readonly packet: PacketVariant
        readonly error?: undefined
      }
    | {
        /** What `decode` would throw. */
        readonly error: MqttError
        readonly packet?: undefined
      }
  )

/**
 * Explains bytes field by field: what `decode` makes of them, and why. A packet with an error is explained up to the error, a
 * truncated one as far as it goes, and packets after the first are named and counted.
 *
 * @param bytes one packet, or what should be one
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an argument is not what it must be; never because of
 *   what the bytes are
 * @example
 * console.log(`${explain(bytes)}`)
 */
export function explain(bytes: Uint8Array, options: ExplainOptions = {}): Explanation {
  const all = asBuffer('bytes', bytes)
  const given = ownOptions(options, optionNames)
  const { secrets = false } = given
  if (typeof secrets !== 'boolean') throw wrongType('secrets', 'a boolean', secrets)

  return explanation(readRows(all, given, secrets))
}

/**
 * The members of an explanation that do not depend on whether the packet is valid.
 *
 * @example
 * const { rows }: ExplanationBase = explain(bytes)
 * rows[0]?.value // 'CONNECT'
 */
export interface ExplanationBase {
  /**
   * The fields in wire order, each byte in exactly one row. A length before a string has a row of its own. What follows an error
   * is one row, `notRead`. The first 100 properties of a list have rows. The others share one.
   */
  readonly rows: readonly ExplanationRow[]
  /**
   * What is below the table in the dump, as pairs of a label and a sentence: whether the packet is valid or what is wrong with
   * it, what to answer, and what is hidden. The first label is `valid` or `invalid`.
   */
  readonly summary: readonly (readonly [label: string, text: string])[]
  /**
   * A dump to read, of at most 100 columns: a line or more for each row, then whether the packet is valid or what is wrong with
   * it and what to answer. Characters that are wide on a terminal count as two columns.
   */
  toString(): string
  /** The rows and the packet or the error, with the CONNACK to answer with in hex. Secrets are hidden as in the rows. */
  toJSON(): object
}

function explanation(found: FoundRows): Explanation {
  // The constructor sets exactly one of the two members.
  return new PacketExplanation(found) as unknown as Explanation
}

class PacketExplanation implements ExplanationBase {
  readonly rows: readonly ExplanationRow[]
  declare readonly packet?: PacketVariant
  declare readonly error?: MqttError
  readonly #notes: readonly Note[]

  constructor({ rows, outcome, notes }: FoundRows) {
    this.rows = rows
    this.#notes = notes
    if (outcome instanceof MqttError) this.error = outcome
    else this.packet = outcome
  }

  get summary(): readonly Note[] {
    return summaryOf(this.rows, this.error ?? this.packet!, this.#notes)
  }

  toString(): string {
    return annotatedDump(this.rows, this.error ?? this.packet!, this.#notes)
  }

  [inspect](): string {
    return this.toString()
  }

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
