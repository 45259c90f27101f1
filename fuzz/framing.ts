import type { Buffer } from 'node:buffer'
import type { ProtocolVersion } from '../lib/index.ts'
import type { Options } from './inputs.ts'
import { brief } from './library.ts'

/**
 * A model of the packets in a stream. It sees all bytes at once, so it's slow and simple, whereas the library is fast and gets
 * the bytes in pieces. Decoding a packet is left to `DecodeOne`.
 */

export interface Event {
  readonly kind: 'packet' | 'error' | 'destroyed' | 'end'
  /** The packet's bytes in hex, or a short form of the error. */
  readonly text: string
}

/** Decodes one whole packet. Returns the version of a CONNECT, 0 for other packets, or an error. */
export type DecodeOne = (
  bytes: Buffer,
  version: ProtocolVersion,
) => { version: ProtocolVersion; error?: never } | { version?: never; error: string }

/** The beginnings of TLS, PROXY headers, HTTP, SSH and AMQP. No packet boundary can be found after one of them. */
const foreign = [
  ...['\x16\x03', '\r\n\r\n\0\r\nQUIT\n', 'PROXY ', 'GET ', 'HEAD ', 'POST ', 'PUT ', 'DELETE ', 'CONNECT '],
  ...['OPTIONS ', 'TRACE ', 'PATCH ', 'PRI ', '\x15\x03', 'HTTP/', 'SSH-', 'AMQP'],
]

/** @param accept which packets may come: `connection` decides by the option, `any` are all types from the first on */
export function expectedEvents(
  bytes: Buffer,
  options: Options,
  decodeOne: DecodeOne,
  accept: 'by option' | 'any' = 'by option',
): Event[] {
  const events: Event[] = []
  let version = options.protocolVersion
  let connected = accept === 'any'
  let at = 0
  /** Adds an error, and returns true if it's the last event. */
  const refuse = (text: string, lost = false): boolean => {
    const last = lost || options.errors === 'destroy'
    events.push({ kind: last ? 'destroyed' : 'error', text })
    return last
  }
  while (at < bytes.length) {
    const code = typeFault(bytes[at]!, connected, version, accept === 'any')
    if (code !== undefined) {
      const start = bytes.toString('latin1', at, at + 12)
      const lost = code === 'reserved-packet-type' || foreign.some((first) => start.startsWith(first))
      // The library waits for more bytes.
      const isUndecided = foreign.some((first) => first.startsWith(start))
      const text = brief({ code, field: 'fixedHeader', offset: 0 })
      if (refuse(text, lost || isUndecided)) return events
    }
    const size = sizeAt(bytes, at)
    if (size === 'too long') {
      refuse(brief({ code: 'variable-byte-integer-too-long', field: 'remainingLength', offset: 1 }), true)
      return events
    }
    const left = bytes.length - at
    const tooLarge = code === undefined && size !== undefined && size > options.maximumPacketSize
    if (tooLarge && refuse(brief({ code: 'packet-too-large', field: 'remainingLength', offset: 1 })))
      return events
    if (size === undefined || size > left) {
      refuse(brief({ code: 'packet-incomplete', field: 'remainingLength', offset: left }), true)
      return events
    }
    if (code === undefined && !tooLarge) {
      const packet = bytes.subarray(at, at + size)
      const result = decodeOne(packet, version)
      if (result.error !== undefined) {
        if (refuse(result.error)) return events
      } else {
        events.push({ kind: 'packet', text: packet.toString('hex') })
        if (accept !== 'any' && options.connection && result.version !== 0) {
          connected = true
          version = result.version
        }
      }
    }
    at += size
  }
  events.push({ kind: 'end', text: '' })
  return events
}

/** The fault in the first byte of a packet. */
function typeFault(
  first: number,
  connected: boolean,
  version: number,
  isAnyType: boolean,
):
  | 'not-connect'
  | 'second-connect'
  | 'reserved-packet-type'
  | 'fixed-header-flags'
  | 'publish-qos'
  | 'publish-dup'
  | undefined {
  const type = first >> 4
  if (first === 0x10) return connected && !isAnyType ? 'second-connect' : undefined
  if (type === 0 || (type === 15 && (version === 3 || version === 4))) return 'reserved-packet-type'
  if (!connected && type !== 1) return 'not-connect'
  if (type === 3) {
    const qos = (first >> 1) & 3
    if (qos === 3) return 'publish-qos'
    return qos === 0 && (first & 8) !== 0 ? 'publish-dup' : undefined
  }
  const flags = type === 6 || type === 8 || type === 10 ? 2 : 0
  return (first & 15) === flags ? undefined : 'fixed-header-flags'
}

/** The size of the packet at `at`, or `undefined` while its Remaining Length is incomplete. */
function sizeAt(bytes: Buffer, at: number): number | 'too long' | undefined {
  let length = 0
  for (let i = 0; i < 4; i++) {
    const byte = bytes[at + 1 + i]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) * 128 ** i
    if (byte < 0x80) return 2 + i + length
  }
  return 'too long'
}
