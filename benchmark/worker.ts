/* One subject in a process of its own: checks it, warms it up, times it, prints the nanoseconds a packet takes. */
import { strict as assert } from 'node:assert'
import { measure } from 'mitata'
import { comparisons, type Side } from './subjects.ts'

const [key, side, milliseconds] = process.argv.slice(2)
const comparison = comparisons[key ?? '']
assert.ok(comparison, `no subject ${key}`)
const subject = comparison.subject(side as Side)
await subject.check()
const { p50 } = await measure(subject.run, { min_cpu_time: Number(milliseconds) * 1e6 })
await subject.check()
console.log(p50 / subject.packets)
