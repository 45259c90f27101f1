export { Explanation, type ExplanationOptions, explain } from './explain.ts'
export type { ExplanationBits, ExplanationRow } from './rows.ts'
