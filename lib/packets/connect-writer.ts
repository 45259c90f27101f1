import { Buffer } from 'buffer'
import { outOfRange } from '../errors/misuse.ts'
import { ConnectFlag, WILL_QOS_SHIFT } from '../protocol/connect-flags.ts'
import { ControlPacketType } from '../protocol/control-packet-type.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import { variableByteIntegerLength, writeVariableByteInteger } from '../wire/integers.ts'
import { changed, type Measure } from './values.ts'
import type { WillFields } from './will.ts'

/*
 * What the writers of both versions share. They write what they are given; the scan that follows says whether
 * it is a packet.
 */

/**
 * Memory for a CONNECT, with its fixed header written.
 *
 * @param remainingLength the bytes behind the fixed header
 * @throws RangeError `ERR_OUT_OF_RANGE` if there are over 268,435,455.
 */
export function packetBuffer(remainingLength: number): Buffer {
  if (remainingLength > MAX_VARIABLE_BYTE_INTEGER) {
    throw outOfRange('remainingLength', `at most ${MAX_VARIABLE_BYTE_INTEGER} bytes`, remainingLength)
  }
  const bytes = Buffer.allocUnsafe(1 + variableByteIntegerLength(remainingLength) + remainingLength)
  bytes[0] = ControlPacketType.connect
  writeVariableByteInteger(bytes, 1, remainingLength)
  return bytes
}

/** Writes the protocol name "MQTT" and the level; returns the index after them. */
export function writeProtocol(bytes: Uint8Array, at: number, version: ProtocolVersion): number {
  bytes[at] = 0
  bytes[at + 1] = 4
  bytes[at + 2] = 0x4d
  bytes[at + 3] = 0x51
  bytes[at + 4] = 0x54
  bytes[at + 5] = 0x54
  bytes[at + 6] = version
  return at + 7
}

/** The connect flags of a packet to build. */
export function connectFlags(
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

/**
 * Whether what has been written, up to `at`, is as long as it was measured; if not, it is to be measured exactly. What
 * goes past the end of the bytes is not written, but counted.
 *
 * @throws TypeError `ERR_INVALID_ARG_VALUE` if that has been done, or would not help.
 */
export function isAsMeasured(bytes: Uint8Array, at: number, measure: Measure): boolean {
  if (at === bytes.length) return true
  if (at > bytes.length && measure === 'guess') return false
  throw changed()
}
