import type { Version } from '../protocol/version.ts'
import type { ErrorCode } from './error-table.ts'

/**
 * What bytes that are not MQTT look like, judged by the first of them.
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

/** What else may be known about a fault. */
export interface FaultDetails {
  /** The protocol name and level that the packet gives, as far as they have been read. */
  readonly protocolName?: string | undefined
  readonly protocolLevel?: number | undefined
  readonly looksLike?: ForeignProtocol | undefined
}

/**
 * The first violation that a check finds: a value, because a peer may send violations as fast as packets and an error takes
 * microseconds to create. It becomes an `MqttError` where it leaves the library.
 */
export class Fault {
  readonly code: ErrorCode
  /** The name of the field. */
  readonly field: string
  /** The position in bytes from the start of the packet. */
  readonly offset: number
  /** The broken clause in the standard of that version. */
  readonly clause: string
  /** What is wrong with the field, without anything of the packet's contents. Default: what the error table says. */
  readonly problem: string | undefined
  /** The version whose rules were applied. `undefined`: none is known yet. */
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
}
