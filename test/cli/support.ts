import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const root: string = join(import.meta.dirname, '..', '..')

/** What the tool has written, and how it has ended. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly bytes: Buffer
  readonly stderr: string
}

/** Runs the tool in a process of its own, with something on stdin and variables in its environment. */
export async function cli(
  args: readonly string[],
  stdin: string | Uint8Array = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const child = spawn(
    process.execPath,
    ['--import', './test/support/strip-types.mjs', 'lib/cli/mqtt-connect.ts', ...args],
    {
      cwd: root,
      env: { ...process.env, MQTT_PASSWORD: '', ...env },
    },
  )
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk) => stdout.push(chunk))
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  child.stdin.on('error', () => {}) // It need not read what it does not want.
  child.stdin.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  const bytes = Buffer.concat(stdout)
  return { code, stdout: bytes.toString(), bytes, stderr: Buffer.concat(stderr).toString() }
}
