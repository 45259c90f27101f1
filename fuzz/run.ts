/*
 * `npm run fuzz -- [--minutes M | --runs N] [--seed S] [--path P] [--library FILE]`: runs inputs until the time is up or an
 * invariant is broken. Then prints the smallest failing input found, and the command to run it again.
 */
import { Buffer } from 'node:buffer'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { scriptArguments } from '../test/support/script-arguments.ts'
import { type Finding, fuzz, type Input } from './fuzz.ts'
import type { Library } from './library.ts'

const MOST_RUNS = 2 ** 31 - 1

const { values } = scriptArguments(import.meta.filename, {
  options: {
    minutes: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    path: { type: 'string' },
    library: { type: 'string', default: 'lib/index.ts' },
  },
})

function number(name: 'minutes' | 'runs' | 'seed', isWhole: boolean): number | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  const value = Number(given)
  if (given.trim() !== '' && value >= 0 && value <= MOST_RUNS && (!isWhole || Number.isInteger(value)))
    return value
  console.error(`--${name}: expected a number, got ${given}`)
  process.exit(2)
}

const minutes = number('minutes', false)
const runs = number('runs', true)
const seed = number('seed', true)!
const library: Library = await import(pathToFileURL(resolve(values.library)).href)
const start = performance.now()
let done = 0
let current: Input | undefined

function hexOf(input: Input): string {
  if (!('bytes' in input)) return inspect(input, { depth: 9, maxStringLength: 200 })
  const { bytes, ...rest } = input.bytes
  return `${bytes.length} bytes: ${Buffer.from(bytes).toString('hex')}\n${inspect(rest, { depth: 4, breakLength: 120 })}`
}

function end(count: number, finding: Omit<Finding, 'path'> | undefined, path = ''): never {
  if (finding !== undefined) {
    const { invariant, message, input } = finding
    const other = values.library === 'lib/index.ts' ? '' : ` --library ${values.library}`
    console.log(`\nFINDING ${invariant}: ${message}\n${hexOf(input)}`)
    console.log(`again: npm run fuzz -- --seed ${seed}${path && ` --path ${path}`}${other}\n`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`seed ${seed}: ${count} runs in ${seconds} s, ${finding === undefined ? 0 : 1} finding(s)`)
  process.exit(finding === undefined ? 0 : 1)
}

// An exception in a timer or a tick, which nobody can catch, is blamed on the current input.
process.on('uncaughtException', (error) => {
  end(done, { invariant: 'nothing-uncaught', message: `${error?.stack ?? error}`, input: current! })
})

console.log(`seed ${seed}`)
const { runs: count, finding } = await fuzz(library, {
  seed,
  runs: runs ?? MOST_RUNS,
  path: values.path,
  ...((minutes !== undefined || runs === undefined) && { time: (minutes ?? 1) * 60_000 }),
  onInput(input) {
    current = input
    done++
  },
})
end(count, finding, finding?.path)
