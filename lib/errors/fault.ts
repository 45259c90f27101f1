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
export interface FaultContext {
  /** The protocol name and level that the packet gives, as far as they have been read. */
  readonly protocolName?: string | undefined
  readonly protocolLevel?: number | undefined
  readonly looksLike?: ForeignProtocol | undefined
  /** Whether the packet is a CONNACK. */
  readonly inConnack?: boolean | undefined
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
  /** What the rule demands and what was found. Neither contains anything of the packet's contents. */
  readonly expected: string
  readonly got: string
  /** The version whose rules were applied. `undefined`: none is known yet. */
  readonly version: Version | undefined
  readonly context: FaultContext

  constructor(
    code: ErrorCode,
    field: string,
    offset: number,
    expected: string,
    got: string,
    version: Version | undefined,
    context: FaultContext,
  ) {
    this.code = code
    this.field = field
    this.offset = offset
    this.expected = expected
    this.got = got
    this.version = version
    this.context = context
  }
}
