import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { command } from '../lib/command.ts'
import { type ProbeOptions, probe, type Result } from '../lib/index.ts'
import type { Broker } from './broker/broker.ts'

export async function resultsAt(url: string, options: ProbeOptions = {}): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of probe(url, options)) results.push(result)
  return results
}

export async function resultsOf(broker: Broker, options: ProbeOptions = {}): Promise<Result[]> {
  try {
    return await resultsAt(await broker.start(), options)
  } finally {
    broker.close()
  }
}

export async function thrownBy(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('expected an error')
}

interface Run {
  readonly code: number
  readonly out: string
  readonly errors: string
}

const main = join(import.meta.dirname, '..', 'dist', 'main.js')

/** Runs the program in its own process, as users do. */
export function program(...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { maxBuffer: 2 ** 28 }, (_, out, errors) => {
      resolve({ code: child.exitCode!, out, errors })
    })
  })
}

/** Runs the command line in this process, which takes a tenth of the time. */
export function run(...args: readonly string[]): Promise<Run> {
  return runWith({}, ...args)
}

export async function runWith(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Run> {
  const written = { out: '', errors: '' }
  const writer = (to: keyof typeof written) => ({
    write(text: string) {
      written[to] += text
    },
  })
  const code = await command(args, environment, writer('out'), writer('errors'))
  return { code, ...written }
}
