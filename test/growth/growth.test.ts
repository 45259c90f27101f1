import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { bufferToPacketVariant, explain, PacketDecoder, property, v5 } from '../../lib/index.ts'
import { PacketParser } from '../../lib/packets/packet-parser.ts'
import { hex, R5 } from '../support/reference.ts'
import { growthExponent } from './growth.ts'

/** Between linear and quadratic, with room for a busy machine. */
const LINEAR = 1.5

function withProperties(count: number): v5.ConnectPacket {
  const props = Array.from({ length: count }, (_, i) => property.userProperty(`key-${i}`, 'value'))
  return new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'c', props })
}

describe('the growth exponent', function () {
  this.timeout(60_000)

  it('can tell linear from quadratic work', () => {
    const sizes = [2000, 4000, 8000, 16_000]
    let sink = 0
    const linear = growthExponent((size) => {
      for (let i = 0; i < size * 500; i++) sink ^= i
    }, sizes)
    const quadratic = growthExponent((size) => {
      for (let i = 0; i < size; i++) for (let j = 0; j < size; j += 8) sink ^= j
    }, sizes)
    expect(sink).to.be.a('number')
    expect(linear).to.be.within(0.6, LINEAR)
    expect(quadratic).to.be.within(LINEAR, 2.5)
  })

  it('is that of linear work for a packet fed byte by byte', () => {
    const sizes = [20_000, 40_000, 80_000, 160_000]
    const packets = new Map(sizes.map((size) => [size, withProperties(size / 20).bytes]))
    const exponent = growthExponent((size) => {
      const bytes = packets.get(size) as Buffer
      const framer = new PacketParser({ maximumPacketSize: Number.POSITIVE_INFINITY }, { accept: 'connects' })
      let packet: unknown
      for (let at = 0; at < bytes.length; at++) {
        framer.feed(bytes.subarray(at, at + 1))
        packet = framer.next()
      }
      expect(packet).to.be.instanceOf(v5.ConnectPacket)
    }, sizes)
    expect(exponent).to.be.below(LINEAR)
  })

  const sizes = [4000, 8000, 16_000, 32_000]
  for (const [what, work] of Object.entries<(packet: v5.ConnectPacket) => unknown>({
    'decoding a packet': (packet) => bufferToPacketVariant(packet.bytes),
    'reading properties': (packet) => packet.props.length,
    'building a packet': (packet) => packet.with({ keepAlive: 2 }),
    'the text form': (packet) => packet.toString().length,
    'the buffer sequence': (packet) => packet.numOfConstBufferSequence,
    'explaining a packet': (packet) => explain(packet.bytes).rows.length,
  })) {
    it(`is that of linear work in the number of properties for ${what}`, () => {
      const packets = new Map(sizes.map((size) => [size, withProperties(size)]))
      expect(growthExponent((size) => work(packets.get(size) as v5.ConnectPacket), sizes)).to.be.below(LINEAR)
    })
  }

  it('is that of linear work in the number of packets in a chunk', () => {
    const chunks = new Map(sizes.map((size) => [size, Buffer.concat(new Array(size).fill(hex(R5)))]))
    const exponent = growthExponent((size) => {
      const decoder = new PacketDecoder({ readableHighWaterMark: Number.MAX_SAFE_INTEGER })
      decoder.write(chunks.get(size) as Buffer)
      expect(decoder.readableLength).to.equal(size)
    }, sizes)
    expect(exponent).to.be.below(LINEAR)
  })
})
