/* The public API. */

export * from './packets/index.ts'
export * from './streams/index.ts'
