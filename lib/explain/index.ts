export type { ExplanationBits } from './bits.ts'
export { bytesFromText } from './bytes-from-text.ts'
export { type ExplainOptions, type Explanation, type ExplanationBase, explain } from './explain.ts'
export type { ExplanationRow, RowPart } from './rows.ts'
