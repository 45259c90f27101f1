import type { ErrorCode, RelaxableCode } from '../errors/error-table.ts'
import { Fault, type FaultContext } from '../errors/fault.ts'
import { BRIDGE_BIT, type Version, versions } from '../protocol/version.ts'
import { type Field, leftOverField, type TopicField, type Utf8Field } from './fields.ts'
import { INCOMPLETE, readTwoByteInteger, TOO_LONG, variableByteIntegerEnd } from './integers.ts'
import { firstInvalidByte } from './utf8.ts'

/*
 * The steps of a check. Each one checks the field that begins at `at` and must not go past `end`. It returns the index after
 * the field, or a Fault. The steps keep no state and allocate nothing, and what is rare is in functions of its own, so that
 * the engine can inline the rest. That is most of the speed of decoding.
 */

/** The index after what has been checked, or what is wrong with it. */
export type Step = number | Fault

/**
 * Called for each field that a check reads, in wire order. The field is at `start` to `end`; its content begins at `content`,
 * which is after the length prefix if there is one. A field with an error is reported before its Fault is returned; one that
 * runs past the end is reported as far as it goes.
 */
export type Observer = (field: Field, start: number, content: number, end: number) => void

/** Which versions, and which of their rules, a check enforces. It never changes, so it serves any number of packets. */
export class Rules {
  /** The version of the packet or, until its protocol level has been read, the version asked for. */
  readonly version: Version | undefined
  /** The level in the packet, once that has been read. */
  readonly level: number | undefined
  /** Whether the packet is a CONNACK. */
  readonly isConnack: boolean
  #inConnack: Rules | undefined = undefined
  /** The rules that are not enforced. */
  readonly allow: ReadonlySet<RelaxableCode>
  readonly observer: Observer | undefined
  /** How a packet with that level begins: protocol name and level. */
  readonly header: Uint8Array
  /** By protocol level, what applies to the rest of a packet with that level. Levels that are not accepted are absent. */
  readonly byLevel: readonly (Rules | undefined)[]

  constructor(
    version: Version | undefined,
    allow: ReadonlySet<RelaxableCode> = nothing,
    observer?: Observer,
    level?: number,
    isConnack = false,
  ) {
    this.version = version
    this.level = level
    this.isConnack = isConnack
    this.allow = allow
    this.observer = observer
    this.header = level === undefined ? noHeader : headerWith(version!, level)
    this.byLevel = level === undefined && !isConnack ? this.#accepted() : []
  }

  #accepted(): (Rules | undefined)[] {
    const rules: (Rules | undefined)[] = new Array(versions.at(-1)!.level + 1).fill(undefined)
    const add = (version: Version, level: number): void => {
      rules[level] = new Rules(version, this.allow, this.observer, level)
    }
    for (const version of this.acceptedVersions) {
      add(version, version.level)
      if (version.hasBridges && this.allow.has('protocol-bridge-level'))
        add(version, version.level | BRIDGE_BIT)
    }
    return rules
  }

  /** The rules for a CONNACK of the version asked for. */
  get inConnack(): Rules {
    this.#inConnack ??= new Rules(this.version, this.allow, this.observer, undefined, true)
    return this.#inConnack
  }

  /** The versions that are accepted, the oldest first. */
  get acceptedVersions(): readonly Version[] {
    if (this.version !== undefined) return [this.version]
    const allow: ReadonlySet<string> = this.allow
    return versions.filter(({ onlyIfAllowed: code }) => code === undefined || allow.has(code))
  }
}

const nothing: ReadonlySet<RelaxableCode> = new Set()
const noHeader = new Uint8Array(0)

function headerWith({ header }: Version, level: number): Uint8Array {
  return header.at(-1) === level ? header : Uint8Array.of(...header.subarray(0, -1), level)
}

/** A field of `length` bytes. */
export function checkFixed(rules: Rules, at: number, end: number, field: Field, length: number): Step {
  const next = at + length
  if (next > end) return pastEnd(rules, at, end, field, 0)
  if (rules.observer !== undefined) rules.observer(field, at, at, next)
  return next
}

/** A variable byte integer in its shortest form [MQTT-1.5.5-1]. */
export function checkVariableByteInteger(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  if (at < end && bytes[at]! < 0x80) {
    if (rules.observer !== undefined) rules.observer(field, at, at, at + 1)
    return at + 1
  }
  const next = checkVariableByteIntegerOfAnyForm(rules, bytes, at, end, field)
  return typeof next === 'number' ? (notShortest(rules, bytes, at, next, field) ?? next) : next
}

/** A variable byte integer in any form. */
export function checkVariableByteIntegerOfAnyForm(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  const next = variableByteIntegerEnd(bytes, at, end)
  if (next === INCOMPLETE) return pastEnd(rules, at, end, field, 0)
  if (next === TOO_LONG) {
    rules.observer?.(field, at, at, at + 4)
    return tooLong(rules, field, at)
  }
  if (rules.observer !== undefined) rules.observer(field, at, at, next)
  return next
}

/** What is wrong with a variable byte integer that goes on after its fourth byte. */
export function tooLong(rules: Rules, field: Field, at: number): Fault {
  return fault(rules, 'variable-byte-integer-too-long', field, at, 'at most 4 bytes', 'more')
}

/** What is wrong with a variable byte integer that is not in its shortest form [MQTT-1.5.5-1]. */
export function notShortest(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  next: number,
  field: Field,
): Fault | undefined {
  // A last byte of 0 adds nothing to the value.
  if (bytes[next - 1] !== 0 || next - at === 1) return undefined
  const code = 'variable-byte-integer-not-shortest'
  return faultUnlessAllowed(rules, code, field, at, 'the shortest form of the integer', 'a longer one')
}

/** Binary data with its length prefix. MQTT 5.0 section 1.5.6. */
export function checkBinaryData(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Field,
): Step {
  const content = at + 2
  const next = content > end ? content : content + readTwoByteInteger(bytes, at)
  if (next > end) return pastEnd(rules, at, end, field, 2)
  if (rules.observer !== undefined) rules.observer(field, at, content, next)
  return next
}

/** A UTF-8 string with its length prefix. MQTT 5.0 section 1.5.4. */
export function checkUtf8String(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: Utf8Field,
): Step {
  const content = at + 2
  const next = content > end ? content : content + readTwoByteInteger(bytes, at)
  if (next > end) return pastEnd(rules, at, end, field, 2)
  if (rules.observer !== undefined) rules.observer(field, at, content, next)
  // Most strings are ASCII. They are checked here, not in a function that checks all of UTF-8.
  for (let i = content; i < next; i++) {
    if (((bytes[i]! - 1) & 0xff) >= 0x7f) return checkMultiByte(rules, bytes, i, next, field)
  }
  return next
}

/** `checkUtf8String` from the first byte that is U+0000 or not ASCII. */
function checkMultiByte(rules: Rules, bytes: Uint8Array, at: number, end: number, field: Utf8Field): Step {
  const invalid = firstInvalidByte(bytes, at, end)
  return invalid < 0 ? end : notWellFormed(rules, bytes, invalid, field)
}

/** A UTF-8 string that is a topic name: not empty, no wildcard. */
export function checkTopicName(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: TopicField,
): Step {
  const next = checkBinaryData(rules, bytes, at, end, field)
  if (typeof next !== 'number' || isAsciiTopic(bytes, at + 2, next)) return next
  return topicFault(rules, bytes, at, next, field) ?? next
}

const PLUS = 0x2b
const HASH = 0x23

/** Whether there is at least one byte, all are ASCII, and none is a wildcard. Such a topic name is valid. */
function isAsciiTopic(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (((byte - 1) & 0xff) >= 0x7f || byte === PLUS || byte === HASH) return false
  }
  return end > start
}

function topicFault(
  rules: Rules,
  bytes: Uint8Array,
  at: number,
  end: number,
  field: TopicField,
): Fault | undefined {
  const start = at + 2
  if (end === start) {
    return faultUnlessAllowed(rules, field.empty, field, at, 'a topic name', 'an empty string')
  }
  const invalid = firstInvalidByte(bytes, start, end)
  const wild = wildcardAt(bytes, start, invalid < 0 ? end : invalid)
  if (wild >= 0) {
    const wildcard = faultUnlessAllowed(rules, field.wildcard, field, wild, 'a topic name', 'a wildcard')
    if (wildcard !== undefined) return wildcard
  }
  return invalid < 0 ? undefined : notWellFormed(rules, bytes, invalid, field)
}

/** The index of the first wildcard of a topic filter, or -1. */
function wildcardAt(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === PLUS || byte === HASH) return at
  }
  return -1
}

/** What is wrong with a field that begins with a length prefix of `prefix` bytes and goes past `end`. */
export function pastEnd(rules: Rules, at: number, end: number, field: Field, prefix: number): Fault {
  rules.observer?.(field, at, Math.min(at + prefix, end), end)
  const code = field.pastEnd ?? 'field-past-end'
  const offset = code === 'packet-incomplete' ? end : at
  return fault(rules, code, field, offset, 'the whole field', 'a part of it')
}

/** What is wrong with a packet that does not end at `at`, after its last field. */
export function endFault(rules: Rules, bytes: Uint8Array, at: number): Fault | undefined {
  return at === bytes.length ? undefined : leftOverFault(rules, bytes, at)
}

function leftOverFault(rules: Rules, bytes: Uint8Array, at: number): Fault | undefined {
  rules.observer?.(leftOverField, at, at, bytes.length)
  const expected = 'the end of the packet'
  return faultUnlessAllowed(rules, 'bytes-left-over', leftOverField, at, expected, 'more bytes')
}

function notWellFormed(rules: Rules, bytes: Uint8Array, at: number, field: Utf8Field): Fault {
  return bytes[at] === 0
    ? fault(rules, field.nul, field, at, 'no U+0000', 'U+0000')
    : fault(rules, field.notUtf8, field, at, 'well-formed UTF-8', 'a byte that is not')
}

/** `fault`, or `undefined` if the rule is relaxed. */
export function faultUnlessAllowed(
  rules: Rules,
  code: ErrorCode,
  field: Field,
  offset: number,
  expected: string,
  got: string,
): Fault | undefined {
  if (rules.allow.has(code as RelaxableCode)) return undefined
  return fault(rules, code, field, offset, expected, got)
}

/**
 * A Fault of a packet that is read by these rules.
 *
 * @param expected what the rule demands, without anything of the packet's contents
 */
export function fault(
  rules: Rules,
  code: ErrorCode,
  field: Field,
  offset: number,
  expected: string,
  got: string,
  context: FaultContext = contextOf(rules),
): Fault {
  return new Fault(code, field.name, offset, expected, got, rules.version, context)
}

function contextOf({ version, level, isConnack }: Rules): FaultContext {
  if (isConnack) return inConnack
  return level === undefined ? none : { protocolName: version?.protocolName, protocolLevel: level }
}

const inConnack: FaultContext = { inConnack: true }
const none: FaultContext = {}
