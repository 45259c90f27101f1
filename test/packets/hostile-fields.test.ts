import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { connack, MqttError, property, v3_1_1, v5, Will } from '../../lib/packets/index.ts'
import { runs, usual } from '../support/arbitraries.ts'
import { buildV5, decodeV5 } from '../support/packets.ts'
import { hex } from '../support/reference.ts'
import { expectMisuse, thrown } from '../support/thrown.ts'

const fields = { cleanStart: true, keepAlive: 1, clientId: 'c' }

/** An object whose getters return these values one after the other, and then repeat the last one. */
function changing(values: Readonly<Record<string, readonly unknown[]>>): never {
  const object = {}
  for (const [name, list] of Object.entries(values)) {
    let next = 0
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => list[Math.min(next++, list.length - 1)],
    })
  }
  return object as never
}

describe('fields that change while a packet is built', () => {
  const texts = fc.constantFrom<unknown>(
    '',
    'a',
    'x'.repeat(100),
    'x'.repeat(9000),
    '\ud800',
    '\0',
    'é€😀',
    null,
    7,
  )
  const bytes = fc.oneof(
    texts,
    fc.constantFrom(new Uint8Array(3), new Uint8Array(9000), new Proxy(Buffer.alloc(1), {})),
  )
  const numbers = fc.constantFrom<unknown>(
    0,
    1,
    2,
    3,
    4,
    16,
    255,
    65_535,
    65_536,
    1.5,
    -1,
    Number.NaN,
    '1',
    1n,
    null,
  )
  const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 4 })
  const props = some(
    fc.array(
      fc
        .record({
          id: some(fc.constantFrom<unknown>(0x26, 0x21, 0x15, 0x16, 0x126, 0, null, '38')),
          key: some(texts),
          value: some(fc.oneof(bytes, numbers)),
        })
        .map(changing),
      { maxLength: 2 },
    ),
  )
  const hostile = fc.record({
    cleanStart: fc.constant([true]),
    keepAlive: some(numbers),
    clientId: some(texts),
    userName: some(texts),
    password: some(bytes),
    props,
    will: some(
      fc.record({ topic: some(texts), message: some(bytes), qos: some(numbers), props }).map(changing),
    ),
  })
  /** Only one field is hostile, because otherwise nearly all packets would be refused. */
  const oneHostile = fc
    .tuple(hostile, fc.constantFrom('keepAlive', 'clientId', 'userName', 'password', 'props', 'will'))
    .map(([all, name]) =>
      changing({ cleanStart: [true], keepAlive: [1], clientId: ['c'], [name]: all[name as 'props'] }),
    )

  it('give a packet that decodes, or one of the three kinds of error', () => {
    let built = 0
    fc.assert(
      fc.property(fc.oneof(hostile.map(changing), { weight: 5, arbitrary: oneHostile }), (some) => {
        let packet: v5.ConnectPacket
        try {
          packet = new v5.ConnectPacket(some)
        } catch (error) {
          if (error instanceof MqttError) return
          expect((error as { code?: string }).code, `${error}`).to.match(/^ERR_(INVALID_ARG|OUT_OF)/)
          return
        }
        built++
        expect(decodeV5(packet.bytes).with({}).equals(packet)).to.equal(true)
      }),
      { ...runs, numRuns: usual(4000) },
    )
    expect(built).to.be.greaterThan(300)
  })

  it('cannot set other flags, or put will properties into a packet of 3.1.1', () => {
    for (const then of [16, 8, 4, '1', 3, 1n]) {
      const will = changing({ topic: ['t'], message: ['m'], qos: [1, then] })
      expect(decodeV5(new v5.ConnectPacket({ ...fields, will }).bytes).will?.qos).to.equal(1)
    }
    const late = { topic: 't', message: 'm', props: [property.willDelayInterval(1)] }
    const old = { cleanSession: [true], keepAlive: [1], clientId: ['c'] }
    const build = (will: unknown[]) => new v3_1_1.ConnectPacket(changing({ ...old, will }))
    expectMisuse(() => build([late, undefined]), 'ERR_INVALID_ARG_VALUE', 'will.props')
    expect(build([undefined, late]).will).to.equal(undefined)
  })

  it('cannot set a bridge bit in 5.0, which has none', () => {
    const lying = new Proxy(fields, { get: (own, name) => name === 'bridge' || Reflect.get(own, name) })
    expect(decodeV5(new v5.ConnectPacket(lying).bytes).clientId).to.equal('c')
  })

  it('are read once, so that exactly the measured bytes are written', () => {
    for (const then of ['', 'v'.repeat(8999), 'v'.repeat(9001), '€'.repeat(9000)]) {
      const value = 'v'.repeat(9000)
      const props = [changing({ id: [0x26, 0x21], key: ['k', then], value: [value, then] })]
      expect(decodeV5(buildV5({ props }).bytes).userProperties('k')).to.deep.equal([value])
    }
  })

  it('make a will of the checked values', () => {
    const will = changing({ topic: ['t'], message: ['m'], props: [[property.willDelayInterval(1)], 7] })
    expect(new Will(will).props).to.deep.equal([{ id: 0x18, value: 1 }])
  })
})

/** Builds packets with predictable bytes, and returns those with other bytes. */
function wrongPackets(count: number): string[] {
  const expected = (i: number) =>
    hex(`100e 0004 4d515454 05 02 ${(i & 0xffff).toString(16).padStart(4, '0')} 00 0001 63`)
  const found: string[] = []
  const refusal = connack(4, 0x87)?.bytes.toString('hex')
  if (refusal !== '20020005') found.push(`connack: ${refusal}`)
  const packets = Array.from(
    { length: count },
    (_, keepAlive) => new v5.ConnectPacket({ ...fields, keepAlive }),
  )
  packets.forEach(({ bytes }, i) => {
    if (!bytes.equals(expected(i))) found.push(`${i}: ${bytes.toString('hex')}`)
  })
  return found
}

/*
 * Packets share memory. A getter that runs during construction may build other packets, valid or not, and none may get another
 * packet's memory.
 */
describe('building a packet while another one is being built', () => {
  /** Builds failing and valid packets during the construction of another packet. */
  function buildOthers(): void {
    expect(() => buildV5({ clientId: 'x'.repeat(3000), userName: '\0' })).to.throw(MqttError)
    expect(() => buildV5({ clientId: 'x'.repeat(3000), keepAlive: 65_536 })).to.throw(RangeError)
    expect(() =>
      buildV5({ clientId: 'x'.repeat(3000), props: [{ id: 0x26, key: 'k', value: 1 } as never] }),
    ).to.throw(TypeError)
    expect(buildV5({ clientId: 'other' }).clientId).to.equal('other')
  }

  /** Adds a getter that builds other packets. */
  function building(object: object, name: string, value: unknown): never {
    return Object.defineProperty(object, name, {
      enumerable: true,
      get() {
        buildOthers()
        return value
      },
    }) as never
  }

  const places: Readonly<Record<string, () => object>> = {
    'a field': () => building({ ...fields }, 'userName', 'u'),
    "a property's value": () => ({ ...fields, props: [building({ id: 0x26, key: 'k' }, 'value', 'v')] }),
    "a property's key": () => ({ ...fields, props: [building({ id: 0x26, value: 'v' }, 'key', 'k')] }),
    "a property's id": () => ({ ...fields, props: [building({ value: 7 }, 'id', 0x21)] }),
    "a will's topic": () => ({ ...fields, will: building({ message: 'm' }, 'topic', 't') }),
    "a will property's value": () => ({
      ...fields,
      will: { topic: 't', message: 'm', props: [building({ id: 0x03 }, 'value', 'text')] },
    }),
    "a password's length": () => ({ ...fields, password: building(Buffer.from('secret'), 'length', 3) }),
    "authentication data's length": () => ({
      ...fields,
      props: [
        { id: 0x15, value: 'm' },
        { id: 0x16, value: building(Buffer.from('data'), 'length', 9000) },
      ],
    }),
  }

  for (const [place, hostile] of Object.entries(places)) {
    it(`in a getter of ${place} harms neither packet, nor those after them`, () => {
      for (let round = 0; round < 20; round++) {
        const build = () => new v5.ConnectPacket(hostile() as v5.ConnectPacketFields)
        if (place.endsWith('length')) {
          expectMisuse(build, 'ERR_INVALID_ARG_VALUE', place.startsWith('a password') ? 'password' : 'props')
        } else {
          const packet = build()
          expect(packet.clientId).to.equal('c')
          expect(decodeV5(Buffer.from(packet.bytes)).equals(packet)).to.equal(true)
        }
        expect(wrongPackets(200)).to.deep.equal([])
      }
    })
  }

  it('while it fails itself harms no packet after it', () => {
    for (let round = 0; round < 20; round++) {
      const props = [building({ id: 0x26, key: 'k' }, 'value', '\0')]
      expect(() => buildV5({ props })).to.throw(MqttError)
      expect(wrongPackets(200)).to.deep.equal([])
    }
  })
})

describe('fake bytes', () => {
  const places: [string, (bytes: never) => unknown][] = [
    ['password', (password) => new v5.ConnectPacket({ ...fields, password })],
    ['will.message', (message) => new Will({ topic: 't', message })],
    ['will.message', (message) => buildV5({ will: { topic: 't', message } })],
    ['will.props.correlationData', (value) => property.correlationData(value)],
    ['props.authenticationData', (value) => buildV5({ props: [{ id: 0x16, value }] })],
  ]

  for (const [name, use] of places) {
    it(`are refused as ${name} if their length is faked`, () => {
      for (const length of [0, 40, 4000, 60.5, -1, Number.NaN, 2 ** 32 + 1, 1n, Symbol('1'), null]) {
        const lying = Object.defineProperty(new Uint8Array(2), 'length', { value: length })
        expectMisuse(() => use(lying as never), 'ERR_INVALID_ARG_VALUE', name)
        const lyingBuffer = Object.defineProperty(Buffer.alloc(2), 'length', { value: length })
        expectMisuse(() => use(lyingBuffer as never), 'ERR_INVALID_ARG_VALUE', name)
      }
    })

    it(`are refused as ${name} if they only look like bytes`, () => {
      const others = [
        new DataView(new ArrayBuffer(2)),
        new BigInt64Array(2),
        new Float64Array(2),
        new Uint16Array(2),
      ]
      for (const bytes of [
        ...others.map((other) => Object.setPrototypeOf(other, Uint8Array.prototype)),
        new Proxy(new Uint8Array(3), {}),
        Object.create(Uint8Array.prototype),
        Object.create(Buffer.prototype),
        Object.create(new Uint8Array(3)),
      ]) {
        const error = thrown(() => use(bytes as never))
        expect(error)
          .to.have.property('code')
          .that.matches(/^ERR_INVALID_ARG_(TYPE|VALUE)$/)
      }
    })
  }

  it('are empty if their memory has been transferred away', () => {
    const gone = new Uint8Array(4)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    expect(new Will({ topic: 't', message: gone }).message).to.have.length(0)
    expect(property.correlationData(gone).value).to.have.length(0)
    expect(new v5.ConnectPacket({ ...fields, password: gone }).password).to.have.length(0)
  })

  it('are refused in a list of properties with a hole', () => {
    const props: unknown[] = [property.receiveMaximum(1)]
    props[2] = property.topicAliasMaximum(1)
    expectMisuse(() => buildV5({ props } as never), 'ERR_INVALID_ARG_TYPE', 'props')
  })
})

describe('bytes and a key', () => {
  it('cannot pass for checked bytes', () => {
    for (const Packet of [v5.ConnectPacket, v5.ConnackPacket, Will]) {
      const construct = Packet as unknown as new (...from: unknown[]) => object
      for (const key of [Symbol('checked'), true, 0, undefined]) {
        expect(thrown(() => new construct(Buffer.from('rubbish'), key))).to.have.property(
          'code',
          'ERR_INVALID_ARG_TYPE',
        )
      }
    }
  })
})
