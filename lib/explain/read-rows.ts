import type { Buffer } from 'buffer'
import type { Policy } from '../codec/context.ts'
import { fixedHeaderField, leftOverField } from '../codec/fields.ts'
import { packetTypeOf } from '../codec/fixed-header.ts'
import { Fault } from '../errors/fault.ts'
import { copyOwn } from '../errors/misuse.ts'
import { MqttError, MqttErrorOf } from '../errors/mqtt-error.ts'
import {
  type DecodeOptions,
  decodePacket,
  fixedFields,
  lengthsFit,
  type PacketVariant,
  policyOf,
  readTruncated,
} from '../packets/decode.ts'
import { FieldPacket } from '../packets/field-packet.ts'
import { OpaquePacket } from '../packets/opaque-packet.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { newestVersion, ProtocolVersion, type Version, versionOf, versions } from '../protocol/version.ts'
import { variableByteIntegerEnd } from '../wire/integers.ts'
import { foreignProtocol } from '../wire/looks-like.ts'
import { isOnlyCutShort, lacksPassword } from './cut-short.ts'
import {
  beginsPacket,
  chains,
  frameEnd,
  lastEnd,
  MOST_PACKETS,
  restRow,
  unreadRow,
} from './further-packets.ts'
import { isSecretField, ObservedFields } from './observed-fields.ts'
import { holdsConnect } from './paste/looks-like-packet.ts'
import { type ExplanationRow, type ReadPacket, rowsOf, withFault } from './rows.ts'

/** One packet, or bytes that should be one, before they're turned into text. */
export interface FoundPacket {
  /** The offset of the packet from the start of all bytes. */
  readonly start: number
  /** Its number among all packets, from 1 on. */
  readonly number: number
  /** The valid packets before it that are not explained, because there are too many. */
  readonly skipped: ExplanationRow | undefined
  readonly rows: readonly ExplanationRow[]
  /** The packet that `decode` would return, or the error that it would throw. `undefined` if an unreadable byte decides it. */
  readonly outcome: PacketVariant | MqttError | undefined
  /** If nothing tells the packet's version: the packet in each version that fits, newest first. */
  readonly readings: readonly Reading[] | undefined
  /** True if the bytes may be the rest of a secret, which is hidden. */
  readonly isHidden: boolean
}

/** A packet in one of several versions that fit. */
export interface Reading {
  readonly rows: readonly ExplanationRow[]
  readonly packet: PacketVariant
}

/** All packets in some bytes. */
export interface FoundRows {
  readonly packets: readonly FoundPacket[]
  /** The bytes after the last packet that is explained: there were too many packets, or a wrong character in the text. */
  readonly rest?: ExplanationRow | undefined
}

/** All rows in the order of their bytes. */
export function allRows({ packets, rest }: FoundRows): ExplanationRow[] {
  const rows = packets.flatMap(({ skipped, rows }) => (skipped === undefined ? rows : [skipped, ...rows]))
  return rest === undefined ? rows : [...rows, rest]
}

type Options = Pick<DecodeOptions, 'protocolVersion' | 'allow' | 'from'>

/**
 * Explains bytes packet by packet. A CONNECT sets the version of all later packets. If a length in a packet may be wrong, the
 * bytes after that packet are read only if they consist of whole packets.
 *
 * @param next the rest of a text with an invalid character, as in `Stream.rest`: shown, but not interpreted
 */
export function readRows(
  all: Buffer,
  options: Options,
  secrets: boolean,
  next: readonly string[] = [],
): FoundRows {
  const packets: FoundPacket[] = []
  const reader = new PacketsReader(all, options, secrets)
  do packets.push(reader.next())
  while (!reader.isAtEnd && packets.length < MOST_PACKETS)
  if (!reader.isAtEnd) {
    const invalid = reader.nextInvalid()
    if (invalid !== undefined) packets.push(invalid)
  }
  if (!reader.isAtEnd) return { packets, rest: restRow(all, reader.at, all.length, secrets) }
  if (next.length === 0) return { packets, rest: undefined }
  const { outcome, rows, ...last } = packets.pop()!
  const isOpen = outcome instanceof MqttError && outcome.code === 'packet-incomplete'
  packets.push(
    isOpen
      ? { ...last, outcome: undefined, rows: rows.map(({ fault, ...row }) => row) }
      : { ...last, outcome, rows },
  )
  return { packets, rest: unreadRow(next, all.length, secrets) }
}

function isConnect(bytes: Buffer): boolean {
  return packetTypeOf(bytes[0] ?? 0) === ControlPacketType.connect
}

/** UTF-8 without control characters other than tabs and ends of lines, roughly. The first and the last character may be cut. */
const TEXT = /^[\x80-\xbf]*(?:[\t\n\r -~]|[\xc2-\xf4][\x80-\xbf]+)*[\xc2-\xf4]?$/

/** The number of bytes that a protocol name and its length may have behind the end of a packet. */
const NAME_GOES_ON = 7

/** Reads packet after packet, each in the version that the packets before it tell. */
class PacketsReader {
  readonly #all: Buffer
  readonly #options: Options
  readonly #secrets: boolean
  #known: ProtocolVersion
  /** True if all remaining bytes are known to be whole packets. */
  #isChain = false
  #number = 0
  /** True if the rest of a secret may follow: the packet before ends with one, whose length may be wrong, or has an error or more bytes than fields, in which one may be. */
  #isAfterSecret = false
  /** The index after the last whole packet, once that's needed. */
  #end: number | undefined
  readonly #policies = new Map<ProtocolVersion, Policy>()
  /** The index of the next packet. */
  at = 0

  constructor(all: Buffer, options: Options, secrets: boolean) {
    this.#all = all
    this.#options = options
    this.#secrets = secrets
    this.#known = options.protocolVersion ?? ProtocolVersion.undetermined
  }

  get isAtEnd(): boolean {
    return this.at >= this.#all.length
  }

  next(): FoundPacket {
    const { at } = this
    const all = this.#all
    // `PR`, `PO`, `PU` and `PA` begin a PUBREC, too.
    const isForeign = at === 0 && foreignProtocol(all, 0, all.length) !== undefined
    const frame = isForeign ? all : all.subarray(at, frameEnd(all, at))
    const attempts = this.#isOfUnknownVersion(frame) ? readInEachVersion(frame, this.#options) : []
    const found = mostTelling(read(frame, this.#optionsFor(frame), at === 0), attempts)
    this.#lookAt(frame)
    const isDoubtful = at > 0 && (this.#isAfterSecret || isNoPacket(found))
    const last = found.fields.at(-1)
    this.#isAfterSecret ||=
      found.outcome instanceof MqttError ||
      (last !== undefined && (last.field === leftOverField || isSecretField(last)))
    this.#isChain ||= !found.lengthsFit && chains(all, at + frame.length)
    const bytes = found.lengthsFit || this.#isChain ? frame : all.subarray(at)
    const readings = attempts.filter(isReading)
    this.#pass(frame, bytes.length, found.outcome)
    return {
      ...packetOf({ ...found, bytes, isDoubtful }, at, this.#secrets),
      number: this.#number,
      skipped: undefined,
      readings: readings.length > 0 ? readings.map((one) => readingOf(one, at, this.#secrets)) : undefined,
      isHidden: isDoubtful && !this.#secrets,
    }
  }

  /** The next invalid packet, with a row for all the valid ones before it. If there is none, nothing is passed. */
  nextInvalid(): FoundPacket | undefined {
    const start = this.at
    while (!this.isAtEnd) {
      const { at } = this
      const frame = this.#all.subarray(at, frameEnd(this.#all, at))
      const outcome = this.#decode(frame)
      // The fields of a packet tell whether it ends with a secret.
      if (outcome instanceof Fault || outcome instanceof FieldPacket) {
        const found = this.next()
        if (found.outcome instanceof MqttError)
          return at === start ? found : { ...found, skipped: restRow(this.#all, start, at, this.#secrets) }
      } else {
        this.#lookAt(frame)
        this.#pass(frame, frame.length, outcome)
      }
    }
    this.at = start
    return undefined
  }

  /** The packet that `next` would find, or a fault; without the fields, because there may be millions of packets. */
  #decode(frame: Buffer): PacketVariant | Fault {
    if (isConnect(frame)) return decodePacket(frame, this.#policyFor(this.#options.protocolVersion), 2)
    if (!this.#isOfUnknownVersion(frame)) return decodePacket(frame, this.#policyFor(this.#known), 2)
    let outcome: PacketVariant | Fault | undefined
    for (const { level } of versions) {
      outcome = decodePacket(frame, this.#policyFor(level), 2)
      if (!(outcome instanceof Fault)) break
    }
    return outcome!
  }

  #policyFor(protocolVersion: ProtocolVersion = ProtocolVersion.undetermined): Policy {
    const made =
      this.#policies.get(protocolVersion) ?? policyOf(copyOwn({ ...this.#options, protocolVersion }))
    this.#policies.set(protocolVersion, made)
    return made
  }

  /**
   * Ends the doubt about bytes after a secret if the first one can't be text, or if the next ones can't be and all bytes are packets. Otherwise, the
   * secret may end in front of the bytes that can't be text, where the next packet begins.
   */
  #lookAt(frame: Buffer): void {
    if (!this.#isAfterSecret) return
    const bodyAt = variableByteIntegerEnd(frame, 1, frame.length)
    // 0x80 to 0xBF are the types from SUBSCRIBE to UNSUBACK, which begin with any packet identifier. Other packets tell earlier, and what follows a short
    // rest of a secret doesn't count.
    const size = bodyAt + (frame[0]! >> 6 === 2 ? 3 : 1)
    const isText = (length: number): boolean => TEXT.test(frame.toString('latin1', 0, length))
    this.#isAfterSecret = isText(1) && (isText(Math.max(size, 3)) || !this.#arePackets(frame))
  }

  /** True if the frame and all bytes behind it are packets, of which the last one may be cut short. */
  #arePackets(frame: Buffer): boolean {
    this.#end ??= lastEnd(this.#all, this.at)
    const rest = this.#all.subarray(this.#end)
    return this.at + frame.length <= this.#end && (rest.length === 0 || beginsPacket(rest))
  }

  #pass(frame: Buffer, length: number, outcome: PacketVariant | MqttError): void {
    if (isConnect(frame)) this.#known = this.#options.protocolVersion || versionIn(outcome)
    // What looks like another packet is the beginning of a frame around a CONNECT, whose password may follow.
    else
      this.#isAfterSecret ||= holdsConnect(this.#all.subarray(this.at, this.at + frame.length + NAME_GOES_ON))
    this.#number++
    this.at += length
  }

  #isOfUnknownVersion(frame: Buffer): boolean {
    return this.#known === ProtocolVersion.undetermined && !isConnect(frame)
  }

  #optionsFor(frame: Buffer): Options {
    return isConnect(frame) ? this.#options : copyOwn({ ...this.#options, protocolVersion: this.#known })
  }
}

function packetOf(
  found: ReadPacket,
  start: number,
  secrets: boolean,
): Pick<FoundPacket, 'start' | 'rows' | 'outcome'> {
  const { outcome } = found
  const rows = rowsOf(found, start, secrets)
  return { start, outcome, rows: outcome instanceof MqttError ? withFault(rows, outcome, start) : rows }
}

function readingOf(found: ValidPacket, start: number, secrets: boolean): Reading {
  return { rows: rowsOf(found, start, secrets), packet: found.outcome }
}

type ValidPacket = ReadPacket & { readonly outcome: PacketVariant }

/** True if the first byte can't begin a packet. */
function isNoPacket({ outcome }: ReadPacket): boolean {
  return outcome instanceof MqttError && outcome.field === fixedHeaderField.name
}

/** True if all fields of a packet have been read. */
function isReading(found: ReadPacket): found is ValidPacket {
  return found.outcome instanceof FieldPacket
}

/** The packet in each version that has its type, newest first. */
function readInEachVersion(bytes: Buffer, options: Options): ReadPacket[] {
  return versions
    .toReversed()
    .map(({ level }) => read(bytes, copyOwn({ ...options, protocolVersion: level })))
    .filter((one) => !isNoPacket(one))
}

/**
 * The reading in the newest version that fits. If none fits but one is needed, or if the packet is cut short, the reading whose
 * lengths fit, or the one that got furthest.
 */
function mostTelling(found: ReadPacket, attempts: readonly ReadPacket[]): ReadPacket {
  const reading = attempts.find(isReading)
  if (reading !== undefined || attempts.length === 0) return reading ?? found
  const score = ({ lengthsFit, fields }: ReadPacket): number => (lengthsFit ? 1_000 : 0) + fields.length
  const best = attempts.reduce((best, one) => (score(one) > score(best) ? one : best))
  const { outcome } = found
  // A packet whose body isn't decoded is valid if any version allows the form of its Remaining Length.
  if (attempts.some((one) => one.outcome instanceof OpaquePacket)) return found
  if (!(outcome instanceof MqttError)) return best.outcome instanceof MqttError ? best : found
  return outcome.code === 'packet-incomplete' && best.fields.length > found.fields.length
    ? { ...best, outcome }
    : found
}

/**
 * Decodes bytes that should be one packet, and observes the fields.
 *
 * @param isFirst true at the start of a connection. Only there, bytes may belong to another protocol: `0d 0a`, for example, is a
 *   PROXY protocol header only there.
 */
function read(bytes: Buffer, options: Options, isFirst = true): ReadPacket {
  const observed = new ObservedFields()
  const policy = policyOf(options, observed.observer)
  const found = decodePacket(bytes, policy, 2)
  const isTruncated = found instanceof Fault && found.code === 'packet-incomplete'
  const more = isTruncated ? readTruncated(bytes, policy) : found
  const known = more instanceof Fault ? more.version : versionOfPacket(more)
  const version = known ?? policy.version ?? newestVersion
  // An invalid first byte is refused before any field is observed.
  if (observed.isEmpty && bytes.length > 0) observed.observer(fixedHeaderField, 0, 0, 1)
  const isInvalid = found instanceof Fault
  const fields = observed.end(isInvalid)
  const isCut = isTruncated && isOnlyCutShort(bytes, fields, more)
  return {
    bytes,
    version,
    outcome: isInvalid ? new MqttErrorOf(isFirst ? found : found.ofMqtt()) : found,
    fields,
    isCut: isCut && !lacksPassword(bytes, fields),
    // If the fields end early, either the Remaining Length is wrong, or the sender has left out a field.
    lengthsFit: !isInvalid || isCut || (!isTruncated && lengthsFit(bytes, version)),
    fixed: fixedFields(bytes, version),
    isDoubtful: false,
  }
}

function versionOfPacket(packet: PacketVariant): Version | undefined {
  return versionOf(versionIn(packet))
}

function versionIn(outcome: PacketVariant | MqttError): ProtocolVersion {
  return outcome instanceof OpaquePacket ? ProtocolVersion.undetermined : outcome.protocolVersion
}
