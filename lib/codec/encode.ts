import type { Buffer } from 'buffer'
import { membersToRead, outOfRange } from '../errors/misuse.ts'
import { MqttErrorOf } from '../errors/mqtt-error.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import { variableByteIntegerLength, writeVariableByteInteger } from '../wire/integers.ts'
import { SharedMemory } from '../wire/shared-memory.ts'
import type { Context, Format } from './context.ts'
import { check, variableHeaderAt, write } from './layout.ts'

/** The size in bytes of the memory that built packets share: the same as for Node's own small buffers. */
const SHARED_SIZE = 8192
/** The longest fixed header of a packet that fits into shared memory, in bytes. */
const HEADER_ROOM = 3

const memory = new SharedMemory(SHARED_SIZE)

/**
 * Encodes a packet without checking it. All fields are read before the first byte is written, because a caller's getter could
 * build another packet in the same shared memory.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if a field has a value that no packet can hold
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number, a length or the whole packet is too large
 */
export function encode(format: Format, fields: object): Buffer {
  const contents = format.read(membersToRead('fields', fields, format.names) as never) as never
  const start = memory.free + HEADER_ROOM
  const { block } = memory
  const end = write(block, start, format, contents)
  const remainingLength = end - start
  if (end > block.length) return encodeLarge(format, contents, remainingLength)
  const headerAt = start - 1 - variableByteIntegerLength(remainingLength)
  writeFixedHeader(block, headerAt, format.type, remainingLength)
  return memory.cut(headerAt, end)
}

/**
 * Encodes a packet and runs the check that received bytes go through, so that every rule has one place. Throws the same errors as
 * `encode`.
 *
 * @param context for the check. Default: all rules apply.
 * @throws MqttError if the contents break a rule
 */
export function build(format: Format, fields: object, context: Context = format.strict): Buffer {
  const bytes = encode(format, fields)
  const fault = check(context, bytes, variableHeaderAt(bytes), format)
  if (fault !== undefined) throw new MqttErrorOf(fault)
  return bytes
}

/** Encodes a packet that doesn't fit into the current block of shared memory. */
function encodeLarge(format: Format, contents: never, remainingLength: number): Buffer {
  if (remainingLength > MAX_VARIABLE_BYTE_INTEGER) {
    throw outOfRange('remainingLength', `at most ${MAX_VARIABLE_BYTE_INTEGER} bytes`)
  }
  const bytes = memory.take(1 + variableByteIntegerLength(remainingLength) + remainingLength)
  write(bytes, writeFixedHeader(bytes, 0, format.type, remainingLength), format, contents)
  return bytes
}

function writeFixedHeader(bytes: Uint8Array, at: number, first: number, remainingLength: number): number {
  bytes[at] = first
  return writeVariableByteInteger(bytes, at + 1, remainingLength)
}
