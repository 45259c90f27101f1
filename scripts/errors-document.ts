import { Buffer } from 'node:buffer'
import {
  type ErrorCode,
  type ErrorRow,
  errorRow,
  errorTable,
  type RelaxableCode,
} from '../lib/errors/error-table.ts'
import { MqttError } from '../lib/errors/mqtt-error.ts'
import { ConnectReasonCode } from '../lib/protocol/connect-codes.ts'
import { connectRules } from '../test/conformance/connect-rules.ts'
import { headerRules } from '../test/conformance/header-rules.ts'
import { placeRules, propertyRules } from '../test/conformance/property-rules.ts'
import { type Refusal, refusalsOf, versionName } from '../test/conformance/refusal.ts'
import { malformedRules, nulRule, stringFields } from '../test/conformance/strings.ts'
import { meanings, relaxations } from './error-notes.ts'

const strings = stringFields.flatMap((field) => [...malformedRules(field), nulRule(field)])
const refusals = refusalsOf([...headerRules, ...connectRules, ...propertyRules, ...placeRules, ...strings])

/** An example of a code: what it shows, and how the bytes are to be given to raise it. */
export interface Example {
  readonly what: string
  /** What is to be done with the bytes; nothing if `bufferToPacketVariant` takes them as they are. */
  readonly use?: string
  readonly bytes: Buffer
}

const smallest = Buffer.from('100d00044d51545404020000000161', 'hex')

/** What no packet alone can show. */
const ofConnections: Partial<Record<ErrorCode, Example>> = {
  'connect-timeout': {
    what: 'a CONNECT without its last byte',
    use: 'given to `readConnect`, and nothing more within `timeout`',
    bytes: smallest.subarray(0, -1),
  },
  'second-connect': {
    what: 'two CONNECT packets',
    use: 'given to a `PacketDecoder` with `session: true`',
    bytes: Buffer.concat([smallest, smallest]),
  },
}

/** The example of a code. */
export function exampleOf(code: ErrorCode): Example {
  const special = ofConnections[code]
  if (special !== undefined) return special
  const refusal = refusals.find((one) => one.code === code)
  if (refusal === undefined) throw new Error(`no example of ${code}`)
  const { what, version, bytes, maximumPacketSize, ways } = refusal
  const use =
    maximumPacketSize !== undefined
      ? `with \`maximumPacketSize: ${maximumPacketSize}\``
      : ways.includes('bufferToPacketVariant')
        ? undefined
        : 'given to `readConnect` or to a `PacketDecoder`'
  return { what: `${what.replace(/,$/, '')} (${versionName(version)})`, bytes, ...(use && { use }) }
}

/** The versions whose packets can raise a code; both for what is not about a packet's contents. */
function versionsOf(code: ErrorCode): readonly (4 | 5)[] {
  const found = ([4, 5] as const).filter((version) =>
    refusals.some((refusal) => refusal.code === code && refusal.version === version),
  )
  return found.length > 0 ? found : [4, 5]
}

/** The lines under a code's heading. */
function facts(code: ErrorCode): string[] {
  const row = errorRow(code)
  const { what, use, bytes } = exampleOf(code)
  return [
    `- reason code ${byte(ConnectReasonCode[row.reason])} \`${row.reason}\`, ${returnText(row)}`,
    `- ${clauseText(code, row)}`,
    `- \`allow\`: ${row.relaxable ? `yes; ${relaxations[code as RelaxableCode]}` : 'no'}`,
    `- answer: ${answer(code)}`,
    `- example, ${what}${use === undefined ? '' : `, ${use}`}: \`${bytes.toString('hex')}\``,
  ]
}

function byte(value: number): string {
  return `0x${value.toString(16).padStart(2, '0').toUpperCase()}`
}

function returnText(row: ErrorRow): string {
  return row.return === undefined ? 'no return code' : `return code ${row.return}`
}

function clauseText(code: ErrorCode, { clause }: ErrorRow): string {
  const versions = versionsOf(code)
  const texts = versions.map((version) => {
    const id = typeof clause === 'string' ? clause : version === 4 ? clause.v3_1_1 : clause.v5
    return [id, versionName(version)] as const
  })
  const [[first], second] = texts as [readonly [string, string], (readonly [string, string])?]
  if (first === second?.[0]) return `clause ${first} (3.1.1 and 5.0)`
  return `clause ${texts.map(([id, version]) => `${id} (${version})`).join(', ')}`
}

/** What a server may answer, from the errors themselves. */
function answer(code: ErrorCode): string {
  const known = refusals.filter((refusal) => refusal.code === code)
  const answers = known.map((refusal) => connackOf(refusal))
  const distinct = new Map(known.map((refusal, i) => [`${who(refusal)}: ${answers[i]}`, answers[i]]))
  if ([...distinct.values()].every((text) => text === CLOSE)) return `none, just ${CLOSE}`
  return [...distinct.keys()].join('; ')
}

const CLOSE = 'close the connection'

function connackOf({ code, version, protocol, field, offset }: Refusal): string {
  const [protocolName, protocolLevel] = protocol
  const fault = {
    field,
    offset,
    protocolVersion: version,
    expected: '',
    got: '',
    protocolName,
    protocolLevel,
  }
  const { connack } = new MqttError(code, fault)
  return connack === undefined ? CLOSE : `\`${connack.toString('hex')}\`, then close`
}

/** To whom an answer goes. */
function who({ code, protocol: [name, level] }: Refusal): string {
  if (level === undefined || (name !== 'MQTT' && name !== 'MQIsdp')) return 'before name and level are read'
  if (name === 'MQIsdp') return 'MQIsdp'
  if (!code.startsWith('protocol-')) return versionName(level as 4 | 5)
  return level > 4 ? 'level above 4' : 'level 4 or below'
}

const head = `# Errors

Each \`MqttError\` has one of these codes. A code is API and does not change its meaning; a message is for people and may
change. The facts below are those of \`lib/errors/error-table.ts\`: \`npm run docs\` writes this file, and a test holds that it
is up to date and that each example raises its code.

- _reason code_: \`error.reasonCode\`, of MQTT 5.0.
- _return code_: \`error.returnCode\`, of the MQTT 3.1.1 CONNACK, where that standard lets a server send one.
- _clause_: \`error.clause\`, a normative statement or a section of the version whose rules were applied.
- _\`allow\`_: whether the rule can be relaxed, by its code: \`{ allow: ['will-topic-empty'] }\`.
- _answer_: \`error.connack\`, the bytes that a server may send before it closes the connection. Close it in any case.
- _example_: a whole packet for \`bufferToPacketVariant\`, where nothing else is said.

Besides these there is misuse by the caller, a \`TypeError\` or \`RangeError\` with the code \`ERR_INVALID_ARG_TYPE\`,
\`ERR_INVALID_ARG_VALUE\` or \`ERR_OUT_OF_RANGE\`. Bytes that are not there yet are no error at all.
`

/** The text of docs/errors.md. */
export function errorsDocument(): string {
  const sections = (Object.keys(errorTable) as ErrorCode[]).map(
    (code) => `## ${code}\n\n${meanings[code]}\n\n${facts(code).join('\n')}\n`,
  )
  return [head, ...sections].join('\n')
}
