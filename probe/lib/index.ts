/*
 * The public API: the probe as a function.
 */

export { knownCases, type ProbeOptions, probe } from './probe.ts'
export { type Result, type Summary, summaryOf, type Verdict, type VersionLabel, verdicts } from './result.ts'
export { Unreachable, UsageError } from './target.ts'
