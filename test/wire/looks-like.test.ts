import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { looksLike } from '../../lib/wire/looks-like.ts'
import { hex, R3, R5 } from '../support/reference.ts'

function guess(bytes: Uint8Array | string): string | undefined {
  const buffer = Buffer.from(bytes as Uint8Array)
  return looksLike(buffer, 0, buffer.length)
}

describe('looksLike', () => {
  it('knows TLS by its handshake record', () => {
    expect(guess(hex('160301020001'))).to.equal('tls')
    expect(guess(hex('160303'))).to.equal('tls')
  })

  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']) {
    it(`knows HTTP by ${method}`, () => {
      expect(guess(`${method} / HTTP/1.1\r\nHost: example\r\n\r\n`)).to.equal('http')
    })
  }

  it('knows HTTP/2 by its preface', () => {
    expect(guess('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).to.equal('http')
  })

  it('knows the PROXY protocol, version 1 and 2', () => {
    expect(guess('PROXY TCP4 192.0.2.1 192.0.2.2 56324 1883\r\n')).to.equal('proxy-v1')
    expect(guess(hex('0d0a0d0a000d0a515549540a 21 11 000c'))).to.equal('proxy-v2')
  })

  it('tells from the first bytes, as far as they go', () => {
    expect(guess('G')).to.equal('http')
    expect(guess(hex('16'))).to.equal('tls')
    expect(guess('\r\n\r\n')).to.equal('proxy-v2')
    expect(guess('PROX')).to.equal('proxy-v1')
    expect(guess('PU')).to.equal('http')
  })

  it('does not tell while two are possible', () => {
    expect(guess('P')).to.equal(undefined)
    expect(guess('PR')).to.equal(undefined)
    expect(guess('PRI')).to.equal('http')
    expect(guess('PRO')).to.equal('proxy-v1')
  })

  it('does not take MQTT, nothing and other bytes for any of them', () => {
    for (const bytes of [
      hex(R3),
      hex(R5),
      hex(''),
      hex('1602'),
      hex('00'),
      'GETX',
      'get /',
      '\r\n\r\nX',
      'SSH-2.0',
    ]) {
      expect(guess(bytes)).to.equal(undefined)
    }
  })

  it('looks only between start and end', () => {
    const bytes = Buffer.from('xxGET / HTTP')
    expect(looksLike(bytes, 2, bytes.length)).to.equal('http')
    expect(looksLike(bytes, 0, bytes.length)).to.equal(undefined)
    expect(looksLike(Buffer.from('PRI'), 0, 2)).to.equal(undefined)
    expect(looksLike(bytes, 2, 2)).to.equal(undefined)
  })
})
