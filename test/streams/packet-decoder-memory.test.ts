import v8 from 'node:v8'
import vm from 'node:vm'
import { Buffer } from 'buffer'
import { expect } from 'chai'
import { PacketDecoder } from '../../lib/index.ts'
import { BlockList, PartialPacket, packetMemory, SHARED_SIZE } from '../../lib/packets/partial-packet.ts'
import { byteByByte, R3, R5, settle } from './support.ts'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')

/** The memory of array buffers and of the heap that is still held, once it is below `limit` or does not shrink. */
async function held(limit = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < (limit === 0 ? 8 : 40) && least >= limit; i++) {
    collect()
    await settle()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    least = Math.min(least, heapUsed + arrayBuffers)
  }
  return least
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
      const packet = decoder.read()!
      expect(packet.bytes.equals(bytes)).to.equal(true)
      expect(packet.bytes.buffer.byteLength).to.be.at.most(SHARED_SIZE)
    }
    decoder.destroy()
  })

  it('gives opaque packets that do not keep their chunk alive', () => {
    const chunk = Buffer.alloc(64 * KIB)
    R3.copy(chunk, 0)
    chunk.set([0xc0, 0x00], R3.length)
    const decoder = new PacketDecoder({ connection: true })
    decoder.write(chunk.subarray(0, R3.length + 2))
    decoder.read()
    expect(decoder.read()?.bytes.buffer.byteLength).to.be.at.most(SHARED_SIZE)
    decoder.destroy()
  })

  it('gives packets put together from pieces that keep none of the chunks alive', () => {
    const decoder = new PacketDecoder()
    for (const at of [0, 20, 40]) {
      const chunk = Buffer.alloc(64 * KIB)
      R3.copy(chunk, 0, at, Math.min(at + 20, R3.length))
      decoder.write(chunk.subarray(0, Math.min(20, R3.length - at)))
    }
    const packet = decoder.read()!
    expect(packet.bytes.equals(R3)).to.equal(true)
    expect(packet.bytes.buffer.byteLength).to.be.at.most(SHARED_SIZE)
    decoder.destroy()
  })

  it('lets the chunks of a half-sent packet be collected: a thousand chunks of 64 KiB with one byte each', async () => {
    const before = await held()
    const decoder = new PacketDecoder()
    const header = Buffer.from([0x10, 0xff, 0x7f])
    for (let i = 0; i < 1000; i++) {
      const chunk = Buffer.alloc(64 * KIB)
      chunk[0] = header[i] ?? 0
      decoder.write(chunk.subarray(0, 1))
    }
    const more = (await held(before + MIB)) - before
    expect(more).to.be.below(MIB)
    expect(decoder.errored).to.equal(null)
    decoder.destroy()
  })

  it('passes over a packet that is too large without holding any of it', async () => {
    const decoder = new PacketDecoder({ errors: 'push' })
    decoder.resume()
    const before = await held()
    decoder.write(Buffer.from([0x10, 0x80, 0x80, 0x80, 0x20]))
    const made = allocations(() => {
      for (let i = 0; i < 16; i++) decoder.write(Buffer.alloc(MIB))
    })
    expect(made.bytes).to.equal(0)
    expect((await held(before + MIB)) - before).to.be.below(MIB)
    expect(decoder.errored).to.equal(null)
    decoder.destroy()
  })
})

const newList = (): BlockList => new BlockList()

/** A packet that comes in such chunks, and what it asked `Buffer` for. */
function partialPacket(chunks: readonly Buffer[]): {
  partial: PartialPacket
  made: { bytes: number; count: number }
} {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  let partial = new PartialPacket(0, 0, newList)
  const made = allocations(() => {
    partial = new PartialPacket(size, chunks[0]?.length ?? 0, newList)
    for (const chunk of chunks) expect(partial.append(chunk, 0)).to.equal(chunk.length)
  })
  return { partial, made }
}

describe('PartialPacket', () => {
  it('asks once for the memory of a packet of one block that comes byte by byte, and hands out that', () => {
    const { partial, made } = partialPacket(byteByByte(Buffer.alloc(1000, 7)))
    expect(partial.length).to.equal(1000)
    expect(made).to.deep.equal({ bytes: 1000, count: 1 })
    const taken = allocations(() => expect(partial.take().equals(Buffer.alloc(1000, 7))).to.equal(true))
    expect(taken.count).to.equal(0)
  })

  it('holds at most 1 % more than its bytes, however many pieces they arrive in', async () => {
    const bytes = 8 * MIB
    const kept: PartialPacket[] = []
    const receive = (size: number, count: number): void => {
      const piece = Buffer.alloc(size, 7)
      const partial = new PartialPacket(2 * bytes, size, newList)
      for (let i = 0; i < count; i++) partial.append(piece, 0)
      kept.push(partial)
    }
    receive(1, 5000)
    for (const size of [1, 7, 1023, 1500]) {
      kept.pop()
      const before = await held()
      receive(size, Math.floor(bytes / size))
      const allowed = kept[0]!.length + bytes / 100
      const more = (await held(before + allowed)) - before
      expect(more, `pieces of ${size}`).to.be.within(bytes / 2, allowed)
    }
  })

  it('gives back the bytes in order, in memory of their own', () => {
    for (const size of [1, 7, 300, 1023, 1024, 1025, 3000]) {
      const pieces = Array.from({ length: 5 }, (_, i) => Buffer.alloc(size, i + 1))
      const { partial } = partialPacket(pieces)
      const bytes = partial.take()
      expect(bytes.equals(Buffer.concat(pieces)), `pieces of ${size}`).to.equal(true)
      expect(bytes.buffer.byteLength).to.be.at.most(Math.max(5 * size, SHARED_SIZE))
    }
  })

  it('takes what is the packet’s of a chunk and leaves the rest', () => {
    const partial = new PartialPacket(2000, 1, newList)
    expect(partial.append(Buffer.alloc(10, 1), 9)).to.equal(10)
    expect(partial.append(Buffer.alloc(3000, 2), 500)).to.equal(2499)
    expect(partial.take().equals(Buffer.concat([Buffer.alloc(1, 1), Buffer.alloc(1999, 2)]))).to.equal(true)
  })

  it('keeps its own copy: a piece may be written over afterwards', () => {
    const pieces = [Buffer.alloc(3, 1), Buffer.alloc(3000, 2)]
    const { partial } = partialPacket(pieces)
    for (const piece of pieces) piece.fill(9)
    expect(partial.take().equals(Buffer.concat([Buffer.alloc(3, 1), Buffer.alloc(3000, 2)]))).to.equal(true)
  })
})

describe('packetMemory', () => {
  it('cannot be taken away by transferring the memory of a packet that shares it', () => {
    const [one, other] = [packetMemory(10).fill(1), packetMemory(10).fill(2)]
    try {
      structuredClone(one, { transfer: [one.buffer as ArrayBuffer] })
    } catch (error) {
      expect(error).to.have.property('name', 'DataCloneError') // Node 20 just does not transfer it.
    }
    expect(one).to.have.length(10)
    expect(other.every((byte) => byte === 2)).to.equal(true)
  })

  it('never gives the same bytes twice, and shares a piece among small packets alone', () => {
    const pieces = Array.from({ length: 200 }, (_, i) => packetMemory(i * 2).fill(i))
    for (const [i, piece] of pieces.entries()) {
      expect(piece).to.have.length(i * 2)
      expect(piece.every((byte) => byte === i)).to.equal(true)
      expect(piece.buffer.byteLength).to.be.at.most(i * 2 > SHARED_SIZE / 2 ? i * 2 : SHARED_SIZE)
    }
  })
})
