import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ProbeOptions } from './probe.ts'
import type { VersionLabel } from './result.ts'
import { UsageError } from './target.ts'

export const help = `Usage: mqtt-connect-probe <url> [options]

Tests whether a broker, a proxy or a device platform treats the MQTT handshake as the standards demand.
The URL is mqtt://host:port, mqtts://, ws:// or wss://.

  --protocol <version>     3.1, 3.1.1, 5 or all; may be given more than once (default: all)
  --only <name>            a clause (MQTT-3.1.2-3), a group (will) or a case (will.delayed); may be given more than once
  --slow                   also the cases that take up to half a minute each: keep alive
  --timeout <ms>           how long to wait for an answer (default: 5000)
  --concurrency <n>        how many cases may wait at the same time (default: 16)
  --user <name>            user name
  --password <password>    password; better in the environment variable MQTT_PASSWORD
  --ca, --cert, --key      files in PEM format for TLS
  --json                   a line of JSON per result
  --tap, --junit           the whole report in these formats
  --verbose                every case with its bytes and the answer, explained
  --list                   lists all cases
  --yes-i-operate-this-server   allows an address that is neither loopback nor private
  --help, --version

Exit code: 0 no violation, 1 violations, 2 wrong usage, 3 the server can't be reached.
`

export type Format = 'text' | 'json' | 'tap' | 'junit'

export interface Arguments {
  readonly action: 'help' | 'version' | 'list' | 'probe'
  readonly url: string
  readonly format: Format
  readonly isVerbose: boolean
  readonly options: ProbeOptions
}

const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const
const known = {
  ...{ protocol: list, only: list, slow: flag, timeout: text, concurrency: text, user: text, password: text },
  ...{ ca: text, cert: text, key: text, json: flag, tap: flag, junit: flag, verbose: flag, list: flag },
  ...{ 'yes-i-operate-this-server': flag, help: { ...flag, short: 'h' }, version: flag },
} as const

/** @throws UsageError */
export function parseArguments(given: readonly string[], environment: NodeJS.ProcessEnv): Arguments {
  const { values, positionals } = parse(given)
  const formats = (['json', 'tap', 'junit'] as const).filter((name) => values[name])
  if (formats.length > 1) throw new UsageError(`Choose one of --${formats.join(' and --')}`)
  const action = (['help', 'version', 'list'] as const).find((name) => values[name]) ?? 'probe'
  if (action === 'probe' && positionals.length !== 1) {
    throw new UsageError(
      positionals.length === 0
        ? 'The URL of a server is missing'
        : `Only one URL is tested: ${positionals.join(' ')}`,
    )
  }
  const { MQTT_PASSWORD } = environment
  const password = values.password ?? MQTT_PASSWORD
  if (password !== undefined && values.user === undefined && values.password !== undefined) {
    throw new UsageError('--password needs --user, because 3.1.1 knows no password without a user name')
  }
  return {
    action,
    url: positionals[0] ?? '',
    format: formats[0] ?? 'text',
    isVerbose: values.verbose === true,
    options: {
      protocol: protocols(values.protocol ?? ['all']),
      only: values.only ?? [],
      slow: values.slow === true,
      ...(values.timeout !== undefined && { timeout: number('timeout', values.timeout, 2 ** 24) }),
      ...(values.concurrency !== undefined && {
        concurrency: number('concurrency', values.concurrency, 1000),
      }),
      ...(values.user !== undefined && { userName: values.user, password }),
      tls: { ...file('ca', values.ca), ...file('cert', values.cert), ...file('key', values.key) },
      ownServer: values['yes-i-operate-this-server'] === true,
    },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function protocols(given: readonly string[]): VersionLabel[] {
  const labels = given.flatMap((one): VersionLabel[] => {
    if (one === 'all') return ['3.1', '3.1.1', '5.0']
    if (one === '3.1' || one === '3.1.1') return [one]
    if (one === '5' || one === '5.0') return ['5.0']
    throw new UsageError(`--protocol must be 3.1, 3.1.1, 5 or all, not ${one}`)
  })
  return [...new Set(labels)]
}

function number(name: string, value: string, maximum: number): number {
  const found = Number(value)
  if (/^\d+$/.test(value) && found >= 1 && found <= maximum) return found
  throw new UsageError(`--${name} must be a whole number from 1 to ${maximum}, not ${value}`)
}

function file(
  name: 'ca' | 'cert' | 'key',
  path: string | undefined,
): { ca?: Buffer; cert?: Buffer; key?: Buffer } {
  if (path === undefined) return {}
  try {
    return { [name]: readFileSync(path) }
  } catch (error) {
    throw new UsageError(`--${name}: ${(error as Error).message}`)
  }
}
