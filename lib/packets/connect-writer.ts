import { Buffer } from 'buffer'
import { outOfRange } from '../errors/misuse.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import { variableByteIntegerLength, writeTwoByteInteger, writeVariableByteInteger } from '../wire/integers.ts'
import { sharedMemory } from '../wire/shared-memory.ts'
import { PAST_END } from '../wire/utf8.ts'
import type { FlagRule } from './connect-scan.ts'
import { type Property, propertiesSize, writeProperties } from './properties.ts'
import { connectPlace, type PropertyPlace, willPlace } from './property-places.ts'
import {
  binaryDataSize,
  changed,
  checkInteger,
  utf8StringSize,
  writeBinaryData,
  writeTopicName,
  writeUtf8String,
} from './values.ts'
import { checkWill, type WillFields, willSize } from './will.ts'

/*
 * The writer of both versions. Most packets hold nothing but plain ASCII and numbers in their range: `writePlain`
 * writes such a packet at one go, and what it has written needs no scan, as it takes nothing that a rule could
 * forbid. What is in doubt is checked, measured and written by `writeMeasured`: that says what is misuse, and the
 * scan that must follow says whether the rest is a packet.
 */

/** What a packet is built from, whatever its version. */
export interface ConnectFields {
  readonly keepAlive: number
  readonly clientId: string
  readonly will?: WillFields | undefined
  readonly userName?: string | undefined
  readonly password?: Uint8Array | string | undefined
  readonly props?: readonly Property[] | undefined
}

/** The same, each read once: a getter may give something else the next time. */
interface Contents {
  readonly version: ProtocolVersion
  readonly clean: boolean
  readonly keepAlive: number
  readonly clientId: string
  readonly will: WillFields | undefined
  readonly userName: string | undefined
  readonly password: Uint8Array | string | undefined
  /** Of 5.0 alone. */
  readonly props: readonly Property[]
}

const noProperties: readonly Property[] = []

/** How much memory plain packets share, in bytes: as much as Node's own small buffers do. */
const SHARED_SIZE = 8192
/** What is left of it is not worth a try, in bytes. */
const LEFT_OVER = 512
/** The room for a fixed header of up to two bytes of remaining length. */
const HEADER_ROOM = 3

/** The memory that plain packets share, and how much of it they have. */
interface Shared {
  readonly bytes: Buffer
  used: number
}

let shared: Shared | undefined

/**
 * The bytes of a packet, as good as if they had been scanned.
 *
 * @param brokenBy the rules that each of the 256 connect flags breaks
 * @param check throws what is wrong with bytes
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is of the wrong type, `ERR_INVALID_ARG_VALUE` if there is a field
 *   that a will does not have, or a getter that does not give the same twice.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
 */
export function writeConnect(
  version: ProtocolVersion,
  clean: boolean,
  fields: ConnectFields,
  brokenBy: readonly (readonly FlagRule[])[],
  check: (bytes: Buffer) => void,
): Buffer {
  const { keepAlive, clientId, will, userName, password, props = noProperties } = fields
  checkInteger('keepAlive', keepAlive, 0xffff)
  if (will !== undefined) checkWill(will)
  const contents = { version, clean, keepAlive, clientId, will, userName, password, props }
  const plain = writePlain(contents, brokenBy)
  if (plain !== undefined) return plain
  const bytes = writeMeasured(contents)
  check(bytes)
  return bytes
}

/** A packet of plain contents; `undefined` if that is in doubt. */
function writePlain(contents: Contents, brokenBy: readonly (readonly FlagRule[])[]): Buffer | undefined {
  const memory = shared ?? { bytes: sharedMemory(SHARED_SIZE), used: 0 }
  // A getter may build a packet too: it must not find this memory while it is written to.
  shared = undefined
  const { bytes } = memory
  const start = memory.used + HEADER_ROOM
  const end = writeContents(bytes, start, contents, true)
  const remainingLength = end - start
  const isPlain = end <= bytes.length && brokenBy[bytes[start + 7]!]!.length === 0
  const first = start - 1 - variableByteIntegerLength(remainingLength)
  if (isPlain) {
    writeFixedHeader(bytes, first, remainingLength)
    memory.used = end
  }
  if (memory.used + LEFT_OVER <= bytes.length) shared = memory
  return isPlain ? bytes.subarray(first, end) : undefined
}

/** A packet of any contents, to be scanned. */
function writeMeasured(contents: Contents): Buffer {
  const remainingLength = contentsSize(contents)
  if (remainingLength > MAX_VARIABLE_BYTE_INTEGER) {
    throw outOfRange('remainingLength', `at most ${MAX_VARIABLE_BYTE_INTEGER} bytes`, remainingLength)
  }
  const bytes = Buffer.allocUnsafe(1 + variableByteIntegerLength(remainingLength) + remainingLength)
  const start = writeFixedHeader(bytes, 0, remainingLength)
  // What goes past the end is not written, but counted.
  if (writeContents(bytes, start, contents, false) !== bytes.length) throw changed()
  return bytes
}

/** Checks the values whose size is not fixed, and returns the remaining length. */
function contentsSize(contents: Contents): number {
  const { version, clientId, will, userName, password, props } = contents
  let size = 10 + utf8StringSize('clientId', clientId)
  if (version === ProtocolVersion.v5) size += prefixedPropertiesSize(props, connectPlace)
  if (will !== undefined) {
    size += willSize(will)
    if (version === ProtocolVersion.v5) size += prefixedPropertiesSize(will.props ?? noProperties, willPlace)
  }
  if (userName !== undefined) size += utf8StringSize('userName', userName)
  if (password !== undefined) size += binaryDataSize('password', password)
  return size
}

function prefixedPropertiesSize(props: readonly Property[], place: PropertyPlace): number {
  const size = propertiesSize(props, place)
  return variableByteIntegerLength(size) + size
}

/**
 * Writes variable header and payload from `start` on and returns the index after them.
 *
 * @param plain to return `PAST_END`, or a number as large, if anything might break a rule, but for the connect flags
 */
function writeContents(bytes: Uint8Array, start: number, contents: Contents, plain: boolean): number {
  const { version, clean, keepAlive, clientId, will, userName, password, props } = contents
  let at = writeProtocol(bytes, start, version)
  bytes[at++] = connectFlags(clean, will, userName, password)
  at = writeTwoByteInteger(bytes, at, keepAlive)
  if (version === ProtocolVersion.v5) at = writeProperties(bytes, at, props, connectPlace, plain)
  // Whether it may be empty depends.
  if (plain && clientId === '') return PAST_END
  at = writeUtf8String(bytes, at, clientId, plain)
  if (will !== undefined) {
    const { topic, message, props = noProperties } = will
    if (version === ProtocolVersion.v5) at = writeProperties(bytes, at, props, willPlace, plain)
    at = writeTopicName(bytes, at, topic, plain)
    at = writeBinaryData(bytes, at, message, plain)
  }
  if (userName !== undefined) at = writeUtf8String(bytes, at, userName, plain)
  if (password !== undefined) at = writeBinaryData(bytes, at, password, plain)
  return at
}

function writeFixedHeader(bytes: Uint8Array, at: number, remainingLength: number): number {
  bytes[at] = ControlPacketType.connect
  return writeVariableByteInteger(bytes, at + 1, remainingLength)
}

/** Writes the protocol name "MQTT" and the level; returns the index after them. */
function writeProtocol(bytes: Uint8Array, at: number, version: ProtocolVersion): number {
  bytes[at] = 0
  bytes[at + 1] = 4
  bytes[at + 2] = 0x4d
  bytes[at + 3] = 0x51
  bytes[at + 4] = 0x54
  bytes[at + 5] = 0x54
  bytes[at + 6] = version
  return at + 7
}

function connectFlags(
  clean: boolean,
  will: WillFields | undefined,
  userName: string | undefined,
  password: Uint8Array | string | undefined,
): number {
  let flags = clean ? ConnectFlag.clean : 0
  if (will !== undefined) {
    flags |= ConnectFlag.will | ((will.qos ?? 0) << WILL_QOS_SHIFT)
    if (will.retain) flags |= ConnectFlag.willRetain
  }
  if (userName !== undefined) flags |= ConnectFlag.userName
  if (password !== undefined) flags |= ConnectFlag.password
  return flags
}
