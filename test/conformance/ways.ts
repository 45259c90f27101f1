import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import {
  type DecodeOptions,
  decode,
  type ErrorCode,
  explain,
  MqttError,
  PacketDecoder,
  type PacketVariant,
  v3_1,
  v3_1_1,
  v5,
} from '../../lib/index.ts'
import type { FieldPackets } from '../../lib/packets/formats.ts'
import {
  connect,
  isNameless,
  packet,
  type Rule,
  type TypeName,
  type VersionName,
  versions,
  type Way,
} from './rule.ts'

/** The constructors without types, because wrong fields must be refused at run time too. */
const constructors = { v3_1, v3_1_1, v5 } as unknown as Readonly<
  Record<VersionName, Readonly<Record<string, new (fields: object) => FieldPackets>>>
>

const classNames: Readonly<Record<TypeName, string>> = {
  connect: 'ConnectPacket',
  connack: 'ConnackPacket',
  disconnect: 'DisconnectPacket',
  auth: 'AuthPacket',
  other: 'OpaquePacket',
}

/**
 * The minimal fields of a valid packet: client id "a" and a keep alive of 60 seconds, an accepting CONNACK, or an AUTH that
 * continues. AUTH's method comes from the rules' packets.
 */
export function least(version: VersionName, type: TypeName): object {
  const is5 = version === 'v5'
  if (type === 'auth') return { reasonCode: 0x18 }
  if (type === 'disconnect') return is5 ? { reasonCode: 0 } : {}
  if (type === 'connack') return { sessionPresent: false, ...(is5 ? { reasonCode: 0 } : { returnCode: 0 }) }
  return { [is5 ? 'cleanStart' : 'cleanSession']: true, keepAlive: 60, clientId: 'a' }
}

/** Builds a packet from the minimal fields and some changes. */
export function build(version: VersionName, type: TypeName, changes: object): FieldPackets {
  return new (classOf(version, type))({ ...least(version, type), ...changes })
}

/** The class of a packet type. Its type accepts any fields. */
export function classOf(version: VersionName, type: TypeName): new (fields: object) => FieldPackets {
  return constructors[version][classNames[type]]!
}

/** Makes fields comparable: binary data as hex, and a will with its defaults. */
export function plain(fields: object): object {
  const text = JSON.stringify(fields, (key, value: { data?: number[] } | string) => {
    if (key !== 'message' && key !== 'password') return value
    return Buffer.from(typeof value === 'string' ? value : Uint8Array.from(value.data!)).toString('hex')
  })
  const { will, ...others } = JSON.parse(text)
  return { ...others, ...(will && { will: { qos: 0, retain: false, props: [], ...will } }) }
}

/** Options that accept `version` without asking for one. */
export function accepting(version: VersionName, allow: Iterable<string> = []): Pick<DecodeOptions, 'allow'> {
  const codes = [...allow, ...(version === 'v3_1' ? ['protocol-mqtt-3-1'] : [])]
  return codes.length === 0 ? {} : { allow: codes as never }
}

/** True for a packet that follows a CONNECT in the stream. */
function isLater({ bytes, options }: Rule): boolean {
  return options.connection ?? bytes[0]! >> 4 !== 1
}

/** A CONNECT of this version, to precede another packet. */
function firstPacket(version: VersionName): Buffer {
  return packet(connect('02 K % A'), version).bytes
}

/** The packets that a decoder emits, and the error that ends it. */
export async function decodeStream(
  bytes: Buffer,
  options: ConstructorParameters<typeof PacketDecoder>[0],
): Promise<{ packets: PacketVariant[]; error: unknown }> {
  const decoder = new PacketDecoder({ ...options, connection: options?.connection ?? false })
  const packets: PacketVariant[] = []
  decoder.end(bytes)
  try {
    for await (const packet of decoder) packets.push(packet as PacketVariant)
  } catch (error) {
    return { packets, error }
  }
  return { packets, error: undefined }
}

/** The error that each way throws for a rule's packet. */
const refuse: Readonly<Record<Way, (rule: Rule, options: DecodeOptions) => Promise<unknown>>> = {
  async decode({ bytes }, options) {
    return thrownBy(() => decode(bytes, options))
  },
  async PacketDecoder(rule, options) {
    const later = isLater(rule)
    const first = later ? firstPacket(rule.version) : Buffer.alloc(0)
    const all = { ...options, connection: later }
    const { packets, error } = await decodeStream(Buffer.concat([first, rule.bytes]), all)
    expect(packets, 'packets before the error').to.have.lengthOf(later ? 1 : 0)
    return error
  },
  async explain({ bytes, code, offset }, options) {
    const { error, rows } = explain(bytes, options)
    const faults = rows.filter(({ fault }) => fault)
    if (bytes.length > 0) expect(faults, 'rows with the error').to.have.lengthOf(1)
    // The offset of an incomplete packet is its end, but the field is its Remaining Length.
    const [row] = code === 'packet-incomplete' ? [] : faults
    if (row !== undefined) expect(offset).to.be.within(row.offset, row.offset + row.length)
    if (offset > 1) {
      expect(rows.slice(0, 2).map(({ field }) => field)).to.deep.equal(['fixedHeader', 'remainingLength'])
    }
    expect(rows.reduce((sum, { length }) => sum + length, 0)).to.equal(bytes.length)
    return error
  },
  async constructor({ version, type, fields }) {
    return thrownBy(() => build(version, type, fields!))
  },
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}

/** The ways to break a rule with its packet. */
export function waysOf({ ways, fields, options }: Rule): readonly Way[] {
  if (ways !== undefined) return ways
  const bytes: Way[] = options.maximumPacketSize === undefined ? ['decode', 'explain'] : ['decode']
  return [...bytes, 'PacketDecoder', ...(fields === undefined ? [] : ['constructor' as const])]
}

/** The versions to ask for: the packet's own and, if the clause is the same without one, none. */
function asked(rule: Rule, way: Way): readonly DecodeOptions['protocolVersion'][] {
  const { level } = versions[rule.version]
  if (way === 'constructor' || (isNameless(rule.type) && way !== 'PacketDecoder')) return [level]
  return rule.version === 'v5' || isVersionKnown(rule, way) ? [0, level] : [level]
}

/** True if the version is known at the point where the rule is broken. */
function isVersionKnown(rule: Rule, way: Way): boolean {
  if (way === 'constructor' || (way === 'PacketDecoder' && isLater(rule))) return true
  return rule.known[1] === versions[rule.version].level && !rule.code.startsWith('protocol-')
}

/** The codes with a reason code other than 0x81 (malformed packet). */
const reasons: Readonly<Record<number, readonly ErrorCode[]>> = {
  128: ['connect-timeout'],
  130: [
    ...([
      'not-connect',
      'second-connect',
      'packet-id-zero',
      'property-twice',
      'will-property-twice',
    ] as const),
    ...(['receive-maximum-zero', 'maximum-packet-size-zero', 'authentication-data-without-method'] as const),
    ...(['request-response-information', 'request-problem-information'] as const),
    ...(['response-topic-empty', 'response-topic-wildcard', 'maximum-qos', 'retain-available'] as const),
    ...(['wildcard-subscription-available', 'subscription-identifier-available'] as const),
    ...(['shared-subscription-available', 'connack-code', 'session-present-with-error'] as const),
    ...(['disconnect-code', 'disconnect-bad-authentication-method', 'auth-code', 'wrong-sender'] as const),
    ...(['authentication-method-missing'] as const),
  ],
  132: ['protocol-name', 'protocol-mqtt-3-1', 'protocol-bridge-level', 'protocol-level'],
  133: ['client-id-not-utf8', 'client-id-nul', 'client-id-empty', 'client-id-too-long'],
  134: ['user-name-not-utf8', 'user-name-nul'],
  144: ['will-topic-not-utf8', 'will-topic-nul', 'will-topic-empty', 'will-topic-wildcard'],
  149: ['packet-too-large'],
}

export function reasonOf(code: ErrorCode): number {
  return Number(Object.entries(reasons).find(([, codes]) => codes.includes(code))?.[0] ?? 0x81)
}

/** The return code of an error, if 3.1 and 3.1.1 have one. */
export function returnOf(code: ErrorCode): number | undefined {
  if (['protocol-mqtt-3-1', 'protocol-bridge-level', 'protocol-level'].includes(code)) return 1
  return ['client-id-empty', 'client-id-too-long'].includes(code) ? 2 : undefined
}

/** The CONNACK that a server may answer with, in hex; `undefined` if it just closes the connection. */
export function answerTo(
  code: ErrorCode,
  name: string | undefined,
  level: number | undefined,
): string | undefined {
  const returnCode = returnOf(code)
  const before5 = returnCode === undefined ? undefined : `2002000${returnCode}`
  if (name === 'MQIsdp') return before5
  if (name !== 'MQTT' || level === undefined) return undefined
  return level > 4 ? `200300${reasonOf(code).toString(16)}00` : before5
}

/** All public properties of an error, for comparisons. */
export function told(error: unknown): object {
  if (!(error instanceof MqttError)) return { error }
  const { code, reasonCode, returnCode, clause, field, offset, protocolVersion, looksLike } = error
  const { protocolName, protocolLevel, connack } = error
  return {
    ...{ code, reasonCode, returnCode, clause, field, offset, protocolVersion, looksLike },
    ...{ protocolName, protocolLevel, connack: connack?.toString('hex') },
  }
}

/** Expects every suitable way to refuse a rule's packet. */
export async function expectRefused(rule: Rule): Promise<void> {
  const { version, code, clause, field, offset, known, bytes } = rule
  const { connection, ...options } = rule.options
  for (const way of waysOf(rule)) {
    for (const protocolVersion of asked(rule, way)) {
      const own = protocolVersion === 0 ? accepting(version, options.allow) : {}
      const isOwn = isVersionKnown(rule, way)
      const error = await refuse[way](rule, { ...options, ...own, protocolVersion })
      expect(told(error), `${way}, version ${protocolVersion}, ${bytes.toString('hex')}`).to.deep.equal({
        ...{ code, reasonCode: reasonOf(code), returnCode: returnOf(code), clause, field, offset },
        ...{ protocolVersion: isOwn ? versions[version].level : protocolVersion, looksLike: undefined },
        ...{ protocolName: known[0], protocolLevel: known[1], connack: answerTo(code, ...known) },
      })
    }
  }
}

export function byTitle(rules: readonly Rule[]): [title: string, rules: Rule[]][] {
  const groups = new Map<string, Rule[]>()
  for (const rule of rules) {
    const { clause, what, code, version } = rule
    const title = `${clause} refuses ${what}: ${code} (${versions[version].label})`
    groups.set(title, [...(groups.get(title) ?? []), rule])
  }
  return [...groups]
}
