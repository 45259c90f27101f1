import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { foreignProtocol, looksLike, UNDECIDED, UNNAMED } from '../../lib/wire/looks-like.ts'
import { hex, R3, R5 } from '../support/reference.ts'

function guess(bytes: Uint8Array | string): string | undefined {
  const buffer = Buffer.from(bytes as Uint8Array)
  return looksLike(buffer, 0, buffer.length)
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']

/** First bytes of each protocol. */
const starts: readonly (readonly [string, Buffer])[] = [
  ...methods.map((method) => ['http', Buffer.from(`${method} / HTTP/1.1\r\n`)] as const),
  ['http', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ['tls', hex('160301020001')],
  ['proxy-v1', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 56324 1883\r\n')],
  ['proxy-v2', hex('0d0a0d0a000d0a515549540a 21 11 000c')],
]

describe('looksLike', () => {
  for (const [protocol, bytes] of starts) {
    it(`recognises ${protocol} by ${JSON.stringify(bytes.toString('latin1', 0, 8))}, from the first bytes that decide`, () => {
      let answer = guess('')
      for (let length = 0; length <= bytes.length; length++) {
        const next = guess(bytes.subarray(0, length))
        // A decision never changes, so the answer doesn't depend on how the bytes are split.
        if (answer === UNDECIDED) expect([UNDECIDED, protocol]).to.include(next)
        else expect(next).to.equal(answer)
        answer = next
      }
      expect(answer).to.equal(protocol)
    })
  }

  it('is undecided within a signature', () => {
    for (const bytes of ['', 'P', 'PRO', 'PRI', 'CONNECT', '\r\n', '\x16']) {
      expect(guess(bytes), bytes).to.equal(UNDECIDED)
    }
  })

  it('does not take text for another protocol because it begins like one', () => {
    for (const bytes of [
      'CONNECT\naccept-version:1.2\n',
      'HELP\r\n',
      'Temp=21.5',
      'GIOP\x01',
      '\r\n\r\n\r\n',
    ])
      expect(guess(bytes), bytes).to.equal(undefined)
  })

  it('does not take MQTT and other bytes for any of them', () => {
    for (const bytes of [hex(R3), hex(R5), hex('00'), hex('ff'), 'get /', 'PX', 'PRX']) {
      expect(guess(bytes)).to.equal(undefined)
    }
  })

  it('knows the answers of other servers, which have no name', () => {
    for (const bytes of ['SSH-2.0', 'HTTP/1.1', 'AMQP\0', '\x15\x03\x01']) {
      expect(guess(bytes), bytes).to.equal(UNNAMED)
      expect(foreignProtocol(Buffer.from(bytes, 'latin1'), 0, bytes.length), bytes).to.equal(undefined)
    }
  })

  it('reads only from start to end', () => {
    const bytes = Buffer.from('xxGET / HTTP')
    expect(looksLike(bytes, 2, bytes.length)).to.equal('http')
    expect(looksLike(bytes, 0, bytes.length)).to.equal(undefined)
    expect(looksLike(Buffer.from('PRI'), 0, 2)).to.equal(UNDECIDED)
    expect(looksLike(bytes, 2, 2)).to.equal(UNDECIDED)
  })
})
