import { Buffer } from 'buffer'
import type { Fault } from '../errors/fault.ts'
import { outOfRange } from '../errors/misuse.ts'
import { MqttError } from '../errors/mqtt-error.ts'
import { ConnectFlag } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import { ProtocolVersion } from '../protocol/protocol-version.ts'
import {
  PAST_END,
  variableByteIntegerEnd,
  variableByteIntegerLength,
  writeTwoByteInteger,
  writeVariableByteInteger,
} from '../wire/integers.ts'
import { sharedMemory } from '../wire/shared-memory.ts'
import { viewOfMemory } from '../wire/view.ts'
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
import { noProperties, type WillFields, willFlags, willSize } from './will.ts'

/*
 * The writer of both versions. Most packets hold nothing but well-formed strings without U+0000 and numbers in their
 * range: `writePlain` writes such a packet at one go, and what it has written needs no scan, as it takes nothing that
 * a rule could forbid. What is in doubt is checked, measured and written by `writeMeasured`: that says what is misuse,
 * and the scan that must follow says whether the rest is a packet.
 */

/** What the writer is to know of a version. */
export interface Format {
  readonly version: ProtocolVersion
  /** The rules that each of the 256 connect flags breaks. */
  readonly flagsBroken: readonly (readonly FlagRule[])[]
  /** What is wrong with a packet of this version whose variable header begins at `start`. */
  scan(bytes: Buffer, start: number): Fault | undefined
}

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
  readonly flags: number
  readonly keepAlive: number
  readonly clientId: string
  readonly will: WillFields | undefined
  readonly userName: string | undefined
  readonly password: Uint8Array | string | undefined
  /** Of 5.0 alone. */
  readonly props: readonly Property[]
}

/**
 * The bytes of a packet that breaks no rule.
 *
 * @param clean clean session or clean start
 * @throws TypeError `ERR_INVALID_ARG_TYPE` if a field is of the wrong type, `ERR_INVALID_ARG_VALUE` if there is a field
 *   that a will does not have, a lone surrogate in binary data, or a getter that does not give the same twice.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number or a length does not fit its place in the packet.
 * @throws MqttError if the contents break a rule.
 */
export function writeConnect(format: Format, clean: boolean, fields: ConnectFields): Buffer {
  const { version } = format
  const { keepAlive, clientId, will, userName, password, props = noProperties } = fields
  checkInteger('keepAlive', keepAlive, 0xffff)
  let flags = clean ? ConnectFlag.clean : 0
  if (will !== undefined) flags |= willFlags(will, version)
  if (userName !== undefined) flags |= ConnectFlag.userName
  if (password !== undefined) flags |= ConnectFlag.password
  const contents = { version, flags, keepAlive, clientId, will, userName, password, props }
  if (format.flagsBroken[flags]!.length === 0) {
    const plain = writePlain(contents)
    if (plain !== undefined) return plain
  }
  const bytes = writeMeasured(contents)
  const wrong = format.scan(bytes, variableByteIntegerEnd(bytes, 1, bytes.length))
  if (wrong !== undefined) throw new MqttError(wrong.code, wrong)
  return bytes
}

/** How much memory built packets share, in bytes: as much as Node's own small buffers do. */
const BUILT_SHARED_SIZE = 8192
/** With less room left it is not worth a try, in bytes. */
const LEFT_OVER = 512
/** The room for a fixed header: two bytes of Remaining Length will do for all that the shared memory can hold. */
const HEADER_ROOM = 3

/** The memory that built packets share, and how much of it they have. */
interface Shared {
  readonly bytes: Buffer
  /** The memory of `bytes`, whose first byte it begins with: asking for it takes as long as a view. */
  readonly buffer: ArrayBufferLike
  used: number
}

let shared: Shared | undefined

function newShared(): Shared {
  const bytes = sharedMemory(BUILT_SHARED_SIZE)
  return { bytes, buffer: bytes.buffer, used: 0 }
}

/** A packet of plain contents; `undefined` if that is in doubt, or if there is too little room. */
function writePlain(contents: Contents): Buffer | undefined {
  const memory = shared ?? newShared()
  // A getter may build a packet too: it must not find this memory while it is written to.
  shared = undefined
  const { bytes } = memory
  const start = memory.used + HEADER_ROOM
  const end = writeContents(bytes, start, contents, true)
  if (end > bytes.length) {
    // It may be for want of room: with this the next one has enough.
    if (memory.used <= bytes.length / 2) shared = memory
    return undefined
  }
  const remainingLength = end - start
  const first = start - 1 - variableByteIntegerLength(remainingLength)
  writeFixedHeader(bytes, first, remainingLength)
  memory.used = end
  if (end + LEFT_OVER <= bytes.length) shared = memory
  return viewOfMemory(memory.buffer, first, end - first)
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
 * @param plain to return an index past the end of the bytes if anything but the connect flags might break a rule
 */
function writeContents(bytes: Uint8Array, start: number, contents: Contents, plain: boolean): number {
  const { version, flags, keepAlive, clientId, will, userName, password, props } = contents
  let at = writeProtocol(bytes, start, version)
  bytes[at++] = flags
  at = writeTwoByteInteger(bytes, at, keepAlive)
  if (version === ProtocolVersion.v5) at = writeProperties(bytes, at, props, connectPlace, plain)
  // In 3.1.1 it may be empty only with clean session: left to the scan.
  if (plain && clientId === '' && (flags & ConnectFlag.clean) === 0) return PAST_END
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
