import type { Buffer } from 'node:buffer'
import type { ProtocolVersion } from '../lib/index.ts'
import type { Options } from './inputs.ts'
import { brief } from './outcome.ts'

/*
 * What must come out of a PacketDecoder, told from the whole bytes at once: slow and simple where the decoder is fast
 * and fed in pieces. What stands in a packet is left to the function that decodes one.
 */

export interface Event {
  readonly kind: 'packet' | 'error' | 'destroyed' | 'end'
  /** The packet's bytes in hex, or the error in brief. */
  readonly text: string
}

/** What decoding one whole packet gives: its version if it is a CONNECT, else 0, or an error. */
export type DecodeOne = (
  bytes: Buffer,
  version: ProtocolVersion,
) => { version: ProtocolVersion; error?: never } | { version?: never; error: string }

/** How TLS, PROXY and the methods of HTTP begin: after that no packet boundary can be found. */
const foreign = ['\x16', '\r', 'G', 'H', 'D', 'C', 'O', 'T', 'PO', 'PU', 'PA', 'PRI', 'PRO']
/** What may become one of them. The decoder waits for more bytes. */
const undecided = /^(P|PR)$/

export function expectedEvents(bytes: Buffer, options: Options, decodeOne: DecodeOne): Event[] {
  const events: Event[] = []
  let version = options.protocolVersion
  let connected = false
  let at = 0
  /** Tells of an error; whether it is the last event. */
  const refuse = (text: string, lost = false): boolean => {
    const last = lost || options.errors === 'destroy'
    events.push({ kind: last ? 'destroyed' : 'error', text })
    return last
  }
  while (at < bytes.length) {
    const first = bytes[at] as number
    const code = faultOfType(first, connected, version)
    if (code !== undefined) {
      const start = bytes.toString('latin1', at, at + 3)
      const lost = code === 'reserved-packet-type' || foreign.some((first) => start.startsWith(first))
      if (refuse(at0(code), lost || (!connected && undecided.test(start)))) return events
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
      // Of a packet that has been refused it does not matter whether its end is there.
      if (code !== undefined || tooLarge) break
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
        if (options.connection && result.version !== 0) {
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

function at0(code: 'not-connect' | 'second-connect' | 'reserved-packet-type' | 'fixed-header-flags'): string {
  return brief({ code, field: 'fixedHeader', offset: 0 })
}

/** What is wrong with the first byte of a packet. */
function faultOfType(
  first: number,
  connected: boolean,
  version: number,
): Parameters<typeof at0>[0] | undefined {
  const type = first >> 4
  if (first === 0x10) return connected ? 'second-connect' : undefined
  if (type === 0 || (type === 15 && version === 4)) return 'reserved-packet-type'
  if (!connected && type !== 1) return 'not-connect'
  if (type === 3) return undefined
  const flags = type === 6 || type === 8 || type === 10 ? 2 : 0
  return (first & 15) === flags ? undefined : 'fixed-header-flags'
}

/** The size of the packet at `at`; `undefined` if its Remaining Length is not there. */
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
