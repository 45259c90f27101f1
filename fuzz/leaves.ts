import { Buffer } from 'node:buffer'
import { PropertyId } from '../lib/protocol/property-table.ts'
import type { Random } from './random.ts'
import { type Leaf, type LeafKind, vbi } from './tree.ts'

/** Changes the bytes of one leaf, of any kind that there is as often as of any other, in a way that suits its kind. */
export function changeLeaf(random: Random, leaves: Leaf[]): void {
  const kinds = [...new Set(leaves.map(({ kind }) => kind))]
  const kind = random.pick(kinds)
  const chosen = random.pick(leaves.filter((each) => each.kind === kind))
  chosen.bytes = changes[kind](random, chosen.bytes)
}

const identifiers: readonly number[] = Object.values(PropertyId)

const changes: Readonly<Record<LeafKind, (random: Random, bytes: Buffer) => Buffer>> = {
  first: (random, bytes) =>
    Buffer.of(random.oneIn(2) ? (bytes[0] as number) ^ (1 << random.int(0, 7)) : random.int(0, 255)),
  level: (random) => Buffer.of(random.pick([0, 3, 4, 5, 4, 5, 6, 0x83, 0x84, 0x85, random.int(0, 255)])),
  flags: (random, bytes) =>
    Buffer.of(random.oneIn(4) ? random.int(0, 255) : (bytes[0] as number) ^ (1 << random.int(0, 7))),
  integer: (random, bytes) =>
    random.pick([Buffer.alloc(bytes.length), Buffer.alloc(bytes.length, 0xff), random.bytes(bytes.length)]),
  id: (random, bytes) =>
    random.pick([
      Buffer.of(random.pick(identifiers)),
      Buffer.of(random.pick(identifiers)),
      Buffer.of(random.int(0, 255)),
      vbi(bytes[0] as number, random.int(2, 4)),
      Buffer.alloc(random.int(3, 5), 0xff),
    ]),
  text: damagedText,
  data: (random) => random.bytes(random.length(300)),
}

const damages: readonly Buffer[] = [
  '00', // U+0000
  'c080', // U+0000, overlong
  'c1bf',
  'e08080', // overlong in three bytes
  'e09fbf',
  'f0808080', // overlong in four bytes
  'f08fbfbf',
  'eda080', // the first and the last surrogate
  'edbfbf',
  'eda0bdedb880', // a pair of surrogates
  'f4908080', // behind U+10FFFF
  'f5808080',
  '80',
  'bf',
  'ff',
  'fe',
  'c3', // cut off
  'e282',
  'f09f98',
  'efbbbf', // U+FEFF, and others that are allowed
  'efbfbf',
  '01',
  '7f',
  'c285',
  '2b', // wildcards
  '23',
  '2f',
  ...new Array<string>(6).fill('00'),
  ...new Array<string>(6).fill('2b'),
  ...new Array<string>(6).fill('23'),
].map((hex) => Buffer.from(hex, 'hex'))

function damagedText(random: Random, bytes: Buffer): Buffer {
  if (random.oneIn(8)) return Buffer.alloc(0)
  if (random.oneIn(8)) return bytes.subarray(0, random.int(0, bytes.length))
  const at = random.int(0, bytes.length)
  const end = random.oneIn(2) ? at : random.int(at, bytes.length)
  return Buffer.concat([bytes.subarray(0, at), random.pick(damages), bytes.subarray(end)])
}
