import { Buffer } from 'buffer'
import { readVariableByteInteger, variableByteIntegerEnd } from '../wire/integers.ts'
import { LONGEST_FIXED_HEADER } from './parser-options.ts'

/**
 * The bytes that have arrived of a packet with an invalid fixed header. They're copied, because the chunk may be large, or used
 * again.
 *
 * @param begun the bytes before the chunk
 * @param rest the chunk from there on
 * @param maximum the maximum number of bytes to return
 * @param isLost true if the end of the packet is unknown, because the bytes aren't MQTT
 */
export function refusedBytes(begun: Buffer, rest: Buffer, maximum: number, isLost: boolean): Buffer {
  const length = Math.min(begun.length + rest.length, maximum)
  const header = Buffer.concat([begun, rest.subarray(0, LONGEST_FIXED_HEADER)]).subarray(
    0,
    LONGEST_FIXED_HEADER,
  )
  const end = variableByteIntegerEnd(header, 1, header.length)
  const size = isLost || end < 0 ? length : Math.min(length, end + readVariableByteInteger(header, 1, end))
  const bytes = Buffer.alloc(size)
  begun.copy(bytes)
  rest.copy(bytes, begun.length)
  return bytes
}
