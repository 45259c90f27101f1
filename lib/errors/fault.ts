import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import type { ErrorCode } from './error-table.ts'

/** What bytes that are not MQTT look like, from the first of them. */
export type ForeignProtocol = 'tls' | 'http' | 'proxy-v1' | 'proxy-v2'

/** Where and how a packet breaks a rule; what the code alone does not tell. */
export interface FaultDetails {
  /** The field at fault. */
  readonly field: string
  /** Where, in bytes from the start of the packet. */
  readonly offset: number
  readonly expected: string
  readonly got: string
  /** The version whose rules were applied. */
  readonly protocolVersion: ProtocolVersion
  readonly protocolName?: string | undefined
  readonly protocolLevel?: number | undefined
  readonly looksLike?: ForeignProtocol | undefined
}

/**
 * What a scan finds wrong. It becomes an `MqttError` where it leaves the library: an error takes some microseconds
 * to make and to throw, most of them for its stack, and a peer may send faults as fast as packets.
 */
export class Fault implements FaultDetails {
  readonly code: ErrorCode
  readonly field: string
  readonly offset: number
  readonly expected: string
  readonly got: string
  readonly protocolVersion: ProtocolVersion
  readonly protocolName: string | undefined
  readonly protocolLevel: number | undefined
  readonly looksLike: ForeignProtocol | undefined

  constructor(code: ErrorCode, details: FaultDetails) {
    this.code = code
    this.field = details.field
    this.offset = details.offset
    this.expected = details.expected
    this.got = details.got
    this.protocolVersion = details.protocolVersion
    this.protocolName = details.protocolName
    this.protocolLevel = details.protocolLevel
    this.looksLike = details.looksLike
  }
}
