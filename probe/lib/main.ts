#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { help, parseArguments } from './arguments.ts'
import { Unreachable, UsageError } from './errors.ts'
import { jsonLine, jsonSummary, junit, tap } from './formats.ts'
import { probe } from './probe.ts'
import { details, painter, report } from './report.ts'
import type { Result } from './result.ts'
import { knownCases } from './selection.ts'
import { withoutUserInfo } from './target.ts'

/*
 * The command line. Results go to the standard output, progress and errors to the standard error.
 */

const WRONG_USAGE = 2
const UNREACHABLE = 3

async function main(): Promise<number> {
  const { action, url, format, isVerbose, options } = parseArguments(process.argv.slice(2), process.env)
  if (action === 'help') return print(help)
  if (action === 'version') return print(`${version()}\n`)
  if (action === 'list') {
    const lines = knownCases().map(({ id, version, clause }) => `${id} (${version}) [${clause}]\n`)
    return print(lines.join(''))
  }
  const { NO_COLOR } = process.env
  const paint = painter(process.stdout.isTTY && NO_COLOR === undefined)
  const hasProgress = format === 'text' && process.stderr.isTTY
  const clear = (): void => void (hasProgress && process.stderr.write('\r\u001b[K'))
  const onStart = (id: string, done: number, all: number): void => {
    if (hasProgress) process.stderr.write(`\r\u001b[K${done}/${all} ${id}`)
  }
  const results: Result[] = []
  const start = performance.now()
  for await (const result of probe(url, { ...options, onStart })) {
    results.push(result)
    if (format === 'json') print(jsonLine(result))
    if (format === 'text' && isVerbose) {
      clear()
      print(`${details(result, paint)}\n\n`)
    }
  }
  clear()
  const seconds = (performance.now() - start) / 1000
  if (format === 'json') print(jsonSummary(results))
  if (format === 'tap') print(tap(results))
  const target = withoutUserInfo(url)
  if (format === 'junit') print(junit(target, results))
  if (format === 'text') print(report(target, results, seconds, paint))
  return results.some(({ verdict }) => verdict === 'violates') ? 1 : 0
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

// The reader of a pipe may go away.
process.stdout.on('error', () => process.exit())

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nSee mqtt-connect-probe --help\n`)
    process.exitCode = WRONG_USAGE
  } else if (error instanceof Unreachable) {
    const isRefused = /code (4|5|0x86|0x87)\b/.test(error.message)
    const hint = isRefused ? ' Does it need --user and --password?' : ''
    process.stderr.write(`${error.message}${hint}\n`)
    process.exitCode = UNREACHABLE
  } else {
    throw error
  }
}
