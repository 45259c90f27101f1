import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { captureAdvice, isCapture, payloadInFrame } from '../explain/capture.ts'
import { wrapped } from '../explain/columns.ts'
import {
  bytesFromText,
  type Diagnosis,
  diagnose,
  type ExplainOptions,
  type Explanation,
  explain,
} from '../index.ts'
import { jsonText, stringText } from '../packets/text.ts'
import { type Version, versions } from '../protocol/version.ts'
import type { CommandResult, Io } from './command.ts'
import { parseOptions, unknown } from './options.ts'

const usage = `Says in plain words what the bytes of MQTT packets mean and what to do about an error, and explains
them field by field.

  mqtt-connect-packet explain [BYTES… | --file FILE | -] [options]

The bytes come as arguments, from a file, or from stdin (-, also without any argument), in any of
these forms: hex with or without separators, \\x escapes, arrays of JavaScript, C and others,
<Buffer …>, base64, and dumps of Wireshark, tshark, tcpdump -X, xxd, hexdump -C and od -t x1. A file
or stdin can also hold the raw bytes themselves.

Options
  --file, -f FILE      read the bytes from a file
  --protocol VERSION   accept only 3.1, only 3.1.1 or only 5 (default: as a CONNECT says; a packet
                       that doesn't name its version is read in each version that fits)
  --allow CODE         relax the rule with this error code; repeatable
  --secrets            show password, authentication data and what may contain them
  --json               print JSON
  --help, -h           print this

Exit code: 0 if no packet is invalid, 1 if one is, 2 for misuse.

Examples
  mqtt-connect-packet explain 10 0f 0004 4d515454 04 02 003c 0003 6f6e65
  mqtt-connect-packet explain 10:0c:00:04:4d:51:54:54:04:00:00:3c:00:00 --allow client-id-empty
  mqtt-connect-packet explain --file connect.bin --protocol 5 --json
  xxd connect.bin | mqtt-connect-packet explain -
`

/**
 * `mqtt-connect-packet explain`
 *
 * @throws TypeError for misuse of the command line
 */
export async function explainCommand(args: string[], io: Io): Promise<CommandResult> {
  const { values, positionals } = parseOptions(args, {
    file: { type: 'string', short: 'f' },
    protocol: { type: 'string' },
    allow: { type: 'string', multiple: true },
    secrets: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) return { output: usage, exitCode: 0 }
  const { allow, secrets, json, protocol, file } = values
  const bytes = await readBytes(positionals, file, io)
  refuseCapture(bytes, file)
  const options: ExplainOptions = {
    ...(protocol !== undefined && { protocolVersion: versionNamed(protocol).level }),
    // Whoever explains bytes wants to read them. Whether a server accepts MQTT 3.1 is another question.
    allow: ['protocol-mqtt-3-1', ...(allow ?? []).map(relaxableCode)],
  }
  const explanation = explain(bytes, { ...options, secrets })
  const diagnosis = diagnose(bytes, options)
  const exitCode = explanation.packets.some(({ error }) => error !== undefined) ? 1 : 0
  if (json) return { output: `${jsonText({ diagnosis, ...explanation.toJSON() }, 2)}\n`, exitCode }
  const dump = `${explanationText(diagnosis, explanation)}\n`
  return { output: exitCode === 0 ? dump : `${dump}${hint(bytes)}`, exitCode }
}

/** The diagnosis, and the dump below it. */
export function explanationText(diagnosis: Diagnosis, explanation: Explanation): string {
  return `${paragraphs(diagnosis)}\n\n${inOwnWords(`${explanation}`)}`
}

const COLUMNS = 100

/** A diagnosis as text of at most 100 columns. */
function paragraphs({ headline, cause, fixes }: Diagnosis): string {
  const lines = [...wrapped(headline, COLUMNS), ...wrapped(cause, COLUMNS)]
  for (const fix of fixes) {
    lines.push(...wrapped(fix, COLUMNS - 2).map((line, i) => `${i === 0 ? '-' : ' '} ${line}`))
  }
  return lines.join('\n')
}

/** What the options of `explain` are called here. */
const optionNames: Readonly<Record<string, string>> = {
  'the option `allow`': '--allow CODE',
  'the option `protocolVersion`': '--protocol VERSION',
  'the option `secrets`': '--secrets',
}

/** A dump whose hints name the options of the command line. No other line begins as a hint does. */
function inOwnWords(dump: string): string {
  return dump.replace(/^(?:hint|hidden) .*$/gm, (line) =>
    line.replace(/the option `\w+`/, (name) => optionNames[name] ?? name),
  )
}

/** What may help to get at the packet. */
function hint(bytes: Buffer): string {
  const payload = payloadInFrame(bytes)
  return payload === undefined
    ? ''
    : `hint     the bytes are a frame of a capture: its TCP payload begins at byte ${payload}\n`
}

function relaxableCode(text: string): RelaxableCode {
  if (relaxableCodes.has(text as RelaxableCode)) return text as RelaxableCode
  throw new TypeError(`--allow: ${unknown('code', text, relaxableCodes)}`)
}

/**
 * The version that `--protocol` names: `3.1.1`, or its level `4`.
 *
 * @throws TypeError if it names none
 */
export function versionNamed(text: string): Version {
  const version = versions.find(({ label, level }) => text === label || text === `${level}`)
  if (version !== undefined) return version
  throw new TypeError(`--protocol: expected 3.1, 3.1.1 or 5, got ${stringText(text)}`)
}

async function readBytes(positionals: readonly string[], file: string | undefined, io: Io): Promise<Buffer> {
  if (file !== undefined) {
    if (positionals.length > 0) throw new TypeError('use either --file or BYTES, not both')
    return fromContent(await contentOf(createReadStream(file), file))
  }
  const isStdin = positionals.length === 0 || positionals[0] === '-'
  if (isStdin && positionals.length > 1) throw new TypeError('use either - or BYTES, not both')
  if (!isStdin) return bytesFromText(positionals.join(' '))
  if (positionals.length === 0 && io.stdin.isTTY)
    throw new TypeError('no bytes: give BYTES, --file FILE or -')
  return fromContent(await contentOf(io.stdin))
}

/** More than any packet and its dump are worth: some files and pipes never end. */
const MOST_BYTES = 64 * 1024 * 1024

/** @throws TypeError if there are too many bytes, or if they begin a capture file, which may be of any size */
async function contentOf(source: AsyncIterable<Uint8Array>, file?: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MOST_BYTES) continue
    refuseCapture(Buffer.from(chunks[0]!), file)
    throw new TypeError(`${file === undefined ? 'stdin' : 'the file'} has more than ${MOST_BYTES >> 20} MiB`)
  }
  return Buffer.concat(chunks)
}

function refuseCapture(bytes: Buffer, file?: string): void {
  if (isCapture(bytes))
    throw new TypeError(`it is ${captureAdvice(file === undefined ? undefined : quoted(file))}`)
}

/** What a file or stdin holds: text with bytes in it, or the bytes themselves. */
function fromContent(content: Buffer): Buffer {
  return isText(content) ? bytesFromText(content.toString('utf8')) : content
}

/** A file name as a shell takes it. */
function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : jsonText(file)
}

/** Whether there are no control characters except those of text. Each MQTT packet has some. */
function isText(content: Buffer): boolean {
  return (
    isUtf8(content) &&
    content.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
  )
}
