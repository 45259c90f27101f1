import { namesOf, wrongType } from '../errors/misuse.ts'
import type { ConnectPacket } from './connect/formats.ts'
import type { PacketVariant, ReadOptions } from './decode.ts'

/**
 * The options of a `PacketParser`.
 *
 * @example
 * const options: PacketParserOptions = { connection: true, maximumPacketSize: 4096 }
 * const parser = new PacketParser(options)
 */
export interface PacketParserOptions extends ReadOptions {
  /**
   * The largest packet accepted, in bytes: a positive integer or `Infinity`. It is checked as soon as the fixed header has
   * arrived. Default 65,536.
   */
  readonly maximumPacketSize?: number | undefined
  /**
   * What the bytes are. False: a sequence of CONNECT packets; anything else is an error. True: one network connection, CONNECT
   * first and only once, then any packets. Default false.
   */
  readonly connection?: boolean | undefined
}

/**
 * The type of options that are not given. The packets are then CONNECT packets.
 *
 * @example
 * const parser: PacketParser<NoOptions> = new PacketParser()
 */
export type NoOptions = Record<never, never>

/**
 * The packets that these options let through: any with `connection: true`, otherwise only CONNECT.
 *
 * @example
 * type Packets = ParsedPacket<{ connection: true }> // PacketVariant
 */
export type ParsedPacket<Options> = Options extends { readonly connection?: infer Connection }
  ? unknown extends Connection
    ? ConnectPacket
    : true extends Connection
      ? PacketVariant
      : ConnectPacket
  : ConnectPacket

export const optionNames: readonly string[] = namesOf<PacketParserOptions>({
  protocolVersion: true,
  allow: true,
  maximumPacketSize: true,
  connection: true,
  from: true,
})

/** How many bytes a fixed header can take. */
export const LONGEST_FIXED_HEADER = 5

/** Whether the bytes are those of one network connection. @throws TypeError `ERR_INVALID_ARG_TYPE` */
export function isConnection({ connection = false }: PacketParserOptions): boolean {
  if (typeof connection !== 'boolean') throw wrongType('connection', 'a boolean', connection)
  return connection
}
