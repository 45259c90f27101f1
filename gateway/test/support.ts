import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import { type ConnectPacket, connack, readConnect } from 'mqtt-connect-packet'
import { freePort } from '../../test/support/free-port.ts'
import { isInstalled } from '../../test/support/programs.ts'
import { outcomeOf, type Refusal } from '../lib/connection/reports.ts'
import type { Session } from '../lib/connection/session.ts'
import type { LimitSummary } from '../lib/limit/limit-log.ts'
import type { Peer } from '../lib/listen/peer.ts'
import { parseConfig } from '../lib/operate/config.ts'
import { Gateway } from '../lib/operate/gateway.ts'
import type { Log } from '../lib/operate/log.ts'
import type { Config } from '../lib/operate/schema.ts'
import { recordOf, type SessionRecord } from '../lib/operate/session-record.ts'

export { freePort }

/** Skips the test with one line unless all programs are installed. */
export function needs(context: Mocha.Context, ...programs: readonly string[]): void {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length === 0) return
  console.log(`      skipped: ${missing.join(' and ')} is not installed`)
  context.skip()
}

/** A line of a users file that is checked in no time, for tests that aren't about how long that takes. */
export function quickUserLine(name: string, password: string): string {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 })
  return `${name}:scrypt:2,8,1:${salt.toString('base64')}:${hash.toString('base64')}`
}

/** A temporary folder for a test's files. */
export class Folder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'gateway-'))

  write(name: string, text: string | Uint8Array): string {
    const path = join(this.path, name)
    writeFileSync(path, text)
    return path
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A program of another project that listens on a port. */
export class Program {
  readonly port: number
  readonly process: ChildProcess
  output = ''

  private constructor(port: number, process: ChildProcess) {
    this.port = port
    this.process = process
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk
      })
    }
  }

  /** Starts a program and waits until its port accepts connections. */
  static async start(port: number, command: string, ...args: readonly string[]): Promise<Program> {
    const started = new Program(port, spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }))
    for (let tries = 0; tries < 750; tries++) {
      if (started.process.exitCode !== null) break
      if (await accepts(port)) return started
      await sleep(20)
    }
    throw new Error(`${command} did not start: ${started.output}`)
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    this.process.kill('SIGKILL')
    await once(this.process, 'exit')
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A mosquitto for all clients on this machine. */
export async function startMosquitto(
  folder: Folder,
  extra: string = '',
  port?: number,
  isQuiet: boolean = false,
): Promise<Program> {
  const own = port ?? (await freePort())
  const log = isQuiet ? 'none' : 'all'
  const text = `listener ${own} 127.0.0.1\nuser root\nallow_anonymous true\nlog_type ${log}\n${extra}\n`
  const path = folder.write(`mosquitto-${own}.conf`, text)
  return await Program.start(own, 'mosquitto', '-c', path, ...(isQuiet ? [] : ['-v']))
}

/** Collects the gateway's reports for a test. */
export class Report implements Log {
  readonly lines: string[] = []
  connect(_peer: unknown, packet: object): void {
    this.lines.push(`connect ${packet}`)
  }
  refused(_peer: unknown, refusal: Refusal): void {
    this.lines.push(`${outcomeOf(refusal)} ${refusal.error.message}`)
  }
  limited({ address, limits }: LimitSummary): void {
    for (const [limit, count] of Object.entries(limits))
      this.lines.push(`limited ${address} ${limit} ${count}`)
  }
  readonly sessions: SessionRecord[] = []
  sessionEnded(peer: Peer, session: Session): void {
    this.sessions.push(recordOf(peer, session))
  }
  info(message: string): void {
    this.lines.push(`info ${message}`)
  }
  warn(message: string): void {
    this.lines.push(`warn ${message}`)
  }
  pass(): void {}
  async written(): Promise<void> {}
}

/** Runs a gateway in this process, with its first listener on a free port. */
export class Running {
  readonly gateway: Gateway
  readonly report: Report

  private constructor(gateway: Gateway, report: Report) {
    this.gateway = gateway
    this.report = report
  }

  static async start(input: object): Promise<Running> {
    const report = new Report()
    const gateway = new Gateway(configOf(input), report)
    await gateway.start()
    return new Running(gateway, report)
  }

  port(index: number = 0): number {
    return this.gateway.listeners[index]!.address.port
  }

  close(): void {
    this.gateway.close()
  }

  /** A metric's value, summed over its labels. */
  async metric(name: string): Promise<number> {
    const metric = await this.gateway.metrics.registry.getSingleMetric(`mqtt_gateway_${name}`)?.get()
    return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0)
  }
}

export function configOf(input: object): Config {
  // To a fake broker, health checks would look like clients.
  return parseConfig({ listeners: [{ port: 0 }], route: { health: { interval: null } }, ...input })
}

export function upstreamOf({ port }: { port: number }, more: object = {}): object {
  return { host: '127.0.0.1', port, ...more }
}

/** A server that answers as a test tells it to. */
export class FakeBroker {
  readonly server: Server
  readonly sockets: Socket[] = []

  private constructor(server: Server) {
    this.server = server
  }

  static async start(onSocket: (socket: Socket) => void, port: number = 0): Promise<FakeBroker> {
    const server = createServer((socket) => {
      fake.sockets.push(socket)
      socket.on('error', () => {})
      onSocket(socket)
    })
    const fake = new FakeBroker(server)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return fake
  }

  /** Passes each CONNECT to a function, and reads nothing after it. Connections that end without a CONNECT are ignored. */
  static reading(
    onConnect: (packet: ConnectPacket, socket: Socket) => unknown,
    port?: number,
  ): Promise<FakeBroker> {
    return FakeBroker.start(async (socket) => {
      const packet = await readConnect(socket).catch(() => undefined)
      if (packet !== undefined) await onConnect(packet, socket)
    }, port)
  }

  /** Accepts each CONNECT, and then passes it to a function. */
  static answering(
    onConnect?: (packet: ConnectPacket, socket: Socket) => unknown,
    port?: number,
  ): Promise<FakeBroker> {
    return FakeBroker.reading((packet, socket) => {
      socket.write(connack(packet, 0)!.bytes)
      return onConnect?.(packet, socket)
    }, port)
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  close(): void {
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
  }
}

export type Version = 4 | 5

/** Connects an MQTT.js client that doesn't reconnect. */
export async function connectClient(
  port: number,
  options: mqtt.IClientOptions = {},
): Promise<mqtt.MqttClient> {
  const client = await mqtt.connectAsync({ host: '127.0.0.1', port, reconnectPeriod: 0, ...options })
  client.on('error', () => {})
  return client
}

/** The code with which an MQTT.js client is refused, or `accepted`. */
export async function refusalCode(port: number, options: mqtt.IClientOptions = {}): Promise<number | string> {
  const client = mqtt.connect({ host: '127.0.0.1', port, reconnectPeriod: 0, ...options })
  try {
    return await new Promise((resolve) => {
      client.once('connect', () => resolve('accepted'))
      client.once('error', (error) => resolve((error as { code?: number }).code ?? error.message))
      client.once('close', () => setTimeout(resolve, 20, 'closed'))
    })
  } finally {
    client.on('error', () => {})
    client.end(true)
  }
}

/** Sends bytes, and returns everything received until the connection closes. */
export async function exchange(port: number, ...chunks: readonly Uint8Array[]): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.on('error', () => {})
  for (const chunk of chunks) socket.write(chunk)
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(received)
}

export async function until(
  holds: () => boolean | Promise<boolean>,
  patience: number = 30_000,
): Promise<void> {
  const end = performance.now() + patience
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not within ${patience} ms: ${holds}`)
    await sleep(10)
  }
}

/** A generator of numbers below a given one, the same ones in each run. */
export function numbers(): (below: number) => number {
  let state = 1
  return (below) => {
    state = (state * 48_271) % 0x7fffffff
    return state % below
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The CPU time in microseconds of the fastest of some runs, because a busy machine only makes times longer. */
export async function leastTime(run: () => unknown, runs: number = 20): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const began = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(began)
    least = Math.min(least, user + system)
  }
  return least
}

/** Seconds until the kernel's next keep-alive probe on the connection that the filter selects; 0 for never. Needs `ss`. */
export function keepAliveTimer(filter: string): number {
  const text = execFileSync('ss', ['-tnoH', 'state', 'established', filter]).toString()
  const [, minutes, seconds] = /timer:\(keepalive,(?:(\d+)min)?(?:(\d+)sec)?/.exec(text) ?? []
  return Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}
