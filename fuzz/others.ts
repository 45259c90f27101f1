import { Buffer } from 'node:buffer'
import type { Random } from './random.ts'
import { vbi } from './tree.ts'

/* What a stream can hold besides CONNECT packets. */

/** A control packet of any other type, mostly with the right flags and the packet identifier that it needs. */
export function otherPacket(random: Random): Buffer {
  const type = random.int(2, 15)
  const flags = random.oneIn(8) ? random.int(0, 15) : type === 3 ? random.int(0, 15) : flagsOf(type)
  let body = random.bytes(random.length(200))
  if (type === 3 && random.oneIn(2)) body = Buffer.concat([Buffer.from('000161', 'hex'), body])
  if (random.oneIn(8)) body = Buffer.alloc(0)
  const length = random.oneIn(8) ? vbi(body.length, random.int(2, 4)) : vbi(body.length)
  return Buffer.concat([Buffer.of((type << 4) | flags), length, body])
}

function flagsOf(type: number): number {
  return type === 6 || type === 8 || type === 10 ? 2 : 0
}

/** The beginnings of other protocols that are sent to an MQTT port by mistake. */
const foreign: readonly Buffer[] = [
  Buffer.from('16030100f1010000ed0303', 'hex'),
  Buffer.from('1603', 'hex'),
  Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'),
  Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'),
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'PRI', 'get'].map(
    (method) => Buffer.from(`${method} / HTTP/1.1\r\n\r\n`),
  ),
  Buffer.from('SSH-2.0-x\r\n'),
  Buffer.from('\0\0\0\0'),
]

/** What another protocol sends, mostly in full. */
export function foreignBytes(random: Random): Buffer {
  const bytes = random.pick(foreign)
  return random.oneIn(4) ? bytes.subarray(0, random.int(0, bytes.length)) : bytes
}

/** Bytes of no kind, but some with a first byte and a length that let them be read as a packet. */
export function randomBytes(random: Random): Buffer {
  const body = random.bytes(random.length(100))
  if (random.oneIn(2)) return body
  const head = random.oneIn(2)
    ? Buffer.alloc(0)
    : Buffer.from([0, 4, 0x4d, 0x51, 0x54, 0x54, random.int(3, 6)])
  return Buffer.concat([
    Buffer.of(random.int(0, 3) > 0 ? 0x10 : random.int(0, 255)),
    vbi(head.length + body.length),
    head,
    body,
  ])
}
