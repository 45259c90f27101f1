/*
 * The part of Node's `Buffer` that `lib/packets` uses, in place of the package `buffer`, which would make the file for browsers a
 * third larger.
 */
export class Buffer extends Uint8Array {
  static alloc(size: number): Buffer {
    return new Buffer(size)
  }

  static allocUnsafe(size: number): Buffer {
    return new Buffer(size)
  }

  static byteLength(text: string): number {
    return new TextEncoder().encode(text).length
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const all = new Buffer(parts.reduce((size, { length }) => size + length, 0))
    let at = 0
    for (const part of parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }

  /** Copies as many bytes as fit into the target. */
  copy(target: Uint8Array, at = 0, start = 0, end: number = this.length): void {
    const room = Math.max(target.length - at, 0)
    if (room > 0) target.set(this.subarray(start, Math.min(end, start + room)), at)
  }

  compare(other: Uint8Array): number {
    for (let at = 0; at < this.length && at < other.length; at++) {
      if (this[at] !== other[at]) return this[at]! < other[at]! ? -1 : 1
    }
    return Math.sign(this.length - other.length)
  }

  /** @param encoding `hex`, `base64`, `latin1` or `utf8` */
  override toString(encoding = 'utf8', start = 0, end: number = this.length): string {
    const bytes = this.subarray(start, end)
    if (encoding === 'utf8') return decoder.decode(bytes)
    const characters = Array.from(bytes, (byte) =>
      encoding === 'hex' ? byte.toString(16).padStart(2, '0') : String.fromCharCode(byte),
    ).join('')
    return encoding === 'base64' ? btoa(characters) : characters
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
