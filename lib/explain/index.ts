// Explaining.

export type { Diagnosis } from '../errors/diagnosis.ts'
export { diagnose } from './diagnose.ts'
export { type ExplainOptions, type Explanation, explain, type PacketExplanation } from './explain.ts'
export { bytesFromText } from './paste/bytes-from-text.ts'
export type { ExplanationRow } from './rows.ts'
