import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { MqttError, property, v5 } from '../../lib/index.ts'
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

  it('are refused if they change while the packet is written', () => {
    const topic = changing('long enough', 'l')
    const key = changing('k', 'k'.repeat(100))
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
    expect(thrown(() => new v5.ConnectPacket({ ...fields, will }))).to.be.instanceOf(MqttError)
    expect(thrown(() => new v5.ConnectPacket({ ...fields, props: [item] }))).to.be.instanceOf(MqttError)
  })

  it('are refused as misuse in a list with a hole', () => {
    // biome-ignore lint/suspicious/noSparseArray: it is about one.
    const props = [, property.receiveMaximum(1)] as never
    expect(thrown(() => new v5.ConnectPacket({ ...fields, props }))).to.have.property(
      'code',
      'ERR_INVALID_ARG_TYPE',
    )
  })
})
