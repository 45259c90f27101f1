import { type Rule, versions } from '../test/conformance/rule.ts'
import { type Accepted, accepted, bytesOf } from '../test/conformance/rules/accepted.ts'
import { allRules } from '../test/conformance/rules/index.ts'
import { answerTo, waysOf } from '../test/conformance/ways.ts'

/*
 * The tables of `lib/testing`, which are the packets of the conformance tests: the same bytes prove the library and are shipped.
 */

/** Packet types that only servers send, by the high half of the first byte: CONNACK, SUBACK, UNSUBACK, PINGRESP. */
const ofServers: ReadonlySet<number> = new Set([2, 9, 11, 13])

/** Bytes in hex. Many equal bytes are written once, with their number. */
function hexOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return hex.replace(/(?<=^(?:..)*)(..)\1{15,}/g, (run, byte: string) => `${byte}*${run.length / 2};`)
}

/** The first packet of each rule, version and field that `decode` alone can refuse. */
function invalid(): Rule[] {
  const found = new Map<string, Rule>()
  for (const rule of allRules) {
    const { version, code, clause, what, field } = rule
    const key = [version, code, clause, what, field].join('|')
    // Some rules are also tested while another one is relaxed.
    const isPlain = waysOf(rule).includes('decode') && rule.options.allow === undefined
    if (isPlain && !found.has(key)) found.set(key, rule)
  }
  return [...found.values()]
}

function nameOf({ what, isConnack }: Rule): string {
  return isConnack && !what.includes('CONNACK') ? `${what} in a CONNACK` : what
}

function refusedRow(rule: Rule, isAlone: boolean): string {
  const { version, code, clause, field, bytes, known, options } = rule
  const name = isAlone ? nameOf(rule) : `${nameOf(rule)}: ${field}`
  const columns = [versions[version].label, code, clause, hexOf(bytes), answerTo(code, ...known) ?? '', name]
  const more = JSON.stringify({ ...options, connection: undefined })
  return [...columns, ...(more === '{}' ? [] : [more])].join('|')
}

function refusedTable(name: string, who: string, isOwn: (type: number) => boolean): string {
  const all = invalid()
  const own = all.filter(({ bytes }) => isOwn(bytes[0]! >> 4))
  const isAlone = (rule: Rule) =>
    all.filter((other) => other.version === rule.version && nameOf(other) === nameOf(rule)).length === 1
  return source(
    name,
    `Invalid packets that ${who} send: version, code, clause, bytes, answer, name, options.`,
    own.map((rule) => refusedRow(rule, isAlone(rule))),
  )
}

function validRow(one: Accepted): string {
  return [versions[one.version].label, '', one.clause, hexOf(bytesOf(one)), '', one.what].join('|')
}

function source(name: string, comment: string, lines: readonly string[]): string {
  const text = `/** ${comment} \`npm run docs\` writes this file. */\nexport const ${name}: string = \`\n${lines.join('\n')}\n\``
  return `${text}\n`
}

/** The files of `lib/testing` that are made, with their text. */
export function vectorTables(): [file: string, text: string][] {
  return [
    [
      'invalid-from-clients.ts',
      refusedTable('invalidFromClients', 'clients', (type) => !ofServers.has(type)),
    ],
    ['invalid-from-servers.ts', refusedTable('invalidFromServers', 'servers', (type) => ofServers.has(type))],
    ['valid.ts', source('valid', 'Valid packets: version, clause, bytes, name.', accepted.map(validRow))],
  ]
}
