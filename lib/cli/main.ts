import { readFileSync } from 'node:fs'
import { hiddenCharacter, unicodeEscape } from '../errors/hidden-characters.ts'
import { MqttError } from '../index.ts'
import { stringText } from '../packets/text.ts'
import type { CommandResult, Io } from './command.ts'
import { encodeCommand } from './encode-command.ts'
import { explainCommand } from './explain-command.ts'
import { parseOptions } from './options.ts'

/** The name of the bin. */
export const NAME = 'mqtt-connect-packet'

const usage = `Explains CONNECT, CONNACK, AUTH and DISCONNECT packets byte by byte, and builds CONNECT packets.
MQTT 3.1, 3.1.1 and 5.0.

  ${NAME} explain [BYTES… | --file FILE | -] [options]
  ${NAME} encode [options]
  ${NAME} COMMAND --help

Options
  --help, -h      print this
  --version, -v   print the version of the package

Exit code: 0 if the packet is valid, 1 if it breaks a rule of MQTT, 2 for misuse.

Examples
  ${NAME} explain 10 0f 0004 4d515454 04 02 003c 0003 6f6e65
  ${NAME} encode --client-id one | ${NAME} explain -
  ${NAME} encode --help
`

const commands: ReadonlyMap<string, (args: string[], io: Io) => Promise<CommandResult>> = new Map([
  ['explain', explainCommand],
  ['encode', encodeCommand],
])

/** Runs the command line; returns the exit code. */
export async function main(args: string[], io: Io): Promise<0 | 1 | 2> {
  try {
    const { output, exitCode } = await run(args, io)
    io.stdout.write(output)
    return exitCode
  } catch (error) {
    if (error instanceof MqttError) {
      io.stderr.write(`${NAME}: ${error.message} [${error.code}, ${error.clause}]\n`)
      return 1
    }
    const command = commands.has(args[0] ?? '') ? `${NAME} ${args[0]}` : NAME
    io.stderr.write(`${NAME}: ${oneLine(error as Error)} (see ${command} --help)\n`)
    return 2
  }
}

async function run(args: string[], io: Io): Promise<CommandResult> {
  const [name = '', ...rest] = args
  const command = commands.get(name)
  if (command !== undefined) return command(rest, io)
  if (name !== '' && !name.startsWith('-')) {
    throw new TypeError(`unknown command ${stringText(name)}: use ${[...commands.keys()].join(' or ')}`)
  }
  const { values } = parseOptions(args, {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  })
  if (values.help) return { output: usage, exitCode: 0 }
  if (values.version) return { output: `${packageVersion()}\n`, exitCode: 0 }
  throw new TypeError('a command is missing: explain or encode')
}

function packageVersion(): string {
  // The path is the same from dist/cli and from lib/cli.
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** A message in one line, escaped for terminals. Only the first sentence of parseArgs' messages, because the rest is advice. */
function oneLine({ message, code }: NodeJS.ErrnoException): string {
  const text = code?.startsWith('ERR_PARSE_ARGS') ? message.replace(/\.(\s.*)?$/s, '') : message
  return text.replace(/^text: /, '').replace(new RegExp(hiddenCharacter, 'gu'), unicodeEscape)
}
