/*
 * `npm run fuzz -- [--minutes M | --inputs COUNT | --input N] [--seed S] [--library FILE]`: gives inputs to the library
 * until the time is over, and prints for each invariant that one breaks how to run that one input again.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Finding, fuzzInput } from './fuzzer.ts'
import { MemoryWatch } from './memory.ts'
import type { Library } from './outcome.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    input: { type: 'string' },
    inputs: { type: 'string', default: 'Infinity' },
    library: { type: 'string' },
  },
})

function number(name: keyof typeof values, value: string): number {
  const given = Number(value)
  if (value.trim() !== '' && given >= 0) return given
  console.error(`--${name}: expected a number, got ${value}`)
  process.exit(2)
}

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : number('seed', values.seed)
const only = values.input === undefined ? undefined : number('input', values.input)
const path = values.library ?? 'lib/index.ts'
const library: Library = await import(pathToFileURL(resolve(path)).href)

/** After so many findings more of them tell little. */
const MOST_FINDINGS = 10
/** How much of the bytes of a finding is printed; running its input again prints all. */
const LONGEST_HEX = 4096
const PROGRESS_EVERY = 10_000

const start = performance.now()
const findings: Finding[] = []
let done = 0

function report(finding: Finding): void {
  findings.push(finding)
  const { input, invariant, message, bytes } = finding
  const hex = bytes?.toString('hex')
  const shown =
    only === undefined && hex !== undefined && hex.length > LONGEST_HEX
      ? `${hex.slice(0, LONGEST_HEX)}…`
      : hex
  const other = values.library === undefined ? '' : ` --library ${path}`
  console.log(`\nFINDING ${invariant}: ${message}`)
  if (hex !== undefined) console.log(`bytes (${hex.length / 2}): ${shown}`)
  console.log(`again: npm run fuzz -- --seed ${seed} --input ${input}${other}\n`)
}

function summary(): string {
  const seconds = (performance.now() - start) / 1000
  const rate = Math.round(done / seconds)
  return `seed ${seed}: ${done} inputs in ${seconds.toFixed(1)} s, ${rate} a second, ${findings.length} finding(s)`
}

let current = only ?? 0
// What is thrown where nobody can catch it, in a timer or a tick, is the fault of the input that is being run.
process.on('uncaughtException', (error) => {
  report({
    seed,
    input: current,
    invariant: 'nothing-uncaught',
    message: `${error?.stack ?? error}`,
    bytes: undefined,
  })
  console.log(summary())
  process.exit(1)
})

console.log(`seed ${seed}`)
if (only !== undefined) {
  const finding = await fuzzInput(library, seed, only)
  done = 1
  if (finding !== undefined) report(finding)
} else {
  const end = start + number('minutes', values.minutes) * 60_000
  const count = number('inputs', values.inputs)
  const memory = new MemoryWatch()
  let told = start
  while (performance.now() < end && done < count && findings.length < MOST_FINDINGS) {
    const finding = await fuzzInput(library, seed, current)
    if (finding !== undefined) report(finding)
    current++
    done++
    const grown = memory.look()
    if (grown !== undefined) {
      report({
        seed,
        input: current - 1,
        invariant: 'memory-does-not-grow',
        message: grown,
        bytes: undefined,
      })
      break
    }
    if (performance.now() - told > PROGRESS_EVERY) {
      told = performance.now()
      console.log(`${summary()}, ${memory}`)
    }
  }
}
console.log(summary())
process.exit(findings.length > 0 ? 1 : 0)
