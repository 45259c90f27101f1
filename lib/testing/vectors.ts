import { Buffer } from 'buffer'
import type { ErrorCode } from '../errors/error-table.ts'
import type { DecodeOptions } from '../packets/decode.ts'
import type { ProtocolVersion } from '../protocol/version.ts'
import { headers, table } from './table.ts'

/**
 * A packet for tests of brokers, clients and codecs, with the expected result.
 *
 * @example
 * const isInvalid = (vector: Vector): boolean => vector.code !== undefined
 * vectors.filter(isInvalid).length > 300 // true
 */
export interface Vector {
  /** A unique name: the property that the packet tests, and the version. */
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
  /**
   * The CONNACK that a server may send before it closes the connection, in the format that the client's version reads, as in
   * `MqttError.connack`. Absent if the standard says to just close.
   */
  readonly answer?: Buffer
  /** Further options that `decode` needs to refuse the packet with this code. */
  readonly options?: Pick<DecodeOptions, 'allow' | 'maximumPacketSize'>
}

const labels: Readonly<Record<Vector['protocolVersion'], string>> = { 3: '3.1', 4: '3.1.1', 5: '5.0' }

/**
 * Packets for tests. For every error code, in every version that has the rule, there are packets that `decode(bytes, {
 * protocolVersion, from, ...options })` refuses with that code. The codes of a connection (`not-connect`, `second-connect`,
 * `not-connack`, `second-connack` and `connect-timeout`) are missing, because no single packet causes them. Vectors without a code
 * are valid packets, many of them at a limit, and `decode` accepts them.
 *
 * If you send them to a broker, send a CONNECT before any other packet (`bytes[0] >> 4 !== 1`). After `packet-incomplete`, the broker
 * waits until you end the connection. Some vectors don't break the standard, so a broker may accept them: those with
 * `options.maximumPacketSize`, and those with the codes `protocol-mqtt-3-1`, `protocol-bridge-level` and `more-than-one-packet`.
 *
 * @example
 * for (const { name, bytes, answer } of vectors.filter(({ from, code }) => from === 'client' && code)) {
 *   console.log(name, bytes, answer)
 * }
 */
export const vectors: readonly Vector[] = read()

/**
 * The packets in the table. A line is a sender, a code and a name; or, after a space, a version, a clause, an answer and options; or
 * the bytes of a packet, to which the latest line of either kind applies.
 */
function read(): Vector[] {
  const found: Vector[] = []
  const counts = new Map<string, number>()
  let group: readonly string[] = []
  let rule: readonly string[] = []
  for (const line of table.trim().split('\n')) {
    if (line.startsWith(' ')) rule = line.trim().split('|')
    else if (line.includes('|')) group = line.split('|')
    else found.push(vectorOf(group, rule, line, counts))
  }
  return found
}

function vectorOf(
  [from, code, what]: readonly string[],
  [level, clause, answer, options]: readonly string[],
  wire: string,
  counts: Map<string, number>,
): Vector {
  const protocolVersion = Number(level) as Vector['protocolVersion']
  const key = `${what}|${level}`
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return {
    name: `${what}${count === 1 ? '' : ` (${count})`} (${labels[protocolVersion]})`,
    bytes: bytesOf(wire.replace('H', headers[protocolVersion]!)),
    protocolVersion,
    from: from as Vector['from'],
    ...(code !== '' && { code: code as ErrorCode }),
    clause: clause!,
    ...(answer && { answer: bytesOf(answer) }),
    ...(options !== undefined && { options: JSON.parse(options) }),
  }
}

/** Decodes hex in which `61*9;` stands for nine times `61`, and `_` for the Remaining Length of the following bytes. */
function bytesOf(wire: string): Buffer {
  const hex = wire.replace(/(..)\*(\d+);/g, (_, byte: string, times: string) => byte.repeat(Number(times)))
  const [first = '', rest] = hex.split('_')
  if (rest === undefined) return Buffer.from(hex, 'hex')
  return Buffer.from(`${first}${lengthOf(rest.length / 2)}${rest}`, 'hex')
}

/** A variable byte integer in hex. */
function lengthOf(value: number): string {
  const byte = value < 0x80 ? value : (value & 0x7f) | 0x80
  return `${byte.toString(16).padStart(2, '0')}${value < 0x80 ? '' : lengthOf(value >>> 7)}`
}
