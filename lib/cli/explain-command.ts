import { createReadStream } from 'node:fs'
import { type RelaxableCode, relaxableCodes } from '../errors/error-table.ts'
import { payloadInFrame } from '../explain/capture/segments.ts'
import { isCapture } from '../explain/capture/signature.ts'
import { wrapped } from '../explain/columns.ts'
import { notBytes, waysToRead } from '../explain/paste/whole-text.ts'
import { type Choice, type Found, readContent, readText, textOf, type Unread } from '../explain/read-input.ts'
import { decisive, type ExplainedStream, explainStreams, outcomesIn } from '../explain/streams.ts'
import { type Diagnosis, diagnose, type ExplainOptions, type Explanation } from '../index.ts'
import { jsonText, stringText } from '../packets/text.ts'
import { type Version, versions } from '../protocol/version.ts'
import type { CommandResult, Io } from './command.ts'
import { parseOptions, unknown } from './options.ts'

const usage = `Explains the bytes of MQTT packets: what they mean, what to do about an error, and each field.

  mqtt-connect-packet explain [BYTES… | --file FILE | -] [options]

Pass the bytes as arguments, in a file, or on stdin (- or no arguments), in any of these
forms: hex or decimal numbers, \\x escapes, arrays in JavaScript, C, Go and other languages,
<Buffer …>, base64, dumps from Wireshark, tshark, xxd, hexdump -C, od -t x1 and gdb, and the output
of strace, socat, tcpdump -X or Wireshark's Follow Stream, Markdown, and logs. A file or stdin can
also contain raw bytes or a capture (pcap, pcapng), whose MQTT connections, plain or over
WebSockets, are then listed; --connection explains one of them. The client's packets are shown
before the server's.

Options
  --file, -f FILE      read the bytes from a file
  --protocol VERSION   accept only version 3.1, 3.1.1 or 5 (default: each CONNECT decides; without
                       one, packets are read in each version that fits)
  --allow CODE         relax the rule with this error code; repeatable
  --connection NUMBER  explain only this connection, counted from 1
  --secrets            show the password, authentication data and all bytes that may be part of them
  --json               print JSON
  --help, -h           print this

Exit code: 0 if no packet is invalid, 1 if one is, 2 for misuse.

Examples
  mqtt-connect-packet explain 10 0f 0004 4d515454 04 02 003c 0003 6f6e65
  mqtt-connect-packet explain 10:0c:00:04:4d:51:54:54:04:00:00:3c:00:00 --allow client-id-empty
  mqtt-connect-packet explain --file connect.bin --protocol 5 --json
  xxd connect.bin | mqtt-connect-packet explain -
  mqtt-connect-packet explain --file capture.pcap --connection 2
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
    connection: { type: 'string' },
    secrets: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) return { output: usage, exitCode: 0 }
  const { allow, connection, secrets, json, protocol, file } = values
  const options: ExplainOptions = {
    protocolVersion: protocol === undefined ? undefined : versionNamed(protocol).level,
    // Reads MQTT 3.1 as well, because people want to see their bytes explained even if a server would refuse them.
    allow: ['protocol-mqtt-3-1', ...(allow ?? []).map(relaxableCode)],
    secrets,
  }
  const found = await readInput(positionals, file, io)
  if (found.problem !== undefined) {
    const { problem, known, place } = found
    if (known !== undefined && !json) io.stdout.write(dumpsOf(explainStreams(known.streams, options)))
    throw new TypeError(`the input must be ${notBytes(`${problem}${place}`)}`)
  }
  const explained = chosen(found, connection).map(
    (choice): Explained => ({ choice, streams: explainStreams(choice.streams, options) }),
  )
  const output = json
    ? jsonOf(explained, found.areConnections)
    : explained.length === 1
      ? reportOf(explained[0]!, found.areConnections)
      : listOf(explained)
  return { output, exitCode: explained.some(({ streams }) => streams.some(isInvalid)) ? 1 : 0 }
}

/** One way to read the input, and its explanation. */
interface Explained {
  readonly choice: Choice
  readonly streams: readonly ExplainedStream[]
}

/**
 * The chosen connection, or all of them. If the input has no connections, the only way to read it.
 *
 * @throws TypeError if there are several ways, or no such connection
 */
function chosen({ choices, areConnections }: Found, connection: string | undefined): readonly Choice[] {
  if (!areConnections && choices.length > 1)
    throw new TypeError(`the input must be ${notBytes(waysToRead(choices.map(({ name }) => name)))}`)
  if (connection === undefined) return choices
  if (!areConnections)
    throw new TypeError('--connection: the input is not a capture or log of several connections')
  const choice = /^[1-9]\d*$/.test(connection) ? choices[Number(connection) - 1] : undefined
  if (choice !== undefined) return [choice]
  throw new TypeError(`--connection: must be 1 to ${choices.length}, not ${stringText(connection)}`)
}

function isInvalid({ explanation }: ExplainedStream): boolean {
  return explanation.packets.some(({ error }) => error !== undefined)
}

function diagnosisOf({ stream, options }: ExplainedStream): Diagnosis {
  const { protocolVersion, allow, from } = options
  return diagnose(stream.bytes, { protocolVersion, allow, from })
}

/** The explanation, or a list with both directions. For a capture, a list of its connections. */
function jsonOf(explained: readonly Explained[], areConnections: boolean): string {
  const all = explained.map(({ choice, streams }) => {
    const both = streams.map((one) => ({
      ...(one.stream.from !== undefined && { from: one.stream.from }),
      diagnosis: diagnosisOf(one),
      ...one.explanation.toJSON(),
    }))
    return areConnections ? { connection: choice.name, streams: both } : both.length === 1 ? both[0] : both
  })
  return `${jsonText(areConnections ? all : all[0], 2)}\n`
}

/** The connections of a capture, each with its diagnosis in one sentence. */
function listOf(explained: readonly Explained[]): string {
  const lines = explained.flatMap(({ choice, streams }, i) => [
    ...wrapped(`${`${i + 1}`.padStart(3)}  ${choice.name}: ${outcomesIn(streams)}`, COLUMNS),
    ...wrapped(diagnosisOf(decisive(streams)!).headline, COLUMNS - 5).map((line) => `     ${line}`),
  ])
  return `${lines.join('\n')}\n\n--connection NUMBER explains one of them.\n`
}

/** The decisive diagnosis, and the bytes of each direction, the client's first. */
function reportOf({ choice, streams }: Explained, isConnection: boolean): string {
  const { ignored, name } = choice
  const diagnosis = diagnosisOf(decisive(streams)!)
  const parts = [`${paragraphs(diagnosis)}\n`, dumpsOf(streams)]
  if (isConnection) parts.unshift(`${name}\n`)
  return `${parts.join('\n')}${ignored.length > 0 ? `ignored  ${ignored.join(', ')}\n` : ''}`
}

/** The bytes of each direction. */
function dumpsOf(streams: readonly ExplainedStream[]): string {
  const dumps = streams.map((one) => {
    const { bytes, from } = one.stream
    const title = streams.length > 1 ? `from the ${from}:\n` : ''
    return `${title}${inOwnWords(`${one.explanation}`)}\n${isInvalid(one) ? hint(bytes) : ''}`
  })
  return dumps.join('\n')
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

/** The command line's names for the options of `explain`. */
const optionNames: Readonly<Record<string, string>> = {
  'the option `allow`': '--allow CODE',
  'the option `protocolVersion`': '--protocol VERSION',
  'the option `secrets`': '--secrets',
}

/** A dump whose hints name the command line's options. Only hints begin in this way. */
function inOwnWords(dump: string): string {
  return dump.replace(/^(?:hint|hidden) .*$/gm, (line) =>
    line.replace(/the option `\w+`/, (name) => optionNames[name] ?? name),
  )
}

/** Advice for getting at the packet. */
function hint(bytes: Uint8Array): string {
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
  throw new TypeError(`--protocol: must be 3.1, 3.1.1 or 5, not ${stringText(text)}`)
}

/** The bytes in the input; or the reason why there are none, and the place of the invalid character: ` (line 2, column 7)`. */
type Input = Found | (Unread & { readonly place: string })

/**
 * Reads the command's input.
 *
 * @throws TypeError if the arguments contradict each other, or if there is too much input
 */
async function readInput(positionals: readonly string[], file: string | undefined, io: Io): Promise<Input> {
  if (file !== undefined) {
    if (positionals.length > 0) throw new TypeError('use either --file or BYTES, not both')
    return foundIn(await contentOf(createReadStream(file), 'the file'))
  }
  const isStdin = positionals.length === 0 || positionals[0] === '-'
  if (isStdin && positionals.length > 1) throw new TypeError('use either - or BYTES, not both')
  if (!isStdin) return foundIn(positionals.join(' '))
  if (positionals.length === 0 && io.stdin.isTTY)
    throw new TypeError('no bytes: give BYTES, --file FILE or -')
  return foundIn(await contentOf(io.stdin, 'stdin'))
}

/** Limits the input, because some files and pipes never end. */
const MOST_BYTES = 64 * 1024 * 1024

/** @throws TypeError if there are too many bytes */
async function contentOf(source: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MOST_BYTES) continue
    const advice = isCapture(Buffer.concat(chunks.slice(0, 4)))
      ? ': write its MQTT into another capture with tcpdump -r FILE -w MQTT.pcap tcp port 1883'
      : ''
    throw new TypeError(`${name} has more than ${MOST_BYTES >> 20} MiB${advice}`)
  }
  return Buffer.concat(chunks)
}

function foundIn(input: string | Buffer): Input {
  const found = typeof input === 'string' ? readText(input) : readContent(input)
  return found.problem === undefined ? found : { ...found, place: placeIn(input, found.position) }
}

/** ` (line 2, column 7)` */
function placeIn(input: string | Buffer, position: number | undefined): string {
  if (position === undefined) return ''
  const text = typeof input === 'string' ? input : textOf(input)!
  const lines = text.slice(0, position).split('\n')
  return ` (line ${lines.length}, column ${lines.at(-1)!.length + 1})`
}
