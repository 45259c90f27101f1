import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface ConformanceTest {
  readonly title: string
  /** The titles of the enclosing suites. */
  readonly subject: string
  readonly file: string
  /** The clause at the start of the title, the error code in it, and the version at its end. */
  readonly clause?: string
  readonly code?: string
  readonly version?: string
  /** The part of the title that says what is tested. */
  readonly what: string
  readonly kind: 'refuses' | 'accepts' | 'other'
}

const root = join(import.meta.dirname, '..')

/** Lists the tests in test/conformance by asking the test runner, so none can be missing. */
export function conformanceTests(): ConformanceTest[] {
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
  const config = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8'))
  // The project's configuration would list all tests, so only its TypeScript loader is used.
  const loading = [config['node-option'] ?? []].flat().flatMap((option: string) => ['--node-option', option])
  const options = ['--no-config', '--dry-run', '--reporter', 'json', ...loading, 'test/conformance/*.test.ts']
  const output = execFileSync(process.execPath, [mocha, ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const { tests } = JSON.parse(output) as { tests: { title: string; fullTitle: string; file: string }[] }
  return tests.map(({ title, fullTitle, file }) => {
    const subject = fullTitle.slice(0, -title.length - 1)
    const found = TITLE.exec(title)?.groups
    const { clause, kind, what, code, version } = found ?? {}
    return {
      ...{ title, subject, file: basename(file), what: what ?? title },
      ...{ kind: (kind as 'refuses' | 'accepts' | undefined) ?? 'other' },
      ...(clause && version && { clause, version, ...(code && { code }) }),
    }
  })
}

/** `MQTT-3.1.2-3 refuses bit 0 of the connect flags: connect-flags-reserved (5.0)` */
const TITLE =
  /^(?<clause>(?:MQTT-)?\d+(?:\.\d+)+(?:-\d+)?) (?:(?<kind>refuses|accepts) )?(?<what>.*?)(?:: (?<code>[a-z0-9-]+))? \((?<version>[\d.]+)\)$/

/** The clauses of one version, one row each. */
function clauseTable(tests: readonly ConformanceTest[], version: string): string {
  const ofVersion = tests.filter((test) => test.version === version)
  const clauses = [...new Set(ofVersion.map(({ clause }) => clause!))].sort(compareClauses)
  const rows = clauses.map((clause) => {
    const ofClause = ofVersion.filter((test) => test.clause === clause)
    const titles = (kind: ConformanceTest['kind']) =>
      joined(ofClause.filter((test) => test.kind === kind).map(({ what }) => what))
    const codes = joined(ofClause.flatMap(({ code }) => (code ? [`[${code}](errors.md#${code})`] : [])))
    return [clause, titles('refuses'), joined([titles('accepts'), titles('other')].filter(Boolean)), codes]
  })
  return table([['clause', 'refused', 'accepted, or otherwise tested', 'codes'], ...rows])
}

function joined(items: readonly string[]): string {
  return [...new Set(items)].join('; ')
}

/** Orders normative statements and sections by their numbers. */
function compareClauses(one: string, other: string): number {
  const [a, b] = [one, other].map((clause) => clause.replace('MQTT-', '').split(/[.-]/).map(Number))
  for (let i = 0; i < Math.max(a!.length, b!.length); i++) {
    const difference = (a![i] ?? -1) - (b![i] ?? -1)
    if (difference !== 0) return difference
  }
  return one < other ? -1 : 1
}

/** A Markdown table. The first row is its heading. */
function table(rows: readonly string[][]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
  return [cells[0]!, cells[0]!.map(() => '---'), ...cells.slice(1)].map(line).join('\n')
}

export function conformanceDocument(tests: readonly ConformanceTest[]): string {
  return `# Conformance

The clauses that the tests in \`test/conformance\` cover, one row per clause, for MQTT 3.1 (IBM and Eurotech, 2010), MQTT 3.1.1 (29
October 2014) and MQTT 5.0 (7 March 2019). \`MQTT-…\` is the id of a normative statement, and any other number is a section. The
same id can stand for different statements in different versions. MQTT 3.1 has no ids, and only one section per packet type.

Everything in the column "refused" is tested with \`decode\`, \`PacketDecoder\`, \`explain\` and, where fields can express it, with
a constructor. [errors.md](errors.md) explains the codes. \`npm run docs\` generates this file from the titles of the tests.

## MQTT 3.1

${clauseTable(tests, '3.1')}

## MQTT 3.1.1

${clauseTable(tests, '3.1.1')}

## MQTT 5.0

${clauseTable(tests, '5.0')}

## Beyond single clauses

| file | what is tested |
| --- | --- |
| refused.test.ts, accepted.test.ts | the tables above |
| allow.test.ts | each rule that \`allow\` can relax: only its own code relaxes it, and constructors still enforce it |
| order.test.ts | of several errors in a packet, the first in wire order is reported |
| connection.test.ts | the order of packets on a connection, and the CONNACK to answer with for each protocol name and level |
| complete.test.ts | mutated packets are refused only with codes, clauses and fields that are in the tables |
`
}
