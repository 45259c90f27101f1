/*
 * The public API. The index of each folder has its part, in sections.
 */

export * from './explain/index.ts'
export * from './packets/index.ts'
export * from './streams/index.ts'
