import type { ErrorCode } from '../../lib/packets/index.ts'

/** For each error code, a packet that causes it, in hex, and the version in which to read the packet unless it's 3.1.1. */
export type ErrorExamples = { readonly [Code in ErrorCode]?: readonly [hex: string, version?: string] }

declare const ERROR_EXAMPLES: ErrorExamples

/** Filled in by the build, from the library's test vectors. */
export const errorExamples: ErrorExamples = typeof ERROR_EXAMPLES === 'undefined' ? {} : ERROR_EXAMPLES
