import { Buffer } from 'buffer'
import type { ErrorCode } from '../errors/error-table.ts'
import type { DecodeOptions } from '../packets/decode.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { invalid_v3_1 } from './invalid-v3-1.ts'
import { invalid_v3_1_1 } from './invalid-v3-1-1.ts'
import { invalid_v5 } from './invalid-v5.ts'
import { valid_v3_1 } from './valid-v3-1.ts'
import { valid_v3_1_1 } from './valid-v3-1-1.ts'
import { valid_v5 } from './valid-v5.ts'

/**
 * A packet for tests of brokers, clients and codecs, with the expected result.
 *
 * @example
 * const isInvalid = (vector: Vector): boolean => vector.code !== undefined
 * vectors.filter(isInvalid).length > 300 // true
 */
export interface Vector {
  /** A unique name: the packet's peculiarity, and the version. */
  readonly name: string
  /** The packet, or the part of it that is sent. */
  readonly bytes: Buffer
  /** The version whose rules apply. */
  readonly protocolVersion: Exclude<ProtocolVersion, 0>
  /** The side that sends such a packet. */
  readonly from: 'client' | 'server'
  /** The code of the `MqttError` that `decode` throws. Absent if the packet is valid. */
  readonly code?: ErrorCode
  /** The clause that an invalid packet breaks, or that allows a valid packet. */
  readonly clause: string
  /** The CONNACK that a server may send before it closes the connection. Absent if the standard says to just close. */
  readonly answer?: Buffer
  /** More options for `decode`, without which the packet isn't refused with this code. */
  readonly options?: Pick<DecodeOptions, 'allow' | 'maximumPacketSize'>
}

/**
 * Packets for tests. For every error code, in every version that has the rule, there are packets that `decode(bytes, {
 * protocolVersion, from, ...options })` refuses with that code. The codes of a connection (`not-connect`, `second-connect` and
 * `connect-timeout`) are missing, because no single packet causes them. Vectors without a code are valid packets, many of them at
 * a limit, and `decode` accepts them.
 *
 * @example
 * for (const { name, bytes, answer } of vectors.filter(({ from, code }) => from === 'client' && code)) {
 *   console.log(name, bytes, answer)
 * }
 */
export const vectors: readonly Vector[] = [
  ...rowsOf(invalid_v3_1, '3.1', 3),
  ...rowsOf(invalid_v3_1_1, '3.1.1', 4),
  ...rowsOf(invalid_v5, '5.0', 5),
  ...rowsOf(valid_v3_1, '3.1', 3),
  ...rowsOf(valid_v3_1_1, '3.1.1', 4),
  ...rowsOf(valid_v5, '5.0', 5),
]

/** The vectors of a table whose columns are separated by `|`. */
function rowsOf(table: string, label: string, protocolVersion: Vector['protocolVersion']): Vector[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [from, code, clause, bytes, answer, name, options] = line.split('|') as Columns
      return {
        name: `${name} (${label})`,
        bytes: bytesOf(bytes),
        protocolVersion,
        from,
        ...(code !== '' && { code: code as ErrorCode }),
        clause,
        ...(answer !== '' && { answer: bytesOf(answer) }),
        ...(options !== undefined && { options: JSON.parse(options) }),
      }
    })
}

type Columns = [Vector['from'], string, string, string, string, string, string?]

/** Bytes in hex. `61*9;` means nine times `61`. */
function bytesOf(wire: string): Buffer {
  return Buffer.from(
    wire.replace(/(..)\*(\d+);/g, (_, byte: string, times: string) => byte.repeat(Number(times))),
    'hex',
  )
}
