import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import fc from 'fast-check'
import { PacketDecoder, property, v3_1_1, v5 } from '../../lib/index.ts'
import { usual } from '../support/arbitraries.ts'
import { byteByByte, decode, framed, inTwo, outcomes, R3, R5 } from './support.ts'

const body3 = R3.subarray(2)
/** Long enough for three bytes of Remaining Length. */
const long3 = new v3_1_1.ConnectPacket({
  cleanSession: true,
  keepAlive: 60,
  clientId: 'long',
  userName: 'u',
  password: Buffer.alloc(16_400, 0x5a),
}).bytes
/** Long enough for four bytes of Remaining Length. */
const long4 = new v5.ConnectPacket({
  cleanStart: true,
  keepAlive: 60,
  clientId: 'longest',
  props: Array.from({ length: 33 }, (_, i) => property.userProperty(`${i}`, 'x'.repeat(65_000))),
}).bytes

const samples: Record<string, Buffer> = {
  'R3 (Remaining Length of 1 byte)': R3,
  'R5 (Remaining Length of 2 bytes)': R5,
  'MQTT 3.1.1 with a Remaining Length padded to 2 bytes': framed(body3, 2),
  'MQTT 3.1.1 with a Remaining Length padded to 3 bytes': framed(body3, 3),
  'MQTT 3.1.1 with a Remaining Length padded to 4 bytes': framed(body3, 4),
}

describe('PacketDecoder: however the bytes are split', () => {
  for (const [name, bytes] of Object.entries(samples)) {
    const ConnectPacket = name.startsWith('R5') ? v5.ConnectPacket : v3_1_1.ConnectPacket

    it(`decodes ${name} split in two at every byte`, async () => {
      for (let at = 0; at <= bytes.length; at++) {
        const { packets, error } = await decode(inTwo(bytes, at))
        expect(error, `split at ${at}`).to.equal(undefined)
        expect(packets, `split at ${at}`).to.have.length(1)
        expect(packets[0]).to.be.instanceof(ConnectPacket)
        expect((packets[0] as v5.ConnectPacket).bytes.equals(bytes), `split at ${at}`).to.equal(true)
        expect((packets[0] as v5.ConnectPacket).clientId).to.equal('sensor-0042')
      }
    })

    it(`decodes ${name} byte by byte`, async () => {
      expect(await outcomes(byteByByte(bytes))).to.deep.equal([`ConnectPacket ${bytes.toString('hex')}`])
    })
  }

  it('decodes a packet with a Remaining Length of 3 bytes split in two at every byte', async function () {
    this.timeout(60_000)
    expect(long3[3]).to.be.below(0x80)
    expect(long3[2]).to.be.above(0x7f)
    for (let at = 0; at <= long3.length; at++) {
      const { packets, error } = await decode(inTwo(long3, at))
      if (error !== undefined || packets.length !== 1 || !packets[0]) throw error ?? new Error(`at ${at}`)
      if (!long3.equals((packets[0] as v3_1_1.ConnectPacket).bytes))
        expect.fail(`other bytes, split at ${at}`)
    }
  })

  it('decodes a packet with a Remaining Length of 3 bytes byte by byte', async () => {
    const { packets, error } = await decode(byteByByte(long3))
    expect(error).to.equal(undefined)
    expect(packets).to.have.length(1)
    expect((packets[0] as v3_1_1.ConnectPacket).bytes.equals(long3)).to.equal(true)
  })

  it('decodes a packet with a Remaining Length of 4 bytes, split in the header, in the middle and in small chunks', async () => {
    expect(long4.length).to.be.above(2_097_152 + 5)
    const options = { maximumPacketSize: Number.POSITIVE_INFINITY }
    const cuts = [1, 2, 3, 4, 5, 6, 1_000_000, long4.length - 1].map((at) => inTwo(long4, at))
    const small: Buffer[] = []
    for (let at = 0; at < long4.length; at += 1021) small.push(long4.subarray(at, at + 1021))
    for (const chunks of [[long4], ...cuts, small]) {
      const { packets, error } = await decode(chunks, options)
      expect(error).to.equal(undefined)
      expect(packets).to.have.length(1)
      expect((packets[0] as v5.ConnectPacket).bytes.equals(long4)).to.equal(true)
    }
  })

  it('decodes R3 and R5 in three pieces at random places', async () => {
    const place = fc.nat({ max: R5.length })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(R3, R5), place, place, async (bytes, a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)]
        const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
        expect(await outcomes(chunks)).to.deep.equal([`ConnectPacket ${bytes.toString('hex')}`])
      }),
      { seed: 20_260_101, numRuns: usual(500) },
    )
  })

  it('decodes any sequence of packets, split anywhere, as the same packets', async () => {
    const packet = fc.constantFrom(...Object.values(samples))
    await fc.assert(
      fc.asyncProperty(
        fc.array(packet, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat({ max: 4000 }), { maxLength: 30 }),
        async (packets, places) => {
          const bytes = Buffer.concat(packets)
          const cuts = [0, ...places.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]
          const chunks = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end))
          expect(await outcomes(chunks)).to.deep.equal(
            packets.map((one) => `ConnectPacket ${one.toString('hex')}`),
          )
        },
      ),
      { seed: 20_260_102, numRuns: usual(200) },
    )
  })

  it('decodes all packets joined in one chunk, in order', async () => {
    const joined = [R3, R5, framed(body3, 4), long3, R3]
    expect(await outcomes([Buffer.concat(joined)])).to.deep.equal(
      joined.map((bytes) => `ConnectPacket ${bytes.toString('hex')}`),
    )
  })

  it('decodes a packet that begins in one chunk and ends with another one after it', async () => {
    const bytes = Buffer.concat([R3, R5, R3])
    for (let at = 0; at <= bytes.length; at++) {
      const lines = await outcomes(inTwo(bytes, at))
      expect(lines, `split at ${at}`).to.deep.equal(
        [R3, R5, R3].map((one) => `ConnectPacket ${one.toString('hex')}`),
      )
    }
  })

  it('gives a packet on the very byte that completes it', () => {
    const decoder = new PacketDecoder({ connection: false })
    for (const byte of byteByByte(R5.subarray(0, -1))) {
      decoder.write(byte)
      expect(decoder.read()).to.equal(null)
    }
    decoder.write(R5.subarray(-1))
    expect(decoder.read()?.bytes.equals(R5)).to.equal(true)
  })

  it('takes empty chunks anywhere', async () => {
    const empty = Buffer.alloc(0)
    const chunks = byteByByte(R3).flatMap((byte) => [empty, byte, empty])
    expect(await outcomes(chunks)).to.deep.equal([`ConnectPacket ${R3.toString('hex')}`])
    expect(await outcomes([empty, empty])).to.deep.equal([])
  })

  it('takes Uint8Array chunks, also views with an offset', async () => {
    const wide = new Uint8Array(R5.length + 20).fill(0xff)
    wide.set(R5, 7)
    const whole = Uint8Array.from(R5)
    for (const chunks of [
      [whole],
      [wide.subarray(7, 7 + R5.length)],
      [wide.subarray(7, 30), wide.subarray(30, 7 + R5.length)],
    ]) {
      expect(Buffer.isBuffer(chunks[0])).to.equal(false)
      const { packets, error } = await decode(chunks)
      expect(error).to.equal(undefined)
      expect(packets).to.have.length(1)
      const packet = packets[0] as v5.ConnectPacket
      expect(Buffer.isBuffer(packet.bytes)).to.equal(true)
      expect(packet.bytes.equals(R5)).to.equal(true)
    }
  })

  it('takes bytes of another realm, which are no instances of Uint8Array here', async () => {
    const theirs: Uint8Array = runInNewContext('new Uint8Array(length)', { length: R5.length })
    theirs.set(R5)
    expect(theirs).not.to.be.instanceOf(Uint8Array)
    const { packets, error } = await decode([theirs.subarray(0, 9), theirs.subarray(9)])
    expect(error).to.equal(undefined)
    expect(packets).to.have.length(1)
  })

  it('gives nothing and no error for a stream that ends before its first byte', async () => {
    expect(await outcomes([])).to.deep.equal([])
  })
})
