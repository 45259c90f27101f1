import { expect } from 'chai'
import { property } from '../../lib/packets/index.ts'
import { buildV3, buildV5, decodeOpaque, decodeV3, decodeV5 } from '../support/packets.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { expectMisuse } from '../support/thrown.ts'

describe('equals', () => {
  it('holds for packets with the same bytes, built or decoded', () => {
    expect(decodeV3(hex(R3)).equals(decodeV3(hex(R3)))).to.equal(true)
    expect(decodeV5(hex(R5)).equals(decodeV5(hex(R5)))).to.equal(true)
    expect(buildV5().equals(decodeV5(buildV5().bytes))).to.equal(true)
  })

  it('holds for a packet and itself', () => {
    const packet = buildV3()
    expect(packet.equals(packet)).to.equal(true)
  })

  it('tells packets apart that differ in one field', () => {
    const packet = buildV5()
    for (const changes of [
      { cleanStart: false },
      { keepAlive: 1 },
      { clientId: 'd' },
      { clientId: '' },
      { userName: '' },
      { password: '' },
      { will: { topic: 't', message: '' } },
      { props: [property.userProperty('', '')] },
    ]) {
      expect(packet.equals(packet.with(changes)), JSON.stringify(changes)).to.equal(false)
    }
  })

  it('tells packets apart that differ in the order of properties', () => {
    const [a, b] = [property.receiveMaximum(1), property.topicAliasMaximum(1)]
    expect(buildV5({ props: [a, b] }).equals(buildV5({ props: [b, a] }))).to.equal(false)
  })

  it('tells the two versions apart', () => {
    expect(buildV3().equals(buildV5())).to.equal(false)
  })
})

describe('compare', () => {
  it('gives -1, 0 and 1 by the encoded bytes', () => {
    const [a, b] = [buildV3({ clientId: 'a' }), buildV3({ clientId: 'b' })]
    expect(a.compare(b)).to.equal(-1)
    expect(a.compare(buildV3({ clientId: 'a' }))).to.equal(0)
    expect(b.compare(a)).to.equal(1)
  })

  it('orders lexicographically, so by the Remaining Length before the contents', () => {
    const short = buildV3({ clientId: 'z' })
    const long = buildV3({ clientId: 'aa' })
    expect(short.compare(long)).to.equal(-1)
  })

  it('compares bytes as unsigned', () => {
    const low = buildV3({ userName: 'u', password: new Uint8Array([0x7f]) })
    const high = buildV3({ userName: 'u', password: new Uint8Array([0x80]) })
    expect(low.compare(high)).to.equal(-1)
  })

  it('compares packets of any type with one another', () => {
    const ping = decodeOpaque(hex('c000'))
    expect(buildV3().compare(ping)).to.equal(-1)
    expect(ping.compare(buildV5())).to.equal(1)
    expect(ping.equals(decodeOpaque(hex('c000')))).to.equal(true)
  })

  it('sorts packets', () => {
    const ids = ['c', 'a', 'bb', 'b', '']
    const packets = ids.map((clientId) => buildV5({ clientId }))
    expect(packets.sort((a, b) => a.compare(b)).map((packet) => packet.clientId)).to.deep.equal([
      ...['', 'a', 'b', 'c', 'bb'],
    ])
  })

  it('refuses what is not a packet with a TypeError', () => {
    for (const other of [undefined, null, hex(R3), { bytes: hex(R3) }, 'packet']) {
      expectMisuse(() => buildV3().compare(other as never), 'ERR_INVALID_ARG_TYPE', 'other')
      expectMisuse(() => buildV5().equals(other as never), 'ERR_INVALID_ARG_TYPE', 'other')
    }
  })
})
