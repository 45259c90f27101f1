import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorTable } from '../lib/errors/error-table.ts'

/** A test in test/conformance. */
export interface ConformanceTest {
  readonly title: string
  /** What is described, as the titles around this one say. */
  readonly subject: string
  readonly file: string
  /** The clause that the title begins with, and the versions that it ends with; absent if it has none. */
  readonly clause?: string
  readonly versions: readonly string[]
  /** The code that it is about, if it is about one. */
  readonly code?: string
}

const root = join(import.meta.dirname, '..')

/** All tests that there really are in test/conformance, as the test runner lists them. */
export function conformanceTests(): ConformanceTest[] {
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
  const config = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8'))
  // Without the configuration, which would list all tests, but with its way of loading TypeScript.
  const loading = config['node-option'].flatMap((option: string) => ['--node-option', option])
  const options = ['--no-config', '--dry-run', '--reporter', 'json', ...loading, 'test/conformance/*.test.ts']
  const list = execFileSync(process.execPath, [mocha, ...options], {
    cwd: root,
    encoding: 'utf8',
    // What is only listed is not covered.
    env: { ...process.env, NODE_V8_COVERAGE: '' },
    maxBuffer: 2 ** 26,
  })
  const { tests } = JSON.parse(list) as { tests: { title: string; fullTitle: string; file: string }[] }
  return tests.map(({ title, fullTitle, file }) => {
    const subject = fullTitle.slice(0, -title.length - 1)
    const clause = /^(?:MQTT-)?\d+(?:\.\d+)+(?:-\d+)? /.exec(title)?.[0].trim()
    const versions = /\((3\.1\.1|5\.0|3\.1\.1 and 5\.0)\)$/.exec(title)?.[1]?.split(' and ') ?? []
    const code = subject in errorTable ? subject : undefined
    return {
      title,
      subject,
      file: basename(file),
      versions,
      ...(clause && { clause }),
      ...(code && { code }),
    }
  })
}

/** The tests of one version's clauses, clause by clause. */
function clauseTable(tests: readonly ConformanceTest[], version: string): string {
  const rows = tests
    .filter(({ clause, versions }) => clause !== undefined && versions.includes(version))
    .map(({ clause, title, code }) => [clause!, title.slice(clause!.length + 1), code ?? '–'])
  // Sorting is stable: the tests of one clause stay in their order.
  rows.sort(([one], [other]) => compareClauses(one!, other!))
  return table([['clause', 'test, behind the clause in its title', 'code'], ...rows])
}

/** Orders normative statements and sections by their numbers. */
function compareClauses(one: string, other: string): number {
  const [a, b] = [one, other].map((clause) => clause.replace('MQTT-', '').split(/[.-]/).map(Number))
  for (let i = 0; i < Math.max(a!.length, b!.length); i++) {
    const difference = (a![i] ?? -1) - (b![i] ?? -1)
    if (difference !== 0) return difference
  }
  return one < other ? -1 : one > other ? 1 : 0
}

/** A Markdown table with its columns in line; the first row is its head. */
function table(rows: readonly string[][]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [cells[0]!, rule, ...cells.slice(1)].map(line).join('\n')
}

/** The text of docs/conformance.md. */
export function conformanceDocument(tests: readonly ConformanceTest[]): string {
  const others = tests.filter(({ clause }) => clause === undefined)
  return `# Conformance

Which test holds which clause of the standards, MQTT 3.1.1 (29 October 2014) and MQTT 5.0 (7 March 2019). The tests are
those of \`test/conformance\`. \`npm run docs\` writes this file from their real titles, and a test holds that it is up to
date and that no clause of the error table is without a test. \`MQTT-…\` is the id of a normative statement, a bare number
a section. The same id can be another statement in the other version.

The code is that of the \`MqttError\`, which [errors.md](errors.md) explains; a dash stands where a test is about what is
accepted, or about more than one code.

## MQTT 3.1.1

${clauseTable(tests, '3.1.1')}

## MQTT 5.0

${clauseTable(tests, '5.0')}

## Beyond single clauses

${table([['file', 'what is tested'], ...others.map(({ file, subject, title }) => [file, `${subject}: ${title}`])])}
`
}
