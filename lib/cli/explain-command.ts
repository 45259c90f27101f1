import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { captureAdvice, isCapture, payloadInFrame } from '../explain/capture.ts'
import { wrapped } from '../explain/columns.ts'
import type { Reading } from '../explain/paste/paste.ts'
import { notBytes, readPaste, waysToRead } from '../explain/paste/read-paste.ts'
import {
  type ConnectPacket,
  ControlPacketType,
  type Diagnosis,
  diagnose,
  type ExplainOptions,
  type Explanation,
  explain,
  type ProtocolVersion,
} from '../index.ts'
import { jsonText, stringText } from '../packets/text.ts'
import { type Version, versions } from '../protocol/version.ts'
import type { CommandResult, Io } from './command.ts'
import { parseOptions, unknown } from './options.ts'

const usage = `Says in plain words what the bytes of MQTT packets mean and what to do about an error, and explains
them field by field.

  mqtt-connect-packet explain [BYTES… | --file FILE | -] [options]

The bytes come as arguments, from a file, or from stdin (-, also without any argument), in any of
these forms: hex or decimal numbers, \\x escapes, arrays of JavaScript, C, Go and others, <Buffer …>,
base64, dumps of Wireshark, tshark, xxd, hexdump -C, od -t x1 and gdb, and lines of strace, of
tcpdump -X, of Wireshark's Follow Stream, of Markdown and of a log. Both directions of a connection
are explained one after the other. A file or stdin can also hold the raw bytes themselves.

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
  const readings = await readInput(positionals, file, io)
  for (const { bytes } of readings) refuseCapture(bytes, file)
  // Whoever explains bytes wants to read them. Whether a server accepts MQTT 3.1 is another question.
  const allowed: RelaxableCode[] = ['protocol-mqtt-3-1', ...(allow ?? []).map(relaxableCode)]
  const explainAll = (protocolVersion: ProtocolVersion | undefined): Explained[] =>
    readings.map((reading) => {
      const options: ExplainOptions = { protocolVersion, allow: allowed }
      const explanation = explain(reading.bytes, { ...options, secrets })
      return { ...reading, explanation, diagnosis: diagnose(reading.bytes, options) }
    })
  let explained = explainAll(protocol === undefined ? undefined : versionNamed(protocol).level)
  // Both sides speak the version of the CONNECT.
  const connect = explained.find(({ explanation }) => explanation.packet?.type === ControlPacketType.connect)
  if (protocol === undefined && explained.length > 1 && connect?.explanation.packet !== undefined) {
    explained = explainAll((connect.explanation.packet as ConnectPacket).protocolVersion)
  }
  const isInvalid = explained.some(({ explanation }) =>
    explanation.packets.some(({ error }) => error !== undefined),
  )
  const output = json
    ? jsonOf(explained)
    : explained.map((one) => textOf(one, explained.length > 1)).join('\n')
  return { output, exitCode: isInvalid ? 1 : 0 }
}

/** A reading of the input, and what its bytes are. */
type Explained = Omit<Reading, 'form'> & {
  readonly diagnosis: Diagnosis
  readonly explanation: Explanation
}

/** One explanation, or a list of those of both directions. */
function jsonOf(explained: readonly Explained[]): string {
  const all = explained.map(({ diagnosis, explanation }) => ({ diagnosis, ...explanation.toJSON() }))
  const [first] = all
  const both = all.map((one, i) => ({ direction: explained[i]!.direction, ...one }))
  return `${jsonText(both.length === 1 ? first : both, 2)}\n`
}

function textOf(explained: Explained, isOneOfTwo: boolean): string {
  const { bytes, direction, ignored, diagnosis, explanation } = explained
  const isInvalid = explanation.packets.some(({ error }) => error !== undefined)
  const notes = `${isInvalid ? hint(bytes) : ''}${ignored.length > 0 ? `ignored  ${ignored.join(', ')}\n` : ''}`
  return `${isOneOfTwo ? `${direction}:\n` : ''}${explanationText(diagnosis, explanation)}\n${notes}`
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

/** What the command reads: one reading, or one for each direction of a connection. */
async function readInput(
  positionals: readonly string[],
  file: string | undefined,
  io: Io,
): Promise<readonly Omit<Reading, 'form'>[]> {
  if (file !== undefined) {
    if (positionals.length > 0) throw new TypeError('use either --file or BYTES, not both')
    return fromContent(await contentOf(createReadStream(file), file))
  }
  const isStdin = positionals.length === 0 || positionals[0] === '-'
  if (isStdin && positionals.length > 1) throw new TypeError('use either - or BYTES, not both')
  if (!isStdin) return fromText(positionals.join(' '))
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
function fromContent(content: Buffer): readonly Omit<Reading, 'form'>[] {
  return isText(content) ? fromText(content.toString('utf8')) : [{ bytes: content, ignored: [] }]
}

/** @throws TypeError if the text can't be read, or in more than one way */
function fromText(text: string): readonly Reading[] {
  const { readings, parts, problem, position } = { position: undefined, parts: undefined, ...readPaste(text) }
  if (problem !== undefined)
    throw new TypeError(`expected ${notBytes(`${problem}${placeOf(text, position)}`)}`)
  if (
    readings.length > 1 &&
    (parts === undefined || readings.some(({ direction }) => direction === undefined))
  )
    throw new TypeError(`expected ${notBytes(waysToRead(readings))}`)
  return readings
}

/** ` (line 2, column 7)` */
function placeOf(text: string, position: number | undefined): string {
  if (position === undefined) return ''
  const lines = text.slice(0, position).split('\n')
  return ` (line ${lines.length}, column ${lines.at(-1)!.length + 1})`
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
