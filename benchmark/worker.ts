/* Checks, warms up and times one subject in its own process, and prints nanoseconds per packet. */
import { strict as assert } from 'node:assert'
import { measure } from 'mitata'
import { comparisons, type Side } from './subjects.ts'

/**
 * Packets per sample and millisecond of timing, for subjects with one packet per call. Samples have to be this long for each to
 * contain its share of garbage collection. Shorter ones would leave it out for the side that allocates less.
 */
const PACKETS_EACH_MILLISECOND = 40

const [key, side, time] = process.argv.slice(2)
const milliseconds = Number(time)
const comparison = comparisons[key ?? '']
assert.ok(comparison, `no subject ${key}`)
const subject = comparison.subject(side as Side)
await subject.check()
// By default, mitata chooses a mode from the first calls, before they're optimised, and for each side separately.
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
