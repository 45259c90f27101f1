import { expect } from 'chai'
import mqttPacket from 'mqtt-packet'
import { PacketBoundary } from '../../lib/connection/packet-boundary.ts'
import { numbers } from '../support.ts'

/** A PUBLISH whose contents look like fixed headers. */
function packetOf(remainingLength: number, firstByte: number = 0x30): Buffer {
  const header = [firstByte]
  let rest = remainingLength
  do {
    header.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from(header), Buffer.alloc(remainingLength, 'e000c000', 'hex')])
}

function boundaryAfter(...chunks: readonly Buffer[]): PacketBoundary {
  const boundary = new PacketBoundary()
  for (const chunk of chunks) boundary.push(chunk)
  return boundary
}

/** The ends of the packets, found by a parser of complete MQTT. */
function endsOf(packets: readonly Buffer[]): Set<number> {
  let end = 0
  return new Set([0, ...packets.map(({ length }) => (end += length))])
}

const session: readonly Buffer[] = [
  mqttPacket.generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'a/#', qos: 1 }] }),
  mqttPacket.generate({
    cmd: 'publish',
    topic: 'a/b',
    payload: 'x'.repeat(300),
    qos: 1,
    messageId: 2,
    dup: false,
    retain: false,
  }),
  mqttPacket.generate({ cmd: 'pingreq' }),
  packetOf(0),
  packetOf(127),
  packetOf(128),
  packetOf(16_383),
  packetOf(16_384),
  mqttPacket.generate({ cmd: 'puback', messageId: 3 }),
]

const bytes = Buffer.concat(session)
/** Every position in the bytes, from before the first to after the last. */
const splits = Array.from({ length: bytes.length + 1 }, (_, split) => split)

describe('gateway: packet boundaries', () => {
  it('a new connection is at a boundary', () => {
    expect(new PacketBoundary().isReached).to.equal(true)
  })

  it('every split of a session gives the same boundaries', () => {
    const ends = endsOf(session)
    const wrong = splits.filter((split) => {
      const boundary = boundaryAfter(bytes.subarray(0, split))
      const isAsExpected = boundary.isReached === ends.has(split)
      boundary.push(bytes.subarray(split))
      return !isAsExpected || !boundary.isReached
    })
    expect(wrong).to.deep.equal([])
  })

  it('a session that arrives byte by byte has the same boundaries', () => {
    const boundary = new PacketBoundary()
    const found = splits.filter((split) => {
      if (split > 0) boundary.push(bytes.subarray(split - 1, split))
      return boundary.isReached
    })
    expect(found).to.deep.equal([...endsOf(session)])
  })

  it('the rest of a started packet is passed on, and everything after it is held back', () => {
    const ends = [...endsOf(session)]
    const wrong = splits.filter((split) => {
      const boundary = boundaryAfter(bytes.subarray(0, split))
      const passed = boundary.pushToBoundary(bytes.subarray(split))
      const end = ends.find((end) => end >= split)
      return split + passed !== end || !boundary.isReached || boundary.pushToBoundary(bytes) !== 0
    })
    expect(wrong).to.deep.equal([])
  })

  it('the rest of a packet may come byte by byte, too', () => {
    const packet = packetOf(200)
    const boundary = boundaryAfter(packet.subarray(0, 2))
    for (const byte of packet.subarray(2)) expect(boundary.pushToBoundary(Buffer.of(byte))).to.equal(1)
    expect(boundary.pushToBoundary(packet)).to.equal(0)
  })

  it('the largest packet, 268,435,455 bytes, is skipped', () => {
    const boundary = boundaryAfter(Buffer.from('30ffffff7f', 'hex'))
    const chunk = Buffer.alloc(65_536, 0xff)
    for (let left = 268_435_455; left > 0; left -= chunk.length) {
      expect(boundary.isReached).to.equal(false)
      boundary.push(chunk.subarray(0, left))
    }
    expect(boundary.isReached).to.equal(true)
    expect(boundaryAfter(Buffer.from('30ffffff7f', 'hex')).pushToBoundary(chunk)).to.equal(65_536)
  })

  it('MQTT-1.5.5-1: a Remaining Length of more bytes than necessary still says where the packet ends', () => {
    expect(boundaryAfter(Buffer.from('3082800000', 'hex')).isReached).to.equal(false)
    expect(boundaryAfter(Buffer.from('308280000000', 'hex')).isReached).to.equal(true)
    expect(boundaryAfter(Buffer.from('c080808000', 'hex')).isReached).to.equal(true)
  })

  it('after a Remaining Length of five bytes no boundary is found any more, and all bytes are passed on', () => {
    const malformed = Buffer.from('3080808080', 'hex')
    for (let split = 0; split <= malformed.length; split++) {
      const boundary = boundaryAfter(malformed.subarray(0, split), malformed.subarray(split))
      expect(boundary.isLost).to.equal(true)
      boundary.push(Buffer.from('0000c000', 'hex'))
      expect(boundary.isReached).to.equal(false)
      expect(boundary.pushToBoundary(Buffer.from('c000c000', 'hex'))).to.equal(4)
    }
    expect(boundaryAfter(malformed.subarray(0, 3)).pushToBoundary(malformed.subarray(3))).to.equal(2)
  })

  it('mutated lengths end where an independent implementation says', () => {
    const random = numbers()
    for (let round = 0; round < 2000; round++) {
      const bytes = Buffer.concat(session.slice(0, 6))
      for (let i = 0; i < 3; i++) bytes[random(12)] = random(256)
      const cut = random(bytes.length)
      const boundary = boundaryAfter(bytes.subarray(0, cut), bytes.subarray(cut))
      const expected = stateAfter(bytes)
      const state = boundary.isLost ? 'lost' : boundary.isReached ? 'boundary' : 'inside'
      expect(state, bytes.toString('hex', 0, 40)).to.equal(expected)
    }
  })

  it('MQTT-3.14.4-1: the boundary after a DISCONNECT is known, because no packet may follow it', () => {
    expect(new PacketBoundary().mayContinue).to.equal(true)
    expect(boundaryAfter(packetOf(2)).mayContinue).to.equal(true)
    expect(boundaryAfter(packetOf(2), Buffer.from('e0', 'hex')).mayContinue).to.equal(false)
    expect(boundaryAfter(packetOf(2), Buffer.from('e000', 'hex')).mayContinue).to.equal(false)
    expect(boundaryAfter(Buffer.from('e0018b', 'hex')).mayContinue).to.equal(false)
  })
})

/** Applies the formula of MQTT 5.0 section 1.5.5 packet by packet. */
function stateAfter(bytes: Buffer): 'boundary' | 'inside' | 'lost' {
  for (let start = 0; ; ) {
    if (start === bytes.length) return 'boundary'
    let value = 0
    let multiplier = 1
    let at = start + 1
    for (; ; at++) {
      if (at - start > 4) return 'lost'
      if (at >= bytes.length) return 'inside'
      value += (bytes[at]! % 128) * multiplier
      multiplier *= 128
      if (bytes[at]! < 128) break
    }
    start = at + 1 + value
    if (start > bytes.length) return 'inside'
  }
}
