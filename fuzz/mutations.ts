import { Buffer } from 'node:buffer'
import type { Property } from '../lib/index.ts'
import { changeLeaf } from './leaves.ts'
import type { Random } from './random.ts'
import { type Group, type Leaf, leaf, type Part, propertyTree, text, two, vbi } from './tree.ts'

/** All parts of a tree that are, or are not, groups. */
function partsOf(tree: Part): { groups: Group[]; leaves: Leaf[] } {
  const groups: Group[] = []
  const leaves: Leaf[] = []
  const walk = (part: Part): void => {
    if (part.kind !== 'group') {
      leaves.push(part)
      return
    }
    groups.push(part)
    part.children.forEach(walk)
  }
  walk(tree)
  return { groups, leaves }
}

/** Changes a tree where its structure says that it matters. `other` is a tree to take parts from. */
export function mutateTree(random: Random, tree: Group, other: Group): void {
  const { groups, leaves } = partsOf(tree)
  // Earlier changes may have left next to nothing of it.
  if (leaves.length === 0 || groups.length < 2) return
  random.pick(treeMutations)(random, groups, leaves, partsOf(other).groups)
}

type TreeMutation = (random: Random, groups: Group[], leaves: Leaf[], others: Group[]) => void

/** Those that lead deep into a packet more often, so that not all is refused at its first bytes. */
const treeMutations: readonly TreeMutation[] = [
  (random, groups) => wrongLength(random, groups),
  ...new Array<TreeMutation>(6).fill((random, _, leaves) => changeLeaf(random, leaves)),
  ...new Array<TreeMutation>(4).fill((random, groups, _, others) => changeProperties(random, groups, others)),
  duplicate,
  remove,
  move,
  transplant,
  rename,
  grow,
]

function wrongLength(random: Random, groups: Group[]): void {
  const measured = groups.filter(({ prefix }) => prefix !== 'none')
  if (measured.length === 0) return
  const group = random.pick(measured)
  const by = random.pick([-1, 1, -1, 1, -2, 2, random.int(-300, 300)])
  const fixed = random.pick([0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 0xffff, 0x1f_ffff, 268_435_455])
  const padded = random.int(2, 4)
  const tooLong = Buffer.concat([Buffer.alloc(4, random.pick([0x80, 0xff])), random.bytes(random.int(0, 2))])
  if (group.prefix === 'two') {
    group.wrong = random.oneIn(3) ? () => two(fixed & 0xffff) : (length) => two((length + by) & 0xffff)
    return
  }
  group.wrong = random.pick([
    (length: number) => vbi(Math.max(0, length + by)),
    () => vbi(fixed),
    (length: number) => vbi(length, padded),
    (length: number) => vbi(Math.max(0, length + by), padded),
    () => tooLong,
  ])
}

/** Repeats a property, takes one away, or puts one there that stands elsewhere, or should. */
function changeProperties(random: Random, groups: Group[], others: Group[]): void {
  const lists = propertyLists(groups)
  if (lists.length === 0) return
  const { children } = random.pick(lists)
  const at = random.int(0, children.length)
  const own = children[random.int(0, children.length)]
  const borrowed = propertyLists(random.oneIn(2) ? groups : others).flatMap((list) => list.children)
  switch (random.int(0, 4)) {
    case 0:
      children.splice(at, 1)
      break
    case 1:
      if (own !== undefined) children.splice(at, 0, ...copiesOf([own]))
      break
    case 2:
      if (borrowed.length > 0) children.splice(at, 0, ...copiesOf([random.pick(borrowed)]))
      break
    default:
      children.splice(at, 0, propertyTree(random.pick(unusualProperties)))
  }
}

/** The CONNECT properties and the will properties: what has a variable byte integer before it, but for the packet. */
function propertyLists(groups: Group[]): Group[] {
  return groups.filter((group, at) => at > 1 && group.prefix === 'vbi')
}

/** Properties with values that some rule forbids, or that need another beside them. */
const unusualProperties: readonly Property[] = [
  { id: 0x21, value: 0 },
  { id: 0x27, value: 0 },
  { id: 0x19, value: 2 },
  { id: 0x17, value: 255 },
  { id: 0x01, value: 2 },
  { id: 0x08, value: '' },
  { id: 0x08, value: 'a/+' },
  { id: 0x08, value: '#' },
  { id: 0x03, value: 'a\0' },
  { id: 0x15, value: '\0' },
  { id: 0x16, value: Buffer.of(1, 2) },
  { id: 0x26, key: 'k\0', value: '' },
  { id: 0x26, key: '', value: '' },
]

/** A group with a child in it, and the place of one. */
function anyChild(random: Random, groups: Group[]): { group: Group; at: number } {
  const group = random.pick(groups.filter(({ children }) => children.length > 0))
  return { group, at: random.int(0, group.children.length - 1) }
}

function duplicate(random: Random, groups: Group[]): void {
  const { group, at } = anyChild(random, groups)
  const parts = new Array(random.oneIn(10) ? random.int(1, 200) : 1).fill(group.children[at])
  group.children.splice(at, 0, ...copiesOf(parts))
}

function remove(random: Random, groups: Group[]): void {
  const { group, at } = anyChild(random, groups)
  group.children.splice(at, 1)
}

function move(random: Random, groups: Group[]): void {
  const { group, at } = anyChild(random, groups)
  const [part] = copiesOf(group.children.splice(at, 1))
  const target = random.pick(groups)
  target.children.splice(random.int(0, target.children.length), 0, part as Part)
}

function transplant(random: Random, groups: Group[], _: Leaf[], others: Group[]): void {
  const target = random.pick(groups)
  // Properties go to properties, for a better chance of being read.
  const alike = others.filter(({ prefix }) => prefix === target.prefix)
  const { group, at } = anyChild(random, alike.some(({ children }) => children.length > 0) ? alike : others)
  const parts = copiesOf(group.children.slice(at, at + random.int(1, 3)))
  target.children.splice(random.int(0, target.children.length), 0, ...parts)
}

/** Gives the packet another protocol name. */
function rename(random: Random, groups: Group[]): void {
  const body = groups[1]
  if (body === undefined || body.children.length < 2) return
  body.children[0] = text(random.pick(['MQIsdp', 'MQIsdp', 'MQTt', 'MQT', 'MQTTT', '', 'x'.repeat(40)]))
  body.children[1] = leaf('level', Buffer.of(random.pick([3, 4, 5, 0x83, 0x84])))
}

/** Makes one string or binary data large. */
function grow(random: Random, _: Group[], leaves: Leaf[]): void {
  const chosen = random.pick(leaves)
  if (chosen.kind !== 'text' && chosen.kind !== 'data') return
  const length = random.pick([31, 32, 33, 63, 64, 65, 127, 128, 1023, 1024, 16_383, 16_384, 65_535, 65_536])
  const content = random.pick(['x', 'é', '€', '😀'])
  // An overlong one is cut in the middle of a character, or written with a length that does not fit.
  chosen.bytes = Buffer.alloc(random.oneIn(3) ? length : random.int(0, 300), content)
}

/** Copies, so that a later change of one is not a change of both. */
function copiesOf(parts: readonly Part[]): Part[] {
  return parts.map((part) =>
    part.kind === 'group'
      ? { ...part, children: copiesOf(part.children) }
      : { kind: part.kind, bytes: part.bytes },
  )
}
