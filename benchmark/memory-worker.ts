/* Measures how many bytes one object retains, inside and outside the heap, as the average over many objects. */
import { strict as assert } from 'node:assert'
import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import { decode, PacketDecoder, property, v5 } from 'mqtt-connect-packet'
import { fullChunk, R5 } from './packets.ts'

/** The minimum of several readings, because memory outside the heap is released some time after a collection. */
async function used(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 10; i++) {
    globalThis.gc?.()
    await setTimeout(10)
    const { heapUsed, external } = process.memoryUsage()
    least = Math.min(least, heapUsed + external)
  }
  return least
}

/** Number of objects to keep. A smoke test keeps only a few. */
const [key = '', number = '2000'] = process.argv.slice(2)
const COUNT = Number(number)

/** Bytes per object, for `count` objects. */
async function each(count: number, make: (kept: unknown[]) => void | Promise<void>): Promise<number> {
  await make([]) // One-time allocations don't count.
  const kept: unknown[] = []
  const before = await used()
  await make(kept)
  const after = await used()
  assert.equal(kept.length, count)
  return Math.round((after - before) / count)
}

const measures: Record<string, () => Promise<number>> = {
  'memory/idle': () =>
    each(COUNT, (kept) => {
      for (let i = 0; i < COUNT; i++) kept.push(new PacketDecoder({ connection: false }))
    }),

  // Keeps one of three packets per chunk, so the figure includes the chunk if the library retains it.
  'memory/kept': () =>
    each(COUNT, async (kept) => {
      for (let i = 0; i < COUNT; i++) {
        for (const keep of [true, false, false]) {
          const decoder = new PacketDecoder({ connection: false })
          decoder.once('data', (packet) => keep && kept.push(packet))
          decoder.resume()
          await new Promise<void>((resolve) =>
            decoder.write(Buffer.from(fullChunk(R5).chunk), () => resolve()),
          )
          decoder.destroy()
        }
      }
    }),

  'memory/props': async () => {
    const props = Array.from({ length: 20_000 }, (_, i) => property.userProperty(`key-${i}`, 'v'.repeat(40)))
    const { bytes } = new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'c', props })
    assert.ok(bytes.length > 1_000_000)
    props.length = 0
    return each(20, (kept) => {
      for (let i = 0; i < 20; i++) {
        kept.push(decode(bytes))
      }
    })
  },
}

const measure = measures[key]
assert.ok(measure, 'no such measure')
console.log(await measure())
