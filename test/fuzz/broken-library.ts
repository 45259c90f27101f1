/* A library whose decoder loses a byte, for `npm run fuzz -- --library`. */
import { brokenLibraries } from './broken.ts'

export * from '../../lib/index.ts'

export const PacketDecoder = brokenLibraries.find(({ fault }) => fault === 'the decoder loses a byte')!
  .library.PacketDecoder
