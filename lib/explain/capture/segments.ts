import type { Frame } from './frames.ts'

/** One TCP segment. */
export interface Segment {
  /** Address and port. */
  readonly from: string
  readonly to: string
  readonly sequence: number
  readonly isStart: boolean
  /** True if it answers a start, so the other side has opened the connection. */
  readonly isAnswer: boolean
  readonly payload: Uint8Array
  /** True if the capture has truncated the packet, and therefore the payload. */
  readonly isCut: boolean
}

const IPV4 = 0x0800
const IPV6 = 0x86dd
const TCP = 6
const ETHERNET = 1
const RAW_IP = 101

/** The TCP segment in a frame, or `undefined` if there is none. */
export function segmentIn({ linkType, bytes }: Frame): Segment | undefined {
  const at = networkAt(linkType, bytes)
  if (at === undefined || at >= bytes.length) return undefined
  const packet = bytes.subarray(at)
  const ip = packet[0]! >> 4
  if (ip === 4) return ofIpv4(packet)
  return ip === 6 ? ofIpv6(packet) : undefined
}

/** The TCP segment in a frame that was copied or printed alone: IP, or Ethernet with IP in it. */
export function segmentInFrame(bytes: Uint8Array): Segment | undefined {
  return segmentIn({ linkType: ETHERNET, bytes }) ?? segmentIn({ linkType: RAW_IP, bytes })
}

/** The index of the TCP payload in such a frame, if the frame is whole; `undefined` if the bytes are something else. */
export function payloadInFrame(bytes: Uint8Array): number | undefined {
  const { payload, isCut } = segmentInFrame(bytes) ?? {}
  return payload === undefined || payload.length === 0 || isCut
    ? undefined
    : payload.byteOffset - bytes.byteOffset
}

/** The index of the IP header, by the link types of tcpdump.org that tcpdump, Wireshark and phones write. */
function networkAt(linkType: number, bytes: Uint8Array): number | undefined {
  const type = (at: number): number => (bytes[at]! << 8) | bytes[at + 1]!
  const isIp = (value: number): boolean => value === IPV4 || value === IPV6
  switch (linkType) {
    case 0: // BSD loopback
    case 108:
      return 4
    case ETHERNET: {
      // Ethernet, maybe with VLAN tags
      let at = 12
      while (type(at) === 0x8100 || type(at) === 0x88a8) at += 4
      return isIp(type(at)) ? at + 2 : undefined
    }
    case 12: // raw IP
    case 14:
    case RAW_IP:
    case 228:
    case 229:
      return 0
    case 113: // Linux cooked: tcpdump -i any
      return isIp(type(14)) ? 16 : undefined
    case 276:
      return isIp(type(0)) ? 20 : undefined
    default:
      return undefined
  }
}

function ofIpv4(packet: Uint8Array): Segment | undefined {
  const header = (packet[0]! & 0x0f) * 4
  const total = (packet[2]! << 8) | packet[3]!
  const isFragment = (((packet[6]! & 0x1f) << 8) | packet[7]!) !== 0
  if (header < 20 || packet.length < header || packet[9] !== TCP || isFragment) return undefined
  const address = (at: number): string => packet.subarray(at, at + 4).join('.')
  // The total length is 0 if the network card splits the segment. Ethernet may pad short segments.
  const end = total >= header ? Math.min(total, packet.length) : packet.length
  return ofTcp(packet.subarray(header, end), total > packet.length, address(12), address(16))
}

function ofIpv6(packet: Uint8Array): Segment | undefined {
  const length = (packet[4]! << 8) | packet[5]!
  let next = packet[6]!
  let at = 40
  // Hop-by-hop options, routing and destination options have their length in the second byte.
  while ([0, 43, 60].includes(next) && at + 2 <= packet.length) {
    next = packet[at]!
    at += (packet[at + 1]! + 1) * 8
  }
  if (next !== TCP) return undefined
  const address = (start: number): string =>
    Array.from({ length: 8 }, (_, i) =>
      ((packet[start + 2 * i]! << 8) | packet[start + 2 * i + 1]!).toString(16),
    )
      .join(':')
      .replace(/(?:^|:)0(?::0)+(?:$|:)/, '::')
  const end = length > 0 ? Math.min(40 + length, packet.length) : packet.length
  return ofTcp(packet.subarray(at, end), 40 + length > packet.length, `[${address(8)}]`, `[${address(24)}]`)
}

function ofTcp(tcp: Uint8Array, isCut: boolean, from: string, to: string): Segment | undefined {
  if (tcp.length < 20) return undefined
  const view = new DataView(tcp.buffer, tcp.byteOffset, tcp.byteLength)
  const header = (tcp[12]! >> 4) * 4
  const flags = tcp[13]!
  return {
    from: `${from}:${view.getUint16(0)}`,
    to: `${to}:${view.getUint16(2)}`,
    sequence: view.getUint32(4),
    isStart: (flags & 0x02) !== 0,
    isAnswer: (flags & 0x12) === 0x12,
    payload: tcp.subarray(Math.max(header, 20)),
    isCut,
  }
}
