/**
 * A finding in plain words, for people whose client doesn't connect. It never quotes a packet, except for its protocol name.
 *
 * @example
 * const { headline, cause, fixes }: Diagnosis = diagnose(bytes)
 * console.log([headline, cause, ...fixes.map((fix) => `- ${fix}`)].join('\n'))
 */
export interface Diagnosis {
  /** One sentence: what this is. */
  readonly headline: string
  /** What it means, and what usually causes it. */
  readonly cause: string
  /** What to do or to check, the most likely first. Empty if nothing is wrong. */
  readonly fixes: readonly string[]
}
