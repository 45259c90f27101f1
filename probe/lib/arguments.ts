import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { suggestion, UsageError } from './errors.ts'
import { MOST, type ProbeOptions } from './options.ts'
import type { VersionLabel } from './result.ts'
import { addressOf, credentialsOf } from './target.ts'

export const help = `Usage: mqtt-connect-probe <url> [options]

Tests whether a broker, a proxy or a device platform handles the MQTT handshake as the standards demand.
The URL is mqtt://host:port, mqtts://, ws:// or wss://.

  --protocol <version>     3.1, 3.1.1, 5 or all; may be given more than once (default: all)
  --only <name>            a clause (MQTT-3.1.2-3), a group (will) or a case (will.delayed); may be given more than once
  --slow                   also run the keep-alive cases, which take up to half a minute each; not needed with --only
  --timeout <ms>           time to wait for an answer (default: 5000)
  --concurrency <n>        number of cases to run at the same time (default: 16)
  --user <name>            user name, unless it's in the URL
  --password <password>    password; the environment variable MQTT_PASSWORD keeps it out of the process list
  --ca, --cert, --key      files in PEM format for TLS
  --json                   print one JSON object per result
  --tap, --junit           print the report in the Test Anything Protocol, or as JUnit's XML
  --verbose                explain the bytes and the answer of every case
  --list                   list all cases and exit
  --yes-i-operate-this-server   allow a public address
  --help, --version

Exit code: 0 no violation, 1 violations, 2 invalid command line or failed output, 3 the server can't
be reached.
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
        : `Only one URL is tested, not ${positionals.length}`,
    )
  }
  const [url = ''] = positionals
  return {
    action,
    url,
    format: formats[0] ?? 'text',
    isVerbose: values.verbose === true,
    options: {
      protocol: protocols(values.protocol ?? ['all']),
      only: values.only ?? [],
      slow: values.slow === true,
      ...number('timeout', values.timeout),
      ...number('concurrency', values.concurrency),
      ...(action === 'probe' && credentials(url, values, environment)),
      tls: { ...file('ca', values.ca), ...file('cert', values.cert), ...file('key', values.key) },
      ownServer: values['yes-i-operate-this-server'] === true,
    },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(hinted((error as Error).message))
  }
}

/** Node's message about an unknown option, and the option that may have been meant. */
function hinted(message: string): string {
  const [, name] = /^Unknown option '--([^']*)'/.exec(message) ?? []
  if (name === undefined) return message
  const names = Object.keys(known).map((one) => `--${one}`)
  return `Unknown option '--${name}'.${suggestion(`--${name}`, names)}`
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

function number(name: keyof typeof MOST, value: string | undefined): { [name: string]: number } {
  if (value === undefined) return {}
  const found = Number(value)
  if (/^\d+$/.test(value) && found >= 1 && found <= MOST[name]) return { [name]: found }
  throw new UsageError(`--${name} must be a whole number from 1 to ${MOST[name]}, not ${value}`)
}

/** The user name and password of the options, or else of the URL. Without a password, that of the environment. */
function credentials(
  url: string,
  { user, password }: { user?: string | undefined; password?: string | undefined },
  { MQTT_PASSWORD }: NodeJS.ProcessEnv,
) {
  const found = credentialsOf(addressOf(url), { userName: user, password })
  if (found.userName !== undefined) return { password: MQTT_PASSWORD, ...defined(found) }
  if (password === undefined) return {}
  throw new UsageError('--password needs --user, because 3.1.1 has no password without a user name')
}

function defined<Type extends object>(given: Type): Type {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Type
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
