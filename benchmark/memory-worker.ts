/* How much memory one thing keeps, in bytes: heap and what lies outside of it, the average of many. */
import { strict as assert } from 'node:assert'
import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import { decode, PacketDecoder, property, v5 } from 'mqtt-connect-packet'
import { fullChunk, R5 } from './packets.ts'

/** The least that is in use: memory outside of the heap is given back some time after the collection. */
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

/** How many things are kept; a smoke test keeps a few. */
const [key = '', number = '2000'] = process.argv.slice(2)
const COUNT = Number(number)

/** The bytes that one of `count` things takes. */
async function each(count: number, make: (kept: unknown[]) => void | Promise<void>): Promise<number> {
  await make([]) // What is made once for all is not the thing's.
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

  // One packet of each chunk is kept, and none of those that may share memory with it: both would show.
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
