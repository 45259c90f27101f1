#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MqttError } from '../index.ts'
import { stringText } from '../packets/text.ts'
import { encodeCommand } from './encode-command.ts'
import { explainCommand } from './explain-command.ts'

/*
 * The command line tool. A command gives what to write to stdout and an exit code: 0 for a valid packet, 1 for an
 * invalid one, 2 for misuse, which is told in one line on stderr.
 */

const usage = `Explains the MQTT CONNECT packet byte by byte, and builds one. MQTT 3.1.1 and 5.0.

  mqtt-connect explain [HEX… | --file FILE | -] [options]
  mqtt-connect encode [options]
  mqtt-connect COMMAND --help

Options
  --help, -h      print this
  --version, -v   print the version of the package

Exit code: 0 if the packet is valid, 1 if it breaks a rule of MQTT, 2 for misuse.

Examples
  mqtt-connect explain 10 0f 0004 4d515454 04 02 003c 0003 6f6e65
  mqtt-connect encode --client-id one | mqtt-connect explain -
  mqtt-connect encode --help
`

/** What a command has to say. */
export interface CommandResult {
  readonly output: string | Uint8Array
  /** 0 if the packet is valid, 1 if it is not. */
  readonly exitCode: 0 | 1
}

const commands: Readonly<Record<string, (args: string[]) => Promise<CommandResult>>> = {
  explain: explainCommand,
  encode: encodeCommand,
}

async function run(args: string[]): Promise<CommandResult> {
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(rest)
  if (name !== '' && !name.startsWith('-')) {
    throw new TypeError(`there is no command '${name}', only ${Object.keys(commands).join(' and ')}`)
  }
  const { values } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
  })
  if (values.help) return { output: usage, exitCode: 0 }
  if (values.version) return { output: `${packageVersion()}\n`, exitCode: 0 }
  throw new TypeError('a command is missing: explain or encode')
}

function packageVersion(): string {
  // As far up from dist/cli as from lib/cli.
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** A message in one line; of parseArgs only what is wrong, not the advice that it goes on with. */
function oneLine({ message, code }: NodeJS.ErrnoException): string {
  const told = code?.startsWith('ERR_PARSE_ARGS') ? message.replace(/\.(\s.*)?$/s, '') : message
  return stringText(told)
}

// The reader of a pipe may go before everything is written: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  const { output, exitCode } = await run(process.argv.slice(2))
  process.stdout.write(output)
  process.exitCode = exitCode
} catch (error) {
  if (error instanceof MqttError) {
    process.stderr.write(`mqtt-connect: ${error.message} [${error.code}, ${error.clause}]\n`)
    process.exitCode = 1
  } else {
    process.stderr.write(`mqtt-connect: ${oneLine(error as Error)} (see mqtt-connect --help)\n`)
    process.exitCode = 2
  }
}
