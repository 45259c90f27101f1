import v8 from 'node:v8'
import vm from 'node:vm'
import { Buffer } from 'buffer'
import { expect } from 'chai'
import { PacketDecoder } from '../../lib/index.ts'
import { PartialPacket } from '../../lib/streams/partial-packet.ts'
import { byteByByte, R3, R5, settle } from './support.ts'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')

/** The memory of array buffers that is still held, in bytes, once it is below `limit` or will not shrink. */
async function heldArrayBuffers(limit: number): Promise<number> {
  for (let i = 0; i < 20; i++) {
    collect()
    await settle()
    if (process.memoryUsage().arrayBuffers < limit) break
  }
  return process.memoryUsage().arrayBuffers
}

/** How many bytes of memory of their own `run` asks `Buffer` for, and how often. */
function allocations(run: () => void): { bytes: number; count: number } {
  const { allocUnsafeSlow } = Buffer
  const made = { bytes: 0, count: 0 }
  Buffer.allocUnsafeSlow = (size) => {
    made.bytes += size
    made.count++
    return allocUnsafeSlow(size)
  }
  try {
    run()
  } finally {
    Buffer.allocUnsafeSlow = allocUnsafeSlow
  }
  return made
}

const KIB = 1024
const MIB = 1024 * KIB

describe('PacketDecoder: memory', () => {
  it('gives packets that do not keep the 64 KiB chunk alive that they came in', () => {
    const chunk = Buffer.alloc(64 * KIB)
    R3.copy(chunk, 0)
    R5.copy(chunk, R3.length)
    const decoder = new PacketDecoder()
    decoder.write(chunk.subarray(0, R3.length + R5.length))
    for (const bytes of [R3, R5]) {
      const packet = decoder.read()
      expect(packet.bytes.equals(bytes)).to.equal(true)
      expect(packet.bytes.buffer.byteLength).to.be.at.most(bytes.length + 256)
    }
    decoder.destroy()
  })

  it('gives opaque packets that do not keep their chunk alive', () => {
    const chunk = Buffer.alloc(64 * KIB)
    R3.copy(chunk, 0)
    chunk.set([0xc0, 0x00], R3.length)
    const decoder = new PacketDecoder({ session: true })
    decoder.write(chunk.subarray(0, R3.length + 2))
    decoder.read()
    expect(decoder.read().bytes.buffer.byteLength).to.be.at.most(2 + 256)
    decoder.destroy()
  })

  it('gives packets put together from pieces that keep none of the chunks alive', () => {
    const decoder = new PacketDecoder()
    for (const at of [0, 20, 40]) {
      const chunk = Buffer.alloc(64 * KIB)
      R3.copy(chunk, 0, at, Math.min(at + 20, R3.length))
      decoder.write(chunk.subarray(0, Math.min(20, R3.length - at)))
    }
    const packet = decoder.read()
    expect(packet.bytes.equals(R3)).to.equal(true)
    expect(packet.bytes.buffer.byteLength).to.be.at.most(R3.length + 256)
    decoder.destroy()
  })

  it('lets the chunks of a half-sent packet be collected: a thousand chunks of 64 KiB with one byte each', async () => {
    const before = await heldArrayBuffers(0)
    const decoder = new PacketDecoder()
    const header = Buffer.from([0x10, 0xff, 0x7f])
    for (let i = 0; i < 1000; i++) {
      const chunk = Buffer.alloc(64 * KIB)
      chunk[0] = header[i] ?? 0
      decoder.write(chunk.subarray(0, 1))
    }
    const held = (await heldArrayBuffers(before + MIB)) - before
    expect(held).to.be.below(MIB)
    expect(decoder.errored).to.equal(null)
    decoder.destroy()
  })

  it('passes over a packet that is too large without holding any of it', async () => {
    const decoder = new PacketDecoder({ errors: 'emit' })
    decoder.resume()
    const before = await heldArrayBuffers(0)
    decoder.write(Buffer.from([0x10, 0x80, 0x80, 0x80, 0x20]))
    const made = allocations(() => {
      for (let i = 0; i < 16; i++) decoder.write(Buffer.alloc(MIB))
    })
    expect(made.bytes).to.equal(0)
    expect((await heldArrayBuffers(before + MIB)) - before).to.be.below(MIB)
    expect(decoder.errored).to.equal(null)
    decoder.destroy()
  })
})

describe('PartialPacket', () => {
  it('holds a thousand one-byte pieces in one block', () => {
    const partial = new PartialPacket()
    const made = allocations(() => {
      for (const piece of byteByByte(Buffer.alloc(1000, 7))) partial.append(piece)
    })
    expect(partial.length).to.equal(1000)
    expect(made).to.deep.equal({ bytes: 1024, count: 1 })
  })

  it('holds at most one block more than the bytes themselves, whatever the pieces', () => {
    for (const size of [1, 7, 100, 1023, 1024, 1025, 1500, 5000]) {
      const partial = new PartialPacket()
      const made = allocations(() => {
        for (let i = 0; i < 50; i++) partial.append(Buffer.alloc(size, i))
      })
      expect(partial.length).to.equal(50 * size)
      expect(made.bytes, `pieces of ${size}`).to.be.at.most(50 * size + 1024)
    }
  })

  it('gives back the bytes in order, in memory of their own, and holds nothing afterwards', () => {
    for (const size of [1, 7, 1023, 1024, 1025, 3000]) {
      const partial = new PartialPacket()
      const pieces = Array.from({ length: 5 }, (_, i) => Buffer.alloc(size, i + 1))
      for (const piece of pieces) partial.append(piece)
      const whole = Buffer.concat(pieces)
      expect(partial.head(5).equals(whole.subarray(0, 5))).to.equal(true)
      const bytes = partial.take()
      expect(bytes.equals(whole)).to.equal(true)
      expect(bytes.buffer.byteLength).to.equal(whole.length)
      expect(partial.length).to.equal(0)
      expect(partial.head(5)).to.have.length(0)
    }
  })

  it('keeps its own copy: a piece may be written over afterwards', () => {
    const partial = new PartialPacket()
    const small = Buffer.alloc(3, 1)
    const large = Buffer.alloc(3000, 2)
    partial.append(small)
    partial.append(large)
    small.fill(9)
    large.fill(9)
    expect(partial.take().equals(Buffer.concat([Buffer.alloc(3, 1), Buffer.alloc(3000, 2)]))).to.equal(true)
  })
})
