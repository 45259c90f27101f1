import type { Buffer } from 'node:buffer'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import {
  bufferToPacketVariant,
  type DecodedPacket,
  type ErrorCode,
  MqttError,
  PacketDecoder,
  type RelaxableCode,
  readConnect,
  v3_1_1,
  v5,
} from '../../lib/index.ts'

export type Version = 4 | 5

/** Fields of a packet to build, put over the least that it needs. */
export type Fields = Partial<v3_1_1.ConnectPacketFields> & Partial<v5.ConnectPacketFields>

/** What the standard makes of one faulty packet of one version. */
export interface Refusal {
  /** The clause that is broken: the test's title begins with it, and the error names it. */
  readonly clause: string
  /** What is wrong, for the title; cases of which the same is said share a test. */
  readonly what: string
  readonly version: Version
  readonly code: ErrorCode
  readonly reason: number
  readonly returns: number | undefined
  readonly field: string
  readonly offset: number
  readonly bytes: Buffer
  /** Fields that say the same to a constructor; absent where none can. */
  readonly fields: Fields | undefined
  /** The protocol name and level that the error tells. */
  readonly protocol: readonly [name?: string | undefined, level?: number]
  /** The versions to ask for. */
  readonly asked: readonly (0 | Version)[]
  readonly maximumPacketSize: number | undefined
  readonly ways: readonly Way[]
}

/** The part of a rule that differs between the versions. */
interface In {
  readonly clause: string
  readonly bytes: Buffer
  readonly offset: number
  readonly fields?: Fields
}

/** One line of the standards' rules: what is wrong, and what each version has to say of it. */
export interface Rule {
  readonly what: string
  readonly code: ErrorCode
  readonly reason: number
  readonly returns?: number
  readonly field: string
  readonly v3?: In
  readonly v5?: In
  readonly protocol?: readonly [name?: string | undefined, level?: number]
  readonly asked?: readonly (0 | Version)[]
  readonly maximumPacketSize?: number
  readonly ways?: readonly Way[]
}

export function refusalsOf(rules: readonly Rule[]): Refusal[] {
  return rules.flatMap((rule) => [
    ...(rule.v3 ? [refusalIn(4, rule, rule.v3)] : []),
    ...(rule.v5 ? [refusalIn(5, rule, rule.v5)] : []),
  ])
}

function refusalIn(version: Version, rule: Rule, { clause, bytes, offset, fields }: In): Refusal {
  const { what, code, reason, returns, field, maximumPacketSize } = rule
  const { protocol = ['MQTT', version], asked = [0, version], ways = allWays } = rule
  const same = { what, code, reason, returns, field, maximumPacketSize, protocol, ways }
  // Until the level is read, only the version that is asked for says whose clause it is.
  const known = protocol.length > 0 || version === 5 ? asked : asked.filter((one) => one === version)
  return { ...same, version, clause, bytes, offset, fields, asked: known }
}

export interface WayOptions {
  readonly protocolVersion: 0 | Version
  readonly maximumPacketSize?: number | undefined
  readonly allow?: readonly RelaxableCode[] | undefined
}

/** The ways to decode the bytes of one packet. */
export const decodeBy = {
  async bufferToPacketVariant(bytes: Buffer, options: WayOptions): Promise<DecodedPacket> {
    return bufferToPacketVariant(bytes, options.protocolVersion, options)
  },
  async PacketDecoder(bytes: Buffer, options: WayOptions): Promise<DecodedPacket> {
    const decoder = new PacketDecoder(options)
    decoder.end(bytes)
    const packets: DecodedPacket[] = []
    for await (const packet of decoder) packets.push(packet)
    expect(packets).to.have.lengthOf(1)
    return packets[0]!
  },
  async readConnect(bytes: Buffer, options: WayOptions): Promise<DecodedPacket> {
    const socket = new PassThrough()
    socket.end(bytes)
    return await readConnect(socket, options)
  },
}

export type Way = keyof typeof decodeBy
export const allWays: readonly Way[] = ['bufferToPacketVariant', 'PacketDecoder', 'readConnect']
export const streams: readonly Way[] = ['PacketDecoder', 'readConnect']

/** The `MqttError` of this way of decoding the bytes; anything else is a failure. */
export async function refusalBy(way: Way, bytes: Buffer, options: WayOptions): Promise<MqttError> {
  let packet: DecodedPacket
  try {
    packet = await decodeBy[way](bytes, options)
  } catch (error) {
    if (error instanceof MqttError) return error
    throw error
  }
  throw new Error(`${way} accepted ${bytes.toString('hex')} as ${packet}`)
}

/** All that is API in an error, for one comparison. */
export function told(error: MqttError): object {
  const { code, reasonCode, returnCode, clause, field, offset, protocolName, protocolLevel, connack } = error
  return {
    ...{ code, reasonCode, returnCode, clause, field, offset },
    ...{ protocolName, protocolLevel, connack: connack?.toString('hex') },
  }
}

/** What `told` is to give. */
function expected(refusal: Refusal): object {
  const { code, reason, returns, clause, field, offset, protocol } = refusal
  const [protocolName, protocolLevel] = protocol
  return {
    ...{ code, reasonCode: reason, returnCode: returns, clause, field, offset },
    ...{ protocolName, protocolLevel, connack: answer(refusal) },
  }
}

/** The CONNACK that a server may answer with, in hex; `undefined` where it just closes. */
function answer({ protocol: [name, level], reason, returns }: Refusal): string | undefined {
  const shape3 = returns === undefined ? undefined : `2002000${returns}`
  if (name === 'MQIsdp') return shape3
  if (name !== 'MQTT' || level === undefined) return undefined
  return level > 4 ? `200300${reason.toString(16)}00` : shape3
}

/** Expects the refusal however the bytes are decoded, with and without the version known. */
export async function expectRefused(refusal: Refusal): Promise<void> {
  const { bytes, maximumPacketSize } = refusal
  expect(refusal.asked).not.to.have.lengthOf(0)
  for (const protocolVersion of refusal.asked) {
    for (const way of refusal.ways) {
      const error = await refusalBy(way, bytes, { protocolVersion, maximumPacketSize })
      expect(told(error), `${way}, version ${protocolVersion}, ${bytes.toString('hex')}`).to.deep.equal(
        expected(refusal),
      )
      // The packet's own, once that is known and accepted; until then the one that was asked for.
      if (refusal.protocol[1] === refusal.version && !refusal.code.startsWith('protocol-')) {
        expect(error.protocolVersion).to.equal(refusal.version)
      } else {
        expect(error.protocolVersion).to.equal(protocolVersion)
      }
    }
  }
}

/** Builds a packet of a version from the least that it needs, and the changes. */
export function build(version: Version, changes: Fields): v3_1_1.ConnectPacket | v5.ConnectPacket {
  const least = { keepAlive: 60, clientId: 'a' }
  return version === 4
    ? new v3_1_1.ConnectPacket({ cleanSession: true, ...least, ...changes })
    : new v5.ConnectPacket({ cleanStart: true, ...least, ...changes })
}

/** Expects the constructor to refuse the same contents with the same error, at the byte where they would stand. */
export function expectNotBuilt(refusal: Refusal): void {
  let packet: object
  try {
    packet = build(refusal.version, refusal.fields!)
  } catch (error) {
    if (!(error instanceof MqttError)) throw error
    expect(told(error), refusal.bytes.toString('hex')).to.deep.equal(expected(refusal))
    expect(error.protocolVersion).to.equal(refusal.version)
    return
  }
  throw new Error(`${packet} was built`)
}

export function versionName(version: Version): string {
  return version === 4 ? '3.1.1' : '5.0'
}

/** Defines the tests of refusals: under their codes, cases of one title in one test. */
export function describeRefusals(refusals: readonly Refusal[]): void {
  for (const code of new Set(refusals.map((refusal) => refusal.code))) {
    describe(code, () => {
      for (const [title, cases] of byTitle(refusals.filter((refusal) => refusal.code === code))) {
        const [{ version }] = cases as [Refusal]
        const built = cases.filter(({ fields }) => fields !== undefined)
        it(`${title} is refused (${versionName(version)})`, async () => {
          for (const refusal of cases) await expectRefused(refusal)
        })
        if (built.length > 0) {
          it(`${title} cannot be built (${versionName(version)})`, () => {
            for (const refusal of built) expectNotBuilt(refusal)
          })
        }
      }
    })
  }
}

/** The cases of each version, clause and title. */
export function byTitle<T extends Pick<Refusal, 'version' | 'clause' | 'what'>>(
  cases: readonly T[],
): [title: string, cases: T[]][] {
  const groups = new Map<string, T[]>()
  for (const one of cases) {
    const key = `${one.version} ${one.clause} ${one.what}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups].map(([key, group]) => [key.slice(2), group])
}
