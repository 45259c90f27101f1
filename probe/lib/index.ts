/*
 * The public API: the probe as a function.
 */

export { Unreachable, type UsageCode, UsageError } from './errors.ts'
export type { ProbeOptions } from './options.ts'
export { probe } from './probe.ts'
export { type Result, type Summary, summaryOf, type Verdict, type VersionLabel, verdicts } from './result.ts'
export { knownCases } from './selection.ts'
