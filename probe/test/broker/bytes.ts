import { type ConnectPacket, decode } from 'mqtt-connect-packet'

/* Bytes that the broker parses and writes by hand. */

export function authOf(code: number, method: string): Buffer {
  const name = Buffer.from(method)
  const size = name.length + 3
  return Buffer.concat([Buffer.of(0xf0, size + 2, code, size, 0x15, 0, name.length), name])
}

/** The size of the first packet in the bytes, or infinity if it isn't known yet. */
export function sizeOf(bytes: Buffer): number {
  let length = 0
  for (let at = 1; at < Math.min(bytes.length, 5); at++) {
    length += (bytes[at]! & 0x7f) * 128 ** (at - 1)
    if (bytes[at]! < 0x80) return at + 1 + length
  }
  return Number.POSITIVE_INFINITY
}

/** Stands in for a CONNECT that can't be decoded. */
export function connectPacketOf(level: number): ConnectPacket {
  const header = { 3: '00064d514973647003', 4: '00044d51545404', 5: '00044d51545405' }[level]!
  const rest = `${header}02003c${level === 5 ? '00' : ''}000178`
  const bytes = Buffer.from(`10${(rest.length / 2).toString(16).padStart(2, '0')}${rest}`, 'hex')
  return decode(bytes, { allow: ['protocol-mqtt-3-1'] }) as ConnectPacket
}

export function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = value
  return copy
}
