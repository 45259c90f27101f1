/* A library for `npm run fuzz -- --library`: its decoder loses a byte. */
import { brokenLibraries } from './broken.ts'

export * from '../../lib/index.ts'

export const PacketDecoder = brokenLibraries.find(({ fault }) => fault === 'the decoder loses a byte')!
  .library.PacketDecoder
