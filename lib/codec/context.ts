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
 * Types that describe a layout as data, and the two things a check needs besides: the caller's policy, and the context of the
 * packet being read.
 */

/** A rule about one field's contents, which run from `at` to `end`. `flags` are the packet's flags. */
export type FieldRule = (
  context: Context,
  bytes: Uint8Array,
  at: number,
  end: number,
  flags: number,
) => Fault | undefined

/**
 * One field of a packet, in its place on the wire.
 *
 * @typeParam Contents the values that the packet is written from
 */
export type Entry<Contents = never> = {
  /** The flag bits that announce the field. Default 0: the field is always present. */
  readonly when?: number
  /** True if a packet may end before this field and still be complete. Default false. */
  readonly mayBeAbsent?: boolean
  /** A rule that goes beyond what the kind demands. Default none. */
  readonly rule?: FieldRule | undefined
} & EntryKind<Contents>

/** The steps that check, write and skip fields. They are numbers because the loops compare them for every field. */
export const FIXED = 0
export const UTF8_STRING = 1
export const TOPIC_NAME = 2
export const BINARY_DATA = 3
export const PROPERTIES = 4

/** The width of a field that begins with its length. */
export const PREFIXED = 0
/** The width of a property list. */
export const LISTED = -1

/** The step of each kind, and its width: the size of a fixed field in bytes, `PREFIXED` or `LISTED`. */
const kinds: Readonly<Record<Entry['kind'], readonly [step: number, width: number]>> = {
  protocol: [FIXED, 0],
  flags: [FIXED, 1],
  code: [FIXED, 1],
  twoByteInteger: [FIXED, 2],
  utf8String: [UTF8_STRING, PREFIXED],
  topicName: [TOPIC_NAME, PREFIXED],
  binaryData: [BINARY_DATA, PREFIXED],
  properties: [PROPERTIES, LISTED],
}

/** An entry of a format, prepared for the loops. All places share one shape, which makes the loops several times as fast. */
export class Place {
  readonly kind: Entry['kind']
  readonly step: number
  /** The size of a fixed field in bytes, `PREFIXED` or `LISTED`. */
  readonly width: number
  /** The distance from the start of the variable header if this is a fixed field after fixed fields; otherwise -1. */
  readonly offset: number
  readonly format: Format
  readonly field: Field
  /** A copy of the field's name, because fields have many shapes, so reading a property of one is slow. */
  readonly name: string
  readonly when: number
  readonly mayBeAbsent: boolean
  readonly rule: FieldRule | undefined
  readonly value: (contents: never) => unknown
  /**
   * For each value of the flags, the widths of the fields between the fixed ones and this one. `undefined` if such a packet doesn't
   * announce the field.
   */
  before: readonly (readonly number[] | undefined)[] = []

  constructor(entry: Entry, format: Format, offset: number) {
    const { kind, field, when = 0, mayBeAbsent = false, rule, value } = entry
    this.kind = kind
    const [step, width] = kinds[kind]
    this.step = step
    this.width = kind === 'protocol' ? format.version.header.length : width
    const isFixed = this.width > 0 && when === 0 && !mayBeAbsent
    this.offset = isFixed ? offset : -1
    this.format = format
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

/**
 * Properties ready to be written: identifier, key and value of each, one after the other. The key is `undefined` unless the
 * property is a pair.
 */
export type PropertyValues = readonly unknown[]

/** The facts about one packet type in one version. */
export interface FormatFacts<Packet, Contents> {
  readonly type: ControlPacketType
  readonly version: Version
  /** The fields of variable header and payload, in wire order. Nothing else knows this order. */
  readonly layout: readonly Entry<Contents>[]
  /** This packet type's clauses for errors that any type can have. */
  readonly clauses?: { readonly [Code in ErrorCode]?: Clause }
  /** The only side that may send it. Default: both may. */
  readonly only?: Sender
  /** The error of a packet that has no fields at all, if `allow` can relax it. */
  readonly empty?: RelaxableCode
  /** The names of the fields that the constructor accepts. */
  readonly names: readonly string[]
  /**
   * Reads each of the caller's fields once and checks its type, except for values whose size isn't fixed. None of the caller's
   * code runs afterwards.
   */
  read(fields: never): Contents
  /** Creates the packet for bytes that have passed the check. */
  create(bytes: Buffer): Packet
}

/** One packet type in one version. */
export class Format<Packet = unknown> {
  readonly type: ControlPacketType
  readonly version: Version
  readonly layout: readonly Place[]
  /** The same places, by the name of their field. */
  readonly places: { readonly [name: string]: Place | undefined }
  /**
   * The fields up to the first one that may be absent or has a length of its own, those of them that have a rule, the sum of their
   * widths, and the position of the flags among them. Without flags it's -1, and nothing depends on the byte there.
   */
  readonly fixed: readonly Place[]
  readonly fixedRules: readonly Place[]
  readonly fixedWidth: number
  readonly flagsOffset: number
  /** For each value of the flags, the fields after the fixed ones that such a packet announces. */
  readonly others: readonly (readonly Place[])[]
  readonly clauses: { readonly [Code in ErrorCode]?: Clause }
  readonly only: Sender | undefined
  readonly empty: RelaxableCode | undefined
  readonly names: readonly string[]
  readonly read: (fields: never) => object
  readonly create: (bytes: Buffer) => Packet
  /** The context for checking a packet that has just been built. */
  readonly strict: Context

  constructor(facts: FormatFacts<Packet, object>) {
    this.type = facts.type
    this.version = facts.version
    let at = 0
    this.layout = facts.layout.map((entry) => {
      const place = new Place(entry, this, at)
      at = place.offset < 0 ? -1 : at + place.width
      return place
    })
    this.places = copyOwn(Object.fromEntries(this.layout.map((place) => [place.name, place])))
    const first = this.layout.findIndex(({ offset }) => offset < 0)
    this.fixed = first < 0 ? this.layout : this.layout.slice(0, first)
    this.fixedRules = this.fixed.filter(({ rule }) => rule !== undefined)
    this.fixedWidth = this.fixed.reduce((width, place) => width + place.width, 0)
    this.flagsOffset = this.fixed.find(({ kind }) => kind === 'flags')?.offset ?? -1
    this.others = othersByFlags(this.layout.slice(this.fixed.length))
    const lists = new Set(this.others)
    for (const place of this.layout) {
      const before = new Map(Array.from(lists, (list) => [list, widthsBefore(place, list)]))
      place.before = this.others.map((list) => before.get(list))
    }
    this.clauses = copyOwn(facts.clauses ?? {})
    this.only = facts.only
    this.empty = facts.empty
    this.names = facts.names
    this.read = facts.read
    this.create = facts.create
    this.strict = this.context(nothing)
  }

  /** A context for packets whose type and version are known from the start. */
  context(allow: ReadonlySet<RelaxableCode>, sender?: Sender, observer?: Observer): Context {
    const level = this.layout[0]?.kind === 'protocol' ? this.version.level : undefined
    // All members are given, so none can come from Object.prototype.
    return new Context({ allow, sender, observer }, this.version, level, this)
  }
}

/** Layouts have few flags, so most values share their list with others. */
function othersByFlags(places: readonly Place[]): readonly (readonly Place[])[] {
  const mask = places.reduce((bits, { when }) => bits | when, 0)
  const lists = new Map<number, readonly Place[]>()
  return Array.from({ length: 0x100 }, (_, flags) => {
    const known = lists.get(flags & mask)
    if (known !== undefined) return known
    const list = places.filter(({ when }) => when === 0 || (flags & when) !== 0)
    lists.set(flags & mask, list)
    return list
  })
}

function widthsBefore(place: Place, list: readonly Place[]): readonly number[] | undefined {
  const index = list.indexOf(place)
  return index < 0 ? undefined : list.slice(0, index).map(({ width }) => width)
}

/** The formats by packet type / 16 and by version. Packets without a format aren't decoded. */
export type FormatTable<Packet = unknown> = readonly {
  readonly [Name in Version['name']]: Format<Packet> | undefined
}[]

/** A part of a property. */
export type PropertyPart = 'id' | 'key' | 'value'

/**
 * Called for each field that a check reads, in wire order. The field runs from `start` to `end`, and its content begins at
 * `content`, after the length prefix if it has one. A faulty field is reported before its Fault is returned, and a field that
 * runs past the end is reported as far as it goes. Parts of a property come with the name of the part, and with the property's
 * rule if its identifier is known.
 */
export type Observer = (
  field: Field,
  start: number,
  content: number,
  end: number,
  part?: PropertyPart,
  rule?: PropertyRule,
) => void

/** The caller's settings that apply to any packet. */
export interface Settings {
  /** The rules that are switched off. */
  readonly allow: ReadonlySet<RelaxableCode>
  /** The side that sends the packets, if it's known. */
  readonly sender?: Sender | undefined
  readonly observer?: Observer | undefined
}

/** The packets that a caller accepts. A policy never changes, so any number of packets can share it. */
export class Policy implements Settings {
  /** The version that the caller asked for. `undefined`: the packet decides. */
  readonly version: Version | undefined
  readonly allow: ReadonlySet<RelaxableCode>
  readonly sender: Sender | undefined
  readonly observer: Observer | undefined
  /** The context until the packet type is known. */
  readonly unknown: Context
  /** Contexts for packets that name their version, by protocol level. Levels that aren't accepted are missing. */
  readonly byLevel: readonly (Context | undefined)[]
  /** Contexts for packets that don't name their version, by packet type / 16. If the body isn't decoded, the context has no format. */
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

  /** The accepted versions, oldest first. */
  get accepted(): readonly Version[] {
    if (this.version !== undefined) return [this.version]
    const allow: ReadonlySet<string> = this.allow
    return versions.filter(({ onlyIfAllowed: code }) => code === undefined || allow.has(code))
  }
}

const nothing: ReadonlySet<RelaxableCode> = new Set()

/** The packet being read, and the policy it's read by. */
export class Context {
  readonly policy: Settings
  /** The version of the packet. Until the protocol level has been read, it's the version that the caller asked for. */
  readonly version: Version | undefined
  /** The packet's protocol level, once it has been read. */
  readonly level: number | undefined
  /** The packet's layout, once type and version are known. */
  readonly format: Format | undefined
  /** The protocol name and level that such a packet begins with. Empty if it names none. */
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

/** The index after the checked bytes, or their fault. */
export type Step = number | Fault

/** Checks bytes whose framing is already known to be right. */
export type Check = (bytes: Buffer, start: number) => Fault | undefined

/** Optional details of a fault. */
export interface FaultOptions extends FaultDetails {
  /** The problem with the field, without quoting the packet. Default: the text in the error table. */
  readonly problem?: string | undefined
  /** The broken clause. Default: the packet type's clause for this code, otherwise the error table's, otherwise the field's section. */
  readonly clause?: Clause | undefined
}

/** Creates the fault of a packet that is read in this context. */
export function fault(
  context: Context,
  code: ErrorCode,
  field: Field,
  offset: number,
  options: FaultOptions = none,
): Fault {
  const { version, level, format } = context
  // Keeps members of Object.prototype out of errors.
  const own = copyOwn(options)
  const clause = own.clause ?? format?.clauses[code] ?? errorRow(code).clause ?? field.section
  const known = { protocolName: version?.protocolName, protocolLevel: level }
  const details = level === undefined ? own : Object.assign(own, known)
  const text = clauseOf(clause, version ?? newestVersion, format?.type)
  return new Fault(code, field.name, offset, text, own.problem, version, details)
}

const none: FaultOptions = {}

/** The same as `fault`, but `undefined` if `allow` relaxes the rule. */
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
