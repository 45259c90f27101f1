import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { start } from '../lib/operate/command.ts'
import { until } from './support.ts'

export const root = join(import.meta.dirname, '..', '..')

/** Runs the command line in this process, and returns its output. */
export async function outputOf(...args: readonly string[]): Promise<string> {
  const { log } = console
  let output = ''
  console.log = (text: string) => (output += text)
  try {
    await start(args)
  } finally {
    console.log = log
  }
  return output
}

/** Runs the gateway's program in its own process. */
export class GatewayProgram {
  readonly process: ChildProcess
  output = ''

  constructor(...args: readonly string[]) {
    const node = ['gateway/dist/main.js', ...args]
    this.process = spawn(process.execPath, node, { cwd: root, detached: true })
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk
      })
    }
  }

  /** Sends a signal to the program and its workers, as systemd does. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-this.process.pid!, signal)
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    await until(() => pattern.test(this.output) || this.process.exitCode !== null)
    const match = pattern.exec(this.output)
    if (match === null) throw new Error(`ended without ${pattern}: ${this.output}`)
    return match
  }

  async port(): Promise<number> {
    return Number((await this.printed(/Listening on \S+:(\d+)/))[1])
  }

  async end(input?: string | Uint8Array): Promise<{ code: number; output: string }> {
    if (input !== undefined) this.process.stdin?.end(input)
    if (this.process.exitCode === null) await once(this.process, 'close')
    return { code: this.process.exitCode ?? -1, output: this.output }
  }
}
