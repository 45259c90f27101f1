import type { ErrorCode } from '../../lib/packets/index.ts'

/** For each error code a packet that has it, in hex, and the version to read it as. */
export type ErrorExamples = { readonly [Code in ErrorCode]?: readonly [hex: string, version: string] }

declare const ERROR_EXAMPLES: ErrorExamples

/** The build makes them of the library's test vectors. */
export const errorExamples: ErrorExamples = typeof ERROR_EXAMPLES === 'undefined' ? {} : ERROR_EXAMPLES
