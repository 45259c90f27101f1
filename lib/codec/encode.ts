import type { Buffer } from 'buffer'
import { checkNames, checkPlain, copyOwn, outOfRange } from '../errors/misuse.ts'
import { MqttErrorOf } from '../errors/mqtt-error.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import { variableByteIntegerLength, writeVariableByteInteger } from '../wire/integers.ts'
import { SharedMemory } from '../wire/memory.ts'
import type { Context, Format } from './context.ts'
import { check, variableHeaderAt, write } from './layout.ts'

/** How much memory built packets share, in bytes: as much as Node's own small buffers. */
const SHARED_SIZE = 8192
/** The longest fixed header of a packet that fits the shared memory, in bytes. */
const HEADER_ROOM = 3

const memory = new SharedMemory(SHARED_SIZE)

/**
 * The bytes of a packet, not checked yet. First everything is read, then everything is written: a getter of the caller may build
 * another packet, so none must be called while memory is written to.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if a field has a value that no packet can hold
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number, a length or the whole packet is too large
 */
export function encode(format: Format, fields: object): Buffer {
  checkPlain('fields', fields)
  checkNames('fields', fields, format.names)
  const contents = format.read((format.isPolluted() ? copyOwn(fields) : fields) as never) as never
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
 * The bytes of a packet, checked as if they had been received: each rule has one place, the check. Throws as `encode`.
 *
 * @param context for the check. Default: all rules.
 * @throws MqttError if the contents break a rule
 */
export function build(format: Format, fields: object, context: Context = format.strict): Buffer {
  const bytes = encode(format, fields)
  const fault = check(context, bytes, variableHeaderAt(bytes), format)
  if (fault !== undefined) throw new MqttErrorOf(fault)
  return bytes
}

/** `encode` for a packet that the block of shared memory has no room for. */
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
