/* The public API. */

export * from './explain/index.ts'
export * from './packets/index.ts'
export * from './streams/index.ts'
