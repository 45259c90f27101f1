export type { ExplanationBits } from './bits.ts'
export { type ExplainOptions, type Explanation, explain, type PacketExplanation } from './explain.ts'
export { bytesFromText } from './paste/bytes-from-text.ts'
export type { ExplanationRow, RowPart } from './rows.ts'
