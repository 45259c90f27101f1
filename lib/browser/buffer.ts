import { Buffer as PacketBuffer } from './packet-buffer.ts'

/*
 * The part of Node's `Buffer` that the rest of the library uses. Unlike `lib/packets`, it makes bytes from text and from patterns.
 */
export class Buffer extends PacketBuffer {
  /** @param encoding the encoding of a string: `hex`, `base64` (correctly padded) or `latin1` */
  static override from(source: string | Iterable<number> | ArrayLike<number>, encoding?: unknown): Buffer {
    if (typeof source !== 'string') return new Buffer(source as ArrayLike<number>)
    if (encoding === 'hex') {
      // Like Node, stops at the first pair that isn't hex.
      const [pairs] = /^([\da-f]{2})*/i.exec(source)!
      return new Buffer((pairs.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
    }
    const text = encoding === 'base64' ? atob(source) : source
    return new Buffer(text.split('').map((character) => character.charCodeAt(0)))
  }

  static override alloc(size: number, pattern?: Uint8Array): Buffer {
    const bytes = new Buffer(size)
    if (pattern !== undefined) for (let at = 0; at < size; at++) bytes[at] = pattern[at % pattern.length]!
    return bytes
  }

  static allocUnsafeSlow(size: number): Buffer {
    return new Buffer(size)
  }
}
