/**
 * - `passed`: the server does what the standard demands
 * - `violates`: the server breaks a MUST
 * - `differs`: the behaviour is allowed, but a SHOULD or our recommendation says otherwise
 * - `no-answer`: nothing happened in time
 * - `not-tested`: not testable, for the reason in `text`
 */
export type Verdict = 'passed' | 'violates' | 'differs' | 'no-answer' | 'not-tested'

export const verdicts: readonly Verdict[] = ['passed', 'violates', 'differs', 'no-answer', 'not-tested']

export type VersionLabel = '3.1' | '3.1.1' | '5.0'

/** The result of one case. */
export interface Result {
  /** The id of the case: its group, a dot, and a name. Unique together with `version`. */
  readonly id: string
  /** The version of MQTT that the client spoke. */
  readonly version: VersionLabel
  /** The normative statement (`MQTT-…`) or the section that is tested, or the one that is violated. */
  readonly clause: string
  readonly verdict: Verdict
  /** The bytes sent on the connection that matters, in hex. */
  readonly sent: string
  /** The bytes that the server sent on that connection, in hex. */
  readonly received: string
  /** True if the server closed that connection. */
  readonly closed: boolean
  /** The duration of the case, in milliseconds. */
  readonly milliseconds: number
  /** The outcome, in a sentence. */
  readonly text: string
}

/** The verdict of a case, without the bytes. */
export interface Finding {
  readonly verdict: Verdict
  readonly text: string
  /** The violated clause, if it differs from that of the case. */
  readonly clause?: string
}

export const passed = (text: string): Finding => ({ verdict: 'passed', text })
export const differs = (text: string): Finding => ({ verdict: 'differs', text })
export const noAnswer = (text: string): Finding => ({ verdict: 'no-answer', text })
export const notTested = (text: string): Finding => ({ verdict: 'not-tested', text })
export const violates = (text: string, clause?: string): Finding => ({
  verdict: 'violates',
  text,
  ...(clause !== undefined && { clause }),
})

/** Thrown to end a case early, because something that the case needs doesn't work. */
export class Stop extends Error {
  readonly finding: Finding

  constructor(finding: Finding) {
    super(finding.text)
    this.finding = finding
  }
}

export type Summary = Record<Verdict, number>

export function summaryOf(results: readonly Result[]): Summary {
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length
  return Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Summary
}
