import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { v5 } from '../../lib/packets/index.ts'
import { buildV5, decodeV5 } from '../support/packets.ts'

/* Small packets share memory while they're written, which must not show. */

const text = (length: number): string => 'c'.repeat(length)

describe('packets that are built', () => {
  it('stay as they are, however many follow in the same memory', () => {
    const packets = Array.from({ length: 2000 }, (_, i) =>
      buildV5({ clientId: `c${i}`, password: text(i % 300) }),
    )
    for (const [i, packet] of packets.entries()) {
      const decoded = decodeV5(packet.bytes)
      expect(decoded.clientId).to.equal(`c${i}`)
      expect(String(decoded.password)).to.equal(text(i % 300))
    }
  })

  it('are right at every length, whether they fit the rest of the memory or not', () => {
    for (
      let length = 0;
      length < 17_000;
      length += length < 700 || (length > 7900 && length < 8300) ? 1 : 61
    ) {
      const packet = buildV5({ clientId: text(length), userName: 'u', password: 'p' })
      const decoded = decodeV5(packet.bytes)
      if (decoded.clientId.length !== length || `${decoded.userName}${decoded.password}` !== 'up') {
        expect.fail(`${length}`)
      }
    }
  })

  it('are right wherever in the shared memory they end', () => {
    let random = 1
    for (let i = 0; i < 20_000; i++) {
      random = (Math.imul(random, 1103515245) + 12345) >>> 1
      const { bytes, clientId } = buildV5({ clientId: text(300 + (random % 700)), password: 'p' })
      if (bytes.length !== clientId.length + (clientId.length < 115 ? 18 : 19))
        expect.fail(`${clientId.length}`)
    }
  })

  it('are right after packets that were refused or misused half way', () => {
    for (let i = 0; i < 500; i++) {
      expect(() => buildV5({ clientId: text(i), userName: '\0' })).to.throw()
      expect(() => buildV5({ clientId: text(i), password: 7 as never })).to.throw()
      expect(decodeV5(buildV5({ clientId: text(i), password: 'p' }).bytes).clientId).to.equal(text(i))
    }
  })

  it('are not disturbed by a packet that a getter builds meanwhile', () => {
    for (const length of [1, 500, 5000, 9000]) {
      const inner: v5.ConnectPacket[] = []
      const props = [
        {
          id: 0x26,
          get key() {
            for (let i = 0; i < 3; i++) inner.push(buildV5({ clientId: `inner${i}`, password: text(length) }))
            return 'key'
          },
          value: 'value',
        } as const,
      ]
      const outer = buildV5({ clientId: 'outer', props, password: 'password' })
      expect(`${outer} ${outer.password}`).to.equal(
        'v5::connect{cid:outer,ka:0,cs:1,pw:*****,ps:[{id:user_property,key:key,val:value}]} password',
      )
      expect(inner).to.have.length.of.at.least(3)
      for (const [i, packet] of inner.entries()) {
        expect([packet.clientId, `${packet.password}`]).to.deep.equal([`inner${i % 3}`, text(length)])
      }
    }
  })

  it('share memory that cannot be transferred away, which would take the others along', () => {
    const [one, other] = [buildV5({ clientId: 'one' }), buildV5({ clientId: 'other' })]
    try {
      structuredClone(one.bytes, { transfer: [one.bytes.buffer as ArrayBuffer] })
    } catch (error) {
      expect(error).to.have.property('name', 'DataCloneError') // Node 20 doesn't transfer it, and doesn't throw
    }
    expect(one.clientId + other.clientId).to.equal('oneother')
  })

  it('hold no memory of other packets if the length of an array changes while it is read', () => {
    for (let truths = 0; truths < 4; truths++) {
      let reads = 0
      const password = Buffer.alloc(100)
      Object.defineProperty(password, 'length', { get: () => (reads++ < truths ? 100 : 3000) })
      if (truths === 0) {
        expect(() => buildV5({ password })).to.throw(TypeError, 'bytes whose length is their own')
      } else {
        expect(buildV5({ password }).password).to.deep.equal(Buffer.alloc(100))
      }
    }
  })

  it('do not hold memory that others have written', () => {
    for (let i = 0; i < 100; i++) Buffer.allocUnsafe(Buffer.poolSize >> 1).fill(0x41)
    const packet = new v5.ConnectPacket({
      cleanStart: true,
      keepAlive: 0,
      clientId: 'c',
      password: Buffer.alloc(20_000),
    })
    expect(packet.password?.every((byte) => byte === 0)).to.equal(true)
  })
})
