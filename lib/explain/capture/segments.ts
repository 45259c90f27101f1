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
  /** True if the sender sends nothing after it. */
  readonly isEnd: boolean
  /** True if it ends the connection in both directions. Its numbers may be anything. */
  readonly isReset: boolean
  /** The number of the next byte that the sender expects from the other side. */
  readonly acknowledged: number | undefined
  readonly payload: Uint8Array
  /** The number of bytes in the payload that was sent, of which the capture may have less. It's infinite if IP has split the segment. */
  readonly size: number
}

const IPV4 = 0x0800
const IPV6 = 0x86dd
/** The same in PPP. */
const PPP_IPV4 = 0x0021
const PPP_IPV6 = 0x0057
const TCP = 6
const ETHERNET = 1
const RAW_IP = 101
/** Linux cooked: tcpdump -i any. */
const COOKED = 113
const COOKED_2 = 276
/** The address families of IP, in either order of bytes, with which the frames of BSD's loopback begin. */
const LOOPBACK = /^(?:0,0,0,)?(?:2|24|28|30)(?:,0,0,0)?$/

/** The IP packet in a frame, or `undefined` if there is none. */
export function ipIn({ linkType, bytes }: Frame): Uint8Array | undefined {
  const at = networkAt(linkType, bytes) ?? bytes.length
  return [4, 6].includes((bytes[at] ?? 0) >> 4) ? bytes.subarray(at) : undefined
}

/** The TCP segment in a frame, or `undefined` if there is none. */
export function segmentIn(frame: Frame): Segment | undefined {
  const packet = ipIn(frame)
  if (packet === undefined) return undefined
  return packet[0]! >> 4 === 4 ? ofIpv4(packet) : ofIpv6(packet)
}

/** The link types whose frames can't be taken for packets of MQTT, because these don't begin like them. */
const PRINTED: readonly number[] = [ETHERNET, RAW_IP, COOKED, COOKED_2]

/** The TCP segment in a frame that was copied or printed alone. */
export function segmentInFrame(bytes: Uint8Array): Segment | undefined {
  const isLoopback = LOOPBACK.test(bytes.subarray(0, 4).join())
  for (const linkType of isLoopback ? [0, ETHERNET] : PRINTED) {
    const segment = linkType === COOKED && bytes[0] !== 0 ? undefined : segmentIn({ linkType, bytes })
    if (segment !== undefined) return segment
  }
  return undefined
}

/** The index of the TCP payload in such a frame, if the frame is whole; `undefined` if the bytes are something else. */
export function payloadInFrame(bytes: Uint8Array): number | undefined {
  const { payload, size = 0 } = segmentInFrame(bytes) ?? {}
  return payload === undefined || payload.length === 0 || payload.length < size
    ? undefined
    : payload.byteOffset - bytes.byteOffset
}

/** The size of a frame that Ethernet has padded, and that of the checksum that may follow any frame. */
const SHORTEST_FRAME = 60
const CHECKSUM = 4

/** True if more bytes follow the packet in such a frame than a link layer adds. */
export function isFrameTooLong(bytes: Uint8Array): boolean {
  const { payload } = segmentInFrame(bytes) ?? {}
  if (payload === undefined || bytes.length <= SHORTEST_FRAME) return false
  return bytes.byteOffset + bytes.length - payload.byteOffset - payload.length > CHECKSUM
}

/** The index of the IP header, by the link types of tcpdump.org that tcpdump, Wireshark and phones write. */
function networkAt(linkType: number, bytes: Uint8Array): number | undefined {
  switch (linkType) {
    case 0: // BSD loopback
    case 108:
      return 4
    case ETHERNET:
      return afterType(bytes, 12)
    case 12: // raw IP
    case 14:
    case RAW_IP:
    case 228:
    case 229:
      return 0
    case COOKED:
      return afterType(bytes, 14)
    case COOKED_2:
      return isIp(typeAt(bytes, 0)) ? 20 : isVlan(typeAt(bytes, 0)) ? afterType(bytes, 22) : undefined
    default:
      return undefined
  }
}

const PPPOE = 0x8864
/** The size of PPPoE's header, which PPP's protocol number follows. RFC 2516 section 4. */
const PPPOE_HEADER = 6

/** The index of the IP header after the type at `start`, maybe with VLAN tags or PPPoE between them. */
function afterType(bytes: Uint8Array, start: number): number | undefined {
  let at = start
  while (isVlan(typeAt(bytes, at))) at += 4
  const next = at + 2
  if (typeAt(bytes, at) !== PPPOE) return isIp(typeAt(bytes, at)) ? next : undefined
  const protocol = typeAt(bytes, next + PPPOE_HEADER)
  return protocol === PPP_IPV4 || protocol === PPP_IPV6 ? next + PPPOE_HEADER + 2 : undefined
}

function typeAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!
}

function isIp(type: number): boolean {
  return type === IPV4 || type === IPV6
}

function isVlan(type: number): boolean {
  return type === 0x8100 || type === 0x88a8
}

function ofIpv4(packet: Uint8Array): Segment | undefined {
  const header = (packet[0]! & 0x0f) * 4
  const total = (packet[2]! << 8) | packet[3]!
  const fragment = ((packet[6]! & 0x1f) << 8) | packet[7]!
  if (header < 20 || packet.length < header || packet[9] !== TCP || fragment > 0) return undefined
  const address = (at: number): string => packet.subarray(at, at + 4).join('.')
  // The total length is 0 if the network card splits the segment. Ethernet may pad short segments.
  const end = total >= header ? total : packet.length
  const hasMore = (packet[6]! & 0x20) !== 0
  return ofTcp(packet.subarray(header, end), hasMore ? Infinity : end - header, address(12), address(16))
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
  const end = length > 0 ? 40 + length : packet.length
  return ofTcp(packet.subarray(at, end), end - at, `[${address(8)}]`, `[${address(24)}]`)
}

/** @param sent the number of bytes that were sent: the TCP header and its payload */
function ofTcp(tcp: Uint8Array, sent: number, from: string, to: string): Segment | undefined {
  if (tcp.length < 20) return undefined
  const view = new DataView(tcp.buffer, tcp.byteOffset, tcp.byteLength)
  const header = Math.max((tcp[12]! >> 4) * 4, 20)
  const flags = tcp[13]!
  return {
    from: `${from}:${view.getUint16(0)}`,
    to: `${to}:${view.getUint16(2)}`,
    sequence: view.getUint32(4),
    isStart: (flags & 0x02) !== 0,
    isAnswer: (flags & 0x12) === 0x12,
    isEnd: (flags & 0x01) !== 0,
    isReset: (flags & 0x04) !== 0,
    acknowledged: (flags & 0x10) === 0 ? undefined : view.getUint32(8),
    payload: tcp.subarray(header),
    size: sent - header,
  }
}
