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

  /** Copies as many bytes as fit into the target, and returns their number. */
  copy(target: Uint8Array, at = 0, start = 0, end: number = this.length): number {
    const room = Math.max(target.length - at, 0)
    const bytes = this.subarray(start, Math.min(end, start + room))
    if (room > 0) target.set(bytes, at)
    return bytes.length
  }

  compare(other: Uint8Array): number {
    for (let at = 0; at < this.length && at < other.length; at++) {
      if (this[at] !== other[at]) return this[at]! < other[at]! ? -1 : 1
    }
    return Math.sign(this.length - other.length)
  }

  /** @param encoding any name that Node knows, such as `hex`, in any case */
  override toString(encoding = 'utf8', start = 0, end: number = this.length): string {
    // No view of transferred memory can be created, not even an empty one.
    const bytes = this.length === 0 ? this : this.subarray(Math.max(start, 0), Math.max(end, 0))
    if (bytes.length === 0) return ''
    switch (`${encoding}`.toLowerCase().replace(/^(utf|ucs)-/, '$1')) {
      case 'utf8':
        // Browsers decode neither shared memory nor memory that can be resized, so the bytes are copied.
        return decoder.decode(bytes.slice())
      case 'hex':
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      case 'latin1':
      case 'binary':
        return text(bytes)
      case 'ascii':
        return text(bytes.map((byte) => byte & 0x7f))
      case 'ucs2':
      case 'utf16le':
        return text(new Uint16Array(bytes.slice(0, bytes.length & ~1).buffer))
      case 'base64':
        return btoa(text(bytes))
      case 'base64url':
        return btoa(text(bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+/, '')
    }
    throw Object.assign(new TypeError(`Unknown encoding: ${encoding}`), { code: 'ERR_UNKNOWN_ENCODING' })
  }
}

/** Returns the characters of UTF-16 code units. */
function text(units: Iterable<number>): string {
  return Array.from(units, (unit) => String.fromCharCode(unit)).join('')
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
