/*
 * `npm run fuzz:demo -- [--connections COUNT] [--seed S]`: starts the demo as `npm start` does and connects hostile clients to
 * it. Exits with 1 if the demo ends, disconnects any other client, or leaks.
 */
import { scriptArguments } from '../test/support/script-arguments.ts'
import { attackDemo } from './demo-attack.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: {
    connections: { type: 'string', default: '20000' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
})

function wholeNumber(name: keyof typeof values): number {
  const given = Number(values[name])
  if (Number.isInteger(given) && given >= 0) return given
  console.error(`--${name}: expected a whole number, got ${values[name]}`)
  process.exit(2)
}

const PROGRESS_EVERY = 1000
/** Permitted growth of memory in bytes. Retained messages and compiled code remain. */
const ALLOWED_GROWTH = 32 * 1024 * 1024

const connections = wholeNumber('connections')
const seed = wholeNumber('seed')
const start = performance.now()
const { before, after, ...result } = await attackDemo(connections, seed, (done) => {
  if (done % PROGRESS_EVERY === 0) console.log(`${done} connections, ${seconds()} s`)
})
const findings = [...result.findings]
if (after.bytes - before.bytes > ALLOWED_GROWTH) findings.push('Memory in use has grown')
for (const finding of findings.slice(0, 20)) console.log(`FINDING ${finding}`)
console.log(
  `seed ${seed}: ${result.connections} connections in ${seconds()} s, ${result.accepted} accepted, ` +
    `${result.answered} answered further; open files ${before.files} -> ${after.files}, ` +
    `timers ${before.timers} -> ${after.timers}, memory in use ${megabytes(before.bytes)} -> ${megabytes(after.bytes)} MB, ${findings.length} finding(s)`,
)
process.exit(findings.length > 0 ? 1 : 0)

function seconds(): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
