/*
 * `npm run bench -- [--json] [--smoke] [--rounds N] [--against COMMIT] [KEY …]`: times each subject against mqtt-packet, both in processes of
 * their own that take turns over several rounds, and prints the medians and their ratio.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { scriptArguments } from '../test/support/script-arguments.ts'
import { compareWith } from './against.ts'
import { type MemoryResult, measureMemory, memoryLimits } from './memory.ts'
import { machine, median, round3 } from './report.ts'
import { type Result, writeRun } from './results.ts'
import { comparisons, type Side } from './subjects.ts'

const DEFAULT_ROUNDS = 15

const { values: options, positionals } = scriptArguments(import.meta.filename, {
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    rounds: { type: 'string', default: `${DEFAULT_ROUNDS}` },
    against: { type: 'string' },
  },
})
const rounds = options.smoke ? 1 : Number(options.rounds)
const milliseconds = options.smoke ? 20 : 300
if (!(rounds >= 1)) end(`--rounds: expected a number from 1 on, got ${options.rounds}`)
if (options.against !== undefined) process.exit(compareWith(options.against, rounds) ? 0 : 1)
const everyKey = Object.keys({ ...comparisons, ...memoryLimits })
for (const key of positionals) {
  if (!everyKey.includes(key)) end(`There is no ${key}. Known keys: ${everyKey.join(', ')}`)
}
const asked = (known: object) =>
  Object.keys(known).filter((key) => positionals.length === 0 || positionals.includes(key))
const keys = asked(comparisons)

const folder = import.meta.dirname
const loader = join(folder, '..', 'test', 'support', 'strip-types.mjs')

function end(message: string): never {
  console.error(message)
  process.exit(2)
}

function nanoseconds(key: string, side: Side): number {
  const worker = join(folder, 'worker.ts')
  const output = execFileSync(
    process.execPath,
    ['--import', loader, '--expose-gc', worker, key, side, `${milliseconds}`],
    { encoding: 'utf8' },
  )
  return Number(output)
}

interface Times {
  readonly ours: number[]
  readonly peer: number[]
}

/**
 * Nanoseconds of both sides of each key, per round. Every round measures all keys, so a disturbance affects only a few figures
 * of each.
 */
function measureAll(): ReadonlyMap<string, Times> {
  const all = new Map<string, Times>(keys.map((key) => [key, { ours: [], peer: [] }]))
  for (let round = 0; round < rounds; round++) {
    for (const [key, times] of all) {
      // Alternates who goes first, so that a drifting clock speed affects both sides.
      for (const side of round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
        times[side].push(nanoseconds(key, side))
      }
    }
  }
  return all
}

function resultOf(key: string, { ours, peer }: Times): Result {
  const ratios = ours.map((time, round) => (peer[round] as number) / time)
  return {
    ours_ns: round3(median(ours)),
    peer_ns: round3(median(peer)),
    ratio: round3(median(peer) / median(ours)),
    ratio_min: round3(Math.min(...ratios)),
    ratio_max: round3(Math.max(...ratios)),
    target: comparisons[key]?.target ?? 0,
  }
}

const platform = machine()
const say = options.json ? console.error : console.log
say(`${platform}; median of ${rounds} rounds, each side in a process of its own\n`)
say(
  `${'key'.padEnd(14)} ${'ours ns'.padStart(9)} ${'peer ns'.padStart(9)} ${'ratio'.padStart(7)} ${'spread'.padStart(13)} ${'target'.padStart(7)}`,
)

const results: Record<string, Result> = {}
for (const [key, times] of measureAll()) {
  const result = resultOf(key, times)
  results[key] = result
  const spread = `${result.ratio_min}–${result.ratio_max}`
  const missed = result.ratio < result.target ? '  missed' : ''
  say(
    `${key.padEnd(14)} ${`${result.ours_ns}`.padStart(9)} ${`${result.peer_ns}`.padStart(9)} ${`${result.ratio}`.padStart(7)} ${spread.padStart(13)} ${`${result.target}`.padStart(7)}${missed}`,
  )
}

const memory: Record<string, MemoryResult> = measureMemory(
  asked(memoryLimits),
  loader,
  options.smoke ? 20 : 2000,
)
for (const [key, { bytes, limit, what }] of Object.entries(memory)) {
  say(
    `${key.padEnd(14)} ${`${bytes}`.padStart(9)} bytes, limit ${limit}: ${what}${bytes > limit ? '  missed' : ''}`,
  )
}

if (options.json) console.log(JSON.stringify({ ...results, ...memory }, null, 2))
if (positionals.length === 0 && !options.smoke) {
  const command = `npm run bench${rounds === DEFAULT_ROUNDS ? '' : ` -- --rounds ${rounds}`}`
  writeRun({ command, machine: platform, rounds, results, memory })
}
