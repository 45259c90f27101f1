import type { Buffer as NodeBuffer } from 'buffer'
import { Buffer as OwnBuffer } from './buffer.ts'

/*
 * In place of the package `buffer` in the files that Node and browsers share.
 */

const { process, Buffer: known } = globalThis as {
  process?: { getBuiltinModule?: (name: string) => { Buffer: typeof NodeBuffer } }
  Buffer?: typeof NodeBuffer
}

export const Buffer: typeof NodeBuffer =
  process?.getBuiltinModule?.('node:buffer').Buffer ?? known ?? (OwnBuffer as never)
