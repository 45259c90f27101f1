/*
 * For tests of brokers, clients and codecs: packets that are invalid on purpose. There is no `node:` import.
 */

export { encodeUnchecked } from './encode-unchecked.ts'
export { type Vector, vectors } from './vectors.ts'
