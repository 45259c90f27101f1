/* One subject in a process of its own: checks it, warms it up, times it, prints the nanoseconds a packet takes. */
import { strict as assert } from 'node:assert'
import { measure } from 'mitata'
import { comparisons, type Side } from './subjects.ts'

/**
 * How many packets are timed together if a call takes one, for each millisecond there is to time. So many that every time
 * taken has the collector's share in it, on either side: of fewer it has none for the side that allocates less.
 */
const PACKETS_EACH_MILLISECOND = 40

const [key, side, time] = process.argv.slice(2)
const milliseconds = Number(time)
const comparison = comparisons[key ?? '']
assert.ok(comparison, `no subject ${key}`)
const subject = comparison.subject(side as Side)
await subject.check()
// Left alone mitata decides by the first calls, before they are optimized, and for each side by itself.
const mode =
  subject.packets === 1
    ? {
        warmup_threshold: Number.POSITIVE_INFINITY,
        batch_threshold: Number.POSITIVE_INFINITY,
        batch_samples: PACKETS_EACH_MILLISECOND * milliseconds,
        min_samples: 5,
      }
    : { batch_threshold: 0 }
const { p50 } = await measure(subject.run, { min_cpu_time: milliseconds * 1e6, ...mode })
await subject.check()
console.log(p50 / subject.packets)
