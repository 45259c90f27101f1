/*
 * The part of Node's `Buffer` that explaining a packet takes. The bundles for browsers contain it in place of the package
 * `buffer`, which would make it a third larger. No other code imports it.
 */
export class Buffer extends Uint8Array {
  static isBuffer(value: unknown): boolean {
    return value instanceof Buffer
  }

  static alloc(size: number): Buffer {
    return new Buffer(size)
  }

  static allocUnsafeSlow(size: number): Buffer {
    return new Buffer(size)
  }

  /** @param encoding `hex`, `latin1` or `utf8` */
  override toString(encoding = 'utf8', start = 0, end: number = this.length): string {
    const bytes = this.subarray(start, end)
    if (encoding === 'utf8') return decoder.decode(bytes)
    return Array.from(bytes, (byte) =>
      encoding === 'hex' ? byte.toString(16).padStart(2, '0') : String.fromCharCode(byte),
    ).join('')
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
