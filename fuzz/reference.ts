import { Buffer } from 'node:buffer'
import type { Property, WillFields } from '../lib/index.ts'

/**
 * An independent writer of CONNECT and CONNACK packets. It builds a tree of the packet's parts, so a mutation can change the
 * contents of a length-prefixed part, and the length either follows or is wrong on purpose.
 */

/** Plain bytes, or a group of parts with its length in front. */
export type Part = Buffer | Group

export interface Group {
  readonly prefix: 'none' | 'two' | 'variable'
  readonly children: Part[]
  /** Replaces the length prefix. */
  wrong?: (length: number) => Buffer
}

/** Encodes a part. A length that doesn't fit its prefix keeps only its low bits. */
export function written(part: Part): Buffer {
  if (!('children' in part)) return part
  const content = Buffer.concat(part.children.map(written))
  const { length } = content
  if (part.wrong !== undefined) return Buffer.concat([part.wrong(length), content])
  if (part.prefix === 'none') return content
  return Buffer.concat([part.prefix === 'two' ? integer(length & 0xffff, 2) : variable(length), content])
}

/** Encodes a variable byte integer in `atLeast` bytes or more. */
export function variable(value: number, atLeast = 1): Buffer {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length < atLeast; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) + 128)
  }
  return Buffer.from([...bytes.slice(0, -1), (bytes.at(-1) as number) - 128])
}

export function integer(value: number, width: number): Buffer {
  const bytes = Buffer.alloc(width)
  bytes.writeUIntBE(value, 0, width)
  return bytes
}

export function group(prefix: Group['prefix'], ...children: Part[]): Group {
  return { prefix, children }
}

export function prefixed(value: Uint8Array | string): Group {
  return group('two', Buffer.from(value as Uint8Array))
}

/** The width of each numeric property, by identifier. MQTT 5.0 section 2.2.2.2. */
const widths: ReadonlyMap<number, number> = new Map(
  Object.entries({
    1: [0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2a],
    2: [0x13, 0x21, 0x22, 0x23],
    4: [0x02, 0x11, 0x18, 0x27],
  }).flatMap(([width, ids]) => ids.map((id) => [id, Number(width)] as const)),
)

export function propertyTree(item: Property): Group {
  const id = Buffer.of(item.id)
  if ('key' in item) return group('none', id, prefixed(item.key), prefixed(item.value))
  const { value } = item
  return group('none', id, typeof value === 'number' ? integer(value, widths.get(item.id)!) : prefixed(value))
}

function propertiesTree(props: readonly Property[] = []): Group {
  return group('variable', ...props.map(propertyTree))
}

/** The union of all packets' fields. */
export interface Fields {
  readonly cleanSession?: boolean
  readonly cleanStart?: boolean
  readonly keepAlive: number
  readonly clientId: string
  readonly will?: WillFields
  readonly userName?: string
  readonly password?: Uint8Array | string
  readonly bridge?: boolean
  readonly sessionPresent?: boolean
  readonly returnCode?: number
  readonly reasonCode?: number
  readonly props?: readonly Property[]
}

/** Builds the tree of a packet from valid fields. */
export function packetTree(version: 3 | 4 | 5, fields: Fields): Group {
  const properties = (props: readonly Property[] | undefined) =>
    version === 5 ? [propertiesTree(props)] : []
  const code = fields.returnCode ?? fields.reasonCode
  if (code !== undefined) {
    const flags = fields.sessionPresent ? 1 : 0
    const body = group('variable', Buffer.of(flags), Buffer.of(code), ...properties(fields.props))
    return group('none', Buffer.of(0x20), body)
  }
  const { cleanSession, cleanStart, keepAlive, clientId, will, userName, password, bridge, props } = fields
  let flags = (cleanSession ?? cleanStart) ? 2 : 0
  if (will !== undefined) flags |= 4 | ((will.qos ?? 0) << 3) | (will.retain ? 0x20 : 0)
  if (password !== undefined) flags |= 0x40
  if (userName !== undefined) flags |= 0x80
  const body = group(
    'variable',
    prefixed(version === 3 ? 'MQIsdp' : 'MQTT'),
    Buffer.of(bridge ? version | 0x80 : version),
    Buffer.of(flags),
    integer(keepAlive, 2),
    ...properties(props),
    prefixed(clientId),
    ...(will === undefined ? [] : [...properties(will.props), prefixed(will.topic), prefixed(will.message)]),
    ...(userName === undefined ? [] : [prefixed(userName)]),
    ...(password === undefined ? [] : [prefixed(password)]),
  )
  return group('none', Buffer.of(0x10), body)
}
