import { Buffer } from 'node:buffer'
import type { v3_1_1, v5 } from '../lib/index.ts'
import { anyFields } from '../test/property/anything.ts'
import type { Random } from './random.ts'

/*
 * What a caller may pass by mistake. Objects that throw, or are something else at each reading, are left out: what a
 * getter throws is the caller's own, and test/packets/hostile-fields.test.ts has those that change.
 */

const junk: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => true,
  () => Number.NaN,
  () => -1,
  () => 1.5,
  () => 3,
  () => 255,
  () => 256,
  () => 65_536,
  () => 2 ** 31,
  () => 2 ** 32,
  () => Number.MAX_SAFE_INTEGER,
  () => Number.POSITIVE_INFINITY,
  () => Number.NEGATIVE_INFINITY,
  () => 1n,
  () => Symbol('s'),
  () => '',
  () => '1',
  () => '\0',
  () => '\ud800',
  () => 'a\udfffb',
  () => 'x'.repeat(65_535),
  () => '€'.repeat(21_846),
  () => new String('boxed'),
  () => [],
  () => [undefined],
  () => new Array(3),
  () => ({}),
  () => Object.create(null),
  () => () => 'called',
  () => new Date(0),
  () => new Map(),
  () => Promise.resolve(),
  () => new ArrayBuffer(4),
  () => new Uint16Array(3),
  () => new DataView(new ArrayBuffer(2)),
  () => Buffer.alloc(65_535),
  () => Buffer.alloc(65_536),
  () => new Uint8Array(0),
  () => new Error('no field'),
]

export function junkValue(random: Random): unknown {
  return random.pick(junk)()
}

export type HostileFields =
  | { version: 4; fields: v3_1_1.ConnectPacketFields }
  | { version: 5; fields: v5.ConnectPacketFields }

/** Fields that MQTT may forbid, most of them with junk in a few places. */
export function hostileFields(random: Random): HostileFields {
  const version = random.pick([4, 5] as const)
  const fields: object = random.value<object>(
    anyFields[version === 4 ? 'v3_1_1.ConnectPacket' : 'v5.ConnectPacket']!,
  )
  for (let i = random.int(0, 3); i > 0; i--) spoil(random, fields as Record<string, unknown>)
  return { version, fields } as HostileFields
}

/** Puts junk in one place of an object, or further down in it, or takes something away. */
function spoil(random: Random, object: Record<string, unknown>): void {
  const names = Object.keys(object)
  const name =
    random.oneIn(20) || names.length === 0 ? random.pick(['username', 'props', '0', '']) : random.pick(names)
  const value = object[name]
  const deeper = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype
  if (deeper && !random.oneIn(3)) spoil(random, value as Record<string, unknown>)
  else if (random.oneIn(8)) delete object[name]
  else object[name] = junkValue(random)
}
