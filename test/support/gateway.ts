import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import mqtt from 'mqtt'

const root = join(import.meta.dirname, '..', '..')

/** Resources of a process: open file descriptors, running timers, and bytes of memory in use. */
export interface Usage {
  readonly files: number
  readonly timers: number
  readonly bytes: number
}

/** Runs the gateway in its own process, as `npm start` does. */
export class Gateway {
  readonly process: ChildProcess
  readonly lines: string[] = []
  stderr = ''
  readonly #ended = new AbortController()
  #onOutput: () => void = () => {}

  constructor(...options: string[]) {
    const node = ['--expose-gc', '--import', './test/support/usage.mjs']
    this.process = spawn(process.execPath, [...node, 'gateway/dist/main.js', ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.process.stderr?.on('data', (chunk) => {
      this.stderr += chunk
      this.#onOutput()
    })
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.lines.push(line)
      this.#onOutput()
    })
    this.process.once('exit', () => {
      this.#ended.abort()
      this.#onOutput()
    })
  }

  get alive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null
  }

  /** Waits for the first match in the output. Throws if the process ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(`${this.lines.join('\n')}\n${this.stderr}`)
      if (match !== null) return match
      if (!this.alive) throw new Error(`The gateway ended before it printed ${pattern}: ${this.stderr}`)
      await new Promise<void>((resolve) => {
        this.#onOutput = resolve
      })
    }
  }

  /** The line that `act` causes the gateway to print. */
  async lineAfter(act: () => void): Promise<string> {
    const seen = this.lines.length
    act()
    await this.printedLines(seen + 1)
    return this.lines[seen] as string
  }

  /** Waits until `count` lines have been printed to standard output, and returns them. */
  async printedLines(count: number): Promise<readonly string[]> {
    while (this.lines.length < count) {
      if (!this.alive) throw new Error(`The gateway ended: ${this.stderr}`)
      await new Promise<void>((resolve) => {
        this.#onOutput = resolve
      })
    }
    return this.lines
  }

  async port(): Promise<number> {
    return Number((await this.printed(/Listening on \S+:(\d+)/))[1])
  }

  async usage(): Promise<Usage> {
    if (!this.alive) throw new Error(`The gateway ended: ${this.stderr}`)
    const answer = once(this.process, 'message', { signal: this.#ended.signal })
    this.process.send('usage')
    return (await answer)[0] as Usage
  }

  /** Waits until the process has no more open files and timers than before. Returns its resources at that point. */
  async settled(before: Usage, patience: number): Promise<Usage> {
    const end = performance.now() + patience
    for (;;) {
      const usage = await this.usage()
      const back = usage.files <= before.files && usage.timers <= before.timers
      if (back || performance.now() > end) return usage
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }
}

/** Lets an MQTT.js client connect, subscribe, and receive its own message. */
export async function serveRealClient(port: number, protocolVersion: 4 | 5): Promise<void> {
  const client = await mqtt.connectAsync({
    host: '127.0.0.1',
    port,
    protocolVersion,
    clientId: `real-${protocolVersion}`,
    reconnectPeriod: 0,
  })
  const topic = `real/${protocolVersion}`
  const received = new Promise<string>((resolve, reject) => {
    client.once('message', (_topic, payload) => resolve(String(payload)))
    client.once('close', () => reject(new Error(`The MQTT ${protocolVersion} client was disconnected`)))
  })
  await client.subscribeAsync(topic, { qos: 1 })
  await client.publishAsync(topic, 'hello', { qos: 1 })
  const message = await received
  if (message !== 'hello') throw new Error(`Expected hello, got ${message}`)
  await client.endAsync()
}
