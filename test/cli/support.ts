import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { main } from '../../lib/cli/main.ts'
import { diagnose, type ExplainOptions, explain } from '../../lib/index.ts'

export const root: string = join(import.meta.dirname, '..', '..')

export interface Run {
  readonly code: number
  readonly stdout: string
  readonly bytes: Buffer
  readonly stderr: string
}

/** Runs the command line in this process, with this stdin and these environment variables. */
export async function cli(
  args: readonly string[],
  stdin: string | Uint8Array = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const stdout: Buffer[] = []
  let stderr = ''
  const code = await main([...args], {
    stdin: chunksOf(Buffer.from(stdin as Uint8Array)),
    stdout: { write: (output) => stdout.push(Buffer.from(output as Uint8Array)) },
    stderr: {
      write: (output) => {
        stderr += output
      },
    },
    env,
  })
  const bytes = Buffer.concat(stdout)
  return { code, stdout: bytes.toString(), bytes, stderr }
}

/** Splits stdin into small chunks. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

/** Expects misuse: no output, one line on stderr, exit code 2. Returns that line without the tool's name. */
export async function misuse(args: readonly string[], stdin?: string | Uint8Array): Promise<string> {
  const { code, stdout, stderr } = await cli(args, stdin)
  const command = ['explain', 'encode'].includes(args[0] ?? '') ? ` ${args[0]}` : ''
  const end = ` (see mqtt-connect-packet${command} --help)\n`
  const [, line] = /^mqtt-connect-packet: ([^\p{C}\p{Zl}\p{Zp}]+)$/u.exec(stderr.slice(0, -end.length)) ?? []
  if (code === 2 && stdout === '' && stderr.endsWith(end) && line !== undefined) return line
  throw new Error(`expected misuse, got exit code ${code}, stdout ${stdout}, stderr ${stderr}`)
}

/** The output of `explain` for some bytes: the diagnosis and the dump, with command-line options in place of the API's. */
export function dumpOf(bytes: Uint8Array, options: ExplainOptions = {}): string {
  const names = { allow: '--allow CODE', protocolVersion: '--protocol VERSION', secrets: '--secrets' }
  const { headline, cause, fixes } = diagnose(bytes, options)
  const lines = [headline, cause].flatMap((text) => folded(text, 100))
  for (const fix of fixes) lines.push(...folded(fix, 98).map((line, i) => `${i === 0 ? '-' : ' '} ${line}`))
  const dump = `${explain(bytes, options)}`.replace(
    /the option `(\w+)`/g,
    (_, name: keyof typeof names) => names[name],
  )
  return `${lines.join('\n')}\n\n${dump}`
}

/** Wraps words at this width. */
function folded(text: string, columns: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
