import type { Buffer } from 'buffer'

/** The first bytes of capture files: pcap in both byte orders, with microseconds or nanoseconds, and pcapng. */
const signatures: readonly string[] = ['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a']

/** True if the bytes are a pcap or pcapng file. */
export function isCapture(bytes: Buffer): boolean {
  return signatures.includes(bytes.toString('hex', 0, 4))
}

/** Version 2.4 in the header of pcap and the byte-order mark of pcapng. The bytes before them are not text. */
const textSignatures: readonly string[] = ['\x02\0\x04\0', '\0\x02\0\x04', 'M<+\x1a', '\x1a+<M']

/** True if a text is such a file, pasted. */
export function isCaptureText(text: string): boolean {
  const start = text.slice(0, 20)
  return textSignatures.some((signature) => start.includes(signature))
}
