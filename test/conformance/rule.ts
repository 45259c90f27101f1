import { Buffer } from 'node:buffer'
import type { DecodeOptions, ErrorCode } from '../../lib/index.ts'
import { hex } from '../support/reference.ts'

export type VersionName = 'v3_1' | 'v3_1_1' | 'v5'

/** Facts about each version, written from its standard and not from the library. */
export const versions = {
  v3_1: { level: 3, label: '3.1', name: 'MQIsdp', header: '0006 4d5149736470 03' },
  v3_1_1: { level: 4, label: '3.1.1', name: 'MQTT', header: '0004 4d515454 04' },
  v5: { level: 5, label: '5.0', name: 'MQTT', header: '0004 4d515454 05' },
} as const

export const versionNames = Object.keys(versions) as VersionName[]

/** The clause per version. A version without one doesn't have the rule. */
export type Clauses = Readonly<Partial<Record<VersionName, string>>>

/** A rule of 3.1.1 and 5.0. */
export function of4And5(v3_1_1: string, v5: string = v3_1_1): Clauses {
  return { v3_1_1, v5 }
}

/** A rule of CONNECT in all versions. In 3.1, all of CONNECT is one section. */
export function ofAll(v3_1_1: string, v5?: string): Clauses {
  return { v3_1: '3.1', ...of4And5(v3_1_1, v5) }
}

/** The ways to pass bytes or fields to the library. */
export type Way = 'decode' | 'PacketDecoder' | 'explain' | 'constructor'

/** Packet types with decoded fields, and all others. */
export type TypeName = 'connect' | 'connack' | 'disconnect' | 'auth' | 'other'

const typeNames: Readonly<Record<number, TypeName>> = {
  1: 'connect',
  2: 'connack',
  14: 'disconnect',
  15: 'auth',
}

/** The packet type in the first byte, ignoring the flags. */
export function typeOf(bytes: Uint8Array): TypeName {
  return typeNames[bytes[0]! >> 4] ?? 'other'
}

/** True for packets with fields that don't name their version. */
export function isNameless(type: TypeName): boolean {
  return type !== 'connect' && type !== 'other'
}

/** A packet that breaks one rule in one version. */
export interface Rule {
  readonly version: VersionName
  readonly clause: string
  /** The reason for refusing it, for the test's title. Rules with the same version, clause, code and words share a test. */
  readonly what: string
  readonly code: ErrorCode
  readonly field: string
  readonly offset: number
  readonly bytes: Buffer
  readonly type: TypeName
  /** Fields that make a constructor break the same rule, added to the minimal ones. `undefined` if no fields can. */
  readonly fields: object | undefined
  /** The fields that the packet has if the rule is relaxed and `fields` is absent, beyond the minimal ones. */
  readonly reads: object
  /** The protocol name and level given by the error. */
  readonly known: readonly [name?: string | undefined, level?: number]
  /** All suitable ways if absent. */
  readonly ways?: readonly Way[]
  readonly options: Options
}

/** Options of `decode` and of `PacketDecoder`. */
export type Options = Pick<DecodeOptions, 'allow' | 'maximumPacketSize' | 'from'> & {
  readonly connection?: boolean
}

/** One row of a table of rules: the reason for the refusal, the packet, equivalent fields, and any exceptions. */
export type Row = readonly [
  what: string,
  wire: string,
  fields?: object | undefined,
  special?: Partial<Pick<Rule, 'reads' | 'known' | 'ways' | 'options'>>,
]

/** Makes the rules of one code and field from their rows, for each version with a clause. */
export function rules(code: ErrorCode, field: string, clauses: Clauses, rows: readonly Row[]): Rule[] {
  return (Object.keys(clauses) as VersionName[]).flatMap((version) =>
    rows.map(([what, wire, fields, special]): Rule => {
      const { bytes, mark } = packet(wire, version)
      const type = typeOf(bytes)
      const { name, level } = versions[version]
      return {
        ...{ version, clause: clauses[version]!, what, code, field, offset: mark, bytes, type, fields },
        ...{ reads: {}, options: {}, known: isNameless(type) ? [] : [name, level], ...special },
      }
    }),
  )
}

/**
 * Parses a packet written as hex, and returns its bytes and the position marked with `>`. Capital letters stand for parts that
 * many packets share: `L` the Remaining Length, `P` the version's protocol name and level, `K` a keep alive of 60 seconds, `A`
 * the string "a". `{…}` is a property list with its length, and `%` an empty property list, which only 5.0 has.
 */
export function packet(wire: string, version: VersionName): { bytes: Buffer; mark: number } {
  const { header } = versions[version]
  const text = wire
    .replaceAll('P', header)
    .replaceAll('K', '003c')
    .replaceAll('A', '0001 61')
    .replaceAll('%', version === 'v5' ? '00' : '')
    .replace(/\{(.*?)\}/g, (_, list: string) => variableByteInteger(size(list)) + list)
    .replace(
      /^(.*) L (.*)$/,
      (_, first: string, rest: string) => first + variableByteInteger(size(rest)) + rest,
    )
    .replaceAll(' ', '')
  const mark = text.indexOf('>')
  return { bytes: hex(text.replace('>', '')), mark: mark / 2 }
}

function size(text: string): number {
  return text.replace(/[ >]/g, '').length / 2
}

function variableByteInteger(value: number): string {
  return value < 0x80 ? byte(value) : byte((value & 0x7f) | 0x80) + variableByteInteger(value >> 7)
}

export function byte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** A CONNECT, given from the connect flags on. */
export function connect(rest: string): string {
  return `10 L P ${rest}`
}

/** A will with topic "a" and message "a", changed as given. */
export function will(changes: object): object {
  return { will: { topic: 'a', message: 'a', ...changes } }
}

/** A string in hex with its length in front. It may contain the error's mark. */
export function prefixed(content: string): string {
  return `${size(content).toString(16).padStart(4, '0')} ${content}`
}

export function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}
