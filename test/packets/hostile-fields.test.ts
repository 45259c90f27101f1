import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { property, v5 } from '../../lib/index.ts'
import { thrown } from '../support/thrown.ts'

const fields = { cleanStart: true, keepAlive: 1, clientId: 'c' }

/** Bytes that say they are longer than they are. */
function lying(length: number): Uint8Array {
  return Object.defineProperty(new Uint8Array(2), 'length', { value: length })
}

/** Something else at each reading, as a getter may give. */
function changing(...values: string[]): () => string {
  let next = 0
  return () => values[Math.min(next++, values.length - 1)] as string
}

describe('fields that are not what they seem', () => {
  for (const length of [40, 4000]) {
    it(`never let memory that was not written into a packet (${length} bytes claimed, 2 given)`, () => {
      for (let i = 0; i < 200; i++) Buffer.allocUnsafe(Buffer.poolSize >> 1).fill(0x41) // Something to leak.
      for (let i = 0; i < 50; i++) {
        const { password } = new v5.ConnectPacket({ ...fields, password: lying(length) })
        expect(password?.every((byte) => byte === 0)).to.equal(true)
      }
    })
  }

  const changes: [string, string[]][] = [
    ['shorter', ['long enough', 'l']],
    ['longer each time', ['t', 't'.repeat(100), 't'.repeat(200), 't'.repeat(300)]],
  ]
  for (const [how, values] of changes) {
    it(`are refused as misuse if they change while the packet is written: ${how}`, () => {
      const topic = changing(...values)
      const key = changing(...values)
      const will = {
        get topic() {
          return topic()
        },
        message: 'm',
      }
      const item = {
        id: 0x26,
        get key() {
          return key()
        },
        value: 'v',
      } as const
      for (const changed of [{ will }, { props: [item] }]) {
        expect(thrown(() => new v5.ConnectPacket({ ...fields, ...changed }))).to.have.property(
          'code',
          'ERR_INVALID_ARG_VALUE',
        )
      }
    })
  }

  it('are refused as misuse in a list with a hole', () => {
    // biome-ignore lint/suspicious/noSparseArray: it is about one.
    const props = [, property.receiveMaximum(1)] as never
    expect(thrown(() => new v5.ConnectPacket({ ...fields, props }))).to.have.property(
      'code',
      'ERR_INVALID_ARG_TYPE',
    )
  })
})
