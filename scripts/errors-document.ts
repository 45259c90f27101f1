import { connackDiagnoses, returnCodeReasons } from '../lib/errors/connack-diagnoses.ts'
import { errorDiagnoses } from '../lib/errors/diagnoses.ts'
import type { Diagnosis } from '../lib/errors/diagnosis.ts'
import {
  type ErrorCode,
  type ErrorRow,
  errorRow,
  errorTable,
  type RelaxableCode,
  reasonOf,
} from '../lib/errors/error-table.ts'
import { foreignDiagnoses } from '../lib/errors/foreign-diagnoses.ts'
import { ConnectReasonCode, ConnectReturnCode } from '../lib/protocol/codes.ts'
import { isNameless, type Rule, type VersionName, versionNames, versions } from '../test/conformance/rule.ts'
import { allRules } from '../test/conformance/rules/index.ts'
import { answerTo } from '../test/conformance/ways.ts'
import { notes, relaxations } from './error-notes.ts'
import { owners } from './vectors.ts'

const ofServer = "{ from: 'server', protocolVersion: ProtocolVersion.v3_1_1 }"
const smallest = '100d00044d51545404020000000161'

/** Errors that a single packet can't cause: a description, and an expression that causes them. */
const ofConnections: { readonly [Code in ErrorCode]?: readonly [what: string, code: string] } = {
  'connect-timeout': ['a peer that sends nothing', 'readConnect(new PassThrough(), { timeout: 1 })'],
  'not-connect': ['a PINGREQ first', parse('', 'c000')],
  'second-connect': ['two CONNECT packets', parse('', smallest + smallest)],
  'not-connack': ['a PINGRESP first', parse(ofServer, 'd000')],
  'second-connack': ['two CONNACK packets', parse(ofServer, '2002000020020000')],
}

function parse(options: string, hex: string): string {
  return `[...new PacketParser(${options}).push(${buffer(hex)})]`
}

function buffer(hex: string): string {
  return `Buffer.from('${hex}', 'hex')`
}

/** An example of a code: a description, and an expression that throws or rejects. */
function exampleOf(code: ErrorCode): readonly [what: string, code: string] {
  const special = ofConnections[code]
  if (special !== undefined) return special
  const rules = rulesOf(code)
  const rule = rules.find(({ version }) => version === 'v3_1_1') ?? rules[0]
  if (rule === undefined) throw new Error(`no example of ${code}`)
  const options = optionsOf(rule)
  const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  return [
    `${rule.what} (${versions[rule.version].label})`,
    `decode(${buffer(rule.bytes.toString('hex'))}${more})`,
  ]
}

function optionsOf({ version, known, type, options: { maximumPacketSize, from } }: Rule): string[] {
  const isUnknown = isNameless(type) || version === 'v3_1' || (known[1] === undefined && version !== 'v5')
  return [
    ...(isUnknown ? [`protocolVersion: ProtocolVersion.${version}`] : []),
    ...(maximumPacketSize === undefined ? [] : [`maximumPacketSize: ${maximumPacketSize}`]),
    ...(from === undefined ? [] : [`from: '${from}'`]),
  ]
}

function rulesOf(code: ErrorCode): Rule[] {
  return allRules.filter((rule) => rule.code === code)
}

/** The list of facts below a code's heading. */
function facts(code: ErrorCode): string[] {
  const row = errorRow(code)
  const reason = reasonOf(row)
  const [what, example] = exampleOf(code)
  return [
    `- reason code ${byte(ConnectReasonCode[reason])} \`${reason}\`, ${returnText(row)}`,
    `- clause: ${clauseText(code)}`,
    `- \`allow\`: ${row.relaxable ? `yes. ${relaxations[code as RelaxableCode]}` : 'no'}`,
    `- answer: ${answerText(code)}`,
    `- example, ${what}: \`${example}\``,
  ]
}

function byte(value: number): string {
  return `0x${value.toString(16).padStart(2, '0').toUpperCase()}`
}

function returnText(row: ErrorRow): string {
  return row.return === undefined ? 'no return code' : `return code ${row.return}`
}

/** The clauses covered by the tests of a code, with their versions. */
function clauseText(code: ErrorCode): string {
  if (code === 'connect-timeout') return '3.1 (3.1), 3.1.4 (3.1.1 and 5.0)'
  if (code === 'not-connack') return '3.2 (3.1), MQTT-3.2.0-1 (3.1.1 and 5.0)'
  if (code === 'second-connack') return '3.2 (3.1 and 3.1.1), MQTT-3.2.0-2 (5.0)'
  const found = new Map<string, Set<VersionName>>()
  const own = rulesOf(code)
  const plain = new Set(own.filter(({ type }) => owners[type] === undefined).map(({ clause }) => clause))
  const hasTypes = new Set(own.map(({ type }) => owners[type])).size > 1
  for (const { clause, version, type } of own) {
    const owner = owners[type]
    // A clause that also applies to CONNECT is listed once, without a packet type.
    const key = owner !== undefined && hasTypes && !plain.has(clause) ? `${clause} in ${owner}` : clause
    found.set(key, (found.get(key) ?? new Set()).add(version))
  }
  return [...found].map(([clause, names]) => `${clause} (${labels([...names])})`).join(', ')
}

function labels(names: readonly VersionName[]): string {
  return list(versionNames.filter((name) => names.includes(name)).map((name) => versions[name].label))
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

const CLOSE = 'close the connection'

/** The answers that a server may send, by client. */
function answerText(code: ErrorCode): string {
  const found = new Map<string, Set<string>>()
  for (const { known, type } of rulesOf(code)) {
    const answer = answerTo(code, ...known)
    const text = answer === undefined ? CLOSE : `\`${answer}\`, then close`
    const who =
      type === 'connack' ? 'in a client' : isNameless(type) ? 'after the CONNECT' : client(code, ...known)
    found.set(text, (found.get(text) ?? new Set()).add(who))
  }
  if (found.size === 0 || (found.size === 1 && found.has(CLOSE))) return `none, just ${CLOSE}`
  return [...found].map(([text, who]) => `${list([...who].sort())}: ${text}`).join('; ')
}

/** Names the recipients of an answer by the protocol name and level that they sent. */
function client(code: ErrorCode, name: string | undefined, level?: number): string {
  if (level === undefined || (name !== 'MQTT' && name !== 'MQIsdp')) return 'before the protocol is known'
  if (name === 'MQIsdp' && code.startsWith('protocol-')) return 'to MQIsdp'
  const version = versionNames.find((key) => versions[key].name === name && versions[key].level === level)
  if (version !== undefined) return `to ${versions[version].label}`
  return `to a level ${level > 4 ? 'above 5' : 'below 4'}`
}

const head = `# Errors

Each \`MqttError\` has one of these codes. Codes are part of the API and keep their meaning, whereas messages are for people and may
change. \`diagnose\` returns the first paragraphs of each code. \`npm run docs\` generates this file from \`lib/errors/\` and the tests, which run every
example.

- _reason code_: \`error.reasonCode\`, of MQTT 5.0.
- _return code_: \`error.returnCode\`, of MQTT 3.1 and 3.1.1, if they have one for this error.
- _clause_: \`error.clause\`, a normative statement (\`MQTT-…\`) or a section of the version whose rules were applied.
- _\`allow\`_: says if you can relax the rule, for example with \`{ allow: ['will-topic-empty'] }\`, and describes the packet that you then get.
- _answer_: \`error.connack\`, the bytes that a server may send before it closes the connection. They depend on the version of
  the client. A client that reads a bad CONNACK just closes the connection.

In the page (\`npm run playground\`), add \`#error=CODE\` to the address to see a packet with that error. On the site (\`npm run site\`) each code
has its own page, such as \`errors/will-qos.html\`.

Bytes that haven't arrived yet aren't an error. If your own code misuses the library, it throws a \`TypeError\` or a \`RangeError\` with one of these codes:

| code | class | misuse |
|---|---|---|
| \`ERR_INVALID_ARG_TYPE\` | \`TypeError\` | An argument, an option or a field has the wrong type, or a field is missing. |
| \`ERR_INVALID_ARG_VALUE\` | \`TypeError\` | An option or a field has an unknown name, or a value that no packet can hold or no option takes. |
| \`ERR_OUT_OF_RANGE\` | \`RangeError\` | A number is outside its range, or a string or binary data is too long. |
| \`ERR_INVALID_STATE\` | \`TypeError\` | \`end()\` is called, or the memory of a chunk is transferred, before all packets of a \`PacketParser\` have been iterated. |
`

/** A diagnosis in Markdown. The note for programmers follows the cause. */
function diagnosisText({ headline, cause, fixes }: Diagnosis, note = ''): string {
  const list =
    fixes.length === 0 ? '' : `\n\nWhat to do:\n\n${fixes.map((fix) => `- ${escaped(fix)}`).join('\n')}`
  return `${escaped(headline)}\n\n${escaped(cause)}${note === '' ? '' : ` ${note}`}${list}`
}

/** Escapes plain text for Markdown: underscores in names aren't emphasis. */
function escaped(text: string): string {
  return text.replace(/[_*<>`]/g, '\\$&')
}

const connackHead = `# Codes of a CONNACK

A server that refuses a client answers with one of these codes. The return codes 1 to 5 of MQTT 3.1 and 3.1.1 mean the
same as the reason codes in whose sections they are.
`

const foreignHead = `# Bytes of other protocols

\`diagnose\` recognises these. For the first four, \`error.looksLike\` has the name, too.
`

function connackSection([name, code]: readonly [string, ConnectReasonCode]): string {
  const diagnosis = connackDiagnoses[name as keyof typeof connackDiagnoses]
  const returned = Object.entries(returnCodeReasons).find(([, reason]) => reason === name)?.[0]
  const returnCode = ConnectReturnCode[returned as keyof typeof ConnectReturnCode]
  const codes = returnCode === undefined ? '' : `, return code ${returnCode} \`${returned}\``
  return `### ${name}\n\n${diagnosisText(diagnosis)}\n\nReason code ${byte(code)} \`${name}\`${codes}.\n`
}

export function errorsDocument(): string {
  const sections = (Object.keys(errorTable) as ErrorCode[]).map(
    (code) =>
      `## ${code}\n\n${diagnosisText(errorDiagnoses[code], notes[code])}\n\nFacts:\n\n${facts(code).join('\n')}\n`,
  )
  const codes = Object.entries(ConnectReasonCode).map(connackSection)
  const others = Object.entries(foreignDiagnoses).map(
    ([name, diagnosis]) => `### ${name}\n\n${diagnosisText(diagnosis)}\n`,
  )
  return [head, ...sections, connackHead, ...codes, foreignHead, ...others].join('\n')
}
