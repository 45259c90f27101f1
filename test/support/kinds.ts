import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import type { FieldPackets } from '../../lib/packets/formats.ts'
import {
  decode,
  type Property,
  type RelaxableCode,
  v3_1,
  v3_1_1,
  v5,
  type WillFields,
} from '../../lib/packets/index.ts'
import {
  authFieldsV5,
  connackFieldsV3,
  connackFieldsV3_1,
  connackFieldsV5,
  disconnectFieldsV5,
  fieldsV3,
  fieldsV3_1,
  fieldsV5,
} from './arbitraries.ts'

export type FieldPacket = FieldPackets

/** A packet type in one version. */
export interface Kind {
  /** The class name as `inspect` prints it, such as `v5.ConnectPacket`. */
  readonly name: string
  readonly version: 3 | 4 | 5
  readonly isConnect: boolean
  /** Fields of valid packets. */
  readonly fields: fc.Arbitrary<object>
  readonly Packet: new (fields: never) => FieldPacket
  readonly build: (fields: object) => FieldPacket
}

function kind(version: Kind['version'], Packet: Kind['Packet'], name: string, fields: Kind['fields']): Kind {
  const isConnect = name.endsWith('ConnectPacket')
  return { name, version, isConnect, fields, Packet, build: (given) => new Packet(given as never) }
}

const bridged = fc
  .tuple(fieldsV3, fc.constantFrom(undefined, false, true))
  .map(([fields, bridge]) => ({ ...fields, bridge }))

/** CONNECT and CONNACK. */
export const kinds: readonly Kind[] = [
  kind(3, v3_1.ConnectPacket, 'v3_1.ConnectPacket', fieldsV3_1),
  kind(4, v3_1_1.ConnectPacket, 'v3_1_1.ConnectPacket', bridged),
  kind(5, v5.ConnectPacket, 'v5.ConnectPacket', fieldsV5),
  kind(3, v3_1.ConnackPacket, 'v3_1.ConnackPacket', connackFieldsV3_1),
  kind(4, v3_1_1.ConnackPacket, 'v3_1_1.ConnackPacket', connackFieldsV3),
  kind(5, v5.ConnackPacket, 'v5.ConnackPacket', connackFieldsV5),
]

/** All packets with decoded fields. */
export const allKinds: readonly Kind[] = [
  ...kinds,
  kind(3, v3_1.DisconnectPacket, 'v3_1.DisconnectPacket', fc.constant({})),
  kind(4, v3_1_1.DisconnectPacket, 'v3_1_1.DisconnectPacket', fc.constant({})),
  kind(5, v5.DisconnectPacket, 'v5.DisconnectPacket', disconnectFieldsV5),
  kind(5, v5.AuthPacket, 'v5.AuthPacket', authFieldsV5),
]

export function kindOf(packet: FieldPacket): Kind {
  return allKinds.find(({ Packet }) => packet instanceof Packet)!
}

/** True for packets with decoded fields. */
export function isFieldPacket(packet: object): packet is FieldPacket {
  return 'toFields' in packet
}

/** Decodes a packet that must have decoded fields. Bridges are accepted. */
export function decodeFields(
  bytes: Uint8Array,
  protocolVersion: 3 | 4 | 5,
  allow: readonly RelaxableCode[] = ['protocol-bridge-level'],
): FieldPacket {
  const packet = decode(bytes, { protocolVersion, allow })
  if (isFieldPacket(packet)) return packet
  throw new Error(`not decoded: ${packet}`)
}

const fieldNames = [
  ...['cleanSession', 'cleanStart', 'keepAlive', 'clientId', 'will', 'userName', 'password', 'bridge'],
  ...['sessionPresent', 'returnCode', 'reasonCode', 'props'],
] as const

/** All fields of a packet, read through its accessors, as plain values; `undefined` for those that the packet doesn't have. */
export function fieldsOf(packet: FieldPacket): object {
  return plainFields(packet as AnyFields)
}

/** Defaults of the fields of packets after the handshake. */
const defaults: Readonly<Record<string, object>> = {
  'v3_1.DisconnectPacket': {},
  'v3_1_1.DisconnectPacket': {},
  'v5.DisconnectPacket': { reasonCode: 0 },
  'v5.AuthPacket': {},
}

/** The expected result of `fieldsOf` for a packet built from these fields. */
export function expectedFields({ name, version, isConnect }: Kind, fields: object): object {
  const plain = plainFields(fields as AnyFields)
  const absent = isConnect
    ? { bridge: version === 5 ? undefined : false }
    : (defaults[name] ?? { sessionPresent: false })
  for (const [name, value] of Object.entries(absent)) plain[name] ??= value
  return plain
}

interface AnyFields {
  readonly will?: WillFields
  readonly password?: Uint8Array | string
  readonly props?: readonly Property[]
}

function plainFields(from: AnyFields): Record<string, unknown> {
  const { will, password, props } = from
  return {
    ...Object.fromEntries(fieldNames.map((name) => [name, (from as Record<string, unknown>)[name]])),
    will: will && plainWill(will),
    password: password === undefined ? undefined : Buffer.from(password as Uint8Array),
    props: plainProps(props),
  }
}

function plainWill(will: WillFields): object {
  const { topic, message, qos = 0, retain = false, props } = will
  return { topic, message: Buffer.from(message as Uint8Array), qos, retain, props: plainProps(props) }
}

function plainProps(props: readonly Property[] = []): object[] {
  return props.map((item) => {
    const { value } = item
    return { ...item, value: typeof value === 'object' ? Buffer.from(value) : value }
  })
}
