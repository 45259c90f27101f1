import type { Buffer } from 'buffer'
import { type ErrorCode, errorRow, type RelaxableCode } from '../errors/error-table.ts'
import { Fault, type FaultDetails } from '../errors/fault.ts'
import { copyOwn } from '../errors/misuse.ts'
import type { Sender } from '../protocol/codes.ts'
import type { ControlPacketType } from '../protocol/control-packet-type.ts'
import {
  BRIDGE_BIT,
  type Clause,
  clauseOf,
  newestVersion,
  type Version,
  versions,
} from '../protocol/version.ts'
import type { CodeField, Field, TopicField, Utf8Field } from './fields.ts'
import type { PropertyList, PropertyRule } from './property-list.ts'

/*
 * The layout of a packet as data, and what a check needs besides: the policy of the caller, and the context of what is being read.
 */

/** A rule about the contents of one field, which is from `at` to `end`. `flags` are the flags of the packet. */
export type FieldRule = (
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  flags: number,
) => Fault | undefined

/**
 * One field of a packet, at its place on the wire.
 *
 * @typeParam Contents what the packet is written from
 */
export type Entry<Contents = never> = {
  /** The bits of the packet's flags that announce the field. Default 0: the field is always there. */
  readonly when?: number
  /** Whether a packet may end before the field, and is complete without it. Default false. */
  readonly mayBeAbsent?: boolean
  /** What must hold besides what the kind demands. Default nothing. */
  readonly rule?: FieldRule | undefined
} & EntryKind<Contents>

/** The steps with which fields are checked, written and skipped. Numbers, because the loops compare them all the time. */
export const FIXED = 0
export const UTF8_STRING = 1
export const TOPIC_NAME = 2
export const BINARY_DATA = 3
export const PROPERTIES = 4

const steps: Readonly<Record<Entry['kind'], number>> = {
  protocol: FIXED,
  flags: FIXED,
  code: FIXED,
  twoByteInteger: FIXED,
  utf8String: UTF8_STRING,
  topicName: TOPIC_NAME,
  binaryData: BINARY_DATA,
  properties: PROPERTIES,
}

/** An entry of a format, prepared for the loops. All have one shape, because that makes the loops several times as fast. */
export class Place {
  readonly kind: Entry['kind']
  readonly step: number
  /** The number of bytes of a fixed field, otherwise 0. */
  readonly width: number
  /** Whether the field is always there, and always takes `width` bytes. */
  readonly isFixed: boolean
  /** Where the field is from the start of the variable header, if only fixed fields are before it; otherwise -1. */
  readonly offset: number
  readonly format: Format
  /** Its index in the layout. */
  readonly index: number
  readonly field: Field
  /** The name of the field. Fields have many shapes, so to ask one for its name takes long. */
  readonly name: string
  readonly when: number
  readonly mayBeAbsent: boolean
  readonly rule: FieldRule | undefined
  readonly value: (contents: never) => unknown

  constructor(entry: Entry, format: Format, index: number, offset: number) {
    const { kind, field, when = 0, mayBeAbsent = false, rule, value } = entry
    this.kind = kind
    this.step = steps[kind]
    const width = kind === 'twoByteInteger' ? 2 : 1
    this.width = steps[kind] !== FIXED ? 0 : kind === 'protocol' ? format.version.header.length : width
    this.isFixed = this.width > 0 && when === 0 && !mayBeAbsent
    this.offset = offset
    this.format = format
    this.index = index
    this.field = field
    this.name = field.name
    this.when = when
    this.mayBeAbsent = mayBeAbsent
    this.rule = rule
    this.value = value
  }
}

type EntryKind<Contents> =
  | { readonly kind: 'protocol'; readonly field: Field; value(contents: Contents): Uint8Array }
  | { readonly kind: 'flags' | 'twoByteInteger'; readonly field: Field; value(contents: Contents): number }
  | { readonly kind: 'code'; readonly field: CodeField; value(contents: Contents): number }
  | { readonly kind: 'utf8String'; readonly field: Utf8Field; value(contents: Contents): string }
  | { readonly kind: 'topicName'; readonly field: TopicField; value(contents: Contents): string }
  | { readonly kind: 'binaryData'; readonly field: Field; value(contents: Contents): Uint8Array | string }
  | { readonly kind: 'properties'; readonly field: PropertyList; value(contents: Contents): PropertyValues }

/** Properties as they are written: identifier, key and value of each, in a row. The key is `undefined` unless it is a pair. */
export type PropertyValues = readonly unknown[]

/** What there is to say about one packet type in one version. */
export interface FormatFacts<Packet, Contents> {
  readonly type: ControlPacketType
  readonly version: Version
  /** The fields of variable header and payload, in wire order. Nothing else knows the order. */
  readonly layout: readonly Entry<Contents>[]
  /** The clauses of this packet type for errors that all types can have. */
  readonly clauses?: { readonly [Code in ErrorCode]?: Clause }
  /** Who alone may send it. Default: both sides. */
  readonly only?: Sender
  /** The error of a packet without any field, if `allow` can relax that. */
  readonly empty?: RelaxableCode
  /** The names of the fields that the packet is built from. */
  readonly names: readonly string[]
  /**
   * Whether somebody has added a member with one of these names to `Object.prototype`. Fast path for encoding: only then the
   * fields are copied, because only then an object may seem to have fields that it does not have. Default: always true.
   */
  isPolluted?(): boolean
  /**
   * What the packet is written from: the caller's fields, each read once and of the right type, except for values whose size is
   * not fixed. No code of the caller runs any more after it.
   */
  read(fields: never): Contents
  /** The packet of bytes that have been checked. */
  create(bytes: Buffer): Packet
}

/** One packet type in one version. */
export class Format<Packet = unknown> {
  readonly type: ControlPacketType
  readonly version: Version
  readonly layout: readonly Place[]
  /** The same by the names of the fields. */
  readonly places: { readonly [name: string]: Place | undefined }
  /** The fields before the first that may be absent or has a length of its own, the sum of their widths, and the flags in them. */
  readonly fixed: readonly Place[]
  readonly fixedWidth: number
  readonly flagsOffset: number
  readonly clauses: { readonly [Code in ErrorCode]?: Clause }
  readonly only: Sender | undefined
  readonly empty: RelaxableCode | undefined
  readonly names: readonly string[]
  readonly isPolluted: () => boolean
  readonly read: (fields: never) => object
  readonly create: (bytes: Buffer) => Packet
  /** For checking a packet that has been built. */
  readonly strict: Context

  constructor(facts: FormatFacts<Packet, object>) {
    this.type = facts.type
    this.version = facts.version
    let at = 0
    this.layout = facts.layout.map((entry, index) => {
      const place = new Place(entry, this, index, at)
      at = at >= 0 && place.isFixed ? at + place.width : -1
      return place
    })
    this.places = copyOwn(Object.fromEntries(this.layout.map((place) => [place.name, place])))
    const others = this.layout.findIndex(({ isFixed }) => !isFixed)
    this.fixed = others < 0 ? this.layout : this.layout.slice(0, others)
    this.fixedWidth = this.fixed.reduce((width, place) => width + place.width, 0)
    this.flagsOffset = this.fixed.find(({ kind }) => kind === 'flags')?.offset ?? -1
    this.clauses = copyOwn(facts.clauses ?? {})
    this.only = facts.only
    this.empty = facts.empty
    this.names = facts.names
    this.isPolluted = facts.isPolluted ?? (() => true)
    this.read = facts.read
    this.create = facts.create
    this.strict = this.context(nothing)
  }

  /** For checking a packet whose type and version are known from the start. */
  context(allow: ReadonlySet<RelaxableCode>, sender?: Sender, observer?: Observer): Context {
    const level = this.layout[0]?.kind === 'protocol' ? this.version.level : undefined
    // All members are there, so that none comes from Object.prototype.
    return new Context({ allow, sender, observer }, this.version, level, this)
  }
}

/** A format whose packets are written from `Contents`. */
export function formatOf<Packet, Contents extends object>(
  facts: FormatFacts<Packet, Contents>,
): Format<Packet> {
  return new Format<Packet>(facts as FormatFacts<Packet, never>)
}

/** The formats by packet type / 16 and by version. Types that are absent are not decoded. */
export type FormatTable<Packet = unknown> = readonly (
  | { readonly [Name in Version['name']]: Format<Packet> | undefined }
  | undefined
)[]

/** A part of a property. */
export type PropertyPart = 'id' | 'key' | 'value'

/**
 * Called for each field that a check reads, in wire order. The field is at `start` to `end`; its content begins at `content`,
 * which is after the length prefix if there is one. A field with an error is reported before its Fault is returned; one that
 * runs past the end is reported as far as it goes. Parts of a property come with the part, and the rule if its identifier is known.
 */
export type Observer = (
  field: Field,
  start: number,
  content: number,
  end: number,
  part?: PropertyPart,
  rule?: PropertyRule,
) => void

/** What a caller accepts of any packet. */
export interface Settings {
  /** The rules that are not enforced. */
  readonly allow: ReadonlySet<RelaxableCode>
  /** Who sends the packets, if that is known. */
  readonly sender?: Sender | undefined
  readonly observer?: Observer | undefined
}

/** What a caller accepts. It never changes, so it serves any number of packets. */
export class Policy implements Settings {
  /** The version asked for. `undefined`: that of the packet. */
  readonly version: Version | undefined
  readonly allow: ReadonlySet<RelaxableCode>
  readonly sender: Sender | undefined
  readonly observer: Observer | undefined
  /** While nothing of a packet is known but that it is expected. */
  readonly unknown: Context
  /** For a packet that names its version, by its protocol level. Levels that are not accepted are absent. */
  readonly byLevel: readonly (Context | undefined)[]
  /** For a packet that does not name its version, by packet type / 16. Types whose body is not decoded have no format. */
  readonly byType: readonly Context[]

  /** @param connect the packet type that names its version */
  constructor(
    formats: FormatTable,
    connect: number,
    version?: Version,
    allow: ReadonlySet<RelaxableCode> = nothing,
    sender?: Sender,
    observer?: Observer,
  ) {
    this.version = version
    this.allow = allow
    this.sender = sender
    this.observer = observer
    this.unknown = new Context(this, version, undefined, undefined)
    this.byType = Array.from({ length: 16 }, (_, type) => {
      const format = version && formats[type]?.[version.name]
      return format === undefined ? this.unknown : new Context(this, version, undefined, format)
    })
    const byLevel: (Context | undefined)[] = new Array(0x100).fill(undefined)
    const accept = (one: Version, level: number): void => {
      byLevel[level] = new Context(this, one, level, formats[connect >> 4]![one.name])
    }
    for (const one of this.accepted) {
      accept(one, one.level)
      if (one.hasBridges && allow.has('protocol-bridge-level')) accept(one, one.level | BRIDGE_BIT)
    }
    this.byLevel = byLevel
  }

  /** The versions that are accepted, the oldest first. */
  get accepted(): readonly Version[] {
    if (this.version !== undefined) return [this.version]
    const allow: ReadonlySet<string> = this.allow
    return versions.filter(({ onlyIfAllowed: code }) => code === undefined || allow.has(code))
  }
}

const nothing: ReadonlySet<RelaxableCode> = new Set()

/** What is being read now, and by which policy. */
export class Context {
  readonly policy: Settings
  /** The version of the packet or, until its protocol level has been read, the version asked for. */
  readonly version: Version | undefined
  /** The protocol level in the packet, once that has been read. */
  readonly level: number | undefined
  /** How the packet is laid out, once its type and version are known. */
  readonly format: Format | undefined
  /** The protocol name and level of such a packet, for comparing. Empty if it names none. */
  readonly header: Uint8Array
  readonly observer: Observer | undefined

  constructor(
    policy: Settings,
    version: Version | undefined,
    level: number | undefined,
    format: Format | undefined,
  ) {
    this.policy = policy
    this.version = version
    this.level = level
    this.format = format
    this.header = level === undefined ? noHeader : headerWith(version!, level)
    this.observer = policy.observer
  }
}

const noHeader = new Uint8Array(0)

function headerWith({ header }: Version, level: number): Uint8Array {
  return header.at(-1) === level ? header : Uint8Array.of(...header.subarray(0, -1), level)
}

/** The index after what has been checked, or what is wrong with it. */
export type Step = number | Fault

/** A check of bytes that somebody else has framed. */
export type Check = (bytes: Buffer, start: number) => Fault | undefined

/** What else a fault needs. */
export interface FaultOptions extends FaultDetails {
  /** What is wrong with the field, without anything of the packet's contents. Default: what the error table says. */
  readonly problem?: string | undefined
  /** The broken clause. Default: that of the packet type, otherwise that of the error table. */
  readonly clause?: Clause | undefined
}

/** A Fault of a packet that is read in this context. */
export function fault(
  context: Context,
  code: ErrorCode,
  field: Field,
  offset: number,
  options: FaultOptions = none,
): Fault {
  const { version, level, format } = context
  // A member of Object.prototype must not show up in an error.
  const own = copyOwn(options)
  const clause = own.clause ?? format?.clauses[code] ?? errorRow(code).clause
  const known = { protocolName: version?.protocolName, protocolLevel: level }
  const details = level === undefined ? own : Object.assign(own, known)
  const text = clauseOf(clause, version ?? newestVersion, format?.type)
  return new Fault(code, field.name, offset, text, own.problem, version, details)
}

const none: FaultOptions = {}

/** `fault`, or `undefined` if `allow` relaxes the rule. */
export function faultUnlessAllowed(
  context: Context,
  code: ErrorCode,
  field: Field,
  offset: number,
  options?: FaultOptions,
): Fault | undefined {
  if (context.policy.allow.has(code as RelaxableCode)) return undefined
  return fault(context, code, field, offset, options)
}
