import { Buffer as NodeBuffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { Buffer } from '../../lib/browser/buffer.ts'
import { runs } from '../support/arbitraries.ts'

const bytes = fc.uint8Array({ maxLength: 40 })
const index = fc.nat(45)

/** The bytes in the replacement and in Node's `Buffer`. */
function both(values: Uint8Array): [Buffer, NodeBuffer] {
  return [Buffer.from(values), NodeBuffer.from(values)]
}

describe("the bundles' replacement of Buffer does what Node's does:", () => {
  it('from', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFg ') }),
      fc.string({ unit: fc.nat(0xff).map((code) => String.fromCharCode(code)), maxLength: 20 }),
    )
    fc.assert(
      fc.property(text, fc.constantFrom('hex', 'latin1'), (value, encoding) => {
        const expected = NodeBuffer.from(value, encoding as BufferEncoding)
        expect([...Buffer.from(value, encoding)]).to.deep.equal([...expected])
      }),
      runs,
    )
    fc.assert(
      fc.property(bytes, (values) => {
        const base64 = NodeBuffer.from(values).toString('base64')
        expect([...Buffer.from(base64, 'base64')]).to.deep.equal([...values])
        expect([...Buffer.from(base64.replace(/=+$/, ''), 'base64')]).to.deep.equal([...values])
      }),
      runs,
    )
  })

  it('toString', () => {
    const names = [
      'utf8',
      'utf-8',
      'ucs2',
      'ucs-2',
      'utf16le',
      'utf-16le',
      'latin1',
      'binary',
      'ascii',
      'hex',
    ]
    const known = [...names, 'base64', 'base64url']
    const encoding = fc.constantFrom(undefined, ...known, ...known.map((name) => name.toUpperCase()), 'Utf-8')
    const position = fc.oneof(fc.integer({ min: -3, max: 45 }), fc.constantFrom(undefined, 1.5, Infinity))
    fc.assert(
      fc.property(bytes, encoding, position, position, (values, encoding, start, end) => {
        const [ours, theirs] = both(values)
        expect(ours.toString(encoding)).to.equal(theirs.toString(encoding as BufferEncoding))
        expect(ours.toString(encoding, start, end)).to.equal(
          theirs.toString(encoding as BufferEncoding, start, end),
        )
      }),
      runs,
    )
  })

  it('toString with an encoding that does not exist', () => {
    for (const encoding of ['', 'latin-1', 'utf_8', 'utf16', 'utf-utf8', ' hex', 'base64-url', null, 64]) {
      const errors = both(Uint8Array.of(0xc8)).map((bytes) => {
        try {
          return bytes.toString(encoding as BufferEncoding)
        } catch (error) {
          return error as TypeError & { code: string }
        }
      })
      for (const error of errors) {
        expect(error).to.be.instanceOf(TypeError)
        expect(error).to.include({ code: 'ERR_UNKNOWN_ENCODING', message: `Unknown encoding: ${encoding}` })
      }
    }
  })

  it('alloc, concat and byteLength', () => {
    const pattern = fc.uint8Array({ minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(index, pattern, (size, pattern) => {
        expect([...Buffer.alloc(size, pattern)]).to.deep.equal([...NodeBuffer.alloc(size, pattern)])
      }),
      runs,
    )
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 5 }), (parts) => {
        expect([...Buffer.concat(parts)]).to.deep.equal([...NodeBuffer.concat(parts)])
      }),
      runs,
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '€', '\u{1f600}', '\ud800') }), (text) => {
        expect(Buffer.byteLength(text)).to.equal(NodeBuffer.byteLength(text))
      }),
      runs,
    )
  })

  it('compare and copy', () => {
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        const [ours, theirs] = both(first)
        expect(ours.compare(second)).to.equal(theirs.compare(second))
        expect(ours.compare(first)).to.equal(0)
        expect(ours.compare(first.subarray(1))).to.equal(theirs.compare(first.subarray(1)))
      }),
      runs,
    )
    fc.assert(
      fc.property(bytes, bytes, index, index, index, (target, source, at, start, length) => {
        if (start > source.length) return
        const copies = both(source).map((from) => {
          const to = Uint8Array.from(target)
          const count = from.copy(to, at, start, start + length)
          return [count, ...to]
        })
        expect(copies[0]).to.deep.equal(copies[1])
      }),
      runs,
    )
  })

  it('toString of memory that has been transferred, which is empty', () => {
    for (const bytes of both(Uint8Array.of(0xc8, 0x41))) {
      const whole = NodeBuffer.isBuffer(bytes) ? NodeBuffer.from(new Uint8Array(bytes).buffer) : bytes
      structuredClone(0, { transfer: [whole.buffer as ArrayBuffer] })
      for (const encoding of ['utf8', 'hex', 'latin1', 'base64'] as const) {
        expect(whole.toString(encoding, 0, 2)).to.equal('')
      }
    }
  })

  it('subarray, which is a Buffer again', () => {
    expect((Buffer.from([1, 2, 3]).subarray(1) as Buffer).toString('hex')).to.equal('0203')
  })
})
