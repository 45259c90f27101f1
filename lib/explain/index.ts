export type { ExplanationBits } from './bits.ts'
export { type ExplainOptions, type Explanation, type ExplanationBase, explain } from './explain.ts'
export { bytesFromText } from './paste/bytes-from-text.ts'
export type { ExplanationRow, RowPart } from './rows.ts'
