import { Buffer } from 'node:buffer'
import type { Property, v3_1_1, v5, Will, WillFields } from '../lib/index.ts'

/*
 * A CONNECT as a tree of its parts. It is a writer of its own, so that it can be held against the library's, and
 * what stands behind a length can be changed with the length following, or with the length made wrong.
 */

export type LeafKind = 'first' | 'level' | 'flags' | 'integer' | 'id' | 'text' | 'data'

export interface Leaf {
  kind: LeafKind
  bytes: Buffer
}

export interface Group {
  kind: 'group'
  /** What stands before the children: nothing, their length in two bytes, or as a variable byte integer. */
  prefix: 'none' | 'two' | 'vbi'
  children: Part[]
  /** The prefix to write instead of the right one. */
  wrong?: (length: number) => Buffer
}

export type Part = Leaf | Group

export type Fields =
  | { version: 4; fields: v3_1_1.ConnectPacketFields }
  | { version: 5; fields: v5.ConnectPacketFields }

/** The bytes of a tree. What is too long for its length has the low bits of it. */
export function written(part: Part): Buffer {
  if (part.kind !== 'group') return part.bytes
  const content = Buffer.concat(part.children.map(written))
  if (part.wrong !== undefined) return Buffer.concat([part.wrong(content.length), content])
  if (part.prefix === 'none') return content
  return Buffer.concat([part.prefix === 'two' ? two(content.length & 0xffff) : vbi(content.length), content])
}

/** A variable byte integer, in at least so many bytes. */
export function vbi(value: number, atLeast = 1): Buffer {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length < atLeast; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + 128)
  }
  bytes[bytes.length - 1] = (bytes.at(-1) as number) - 128
  return Buffer.from(bytes)
}

export function two(value: number): Buffer {
  return integer(value, 2)
}

function integer(value: number, width: number): Buffer {
  const bytes = Buffer.alloc(width)
  bytes.writeUIntBE(value, 0, width)
  return bytes
}

export function group(prefix: Group['prefix'], ...children: Part[]): Group {
  return { kind: 'group', prefix, children }
}

export function leaf(kind: LeafKind, bytes: Buffer): Leaf {
  return { kind, bytes }
}

export function text(value: string): Group {
  return group('two', leaf('text', Buffer.from(value)))
}

function data(value: Uint8Array | string): Group {
  return group('two', leaf('data', Buffer.from(value as Uint8Array)))
}

/** How many bytes the number of a property takes. MQTT 5.0 section 2.2.2.2. */
const widths: Readonly<Record<number, number>> = {
  1: 1,
  2: 4,
  17: 4,
  23: 1,
  24: 4,
  25: 1,
  33: 2,
  34: 2,
  39: 4,
}

/** A property with its identifier. */
export function propertyTree(item: Property): Group {
  const id = leaf('id', Buffer.of(item.id))
  if ('key' in item) return group('none', id, text(item.key), text(item.value))
  if (typeof item.value === 'number') {
    return group('none', id, leaf('integer', integer(item.value, widths[item.id] as number)))
  }
  return group('none', id, typeof item.value === 'string' ? text(item.value) : data(item.value))
}

function properties(props: readonly Property[] = []): Group {
  return group('vbi', ...props.map(propertyTree))
}

/** The tree of a valid packet. */
export function packetTree({ version, fields }: Fields): Group {
  const { keepAlive, clientId, will, userName, password } = fields
  const clean = version === 4 ? fields.cleanSession : fields.cleanStart
  let flags = (clean ? 2 : 0) | (userName === undefined ? 0 : 0x80) | (password === undefined ? 0 : 0x40)
  if (will !== undefined) flags |= 4 | ((will.qos ?? 0) << 3) | (will.retain ? 0x20 : 0)
  return group(
    'none',
    leaf('first', Buffer.of(0x10)),
    group(
      'vbi',
      text('MQTT'),
      leaf('level', Buffer.of(version)),
      leaf('flags', Buffer.of(flags)),
      leaf('integer', two(keepAlive)),
      ...(version === 5 ? [properties(fields.props)] : []),
      text(clientId),
      ...(will === undefined ? [] : willParts(version, will)),
      ...(userName === undefined ? [] : [text(userName)]),
      ...(password === undefined ? [] : [data(password)]),
    ),
  )
}

function willParts(version: 4 | 5, will: Will | WillFields): Part[] {
  const parts = [text(will.topic), data(will.message)]
  return version === 5 ? [properties(will.props), ...parts] : parts
}
