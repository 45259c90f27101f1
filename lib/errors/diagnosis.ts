/**
 * A finding in plain words, for people whose client doesn't connect. It never quotes a packet, except for its protocol name.
 *
 * @example
 * const { headline, cause, fixes }: Diagnosis = diagnose(bytes)
 * console.log([headline, cause, ...fixes.map((fix) => `- ${fix}`)].join('\n'))
 */
export interface Diagnosis {
  /** One sentence that says what this is. */
  readonly headline: string
  /** The meaning, and the usual cause. */
  readonly cause: string
  /** Things to try or to check, most promising first. Empty if nothing is wrong. */
  readonly fixes: readonly string[]
}
