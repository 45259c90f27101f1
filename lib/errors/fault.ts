import type { Version } from '../protocol/version.ts'
import type { ErrorCode } from './error-table.ts'
import { copyOwn } from './misuse.ts'

/**
 * The protocol of bytes that aren't MQTT, judged by the first few bytes.
 *
 * @example
 * const hints: Record<ForeignProtocol, string> = {
 *   tls: 'Is the client set to mqtts?',
 *   http: 'Is the client set to ws?',
 *   'proxy-v1': 'Switch off the PROXY protocol.',
 *   'proxy-v2': 'Switch off the PROXY protocol.',
 * }
 */
export type ForeignProtocol = 'tls' | 'http' | 'proxy-v1' | 'proxy-v2'

/** Further details that may be known about a fault. */
export interface FaultDetails {
  /** The packet's protocol name and level, as far as they have been read. */
  readonly protocolName?: string | undefined
  readonly protocolLevel?: number | undefined
  readonly looksLike?: ForeignProtocol | undefined
}

/**
 * The first violation that a check finds. It's a plain value, because a peer can send violations as fast as packets, and creating
 * an error takes microseconds. It becomes an `MqttError` where it leaves the library.
 */
export class Fault {
  readonly code: ErrorCode
  /** The name of the field. */
  readonly field: string
  /** The position in bytes from the start of the packet. */
  readonly offset: number
  /** The broken clause, in the standard of that version. */
  readonly clause: string
  /** The problem with the field, without quoting the packet. Default: the text in the error table. */
  readonly problem: string | undefined
  /** The version whose rules were applied. `undefined` as long as none is known. */
  readonly version: Version | undefined
  readonly details: FaultDetails

  constructor(
    code: ErrorCode,
    field: string,
    offset: number,
    clause: string,
    problem: string | undefined,
    version: Version | undefined,
    details: FaultDetails,
  ) {
    this.code = code
    this.field = field
    this.offset = offset
    this.clause = clause
    this.problem = problem
    this.version = version
    this.details = details
  }

  /** The same fault inside a connection, whose bytes can't be those of another protocol. */
  ofMqtt(): Fault {
    const { code, field, offset, clause, problem, version, details } = this
    const own = copyOwn({ ...details, looksLike: undefined })
    return new Fault(code, field, offset, clause, problem, version, own)
  }
}
