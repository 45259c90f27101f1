import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bufferToPacketVariant, property, v3_1_1, v5, Will } from '../../lib/index.ts'
import { thrown } from '../support/thrown.ts'

const fields = { cleanStart: true, keepAlive: 1, clientId: 'c' }

/** Bytes that say they are longer than they are. */
function lying(length: number): Uint8Array {
  return Object.defineProperty(new Uint8Array(2), 'length', { value: length })
}

/** Bytes that say something else about their length each time. */
function fickle(...lengths: number[]): Uint8Array {
  return Object.defineProperty(new Uint8Array(80), 'length', { get: changing(...lengths) })
}

/** Something else at each reading, as a getter may give. */
function changing<T>(...values: T[]): () => T {
  let next = 0
  return () => values[Math.min(next++, values.length - 1)] as T
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

  // The first is in doubt: what is plain is read once, and cannot change.
  const changes: [string, string[]][] = [
    ['shorter', ['\ud800', 'long enough', 'l']],
    ['longer', ['\ud800', 't', 't'.repeat(100)]],
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

  it('are refused as misuse if their length changes: no way past the end and back leaves memory unwritten', () => {
    const there = 50_000
    const back = there - 103
    for (const [first, second] of [
      [65_536 * 4 + there, -65_536 * 4 - 3],
      [65_535, -12],
      [100.5, back + 0.5],
      [Number.NaN, back],
    ] as const) {
      const props = [
        { id: 0x15, value: 'm' },
        { id: 0x16, value: fickle(100, 100, first) },
        { id: 0x16, value: fickle(back, second) },
      ] as never
      expect(thrown(() => new v5.ConnectPacket({ ...fields, props }))).to.have.property(
        'code',
        'ERR_INVALID_ARG_VALUE',
      )
    }
  })

  it('are refused as misuse if their length is none', () => {
    for (const length of [60.5, -1, -1000, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32 + 1]) {
      expect(thrown(() => new v5.ConnectPacket({ ...fields, password: fickle(length) }))).to.have.property(
        'code',
        'ERR_OUT_OF_RANGE',
      )
    }
  })

  it('are cut where their length says, if they have more', () => {
    const long = Object.defineProperty(new Uint8Array(5000).fill(7), 'length', { value: 100 })
    const { password } = new v5.ConnectPacket({ ...fields, password: long })
    expect(password?.equals(Buffer.alloc(100, 7))).to.equal(true)
  })

  it('are refused as misuse if they are of another type when they are written', () => {
    const wrong: unknown[] = [{ length: -65_536 * 4 - 6 }, null, 7, new Proxy(new Uint8Array(3), {})]
    for (const then of wrong) {
      const key = changing<unknown>('\ud800', 'k'.repeat(5000), then)
      const value = changing<unknown>('\ud800', new Uint8Array(5000), then)
      const pair = { id: 0x26, value: 'v', key: '' }
      const data = { id: 0x16, value: '' }
      Object.defineProperty(pair, 'key', { get: key })
      Object.defineProperty(data, 'value', { get: value })
      for (const item of [pair, data]) {
        const props = [{ id: 0x15, value: 'm' }, item] as never
        expect(thrown(() => new v5.ConnectPacket({ ...fields, props }))).to.have.property(
          'code',
          'ERR_INVALID_ARG_VALUE',
        )
      }
    }
  })

  it('are refused as misuse if other properties are there when they are written', () => {
    const item = { id: 0x26, key: 'too long for the memory that packets share', value: 'v'.repeat(9000) }
    const number = { id: 0x11, value: 1 }
    const wrong: unknown[] = [
      null,
      7,
      { id: 1n, value: 1 },
      { id: 0x11, value: 1n },
      { id: 0x11, value: null },
      { id: 0x0b, value: 1n },
    ]
    for (const then of wrong) {
      const at = changing<unknown>(number, then) // The first is in doubt already, so this one is not read in vain.
      const props = Object.defineProperty([item, number], 1, { get: at })
      expect(thrown(() => new v5.ConnectPacket({ ...fields, props } as never))).to.have.property(
        'code',
        'ERR_INVALID_ARG_VALUE',
      )
    }
    for (const then of [null, 7, { length: 1 }]) {
      // Checked, written in vain, measured, and then written.
      const props = changing<unknown>([item], [item], [item], then)
      const will = Object.defineProperty({ topic: 't', message: 'm' }, 'props', {
        get: props,
        enumerable: true,
      })
      expect(thrown(() => new v5.ConnectPacket({ ...fields, will } as never))).to.have.property(
        'code',
        'ERR_INVALID_ARG_VALUE',
      )
    }
  })

  it('are written as they were checked: a will QoS that changes sets no other flags', () => {
    for (const then of [16, 8, 4, '1', 3, 1n]) {
      const qos = changing<unknown>(1, then, then, then)
      const will = Object.defineProperty({ topic: 't', message: 'm' }, 'qos', { get: qos, enumerable: true })
      const { bytes } = new v5.ConnectPacket({ ...fields, will } as never)
      expect((bufferToPacketVariant(bytes) as v5.ConnectPacket).will?.qos).to.equal(1)
    }
  })

  it('are refused as misuse with will properties of 5.0 in 3.1.1, also if they come late', () => {
    const late = { topic: 't', message: 'm', props: [property.willDelayInterval(1)] }
    const fields3 = { cleanSession: true, keepAlive: 1, clientId: 'c' }
    const will = changing<unknown>(late, undefined)
    const hidden = Object.defineProperty({ ...fields3 }, 'will', { get: will, enumerable: true })
    expect(thrown(() => new v3_1_1.ConnectPacket(hidden))).to.have.property('code', 'ERR_INVALID_ARG_VALUE')
    const first = Object.defineProperty({ ...fields3 }, 'will', {
      get: changing<unknown>(undefined, late),
      enumerable: true,
    })
    expect(new v3_1_1.ConnectPacket(first).will).to.equal(undefined)
  })

  it('are written as they were measured: a value that changes is not cut to what fits', () => {
    const doubtful = { id: 0x26, key: 'too long for the memory that packets share', value: 'v'.repeat(9000) }
    for (const then of [0x10001, -65535.5, Number.NaN]) {
      const item = Object.defineProperty({ id: 0x21 }, 'value', { get: changing<unknown>(1, then) })
      expect(
        thrown(() => new v5.ConnectPacket({ ...fields, props: [doubtful, item] } as never)),
      ).to.have.property('code', 'ERR_INVALID_ARG_VALUE')
    }
    // An identifier that would be cut to that of a user property, with the bytes of two empty strings behind it.
    const item = Object.defineProperty({}, 'id', { get: changing<unknown>(0, 0, 0x126) })
    const props = [item, ...Array.from({ length: 4 }, () => ({ id: 0 }))]
    expect(thrown(() => new v5.ConnectPacket({ ...fields, props } as never))).to.have.property(
      'code',
      'ERR_INVALID_ARG_VALUE',
    )
    const will = Object.defineProperty({ topic: 't' }, 'message', {
      // Its length is the same in the end; its first reading is in doubt.
      get: changing('\ud800', 'abc', '\ud800'),
      enumerable: true,
    })
    expect(thrown(() => new v5.ConnectPacket({ ...fields, will } as never))).to.have.property(
      'code',
      'ERR_INVALID_ARG_VALUE',
    )
  })

  it('are refused as misuse if they are another kind of array with the prototype of bytes', () => {
    const others = [
      new DataView(new ArrayBuffer(2)),
      new BigInt64Array(2),
      new Float64Array(2),
      new Uint16Array(2),
    ]
    for (const other of others) {
      const bytes = Object.setPrototypeOf(other, Uint8Array.prototype)
      const misuses = [
        () => new v5.ConnectPacket({ ...fields, password: bytes }),
        () => new Will({ topic: 't', message: bytes }),
        () => property.correlationData(bytes),
        () => bufferToPacketVariant(bytes),
      ]
      for (const misuse of misuses) {
        expect(thrown(misuse)).to.have.property('code', 'ERR_INVALID_ARG_TYPE')
      }
    }
    for (const length of [1n, Symbol('1'), Object.create(null)]) {
      const password = Object.defineProperty(new Uint8Array(1), 'length', { value: length })
      expect(thrown(() => new v5.ConnectPacket({ ...fields, password }))).to.have.property(
        'code',
        'ERR_INVALID_ARG_TYPE',
      )
    }
  })

  it('are empty if their memory has been transferred away', () => {
    const gone = new Uint8Array(4)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    expect(new Will({ topic: 't', message: gone }).message).to.have.length(0)
    expect(property.correlationData(gone).value).to.have.length(0)
    expect(new v5.ConnectPacket({ ...fields, password: gone }).password).to.have.length(0)
  })

  it('make a will of what was checked, also if they change', () => {
    const will = Object.defineProperty({ topic: 't', message: 'm' }, 'props', {
      get: changing<unknown>([property.willDelayInterval(1)], 7),
      enumerable: true,
    })
    expect(new Will(will as never).props).to.deep.equal([{ id: 0x18, value: 1 }])
    const construct = Will as unknown as new (...from: unknown[]) => Will
    expect(thrown(() => new construct({ topic: 7, message: 'm' }, true))).to.have.property(
      'code',
      'ERR_INVALID_ARG_TYPE',
    )
  })

  it('do not pass for bytes that have been scanned', () => {
    const construct = v5.ConnectPacket as unknown as new (...from: unknown[]) => v5.ConnectPacket
    expect(new construct({ ...fields }, 0).clientId).to.equal('c')
    for (const from of [
      [fields, 0, Symbol('scanned')],
      [fields, 0, undefined],
    ]) {
      expect(new construct(...from).clientId).to.equal('c')
    }
    const { bytes } = new v5.ConnectPacket(fields)
    expect(thrown(() => new construct(bytes, 2))).to.have.property('code', 'ERR_INVALID_ARG_VALUE')
  })

  it('are refused as misuse if they only look like bytes', () => {
    for (const password of [new Proxy(new Uint8Array(3), {}), Object.create(Uint8Array.prototype)]) {
      expect(thrown(() => new v5.ConnectPacket({ ...fields, password }))).to.have.property(
        'code',
        'ERR_INVALID_ARG_TYPE',
      )
    }
  })

  it('are refused with their size in bytes, if they are strings that are too long', () => {
    expect(
      thrown(() => new v5.ConnectPacket({ ...fields, clientId: '\u00e9'.repeat(70_000) })),
    ).to.have.property('message', 'clientId: expected at most 65535 bytes, got 140000')
    expect(
      thrown(() => new v5.ConnectPacket({ ...fields, clientId: '\u00e9'.repeat(40_000) })),
    ).to.have.property('message', 'clientId: expected at most 65535 bytes, got 80000')
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
