import v8 from 'node:v8'
import vm from 'node:vm'
import { BufferList } from 'bl'
import { Buffer } from 'buffer'
import { expect } from 'chai'
import fc from 'fast-check'
import { PacketDecoder } from '../../lib/index.ts'
import { BlockList, PartialPacket, packetMemory, SHARED_SIZE } from '../../lib/packets/partial-packet.ts'
import { R3, R5, settle } from './support.ts'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')

/** Memory in use by the heap and array buffers, measured until it falls below `limit` or stops shrinking. */
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

const KIB = 1024
const MIB = 1024 * KIB

describe('PacketDecoder: memory', () => {
  it('gives packets that do not keep their 64 KiB chunk alive', () => {
    const chunk = Buffer.alloc(64 * KIB)
    R3.copy(chunk, 0)
    R5.copy(chunk, R3.length)
    const decoder = new PacketDecoder({ connection: false })
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
    const decoder = new PacketDecoder({ connection: false })
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
    const decoder = new PacketDecoder({ connection: false })
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

  it('holds none of its chunk after it has ended with an error, or has been destroyed', async () => {
    const before = await held()
    const decoders = [Buffer.from([0xf0, 0]), Buffer.from([0x10, 0xff, 0x7f, 0])].map((first) => {
      const decoder = new PacketDecoder({ connection: false })
      decoder.on('error', () => {})
      decoder.write(Buffer.concat([first, Buffer.alloc(4 * MIB)]))
      decoder.destroy()
      return decoder
    })
    expect((await held(before + MIB)) - before).to.be.below(MIB)
    expect(decoders.every(({ destroyed }) => destroyed)).to.equal(true)
  })

  it('skips a packet that is too large without holding any of it', async () => {
    const decoder = new PacketDecoder({ connection: false, errors: 'push' })
    decoder.resume()
    const before = await held()
    decoder.write(Buffer.from([0x10, 0x80, 0x80, 0x80, 0x20]))
    for (let i = 0; i < 16; i++) decoder.write(Buffer.alloc(MIB))
    expect((await held(before + MIB)) - before).to.be.below(MIB)
    expect(decoder.errored).to.equal(null)
    decoder.destroy()
  })
})

/** Neighbouring blocks differ. */
const pattern = Buffer.from(Uint8Array.from({ length: 400_000 }, (_, i) => (i * 31) ^ (i >> 8)))

/** Cuts bytes into chunks, using these sizes cyclically. */
function* chunksOf(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const lists = { BlockList: () => new BlockList(), BufferList: () => new BufferList() }

describe('PartialPacket', () => {
  for (const [name, createList] of Object.entries(lists)) {
    const check = (size: number, sizes: readonly number[]): void => {
      const bytes = pattern.subarray(0, size)
      const chunks = [...chunksOf(Buffer.from(bytes), sizes)]
      const partial = new PartialPacket(size, createList)
      for (const chunk of chunks) {
        expect(partial.append(chunk, 0)).to.equal(chunk.length)
        chunk.fill(0)
      }
      expect(partial.length).to.equal(size)
      const taken = partial.take()
      if (!taken.equals(bytes)) expect.fail('other bytes')
      expect(taken.buffer.byteLength).to.be.at.most(Math.max(size, SHARED_SIZE))
    }

    it(`returns its bytes in order, however they are split, in memory of their own (${name})`, () => {
      check(pattern.length, [1021])
      const sizes = fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 1000, max: 5000 })), { maxLength: 9 })
      const size = fc.integer({ min: 1, max: 60_000 })
      fc.assert(
        fc.property(size, sizes, (size, some) => check(size, [...some, 7])),
        { numRuns: 40 },
      )
    })
  }

  it('holds in its lists no more memory than bytes, in few blocks', () => {
    let blocks = 0
    let memory = 0
    class CountingList extends BlockList {
      #own: Buffer[] = []
      override append(bytes: Buffer): void {
        super.append(bytes)
        this.#own.push(bytes)
        blocks++
        memory += bytes.buffer.byteLength
      }
      /** A copied list is no longer needed. */
      override copy(target: Buffer, start: number): void {
        super.copy(target, start)
        blocks -= this.#own.length
        memory -= this.#own.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
      }
    }
    for (const size of [1, 7, 1023, 1025, 5000]) {
      blocks = memory = 0
      const partial = new PartialPacket(4 * MIB, () => new CountingList())
      const piece = Buffer.alloc(size)
      let most = 0
      while (partial.length < MIB) {
        partial.append(piece, 0)
        if (memory > partial.length) expect.fail(`${memory} bytes for ${partial.length}`)
        most = Math.max(most, blocks)
      }
      expect(most, `pieces of ${size}`).to.be.within(1, 60)
    }
  })

  it('holds at most 1 % more than its bytes, if they arrive one by one', async function () {
    this.timeout(60_000)
    const size = 8 * MIB
    const piece = Buffer.alloc(1, 7)
    const kept: PartialPacket[] = []
    const receive = (count: number): void => {
      const partial = new PartialPacket(2 * size, lists.BufferList)
      for (let i = 0; i < count; i++) partial.append(piece, 0)
      kept[0] = partial
    }
    receive(5000)
    const before = await held()
    receive(size)
    expect((await held(before + 1.01 * size)) - before).to.be.within(0.5 * size, 1.01 * size)
  })

  it('takes the bytes of the packet from a chunk and leaves the rest', () => {
    const partial = new PartialPacket(2000, lists.BlockList)
    expect(partial.append(Buffer.alloc(10, 1), 9)).to.equal(10)
    expect(partial.append(Buffer.alloc(3000, 2), 500)).to.equal(2499)
    expect(partial.take().equals(Buffer.concat([Buffer.alloc(1, 1), Buffer.alloc(1999, 2)]))).to.equal(true)
  })
})

describe('packetMemory', () => {
  it('cannot be taken away by transferring the memory of a packet that shares it', () => {
    const [one, other] = [packetMemory(10).fill(1), packetMemory(10).fill(2)]
    try {
      structuredClone(one, { transfer: [one.buffer as ArrayBuffer] })
    } catch (error) {
      expect(error).to.have.property('name', 'DataCloneError') // Node 20 doesn't transfer it, and doesn't throw
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
