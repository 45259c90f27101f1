import { styleText } from 'node:util'
import { explain } from 'mqtt-connect-packet'
import { type Result, summaryOf, type Verdict, type VersionLabel, verdicts } from './result.ts'

/* The report for people. */

const levels: Readonly<Record<VersionLabel, 3 | 4 | 5>> = { '3.1': 3, '3.1.1': 4, '5.0': 5 }

type Style = Parameters<typeof styleText>[0]

const styles: Readonly<Record<Verdict, Style>> = {
  passed: 'green',
  violates: 'red',
  differs: 'yellow',
  'no-answer': 'magenta',
  'not-tested': 'dim',
}

/** The longest packet that is explained, in bytes. */
const LONGEST = 200

/** One case with its bytes, explained. */
export function details(result: Result, paint: Paint): string {
  const { id, version, clause, verdict, text, sent, received, closed } = result
  const lines = [`${paint(styles[verdict], verdict)} ${id} (${version}) [${clause}]`, text]
  if (sent !== '') lines.push(...part('sent', sent, version))
  if (received !== '') lines.push(...part('received', received, version))
  if (sent !== '' && received === '') lines.push('received: nothing')
  if (sent !== '')
    lines.push(closed ? 'The server closed the connection.' : 'The server left the connection open.')
  return `${lines[0]}\n${lines
    .slice(1)
    .map((line) => `  ${line}`)
    .join('\n')}`
}

function part(name: string, hex: string, version: VersionLabel): string[] {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length > LONGEST) return [`${name}: ${bytes.length} bytes, ${hex.slice(0, 60)}…`]
  const explained = `${explain(bytes, { protocolVersion: levels[version], secrets: true })}`
  // The probe doesn't have the library's option `allow`.
  const shown = explained.split('\n').filter((line) => !/^hint .*`allow`/.test(line))
  return [`${name}: ${hex}`, ...shown.map((line) => `  ${line}`)]
}

/** If there are at most this many results, all are shown in detail. */
const DETAILED = 3

/** Describes a violation in a few lines. */
function short(result: Result, others: number, paint: Paint): string {
  const { id, version, clause, text, sent, received, closed } = result
  const more = others === 0 ? '' : paint('dim', ` and ${others} more ${others === 1 ? 'case' : 'cases'}`)
  const end = closed ? ', closed' : ''
  return [
    `${paint('red', 'violates')} ${paint('bold', clause)} (${version}) ${id}${more}`,
    `  ${text}`,
    `  ${paint('dim', `sent ${cut(sent)}`)}`,
    `  ${paint('dim', `received ${received === '' ? 'nothing' : cut(received)}${end}`)}`,
  ].join('\n')
}

function cut(hex: string): string {
  return hex.length > 160 ? `${hex.slice(0, 160)}… (${hex.length / 2} bytes)` : hex
}

export type Paint = (style: Style, text: string) => string

export function painter(hasColours: boolean): Paint {
  return (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text)
}

/** The whole report: violations in detail, a table of groups, and the clauses that are violated. */
export function report(target: string, results: readonly Result[], seconds: number, paint: Paint): string {
  const shown = (verdict: Verdict): Result[] => results.filter((one) => one.verdict === verdict)
  const violations = shown('violates')
  const isDetailed = results.length <= DETAILED
  const sections = [
    ...(isDetailed
      ? results.map((result) => details(result, paint))
      : firstOfEach(violations).map(([result, others]) => short(result, others, paint))),
    ...(isDetailed
      ? []
      : (['differs', 'no-answer', 'not-tested'] as const).flatMap((one) => brief(one, shown(one), paint))),
    table(results, paint),
    clauses(violations, paint),
    `${target}: ${results.length} cases in ${seconds.toFixed(1)} s. --only with an id shows a case with its bytes explained.`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/** The first violation of each clause in each version, and the number of further ones. */
export function firstOfEach(violations: readonly Result[]): [Result, others: number][] {
  const found = new Map<string, Result[]>()
  for (const one of violations) {
    const key = `${one.clause} ${one.version} ${one.id.split('.')[0]}`
    found.set(key, [...(found.get(key) ?? []), one])
  }
  return [...found.values()].map((all) => {
    const [smallest] = all.toSorted((a, b) => a.sent.length - b.sent.length)
    return [smallest!, all.length - 1]
  })
}

/** The distinct reasons for a verdict, each with its cases. */
function brief(verdict: Verdict, results: readonly Result[], paint: Paint): string[] {
  if (results.length === 0) return []
  const reasons = new Map<string, string[]>()
  for (const { text, id, version } of results)
    reasons.set(text, [...(reasons.get(text) ?? []), `${id} (${version})`])
  const lines = [...reasons].map(([text, ids]) => {
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : ''
    return `  ${text}\n    ${paint('dim', `${ids.slice(0, 3).join(', ')}${more}`)}`
  })
  return [`${paint(styles[verdict], verdict)}\n${lines.join('\n')}`]
}

function table(results: readonly Result[], paint: Paint): string {
  const groups = [...new Set(results.map(({ id }) => id.split('.')[0]!))]
  const rows = groups.map((group) => {
    const summary = summaryOf(results.filter(({ id }) => id.startsWith(`${group}.`)))
    return [group, ...verdicts.map((verdict) => cell(verdict, summary[verdict], paint))].join('')
  })
  const padded = rows.map((row, at) => row.replace(groups[at]!, groups[at]!.padEnd(12)))
  const total = summaryOf(results)
  const head = ['group'.padEnd(12), ...verdicts.map((verdict) => verdict.padStart(12))].join('')
  const last = ['all'.padEnd(12), ...verdicts.map((verdict) => cell(verdict, total[verdict], paint))].join('')
  return [paint('bold', head), ...padded, last].join('\n')
}

function cell(verdict: Verdict, count: number, paint: Paint): string {
  const text = `${count}`.padStart(12)
  return count === 0 ? paint('dim', text) : paint(styles[verdict], text)
}

function clauses(violations: readonly Result[], paint: Paint): string {
  if (violations.length === 0) return paint('green', 'No clause is violated.')
  const found = new Map<string, number>()
  for (const { clause, version } of violations) {
    const key = `${clause} (${version})`
    found.set(key, (found.get(key) ?? 0) + 1)
  }
  const lines = [...found].map(([clause, count]) => `  ${clause}: ${count} ${count === 1 ? 'case' : 'cases'}`)
  return `${paint('red', 'Violated clauses')}\n${lines.join('\n')}`
}
