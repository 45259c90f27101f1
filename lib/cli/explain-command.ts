import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { explain, ProtocolVersion, type RelaxableCode } from '../index.ts'
import type { CommandResult } from './mqtt-connect.ts'

const usage = `Explains the bytes of one MQTT packet, field by field, and says whether it is valid.

  mqtt-connect explain [HEX… | --file FILE | -] [options]

The bytes come as hex arguments, from a file, or from stdin (-, also without any argument). Hex may
have spaces, line breaks, commas, colons and 0x. A file or stdin that does not hold hex is taken as
the raw bytes themselves.

Options
  --file, -f FILE      read the bytes from a file
  --protocol VERSION   accept only 3.1.1 or only 5 (default: as the packet says)
  --allow CODE         do not enforce the rule with this error code; repeatable
  --secrets            show password, authentication data and what may hold them
  --json               print JSON
  --help, -h           print this

Exit code: 0 if the packet is valid, 1 if it is not, 2 for misuse.

Examples
  mqtt-connect explain 10 0f 0004 4d515454 04 02 003c 0003 6f6e65
  mqtt-connect explain 10:0c:00:04:4d:51:54:54:04:00:00:3c:00:00 --allow client-id-empty
  mqtt-connect explain --file connect.bin --protocol 5 --json
  xxd -p connect.bin | mqtt-connect explain -
`

/**
 * `mqtt-connect explain`
 *
 * @throws TypeError for misuse of the command line
 */
export async function explainCommand(args: string[]): Promise<CommandResult> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      file: { type: 'string', short: 'f' },
      protocol: { type: 'string' },
      allow: { type: 'string', multiple: true },
      secrets: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return { output: usage, exitCode: 0 }
  const { allow, secrets, json, protocol, file } = values
  const protocolVersion = protocol === undefined ? ProtocolVersion.undetermined : versionOf(protocol)
  const bytes = await readBytes(positionals, file)
  const explanation = explain(bytes, {
    protocolVersion,
    allow: allow as RelaxableCode[] | undefined,
    secrets,
  })
  return {
    output: `${json ? JSON.stringify(explanation, null, 2) : explanation}\n`,
    exitCode: explanation.error === undefined ? 0 : 1,
  }
}

/**
 * The version that `--protocol` names.
 *
 * @throws TypeError if it names none
 */
export function versionOf(text: string): typeof ProtocolVersion.v3_1_1 | typeof ProtocolVersion.v5 {
  if (text === '3.1.1' || text === '4') return ProtocolVersion.v3_1_1
  if (text === '5' || text === '5.0') return ProtocolVersion.v5
  throw new TypeError(`--protocol takes 3.1.1 or 5, not '${text}'`)
}

async function readBytes(positionals: readonly string[], file: string | undefined): Promise<Uint8Array> {
  if (file !== undefined) {
    if (positionals.length > 0)
      throw new TypeError('the bytes come from --file or as arguments, not from both')
    return hexOrRaw(await readFile(file))
  }
  if (positionals.length === 0 && process.stdin.isTTY)
    throw new TypeError('no bytes: give HEX, --file FILE or -')
  if (positionals.length === 0 || (positionals.length === 1 && positionals[0] === '-')) {
    return hexOrRaw(await buffer(process.stdin))
  }
  return fromHex(positionals.join(' '))
}

const onlyHex = /^[\da-fx\s,:]*$/i

/** Text that begins with a byte in hex, the first digit a decimal one as in every CONNECT: HTTP does not. */
const meantAsHex = /^\s*(?:0x)?\d[\da-f][\t\n\r -~]*$/i

/** What a file or stdin holds: bytes in hex if that is what its text is meant to be, else the bytes themselves. */
function hexOrRaw(content: Buffer): Uint8Array {
  const text = content.toString('latin1')
  return onlyHex.test(text) || meantAsHex.test(text) ? fromHex(text) : content
}

/** @throws TypeError if the text is not hex; the text itself, maybe a secret, is not told */
function fromHex(text: string): Buffer {
  const digits = text
    .split(/[\s,:]+/)
    .map((token) => token.replace(/^0x([\da-f])$/i, '0$1').replace(/^0x/i, ''))
    .join('')
  if (!/^[\da-f]*$/i.test(digits))
    throw new TypeError('not hex: only digits, a to f, spaces, commas, colons, 0x')
  if (digits.length % 2 !== 0) throw new TypeError(`not hex: an odd number of digits, ${digits.length}`)
  return Buffer.from(digits, 'hex')
}
