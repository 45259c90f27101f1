import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { type Property, PropertyId } from '../lib/index.ts'
import { type Group, integer, type Part, prefixed, propertyTree, variable } from './reference.ts'

/** Changes a tree in place. `other` is a tree to copy parts from. */
export type Mutation = (tree: Group, other: Group) => void

/** An index into a list of any length. Unbiased, because small numbers would favour the start of a packet. */
const index = fc.noBias(fc.nat())

/** All groups in wire order: the packet, its body, and the rest. */
function groupsOf(tree: Group): Group[] {
  return [tree, ...tree.children.flatMap((child) => ('children' in child ? groupsOf(child) : []))]
}

interface Place {
  readonly group: Group
  readonly at: number
}

function placesOf(tree: Group, wanted: (part: Part) => boolean): Place[] {
  return groupsOf(tree).flatMap((group) =>
    group.children.flatMap((child, at) => (wanted(child) ? [{ group, at }] : [])),
  )
}

/** The property lists: every group with a variable byte integer as its length, except the body. */
function listsOf(tree: Group): Group[] {
  return groupsOf(tree).filter(({ prefix }, at) => at > 1 && prefix === 'variable')
}

/** Picks an item of a list, or `undefined` if it's empty. */
function one<T>(from: readonly T[], number: number): T | undefined {
  return from[number % from.length]
}

function copyOf(part: Part): Part {
  return 'children' in part ? { ...part, children: part.children.map(copyOf) } : part
}

/** A change to the bytes of one value. */
const valueChange: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  fc.constantFrom(0, 0xff).map((byte) => (bytes: Buffer) => Buffer.alloc(bytes.length, byte)),
  fc.tuple(index, fc.nat({ max: 7 })).map(([at, bit]) => (bytes: Buffer) => {
    return bytes.map((byte, i) => (i === at % bytes.length ? byte ^ (1 << bit) : byte)) as Buffer
  }),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => () => Buffer.from(bytes)),
  // Protocol levels, property identifiers, reason codes.
  fc
    .constantFrom(3, 4, 5, 0x83, 0x84, 0x85, 0x8b, ...Object.values(PropertyId))
    .map((byte) => () => Buffer.of(byte)),
  // An identifier that isn't in its shortest form.
  fc.integer({ min: 2, max: 4 }).map((length) => (bytes: Buffer) => {
    return bytes.length === 1 && bytes[0]! < 0x80 ? variable(bytes[0]!, length) : bytes
  }),
)

/**
 * Ill-formed UTF-8 of all kinds, characters at the limits of the encoding, and characters that some strings must not contain.
 */
const damages: readonly Buffer[] = [
  ...['00', 'c080', 'c1bf', 'e08080', 'e09fbf', 'f0808080', 'f08fbfbf', 'eda080', 'edbfbf', 'eda0bdedb880'],
  ...['f4908080', 'f5808080', '80', 'bf', 'ff', 'fe', 'c3', 'e282', 'f09f98', 'efbbbf', 'efbfbf', '01', '7f'],
  ...['c285', '2b', '23', '2f', '00', '2b', '23'],
].map((hex) => Buffer.from(hex, 'hex'))

const textChange: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc
  .tuple(index, fc.nat({ max: 4 }), fc.constantFrom(Buffer.alloc(0), ...damages))
  .map(([start, removed, inserted]) => (bytes: Buffer) => {
    const at = start % (bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)])
  })

/** Sizes around the limits of length fields and of the memory that small packets share. */
const growth: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc
  .tuple(
    fc.constantFrom(24, 31, 32, 33, 127, 128, 640, 1024, 16_383, 16_384, 65_535, 65_536),
    fc.constantFrom('x', 'é', '€', '😀'),
  )
  .map(
    ([length, character]) =>
      (bytes: Buffer) =>
        bytes.length < 2 ? bytes : Buffer.alloc(length, character),
  )

const changeValue = fc
  .tuple(
    index,
    fc.oneof(
      { weight: 6, arbitrary: valueChange },
      { weight: 5, arbitrary: textChange },
      { weight: 1, arbitrary: growth },
    ),
  )
  .map(
    ([number, change]): Mutation =>
      (tree) => {
        const place = one(placesOf(tree, Buffer.isBuffer), number)
        if (place !== undefined)
          place.group.children[place.at] = change(place.group.children[place.at] as Buffer)
      },
  )

const wrongLength = fc
  .tuple(
    index,
    fc.oneof(
      fc.integer({ min: -3, max: 3 }).map((by) => (length: number) => Math.max(0, length + by)),
      fc.constantFrom(0, 1, 0x7f, 0x80, 0x3fff, 0xffff, 0x1f_ffff, 268_435_455).map((fixed) => () => fixed),
    ),
    fc.integer({ min: 1, max: 4 }),
    fc.nat({ max: 9 }),
  )
  .map(
    ([number, change, width, tooLong]): Mutation =>
      (tree) => {
        const measured = one(
          groupsOf(tree).filter(({ prefix }) => prefix !== 'none'),
          number,
        )
        if (measured === undefined) return
        if (measured.prefix === 'two') measured.wrong = (length) => integer(change(length) & 0xffff, 2)
        else if (tooLong === 0) measured.wrong = () => Buffer.alloc(4, 0x80)
        else measured.wrong = (length) => variable(change(length), width)
      },
  )

/** Properties that a list may contain, but with a forbidden value, or without the second property that they require. */
const forbidden: Readonly<Record<'connect' | 'will' | 'connack', readonly Property[]>> = {
  connect: [
    { id: 0x21, value: 0 },
    { id: 0x27, value: 0 },
    { id: 0x17, value: 2 },
    { id: 0x19, value: 2 },
    { id: 0x15, value: '\0' },
    { id: 0x16, value: Buffer.of(1, 2) },
    { id: 0x26, key: 'k\0', value: '' },
  ],
  will: [
    { id: 0x01, value: 2 },
    { id: 0x08, value: '' },
    { id: 0x08, value: 'a/+' },
    { id: 0x03, value: 'a\0' },
    { id: 0x26, key: '', value: '\0' },
  ],
  connack: [
    ...([0x24, 0x25, 0x28, 0x29, 0x2a] as const).map((id) => ({ id, value: 2 })),
    { id: 0x21, value: 0 },
    { id: 0x16, value: Buffer.of(1, 2) },
  ],
}

/** Inserts a property: a forbidden one, or one from this or a different packet. Its identifier may be longer than necessary. */
const insertProperty = fc
  .tuple(
    index,
    index,
    fc.constantFrom('forbidden', 'own', 'other'),
    index,
    fc.constantFrom(1, 1, 1, 1, 2, 3, 4),
  )
  .map(
    ([number, at, from, which, width]): Mutation =>
      (tree, other) => {
        const lists = listsOf(tree)
        const list = one(lists, number)
        if (list === undefined) return
        const isConnack = (tree.children[0] as Buffer)[0] === 0x20
        const owner = isConnack ? 'connack' : list === lists[0] ? 'connect' : 'will'
        const present = from === 'own' ? list.children : listsOf(other).flatMap(({ children }) => children)
        const part = from === 'forbidden' ? propertyTree(one(forbidden[owner], which)!) : one(present, which)
        if (part === undefined) return
        const copy = copyOf(part)
        if ('children' in copy && Buffer.isBuffer(copy.children[0])) {
          copy.children[0] = variable(copy.children[0][0]! & 0x7f, width)
        }
        list.children.splice(at % (list.children.length + 1), 0, copy)
      },
  )

/** Removes, repeats or copies a part. */
const moveParts = fc
  .tuple(index, index, index, fc.constantFrom('remove', 'repeat', 'copy', 'copy from other'))
  .map(
    ([number, target, at, what]): Mutation =>
      (tree, other) => {
        const place = one(
          placesOf(what === 'copy from other' ? other : tree, () => true),
          number,
        )
        if (place === undefined) return
        const { children } = place.group
        if (what === 'remove') {
          children.splice(place.at, 1)
          return
        }
        const to = what === 'repeat' ? place.group : one(groupsOf(tree), target)!
        to.children.splice(at % (to.children.length + 1), 0, copyOf(children[place.at]!))
      },
  )

/** Flips a bit of the connect flags or acknowledge flags. */
const changeFlags = fc.nat({ max: 7 }).map(
  (bit): Mutation =>
    (tree) => {
      const body = groupsOf(tree)[1]
      const at = body !== undefined && body.children.length > 3 ? 2 : 0
      const flags = body?.children[at]
      if (Buffer.isBuffer(flags) && flags.length === 1) body!.children[at] = Buffer.of(flags[0]! ^ (1 << bit))
    },
)

const emptyValue = index.map(
  (number): Mutation =>
    (tree) => {
      one(
        groupsOf(tree).filter(({ prefix }) => prefix === 'two'),
        number,
      )?.children.splice(0)
    },
)

/** Changes the protocol name. */
const rename = fc.constantFrom('MQIsdp', 'MQTT', 'MQTt', 'MQT', 'MQTTT', '', 'x'.repeat(40)).map(
  (name): Mutation =>
    (tree) => {
      const body = groupsOf(tree)[1]
      if (body !== undefined && body.children.length > 3) body.children[0] = prefixed(name)
    },
)

/** Favours mutations deep inside a packet, because otherwise most packets would be refused at their first bytes. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 8, arbitrary: changeValue },
  { weight: 8, arbitrary: insertProperty },
  { weight: 2, arbitrary: changeFlags },
  { weight: 2, arbitrary: emptyValue },
  { weight: 2, arbitrary: moveParts },
  { weight: 1, arbitrary: wrongLength },
  { weight: 1, arbitrary: rename },
)

/** Changes bytes blindly. */
export const byteMutation: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc
  .tuple(index, fc.constantFrom(0, 1, 1, 2, 8, 100_000), fc.uint8Array({ maxLength: 3 }))
  .map(([start, removed, inserted]) => (bytes: Buffer) => {
    const at = start % (bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)])
  })

export function reframed(bytes: Buffer): Buffer {
  let start = 1
  while (start < 5 && (bytes[start] ?? 0) >= 0x80) start++
  const body = bytes.subarray(start + 1)
  return Buffer.concat([bytes.subarray(0, 1), variable(body.length), body])
}
