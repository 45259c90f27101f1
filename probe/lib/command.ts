import { readFileSync } from 'node:fs'
import { help, parseArguments } from './arguments.ts'
import { Unreachable, UsageError } from './errors.ts'
import { jsonLine, jsonSummary, junit, tap } from './formats.ts'
import { probe } from './probe.ts'
import { details, painter, report } from './report.ts'
import type { Result } from './result.ts'
import { knownCases } from './selection.ts'
import { withoutUserInfo } from './target.ts'

const WRONG_USAGE = 2
const UNREACHABLE = 3

/** The part of `process.stdout` that is used. */
export interface Writer {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Runs the command. Results go to standard output, progress and errors to standard error.
 *
 * @param environment the variables, of which `NO_COLOR` and `MQTT_PASSWORD` are read
 * @returns the exit code
 */
export async function command(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Writer,
  errors: Writer,
): Promise<number> {
  try {
    return await run(args, environment, output, errors)
  } catch (error) {
    if (error instanceof UsageError) {
      errors.write(`${error.message}\nSee mqtt-connect-probe --help\n`)
      return WRONG_USAGE
    }
    if (error instanceof Unreachable) {
      errors.write(`${error.message}${hintFor(error.message, args)}\n`)
      return UNREACHABLE
    }
    throw error
  }
}

/** The options that a server may need, judging by the error. */
function hintFor(message: string, args: readonly string[]): string {
  if (/code (4|5|0x86|0x87)\b/.test(message)) return ' Does it need --user and --password?'
  if (/certificate|self-signed/.test(message))
    return '. Does it need --ca, with the certificate of its authority?'
  const isSecure = args.some((one) => /^(mqtts|wss):/.test(one))
  return isSecure && message.includes('it closed the connection') ? ' Does it need --cert and --key?' : ''
}

async function run(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Writer,
  errors: Writer,
): Promise<number> {
  const print = (text: string): number => {
    output.write(text)
    return 0
  }
  const { action, url, format, isVerbose, options } = parseArguments(args, environment)
  if (action === 'help') return print(help)
  if (action === 'version') return print(`${version()}\n`)
  if (action === 'list') {
    const lines = knownCases().map(({ id, version, clause }) => `${id} (${version}) [${clause}]\n`)
    return print(lines.join(''))
  }
  const { NO_COLOR } = environment
  const paint = painter(output.isTTY === true && NO_COLOR === undefined)
  const hasProgress = format === 'text' && errors.isTTY === true
  const clear = (): void => void (hasProgress && errors.write('\r\u001b[K'))
  const onStart = (id: string, done: number, all: number): void => {
    if (hasProgress) errors.write(`\r\u001b[K${done}/${all} ${id}`)
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

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
