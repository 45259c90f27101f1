import type { Buffer } from 'buffer'
import type { Fault } from '../errors/fault.ts'
import { outOfRange, wrongValue } from '../errors/misuse.ts'
import { MqttErrorOf } from '../errors/mqtt-error.ts'
import { MAX_VARIABLE_BYTE_INTEGER } from '../protocol/limits.ts'
import { variableByteIntegerLength, writeVariableByteInteger } from '../wire/integers.ts'
import { SharedMemory } from '../wire/memory.ts'

/**
 * Writes variable header and payload from `at` on and returns the index after them. If that is past the end of the bytes,
 * there was no room for them, and what has been written does not count.
 */
export type Write<Contents> = (bytes: Uint8Array, at: number, contents: Contents) => number

/** What is wrong with a packet whose variable header begins at `start`. */
export type Check = (bytes: Buffer, start: number) => Fault | undefined

/** How much memory built packets share, in bytes: as much as Node's own small buffers. */
const SHARED_SIZE = 8192
/** The longest fixed header of a packet that fits the shared memory, in bytes. */
const HEADER_ROOM = 3

const memory = new SharedMemory(SHARED_SIZE)

/**
 * The bytes of a packet. It is written, and then always checked as if it had been received: each rule has one place, the check.
 *
 * @param first the first byte of the packet
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if a field has a value that no packet can hold.
 * @throws RangeError `ERR_OUT_OF_RANGE` if a number, a length or the whole packet is too large.
 * @throws MqttError if the contents break a rule.
 */
export function encodePacket<Contents>(
  first: number,
  contents: Contents,
  write: Write<Contents>,
  check: Check,
): Buffer {
  const { used } = memory
  const block = memory.lend()
  const start = used + HEADER_ROOM
  const end = write(block, start, contents)
  if (end > block.length) {
    memory.giveBack(block, used)
    return encodeLarge(first, contents, write, check, end - start)
  }
  const remainingLength = end - start
  const headerAt = start - 1 - variableByteIntegerLength(remainingLength)
  writeFixedHeader(block, headerAt, first, remainingLength)
  return passed(memory.keep(block, headerAt, end), start - headerAt, check)
}

/** `encodePacket` for a packet that the block of shared memory has no room for. */
function encodeLarge<Contents>(
  first: number,
  contents: Contents,
  write: Write<Contents>,
  check: Check,
  remainingLength: number,
): Buffer {
  if (remainingLength > MAX_VARIABLE_BYTE_INTEGER) {
    throw outOfRange('remainingLength', `at most ${MAX_VARIABLE_BYTE_INTEGER} bytes`)
  }
  const bytes = memory.take(1 + variableByteIntegerLength(remainingLength) + remainingLength)
  const start = writeFixedHeader(bytes, 0, first, remainingLength)
  // A getter may return another value now. Then memory would stay unwritten, or a field would be cut.
  if (write(bytes, start, contents) !== bytes.length) {
    throw wrongValue('fields', 'values that do not change while they are written')
  }
  return passed(bytes, start, check)
}

function writeFixedHeader(bytes: Uint8Array, at: number, first: number, remainingLength: number): number {
  bytes[at] = first
  return writeVariableByteInteger(bytes, at + 1, remainingLength)
}

function passed(bytes: Buffer, start: number, check: Check): Buffer {
  const fault = check(bytes, start)
  if (fault === undefined) return bytes
  const error = new MqttErrorOf(fault)
  refusedBytes.set(error, bytes)
  throw error
}

/** What has been written of packets that the check refuses, for tests that send invalid packets on purpose. */
export const refusedBytes: WeakMap<object, Buffer> = new WeakMap()
