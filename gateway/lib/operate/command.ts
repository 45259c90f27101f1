import cluster from 'node:cluster'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { userLine } from '../authenticate/users.ts'
import { FileError, filesReadBy, readNamedFile } from '../settings/files.ts'
import { nameOf } from '../settings/names.ts'
import { startAdmin } from './admin.ts'
import { ConfigError, loadConfig, loadReferences, parseConfig, withoutModules } from './config.ts'
import type { Reloaded, WithFiles } from './editions.ts'
import { checkPorts } from './free-ports.ts'
import { Gateway } from './gateway.ts'
import { onHangup } from './hangup.ts'
import { createLog, type Log } from './log.ts'
import { loadOptional, MissingPackageError } from './optional.ts'
import { type Config, jsonSchema } from './schema.ts'
import { ServiceManager } from './service-manager.ts'
import { inheritedSockets } from './socket-activation.ts'
import { configFromPrimary, onReload, reportToPrimary, startWorkers } from './workers.ts'

/** The options, for `parseArgs` and for the usage text. */
const options = {
  config: {
    type: 'string',
    value: 'FILE',
    help: 'the configuration file; gateway.schema.json describes it for editors',
  },
  check: { type: 'boolean', help: 'check the configuration and exit' },
  'print-config': { type: 'boolean', help: 'print the configuration with all defaults and exit' },
  'print-schema': { type: 'boolean', help: 'print the JSON Schema of the configuration and exit' },
  workers: { type: 'string', value: 'N', help: 'the number of processes that share the listeners' },
  version: { type: 'boolean', help: 'print the version and exit' },
  help: { type: 'boolean', help: 'print this help' },
} as const
const optionsForFirstTry = {
  host: { type: 'string', value: 'HOST', help: 'address to listen on (default 127.0.0.1)' },
  port: { type: 'string', value: 'PORT', help: 'port to listen on, 0 for any free one (default 1883)' },
  upstream: {
    type: 'string',
    value: 'HOST:PORT',
    help: 'broker to forward to (default: an embedded aedes)',
  },
  'connect-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: 'time for the connection to the broker (default 10)',
  },
  json: { type: 'boolean', help: 'log one JSON object per line' },
  'no-sample': { type: 'boolean', help: "don't connect the sample clients" },
} as const

function help(of: Record<string, { readonly value?: string; readonly help: string }>): string {
  return Object.entries(of)
    .map(([name, { value = '', help }]) => `  ${`--${name} ${value}`.padEnd(28)}${help}`)
    .join('\n')
}

const usage = `A gateway that limits, authenticates, rewrites, routes and forwards MQTT connections.

  mqtt-connect-gateway [options]
  mqtt-connect-gateway user NAME     print a line for the users file, with the password from standard input

${help(options)}

Without --config, to try it out:
${help(optionsForFirstTry)}`

/** The exit codes, one for each kind of start-up failure. */
export const Exit = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unreadable: 3,
  invalid: 4,
  addressInUse: 5,
  cannotListen: 6,
  missingPackage: 7,
} as const

/** The time in milliseconds that closed connections have to send their last bytes. */
const LAST_MOMENTS = 300

export class UsageError extends Error {}

interface Start {
  readonly config: Config
  readonly path: string | undefined
  readonly sample: boolean
  /** The option's value, which takes precedence over the file's. */
  readonly workers: number | undefined
  /** The listeners' sockets that systemd has opened, in a worker that reads its configuration from the primary process. */
  readonly sockets: readonly (number | undefined)[] | undefined
}

function withWorkers(config: Config, workers: number | undefined): Config {
  return workers === undefined ? config : parseConfig({ ...config, workers })
}

/**
 * Runs the command with these arguments.
 *
 * @returns true if a gateway runs now
 * @throws an error for `explain`
 */
export async function start(args: readonly string[]): Promise<boolean> {
  if (args[0] === 'user') {
    await printUser(args.slice(1))
    return false
  }
  const given = await readArguments(args)
  if (given !== undefined) await run(given)
  return given !== undefined
}

/** Runs the program. Ends the process if it can't start. */
export async function runGateway(args: readonly string[]): Promise<void> {
  try {
    // A module that has been checked may keep the process alive, for example with a timer.
    if (!(await start(args))) process.stdout.write('', () => process.exit())
  } catch (error) {
    const [message, code] = explain(error as NodeJS.ErrnoException)
    console.error(message)
    process.exit(code)
  }
}

/** The message and the exit code if the program can't start. */
export function explain(
  error: NodeJS.ErrnoException & { address?: string; port?: number },
): [message: string, code: number] {
  const { message, code = '', address, port, syscall } = error
  if (error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS'))
    return [`${message}\n\n${usage}`, Exit.usage]
  if (error instanceof FileError) return [message, Exit.unreadable]
  if (error instanceof ConfigError) return [message, Exit.invalid]
  if (error instanceof MissingPackageError) return [message, Exit.missingPackage]
  if (code === 'EADDRINUSE') {
    const advice =
      'stop the program that listens there, or choose a different port with --port or in the configuration'
    return [`Port ${port} on ${address} is taken: ${advice}`, Exit.addressInUse]
  }
  if (address !== undefined) {
    const cause = Object.hasOwn(listenCauses, code) ? listenCauses[code] : message
    return [
      `Cannot listen on ${port === undefined ? address : `${address}:${port}`}: ${cause}`,
      Exit.cannotListen,
    ]
  }
  if (syscall === 'getaddrinfo') return [`Cannot listen: ${message}`, Exit.cannotListen]
  return [error.stack ?? message, Exit.unexpected]
}

const listenCauses: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine doesn't have the address",
  EACCES: "the gateway's user may not open this port",
}

/** @returns `undefined` if the arguments ask for something that has now been printed */
async function readArguments(args: readonly string[]): Promise<Start | undefined> {
  const { values } = parseArgs({ args: [...args], options: { ...options, ...optionsForFirstTry } })
  if (values.help) {
    console.log(usage)
    return undefined
  }
  if (values.version) {
    console.log(version())
    return undefined
  }
  if (values['print-schema']) {
    console.log(JSON.stringify(jsonSchema(), null, 2))
    return undefined
  }
  const workers = values.workers === undefined ? undefined : wholeNumber('--workers', values.workers, 1, 512)
  if (values.config !== undefined) {
    const extra = Object.keys(values).find((name) => Object.hasOwn(optionsForFirstTry, name))
    if (extra) throw new UsageError(`--${extra} cannot be combined with --config`)
  } else if (values.check) throw new UsageError('--check needs --config FILE')
  const own = { references: undefined, sockets: undefined }
  const { config, references, sockets } =
    values.config === undefined
      ? { ...own, config: parseConfig(fromOptions(values)) }
      : cluster.isWorker
        ? { ...own, ...(await configFromPrimary()) }
        : { ...own, ...loadReferences(values.config) }
  const all = withWorkers(config, workers)
  if (values['print-config']) {
    console.log(JSON.stringify(references?.restore(all) ?? all, hideSecrets, 2))
    return undefined
  }
  if (values.check) {
    // This also reads the certificates and all other files.
    new Gateway(all, createLog({ ...all.log, format: 'text' })).check()
    console.log('The configuration is valid.')
    return undefined
  }
  const sample = !values['no-sample'] && values.config === undefined
  return { config: all, path: values.config, sample, workers, sockets }
}

/** The values of the options for a first try. */
type Options = Partial<Record<'host' | 'port' | 'upstream' | 'connect-timeout', string>> & { json?: boolean }

function fromOptions({ host = '127.0.0.1', port = '1883', upstream, json, ...rest }: Options): unknown {
  const connectTimeout = seconds(rest['connect-timeout'] ?? '10')
  return {
    listeners: [{ host, port: wholeNumber('A port', port, 0, 65_535) }],
    upstreams: upstream === undefined ? [] : [address(upstream)],
    route: { connectTimeout },
    log: { format: json ? 'json' : 'text' },
  }
}

/** `broker.example:1883`, `[::1]:1883` */
function address(text: string): { host: string; port: number } {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(text) ?? []
  if (host === undefined || port === undefined)
    throw new UsageError(`--upstream takes HOST:PORT, not '${text}'`)
  return { host, port: wholeNumber('A port', port, 1, 65_535) }
}

function wholeNumber(what: string, text: string, least: number, most: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new UsageError(`${what} is ${least} to ${most}, not '${text}'`)
}

function seconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.001 && Number(text) <= 2_147_483) return Number(text)
  throw new UsageError(`--connect-timeout takes 0.001 to 2147483 seconds, not '${text}'`)
}

/** The versions of the package and of Node. */
function version(): string {
  const { name, version } = JSON.parse(readNamedFile(join(import.meta.dirname, '../../package.json')))
  return `${name} ${version}, Node ${process.versions.node}`
}

function hideSecrets(key: string, value: unknown): unknown {
  return (key === 'password' || key === 'passphrase') && typeof value === 'string' ? '*****' : value
}

async function printUser(args: readonly string[]): Promise<void> {
  // A name may begin with a dash only after `--`. Otherwise, `user --help` would create a user called `--help`.
  const { help } = options
  const { values, positionals } = parseArgs({ args: [...args], options: { help }, allowPositionals: true })
  if (values.help) {
    console.log(usage)
    return
  }
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new UsageError('user takes one name')
  if (process.stdin.isTTY) process.stderr.write(`Password of ${name} (it is shown): `)
  let input = ''
  // Clients send passwords as bytes, so they aren't decoded here either.
  for await (const chunk of process.stdin.setEncoding('latin1')) {
    input += chunk
    if (input.includes('\n')) break
  }
  const [password = ''] = input.split(/\r?\n/, 1)
  // Otherwise, an unset shell variable would create a user without a password.
  if (password === '') throw new UsageError('The password is missing on standard input')
  const line = userLine(name, Buffer.from(password, 'latin1')).catch((error) => {
    throw new UsageError(error.message)
  })
  console.log(await line)
}

async function run({ config, path, sample, workers, sockets }: Start): Promise<void> {
  const log = createLog(config.log)
  const say = config.log.format === 'json' ? (line: string) => console.error(line) : log.info
  const load = (): Reloaded => {
    const loaded = path === undefined ? config : withWorkers(loadConfig(path), workers)
    const left = onlyAtStart.filter((part) => !isDeepStrictEqual(loaded[part], config[part]))
    // The running workers must be able to share the new limits.
    return { config: withWorkers({ ...loaded, admin: config.admin, log: config.log }, config.workers), left }
  }
  const manager = new ServiceManager(log)
  if (config.workers > 1 && cluster.isPrimary) {
    const withFiles = (reloaded: Reloaded): WithFiles => {
      const check = () => new Gateway(withoutModules(reloaded.config), log).check()
      return { ...reloaded, files: filesReadBy(check) }
    }
    const read = (open: Config['listeners']) =>
      attempt(log, async () => {
        const next = withFiles(load())
        await checkPorts(next.config.listeners, open)
        return next
      })
    const addresses = await startWorkers(withFiles({ config, left: [] }), log, read, manager)
    for (const address of addresses) say(listening(address, config))
    manager.ready()
    return
  }
  let embedded: { readonly port: number; close(): void } | undefined
  const complete = async (loaded: Config): Promise<Config> => {
    if (loaded.upstreams.length > 0) return loaded
    // Loaded only when needed, because these modules take longer to load than all others together.
    const load = () => import('../embedded/broker.ts')
    const advice = 'name a broker with --upstream or in the configuration'
    embedded ??= await (await loadOptional(load, 'The embedded broker needs', advice)).startEmbeddedBroker()
    const upstreams = [{ name: 'embedded', host: '127.0.0.1', port: embedded.port }]
    return parseConfig({ ...loaded, upstreams })
  }
  const fds = sockets ?? inheritedSockets(config.listeners)
  const gateway = await open(await complete(config), log, fds).catch((error) => {
    embedded?.close()
    throw error
  })
  const apply = async ({ config: next, left }: Reloaded) => {
    await gateway.reload(await complete(next))
    const later = left.length === 0 ? '' : ` What changes only with a restart: ${left.join(', ')}.`
    log.info(`The configuration has been reloaded.${later}`)
    return true
  }
  stopOnSignals(gateway, log, manager, () => embedded?.close())
  if (cluster.isWorker) {
    onReload(async (edition) => (await attempt(log, () => apply(edition))) === true)
    reportToPrimary(gateway)
    return
  }
  onHangup(async () => {
    manager.reloading()
    await attempt(log, () => apply(load()))
    manager.ready()
  })
  for (const { address } of gateway.listeners) say(listening(`${address.address}:${address.port}`, config))
  manager.ready()
  if (!sample) return
  try {
    const load = () => import('../embedded/sample-clients.ts')
    const { runSampleClients } = await loadOptional(load, 'they need', 'use --no-sample')
    const { address, port } = gateway.listeners[0]!.address
    await runSampleClients(address, port)
    say('The sample clients are done. Now connect your own client.')
  } catch (error) {
    say(`A sample client failed: ${(error as Error).message}`)
  }
}

/** Opens a gateway. If a listener can't listen, nothing stays open. */
async function open(config: Config, log: Log, fds: readonly (number | undefined)[]): Promise<Gateway> {
  const gateway = new Gateway(config, log)
  try {
    await gateway.start(fds)
    if (config.admin && !cluster.isWorker) {
      const metrics = () => gateway.metrics.registry.metrics()
      await startAdmin(config.admin, { ready: () => gateway.ready, metrics })
    }
    return gateway
  } catch (error) {
    gateway.close()
    throw error
  }
}

function listening(address: string, { upstreams }: Config): string {
  const target = upstreams.length === 0 ? 'an embedded aedes' : upstreams.map(nameOf).join(', ')
  return `Listening on ${address}, forwarding to ${target}. Ctrl-C ends it.`
}

/** The options that a reload doesn't change. */
const onlyAtStart = ['admin', 'log', 'workers'] as const

function stopOnSignals(gateway: Gateway, log: Log, manager: ServiceManager, closeOthers: () => void): void {
  let exiting = false
  const exit = async () => {
    if (exiting) return
    exiting = true
    gateway.close()
    closeOthers()
    await Promise.all([log.written(), setTimeout(LAST_MOMENTS)])
    // Something else may still be open, such as the admin port.
    process.exit(Exit.ok)
  }
  // A signal to the process group, such as that of Ctrl-C, reaches a worker twice, because the primary process passes it on. Without workers, a
  // second Ctrl-C ends the process at once.
  if (cluster.isWorker) process.on('SIGINT', exit)
  else process.once('SIGINT', exit)
  let stopping = false
  process.on('SIGTERM', async () => {
    if (stopping) return
    stopping = true
    manager.stopping()
    log.info(`Stopping: the open connections (${gateway.open.total}) are closed at the configured pace.`)
    await gateway.drain()
    await exit()
  })
}

/** Runs a step of a reload. Returns `undefined` if it fails, and the log says why. */
async function attempt<Result>(log: Log, act: () => Promise<Result> | Result): Promise<Result | undefined> {
  try {
    return await act()
  } catch (error) {
    for (const line of (error as Error).message.split('\n'))
      log.warn(`The configuration stays as it was: ${line}`)
    return undefined
  }
}
