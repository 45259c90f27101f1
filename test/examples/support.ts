import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import mqtt from 'mqtt'
import { isInstalled } from '../support/programs.ts'

export { freePort } from '../support/free-port.ts'

/** Called at the end of the current test. */
const open: (() => void)[] = []

export function closeAll(): void {
  for (const close of open.splice(0)) close()
}

export function closeLater(close: () => void): void {
  open.push(close)
}

export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  open.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The port of tcpmux, on which nobody listens. */
export const SILENT_PORT = 1

/** Sends bytes, and returns the answer in hex: `length` bytes of it, or everything until the server closes the connection. */
export async function answerTo(
  port: number,
  bytes: Uint8Array,
  length = Number.POSITIVE_INFINITY,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  open.push(() => socket.destroy())
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk)
    if (Buffer.concat(chunks).length >= length) break
  }
  return Buffer.concat(chunks).toString('hex')
}

export async function connectMqttJs(
  port: number,
  protocolVersion: 4 | 5,
  options: mqtt.IClientOptions = {},
): Promise<mqtt.MqttClient> {
  const client = await mqtt.connectAsync({
    host: '127.0.0.1',
    port,
    protocolVersion,
    reconnectPeriod: 0,
    ...options,
  })
  open.push(() => client.end(true))
  return client
}

/** The code that a server refuses an MQTT.js client with. */
export async function refusalOf(
  port: number,
  protocolVersion: 4 | 5,
  options: mqtt.IClientOptions = {},
): Promise<number | undefined> {
  const client = mqtt.connect({ host: '127.0.0.1', port, protocolVersion, reconnectPeriod: 0, ...options })
  open.push(() => client.end(true))
  return await new Promise((resolve, reject) => {
    client.once('error', (error) => resolve((error as { code?: number }).code))
    client.once('connect', () => reject(new Error('the client was accepted')))
    client.once('close', () => reject(new Error('the connection was closed without a CONNACK')))
  })
}

/** The payload of the client's next message, or `disconnected`. */
export function nextMessage(client: mqtt.MqttClient): Promise<string> {
  return new Promise((resolve) => {
    client.once('message', (_topic, payload) => resolve(`${payload}`))
    client.once('close', () => resolve('disconnected'))
  })
}

export async function run(
  program: string,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  open.push(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

// Kept, because some tests replace `console.log` to collect output.
const { log } = console

/** Skips the test if a program is missing. */
export function needs(context: Mocha.Context, program: string): void {
  if (!isInstalled(program)) skip(context, `${program} is not installed`)
}

const reported = new Set<string>()

/** Skips the test, and prints each reason once. */
export function skip(context: Mocha.Context, reason: string): never {
  if (!reported.has(reason)) log(`      skipped: ${reason}`)
  reported.add(reason)
  return context.skip()
}

/** Waits until a condition holds, or the test's time limit ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** The same CONNECT with its reserved flag set, which makes it malformed. */
export function withReservedFlag({ bytes }: { readonly bytes: Buffer }): Buffer {
  const copy = Buffer.from(bytes)
  copy[9]! |= 1
  return copy
}

/** Collects a recipe's `console` output during each of the following tests. */
export function collectOutput(): string[] {
  const lines: string[] = []
  const { log, error } = console
  beforeEach(() => {
    lines.length = 0
    console.log = console.error = (line) => lines.push(line)
  })
  afterEach(() => {
    Object.assign(console, { log, error })
  })
  return lines
}

const root = join(import.meta.dirname, '..', '..')

/** Starts a recipe in its own process, as a reader would. */
export function start(recipe: string, ...args: (string | number)[]): ChildProcess {
  const node = ['--import', './test/support/strip-types.mjs', `examples/${recipe}`]
  const child = spawn(process.execPath, [...node, ...args.map(String)], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  open.push(() => child.kill('SIGKILL'))
  return child
}

/** Waits until a process accepts connections on the port. */
export async function isListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The process has ended: ${await text(child.stderr!)}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
