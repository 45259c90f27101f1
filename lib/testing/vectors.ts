import { Buffer } from 'buffer'
import type { ErrorCode } from '../errors/error-table.ts'
import type { DecodeOptions } from '../packets/decode.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { invalidFromClients } from './invalid-from-clients.ts'
import { invalidFromServers } from './invalid-from-servers.ts'
import { valid } from './valid.ts'

/**
 * A packet for tests of brokers, clients and codecs, and what becomes of it.
 *
 * @example
 * const isInvalid = (vector: Vector): boolean => vector.code !== undefined
 * vectors.filter(isInvalid).length > 300 // true
 */
export interface Vector {
  /** What is special about the packet, with the version. Unique. */
  readonly name: string
  /** The packet, or as much of it as is sent. */
  readonly bytes: Buffer
  /** The version whose rules apply. */
  readonly protocolVersion: Exclude<ProtocolVersion, 0>
  /** Who sends such a packet. */
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

const levels = { 3.1: 3, '3.1.1': 4, '5.0': 5 } as const

/**
 * Packets for tests. For every error code and every version that has its rule, there are packets that
 * `decode(bytes, { protocolVersion, from, ...options })` refuses with that code, except for the codes of a connection
 * (`not-connect`, `second-connect` and `connect-timeout`), which no single packet causes. Vectors without a code are valid packets,
 * many of them at a limit: `decode` accepts them.
 *
 * @example
 * for (const { name, bytes, answer } of vectors.filter(({ from, code }) => from === 'client' && code)) {
 *   console.log(name, bytes, answer)
 * }
 */
export const vectors: readonly Vector[] = [
  ...rowsOf(invalidFromClients, 'client'),
  ...rowsOf(invalidFromServers, 'server'),
  ...rowsOf(valid),
]

/** The vectors of a table whose columns are separated by `|`. */
function rowsOf(table: string, from?: Vector['from']): Vector[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [label, code, clause, wire, answer, name, options] = line.split('|') as Columns
      const bytes = bytesOf(wire)
      return {
        name: `${name} (${label})`,
        bytes,
        protocolVersion: levels[label],
        from: from ?? (bytes[0]! >> 4 === 2 ? 'server' : 'client'),
        ...(code !== '' && { code: code as ErrorCode }),
        clause,
        ...(answer !== '' && { answer: bytesOf(answer) }),
        ...(options !== undefined && { options: JSON.parse(options) }),
      }
    })
}

type Columns = [keyof typeof levels, string, string, string, string, string, string?]

/** Bytes in hex, in which `61*9;` is nine times `61`. */
function bytesOf(wire: string): Buffer {
  return Buffer.from(
    wire.replace(/(..)\*(\d+);/g, (_, byte: string, times: string) => byte.repeat(Number(times))),
    'hex',
  )
}
