/*
 * For tests of brokers, clients and codecs: invalid packets on purpose. No `node:` import.
 */

export { encodeUnchecked } from './encode-unchecked.ts'
export { type Vector, vectors } from './vectors.ts'
