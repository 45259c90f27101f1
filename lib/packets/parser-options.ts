import { namesOf, wrongType, wrongValue } from '../errors/misuse.ts'
import { ProtocolVersion } from '../protocol/version.ts'
import type { ConnectPacket } from './connect/any-version.ts'
import type { PacketVariant, ReadOptions } from './decode.ts'
import type { Expected } from './packet-order.ts'

/**
 * The options of a `PacketParser`.
 *
 * @example
 * const options: PacketParserOptions = { from: 'server', protocolVersion: ProtocolVersion.v5 }
 * const parser = new PacketParser(options)
 */
export interface PacketParserOptions extends ReadOptions {
  /**
   * The largest packet accepted, in bytes: a positive integer or `Infinity`. Checked as soon as the fixed header has arrived.
   * Default 65,536.
   */
  readonly maximumPacketSize?: number | undefined
  /**
   * The side of the connection that sends the bytes. A client sends one CONNECT first, then any other packets in the CONNECT's
   * version. A server, which needs a `protocolVersion`, sends any number of AUTH packets, then one CONNACK, then any packets but
   * CONNECT. An AUTH or a DISCONNECT with a reason code or a property that only the other side may send is refused. Default: as for
   * `'client'`, but without that last check.
   */
  readonly from?: 'client' | 'server' | undefined
  /**
   * True if the bytes are those of one network connection. False for a sequence of CONNECT packets, for example in a file, where
   * all other packets are errors. Default true.
   */
  readonly connection?: boolean | undefined
}

/**
 * The packets that a parser with these options returns: any, or only CONNECT with `connection: false`.
 */
export type ParsedPacket<Options> = Options extends { readonly connection: false }
  ? ConnectPacket
  : PacketVariant

export const optionNames: readonly string[] = namesOf<PacketParserOptions>({
  protocolVersion: true,
  allow: true,
  maximumPacketSize: true,
  connection: true,
  from: true,
})

/**
 * The packets that the options permit.
 *
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` if an option is invalid, or contradicts another one
 */
export function expectedBy(options: PacketParserOptions): Expected {
  const { connection = true, from = 'client', protocolVersion = ProtocolVersion.undetermined } = options
  if (typeof connection !== 'boolean') throw wrongType('connection', 'a boolean', connection)
  if (from !== 'server') return connection ? 'from client' : 'connects'
  if (!connection)
    throw wrongValue('connection', "true with from: 'server', because a server sends no CONNECT")
  if (protocolVersion === ProtocolVersion.undetermined) {
    throw wrongValue(
      'protocolVersion',
      "the version with from: 'server', because no packet of a server names it",
    )
  }
  return 'from server'
}
