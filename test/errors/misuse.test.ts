import { expect } from 'chai'
import { decode, v5 } from '../../lib/packets/index.ts'
import { thrown } from '../support/thrown.ts'

/** The message of the error that a call throws. */
const message = (call: () => unknown): string => thrown(call).message

describe('messages about a wrong type', () => {
  const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'one' })
  for (const [what, value, kind] of [
    ['a forgotten await', Promise.resolve(packet.bytes), 'a Promise: is an await missing?'],
    ['an ArrayBuffer', new ArrayBuffer(2), 'an ArrayBuffer'],
    ['a DataView', new DataView(new ArrayBuffer(2)), 'a DataView'],
    ['hex', '10', 'a string'],
    ['an array of numbers', [0x10, 0], 'an array'],
    ['the packet itself', packet, 'an object'],
    ['nothing', null, 'null'],
  ] as const) {
    it(`name ${what}`, () => {
      expect(message(() => decode(value as never))).to.equal(`bytes: must be a Uint8Array, not ${kind}`)
    })
  }

  it('name bytes where a string must be', () => {
    const fields = { cleanStart: true, keepAlive: 60, clientId: Buffer.from('one') as never }
    expect(message(() => new v5.ConnectPacket(fields))).to.equal(
      'clientId: must be a string, not a Uint8Array',
    )
  })

  it("have an error of the caller's own iterator as their cause", () => {
    const mistake = new TypeError('not a function')
    const codes = function* (): Generator<'client-id-empty'> {
      yield 'client-id-empty'
      throw mistake
    }
    expect(thrown(() => decode(packet.bytes, { allow: codes() as never })).cause).to.equal(mistake)
  })

  it("have no cause if the value can't be iterated", () => {
    for (const allow of [5, null, {}, { [Symbol.iterator]: 5 }]) {
      const error = thrown(() => decode(packet.bytes, { allow: allow as never }))
      expect(error).to.have.property('code', 'ERR_INVALID_ARG_TYPE')
      expect(error).not.to.have.property('cause')
    }
  })
})
