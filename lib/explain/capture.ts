import type { Buffer } from 'buffer'
import { readTwoByteInteger } from '../wire/integers.ts'

/** The first bytes of capture files: pcap in both byte orders, with microseconds or nanoseconds, and pcapng. */
const signatures: readonly string[] = ['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a']

/** Whether the bytes are a pcap or pcapng file. */
export function isCapture(bytes: Buffer): boolean {
  return signatures.includes(bytes.toString('hex', 0, 4))
}

/** Version 2.4 in the header of pcap and the byte-order mark of pcapng. The bytes before them are not text. */
const textSignatures: readonly string[] = ['\x02\0\x04\0', '\0\x02\0\x04', 'M<+\x1a', '\x1a+<M']

/** Whether a text is such a file that has been pasted. */
export function isCaptureText(text: string): boolean {
  const start = text.slice(0, 20)
  return textSignatures.some((signature) => start.includes(signature))
}

/** What to do with a capture file. */
export function captureAdvice(file: string = 'FILE'): string {
  const command = `tshark -r ${file} -d tcp.port==1883,mqtt -Y mqtt -T fields -e tcp.payload`
  return `a capture file. This prints its MQTT packets (change the port if yours is another): ${command}`
}

const ETHERNET = 14
const IPV4 = '0800'
const TCP = 6

/**
 * Where the TCP payload begins in a frame of a capture: an IPv4 packet, or Ethernet with one in it. `undefined` if the bytes
 * are something else.
 */
export function payloadInFrame(bytes: Buffer): number | undefined {
  const ip = bytes.toString('hex', ETHERNET - 2, ETHERNET) === IPV4 ? ETHERNET : 0
  const ipHeader = (bytes[ip]! & 0x0f) * 4
  const tcp = ip + ipHeader
  const payload = tcp + (bytes[tcp + 12]! >> 4) * 4
  const isTcp = bytes[ip]! >> 4 === 4 && ipHeader >= 20 && bytes[ip + 9] === TCP
  return isTcp && payload < bytes.length && ip + readTwoByteInteger(bytes, ip + 2) <= bytes.length
    ? payload
    : undefined
}

/**
 * The TCP segment in a frame of a capture, without the padding of Ethernet. The payload is shorter than its packet says if the capture
 * has cut it.
 */
export function tcpSegment(
  bytes: Buffer,
): { readonly sequence: number; readonly payload: Buffer } | undefined {
  const ip = bytes.toString('hex', ETHERNET - 2, ETHERNET) === IPV4 ? ETHERNET : 0
  const tcp = ip + (bytes[ip]! & 0x0f) * 4
  if (bytes[ip]! >> 4 !== 4 || bytes[ip + 9] !== TCP || tcp + 20 > bytes.length) return undefined
  const payload = tcp + (bytes[tcp + 12]! >> 4) * 4
  const end = ip + readTwoByteInteger(bytes, ip + 2)
  const sequence = readTwoByteInteger(bytes, tcp + 4) * 0x1_0000 + readTwoByteInteger(bytes, tcp + 6)
  return { sequence, payload: bytes.subarray(payload, Math.max(payload, end)) }
}
